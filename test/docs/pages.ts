// Opens the pages in a real browser, as a person does.

import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'

export interface Visited {
  readonly page: Page
  /** Console output and requests to other hosts, for example a violation of the content security policy. */
  readonly noise: readonly string[]
}

/** Opens a page that asks for no key first. The name may have a query. */
export async function visit(
  browser: Browser | BrowserContext,
  url: string,
  name: string,
): Promise<Visited> {
  const visited = await open(browser, url, name)
  await visited.page.locator('.opblock-tag').first().waitFor()
  return visited
}

export async function visitForm(browser: Browser | BrowserContext, url: string): Promise<Visited> {
  const visited = await open(browser, url, 'module')
  await visited.page.locator('#api-key').waitFor()
  return visited
}

export async function giveKey(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Show modules' }).click()
}

async function open(
  browser: Browser | BrowserContext,
  url: string,
  name: string,
): Promise<Visited> {
  const page = await browser.newPage()
  const noise: string[] = []
  page.on('console', (message) => noise.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => noise.push(`error: ${error.message}`))
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if ((origin !== url && protocol !== 'data:') || request.url().includes('canary'))
      noise.push(`request: ${request.url()}`)
  })
  await page.goto(`${url}/public/api/${name}`)
  return { page, noise }
}

export async function authorize(page: Page, key: string): Promise<void> {
  await page.getByRole('button', { name: 'Authorize' }).first().click()
  await page.getByRole('dialog').getByLabel('Value').fill(key)
  await page.locator('.auth-container button.authorize').click()
  await page.locator('.auth-container .btn-done').click()
}

type Fill = (operation: Locator) => Promise<void>

/** Executes an operation, also repeatedly, and returns the status that the page shows. */
export async function execute(page: Page, operationId: string, fill?: Fill): Promise<string> {
  const operation = page.locator(`.opblock[id$="-${operationId}"]`)
  await operation.waitFor()
  // The address may already have opened the operation.
  if ((await operation.locator('.opblock-body').count()) === 0)
    await operation.locator('.opblock-summary-control').click()
  await operation.locator('.try-out__btn').waitFor()
  const again = operation.locator('.btn-clear')
  if (await again.isVisible()) await again.click()
  const send = operation.locator('button.execute')
  const tryOut = operation.getByRole('button', { name: 'Try it out' })
  // Swagger UI may draw the operation again after a document has loaded, and then forgets the click.
  await tryOut.or(send).first().waitFor()
  while (!(await send.isVisible())) if (await tryOut.isVisible()) await tryOut.click()
  await fill?.(operation)
  await send.click()
  const status = operation.locator('.live-responses-table tbody .response-col_status').first()
  return (await status.innerText()).trim().slice(0, 3)
}

// Failures in forms and pages. No input is lost.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Locator } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { makeFile, makeFolder } from '../helpers/content.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'
import { open, PASSWORD, shows, startSite, visit, type Visit } from './area.ts'

const FIRST_KEY = { path: '/welcome', heading: 'Create your first API key' }

describe('a form', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  before(async () => {
    server = await startSite()
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  const visitAsAdmin = (): Promise<Visit> => visit(browser, { url: server.url, user: 'admin' })

  test('keeps its input over a reload, except passwords', async () => {
    const visited = await visitAsAdmin()
    const { page, context } = visited
    await open(visited, server.url, FIRST_KEY)
    await page.getByLabel('Key name').fill('not saved yet')
    await page.reload()
    await page.getByText('Your unsaved input was restored.').waitFor()
    await shows(() => page.getByLabel('Key name').inputValue(), 'not saved yet')
    await page.getByRole('button', { name: 'Discard draft' }).click()
    await shows(() => page.getByLabel('Key name').inputValue(), 'first')
    await context.close()
  })

  test('stores no password, even if the browser fills it in at once', async () => {
    const { page, context } = await visitAsAdmin()
    await context.addInitScript(
      ([label, value]) => {
        new MutationObserver((_, observer) => {
          const input = document.querySelector<HTMLInputElement>(`input[name="${label}"]`)
          if (input === null) return
          observer.disconnect()
          input.value = value
          input.dispatchEvent(new InputEvent('input', { bubbles: true }))
        }).observe(document, { childList: true, subtree: true })
      },
      ['password', PASSWORD] as const,
    )
    const { body: user } = await server.call('POST', '/api/v2/user', { json: { name: 'eva' } })
    const { body } = await server.call('POST', `/api/v2/user/${user.user_id}/link`)
    await page.goto(`${server.url}${body.url}`)
    const input = page.getByLabel('Password', { exact: true })
    await shows(() => input.inputValue(), PASSWORD)
    const kept = await page.evaluate<string>('JSON.stringify({ ...sessionStorage })')
    assert.ok(!kept.includes(PASSWORD), kept)
    await context.close()
  })

  test('shows faults at their field and moves the focus there', async () => {
    const visited = await visitAsAdmin()
    const { page, context } = visited
    await open(visited, server.url, FIRST_KEY)
    const name = page.getByLabel('Key name')
    await name.fill('')
    await page.keyboard.press('Enter')
    await page.getByText('This field is required.').waitFor()
    await name.fill('x'.repeat(300))
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.locator('.field-fault').waitFor()
    await shows(() => name.getAttribute('aria-invalid'), 'true')
    await shows(() => name.evaluate((input) => input === input.ownerDocument.activeElement), true)
    await context.close()
  })

  describe('with more fields than fit the window', () => {
    const columns = Array.from({ length: 30 }, (_, at) => `column_${at} C(10)`).join(', ')
    let path: string
    before(async () => {
      const json = { name: 'Long', title_field: 'column_0', table_schema: columns }
      const { body } = await server.call('POST', '/api/v2/datatable', { json })
      path = `/data/${body.datatable_id}/new`
    })

    test('shows a fault at its field and mentions it beside the button', async () => {
      const visited = await visitAsAdmin()
      const { page, context } = visited
      await open(visited, server.url, { path, heading: 'New entry in Long' })
      const first = page.getByLabel(/^Column 1\b/)
      await first.fill('more than ten characters')
      await page.getByRole('button', { name: 'Create entry' }).click()
      await page.getByText('Enter at most 10 characters.').waitFor()
      await shows(() => first.evaluate((input) => input === document.activeElement), true)
      assert.equal(await isInWindow(first), true)
      const said = page.getByText('Correct the marked fields, then try again.')
      assert.equal(await said.count(), 1)
      await first.fill('short')
      await said.waitFor({ state: 'detached' })
      await context.close()
    })

    test('shows faults that belong to no field beside the button', async () => {
      const visited = await visitAsAdmin()
      const { page, context } = visited
      await open(visited, server.url, { path, heading: 'New entry in Long' })
      await context.route('**/api/v2/module/**', (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({ status: 507, json: { code: 'disk-full', title: 'x', detail: 'y' } })
          : route.continue(),
      )
      const first = page.getByLabel(/^Column 1\b/)
      await first.fill('short')
      await page.getByRole('button', { name: 'Create entry' }).click()
      const told = page.getByText('The server’s disk is full.')
      await told.waitFor()
      await shows(() => isInWindow(told), true)
      await context.close()
    })

    test('offers no retry if a retry could repeat the change', async () => {
      const visited = await visitAsAdmin()
      const { page, context } = visited
      await open(visited, server.url, { path, heading: 'New entry in Long' })
      await context.route('**/api/v2/module/**', (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({
              status: 503,
              headers: { 'retry-after': '1' },
              json: { code: 'outcome-unknown', title: 'x', detail: 'y' },
            })
          : route.continue(),
      )
      await page.getByLabel(/^Column 1\b/).fill('short')
      await page.getByRole('button', { name: 'Create entry' }).click()
      await page.getByText(/^It is not known whether .* Reload the page and check\.$/).waitFor()
      await context.close()
    })
  })

  const isInWindow = (place: Locator): Promise<boolean> =>
    place.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect()
      return top >= 0 && bottom <= innerHeight
    })

  test('is sent by Ctrl-S', async () => {
    const visited = await visitAsAdmin()
    const { page, context } = visited
    await open(visited, server.url, FIRST_KEY)
    await page.getByLabel('Key name').fill('by the keyboard')
    await page.keyboard.press('Control+s')
    await page.getByRole('heading', { name: 'Your key is ready' }).waitFor()
    const qry = JSON.stringify({ name: 'by the keyboard' })
    const { body } = await server.call('GET', `/api/v2/api_key?qry=${encodeURIComponent(qry)}`)
    assert.equal(body.api_key.length, 1)
    await context.close()
  })

  test('in a dialog has the focus, Enter does not send a question, and Cancel closes the dialog', async () => {
    const visited = await visitAsAdmin()
    const { page, context } = visited
    const { asset_category_id } = await makeFolder(server, { name: 'Old news' })
    for (const parent_category_id of [1, asset_category_id])
      await makeFile(server, { name: 'home.html', parent_category_id })
    await open(visited, server.url, { path: '/content/1', heading: 'Main' })
    const focused = (): Promise<string> =>
      page.evaluate<string>('document.activeElement.name || document.activeElement.textContent')
    for (const [of, item, place] of [
      ['home.html', 'Schedule', 'publish_at'],
      ['home.html', 'Rename', 'name'],
      ['Old news', 'Delete', 'Cancel'],
    ] as const) {
      await page.getByRole('button', { name: `Actions for ${of}` }).click()
      await page.getByRole('menuitem', { name: item, exact: true }).click()
      await shows(focused, place)
      const dialog = page.getByRole('dialog')
      if (place === 'Cancel') await page.keyboard.press('Enter')
      else await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await page.getByRole('link', { name: 'Old news' }).first().waitFor()
    await context.close()
  })

  test('keeps its input while the server is away and can be sent afterwards', async () => {
    const visited = await visitAsAdmin()
    const { page, context } = visited
    await open(visited, server.url, FIRST_KEY)
    await page.getByLabel('Key name').fill('in the end')
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('alert').getByText('The server cannot be reached.').waitFor()
    await page.getByText('No connection to the server.').waitFor()
    await context.setOffline(false)
    await page.getByText('No connection to the server.').waitFor({ state: 'detached' })
    await shows(() => page.getByLabel('Key name').inputValue(), 'in the end')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('heading', { name: 'Your key is ready' }).waitFor()
    await context.close()
  })
})

describe('a server that is away', { skip: NO_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser.close())

  test('leaves the page in place, and its data arrives when the server is back', async () => {
    const server = await startSite()
    const port = Number(new URL(server.url).port)
    const visited = await visit(browser, { url: server.url, user: 'admin' })
    const { page, context } = visited
    await open(visited, server.url, { path: '/nowhere', heading: 'Page not found' })
    await server.stop()
    // The server answers neither for the script of the page nor for its requests.
    await page.getByRole('link', { name: 'Go to Home' }).click()
    await page.getByText('No connection to the server.').waitFor()
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    const again = await startTestServer({ dataDir: server.dataDir, config: { port } })
    await page.getByRole('heading', { name: 'Welcome, admin' }).waitFor()
    await page.getByText('No connection to the server.').waitFor({ state: 'detached' })
    await context.close()
    await again.close()
  })
})

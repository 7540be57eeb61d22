// Both API documents in the frame of the area. They are already signed in, with a secret that is never
// stored.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import type { TestServer } from '../helpers/server.ts'
import { open, startSite, visit, type Visit } from './area.ts'
import { fillSite } from './demo-site.ts'

const SYSTEM = { path: '/documents/system', heading: 'System API' }
const MODULE = { path: '/documents/module', heading: 'Module API' }

async function execute(frame: FrameLocator, operation: string): Promise<string> {
  const block = frame.locator(`[id$="-${operation}"]`)
  await block.locator('.opblock-summary-control').click()
  await block.getByRole('button', { name: 'Try it out' }).click()
  await block.getByRole('button', { name: 'Execute' }).click()
  return block.locator('.live-responses-table .response .response-col_status').innerText()
}

/** Everything in the storage of the tab. */
function storedIn(page: Page): Promise<string> {
  return page.evaluate(`JSON.stringify({ ...sessionStorage, ...localStorage })`)
}

describe('the documents in the area', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let keyed: TestServer
  let browser: Browser
  /** The documents of the system in a tab of several tests, because a load costs 3 s of processor time. */
  let system: Visit
  before(async () => {
    server = await startSite()
    keyed = await startSite({ config: { docs: 'keyed' } })
    await fillSite(keyed)
    browser = await openBrowser()
    system = await visit(browser, { url: server.url, user: 'admin', colorScheme: 'light' })
    await open(system, server.url, SYSTEM)
    await system.page.frameLocator('iframe').locator('[id$="-search_user"]').waitFor()
  })
  after(async () => {
    await browser.close()
    await server.close()
    await keyed.close()
  })

  test('send requests as the signed-in user, with a secret that is stored nowhere else', async () => {
    const { page, faults } = system
    const sent = page.waitForRequest((request) => request.url().endsWith('/api/v2/api_key'))
    const frame = page.frameLocator('iframe')
    assert.match(await execute(frame, 'search_api_key'), /^200/)
    const secret = ((await sent).headers()['authorization'] ?? '').slice('Bearer '.length)
    assert.notEqual(secret, '')
    assert.equal((await storedIn(page)).includes(secret), false)
    assert.deepEqual(faults, [])
  })

  test('follow the appearance of the area', async () => {
    const { page } = system
    const root = page.frameLocator('iframe').locator('html')
    await page.frameLocator('iframe').locator('html[data-theme=light]').waitFor()
    await page.getByRole('button', { name: /admin$/ }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await page.frameLocator('iframe').locator('html[data-theme=dark]').waitFor()
    assert.match((await root.getAttribute('class')) ?? '', /dark-mode/)
  })

  test('continue with the next secret after the previous one expired', async () => {
    const { page } = system
    const frame = page.frameLocator('iframe')
    // The area gets a new secret, as it does every few minutes.
    const secrets: string[] = []
    page.on('request', (request) => {
      const { authorization } = request.headers()
      if (/\/(?:user|calendar)$/.test(request.url()) && authorization !== undefined)
        secrets.push(authorization)
    })
    assert.match(await execute(frame, 'search_user'), /^200/)
    await page.clock.install()
    await page.clock.fastForward('15:00')
    assert.match(await execute(frame, 'search_calendar'), /^200/)
    assert.equal(new Set(secrets).size, 2)
  })

  test('show the modules that the user may see if the documents need a key', async () => {
    const visited = await visit(browser, { url: keyed.url, user: 'admin' })
    const { page, faults, context } = visited
    await open(visited, keyed.url, MODULE)
    const frame = page.frameLocator('iframe')
    await frame.getByRole('link', { name: 'Cities' }).waitFor()
    assert.equal(await frame.getByLabel('API key').isVisible(), false)
    await frame.locator('.info').getByRole('link', { name: 'System API' }).click()
    await page.getByRole('heading', { level: 1, name: 'System API' }).waitFor()
    assert.match(page.url(), /\/admin\/documents\/system$/)
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('are shown only in frames of this server', async () => {
    for (const name of ['system', 'module']) {
      const { headers } = await server.call('GET', `/public/api/${name}`)
      assert.match(String(headers['content-security-policy']), /frame-ancestors 'self'/)
    }
  })
})

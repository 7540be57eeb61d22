// Where the pages store a key: in the tab in which it was entered, until the tab closes or the user removes
// the key.

import assert from 'node:assert/strict'
import { after, before, beforeEach, afterEach, describe, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { make } from '../helpers/content.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'
import { authorize, execute, giveKey, visit, visitForm } from './pages.ts'
import { makeModules } from './traffic.ts'

const SEARCH = 'search_asset_category'
const LIST = 'search_calendar_1_events'

/** Returns the places in the page and the browser that contain the key. */
async function placesOf(page: Page, key: string): Promise<readonly string[]> {
  const places = `({ location, sessionStorage, localStorage, cookie: document.cookie, state: history.state })`
  const text = await page.evaluate<string>(`JSON.stringify(${places})`)
  return Object.entries<any>(JSON.parse(text))
    .filter(([, value]) => JSON.stringify(value).includes(key))
    .map(([place]) => place)
}

describe('the key in a documentation page', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let keyed: TestServer
  let browser: Browser
  let context: BrowserContext
  before(async () => {
    server = await startTestServer()
    keyed = await startTestServer({ config: { docs: 'keyed' } })
    await makeModules(server.call)
    await makeModules(keyed.call)
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await server.close()
    await keyed.close()
  })
  beforeEach(async () => {
    context = await browser.newContext()
  })
  afterEach(() => context.close())

  test('stays after a reload and on the other page, however it is reached', async () => {
    const { page } = await visit(context, server.url, 'system')
    await authorize(page, server.key)
    await page.getByRole('navigation').getByRole('link', { name: 'Module API' }).click()
    assert.equal(await execute(page, LIST), '200')
    await page.locator('.info').getByRole('link', { name: 'System API' }).click()
    assert.equal(await execute(page, SEARCH), '200')
    assert.equal(context.pages().length, 1)
    await page.reload()
    assert.equal(await execute(page, SEARCH), '200')
  })

  test('is kept in the session storage of its tab only', async () => {
    const { page } = await visit(context, server.url, 'system')
    await authorize(page, server.key)
    assert.deepEqual(await placesOf(page, server.key), ['sessionStorage'])
    const { page: other } = await visit(context, server.url, 'system')
    assert.deepEqual(await placesOf(other, server.key), [])
    assert.equal(await execute(other, SEARCH), '401')
  })

  test('is removed by the button, by Logout, and on a page from the back-forward cache', async () => {
    const { page } = await visit(context, server.url, 'system')
    const forget = page.getByRole('button', { name: 'Forget key' })
    assert.equal(await forget.isVisible(), false)
    await authorize(page, server.key)
    await page.getByRole('navigation').getByRole('link', { name: 'Module API' }).click()
    await page.locator('.opblock-tag').first().waitFor()
    await forget.click()
    await page.locator('.opblock-tag').first().waitFor()
    assert.equal(await forget.isVisible(), false)
    await page.goBack()
    assert.equal(await execute(page, SEARCH), '401')
    assert.deepEqual(await placesOf(page, server.key), [])

    await authorize(page, server.key)
    await page.getByRole('button', { name: 'Authorize' }).first().click()
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.locator('.auth-container .btn-done').click()
    assert.deepEqual(await placesOf(page, server.key), [])
    assert.equal(await execute(page, SEARCH), '401')
  })

  test('opens keyed documents until it is removed or revoked', async () => {
    const { page } = await visit(context, keyed.url, 'system')
    const { secret, api_key_id: id } = await make(keyed, 'api_key', { name: 'soon over' })
    await authorize(page, secret)
    await page.getByRole('navigation').getByRole('link', { name: 'Module API' }).click()
    assert.equal(await execute(page, LIST), '200')
    assert.equal(await page.locator('#api-key').isVisible(), false)

    await keyed.call('POST', `/api/v2/api_key/${id}`, { json: { status: 'inactive' } })
    await page.reload()
    await page
      .getByRole('alert')
      .filter({ hasText: /unknown, inactive or expired/ })
      .waitFor()
    assert.deepEqual(await placesOf(page, secret), [])
    await giveKey(page, keyed.key)
    assert.equal(await execute(page, LIST), '200')
    assert.deepEqual(await placesOf(page, keyed.key), ['sessionStorage'])

    await page.getByRole('button', { name: 'Forget key' }).click()
    await page.locator('#api-key').waitFor()
    assert.equal(await page.locator('.opblock-tag').count(), 0)
  })

  test('is not kept if it is wrong', async () => {
    const { page } = await visitForm(context, keyed.url)
    await giveKey(page, 'cms_wrong')
    await page.getByRole('alert').waitFor()
    assert.deepEqual(await placesOf(page, 'cms_wrong'), [])
  })
})

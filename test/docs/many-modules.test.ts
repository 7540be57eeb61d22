// A site with a thousand modules: its page still opens because the page loads only one module.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pMap from 'p-map'
import type { Browser } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'
import { visit } from './pages.ts'

const MODULES = 1_000
const COLUMNS = Array.from({ length: 30 }, (_, at) => `column_${at} C(100)`).join(', ')

describe('the page with a thousand modules', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  before(async () => {
    server = await startTestServer()
    browser = await openBrowser()
    const numbers = Array.from({ length: MODULES }, (_, at) => at + 1)
    const makeOne = async (number: number): Promise<void> => {
      const json = { name: `Table ${number}`, table_schema: COLUMNS, parent_category_id: 12 }
      const { status, text } = await server.call('POST', '/api/v2/datatable', { json })
      assert.equal(status, 201, text)
    }
    await pMap(numbers, makeOne, { concurrency: 16 })
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  test('shows one module and the list of all without loading the whole document', async () => {
    const context = await browser.newContext()
    const asked: string[] = []
    context.on('request', (request) => {
      if (request.url().includes('.json')) asked.push(request.url().slice(server.url.length))
    })
    const { page, noise } = await visit(context, server.url, 'module')
    await page.locator('.opblock').first().waitFor()
    assert.equal(await page.locator('.opblock-tag').count(), 1)
    assert.equal(await page.locator('#modules li').count(), MODULES)
    assert.equal(asked.length, 2)
    assert.equal(asked[0], '/public/api/module/modules.json')
    assert.match(asked[1] ?? '', /^\/public\/api\/module\/swagger\.json\?module=datatable%2F\d+$/)
    assert.deepEqual(noise, [])
    await context.close()
  })

  test('finds a module by name and has an address for each module', async () => {
    const context = await browser.newContext()
    const { page } = await visit(context, server.url, 'module')
    await page.getByLabel('Find a module').fill('TABLE 777')
    assert.equal(await page.locator('#count').innerText(), '1 of 1,000')
    await page.getByRole('link', { name: 'Table 777' }).click()
    const tag = page.locator('.opblock-tag').filter({ hasText: ': Table 777' })
    await tag.waitFor()
    const address = page.url()
    assert.match(address, /\/public\/api\/module\?module=datatable\/\d+$/)
    assert.match(await page.locator('#modules [aria-current]').innerText(), /^Table 777/)

    const { page: other } = await visit(context, server.url, `module${new URL(address).search}`)
    await other.locator('.opblock-tag').filter({ hasText: ': Table 777' }).waitFor()
    await context.close()
  })
})

describe('the page without modules', { skip: NO_BROWSER }, () => {
  test('says that there is no module, as does the page of a missing module', async () => {
    const server = await startTestServer()
    const browser = await openBrowser()
    try {
      const page = await browser.newPage()
      const told = page.getByRole('status').filter({ hasText: /\S/ })
      await page.goto(`${server.url}/public/api/module`)
      await told.filter({ hasText: 'no datatables or calendars yet' }).waitFor()
      await page.goto(`${server.url}/public/api/module?module=datatable/1`)
      await page.getByRole('alert').filter({ hasText: 'no such module' }).waitFor()
    } finally {
      await browser.close()
      await server.close()
    }
  })
})

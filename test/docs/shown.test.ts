// An operation as a person sees it on the page: the examples are answers of this server, each under its own
// status, without invented numbers.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'
import { makeModules } from './traffic.ts'

describe('in a browser', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  before(async () => {
    server = await startTestServer()
    await makeModules(server.call)
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  /** Returns the status and the example of each answer on the page. */
  async function shownOf(name: string, operation: string): Promise<readonly [string, string][]> {
    const page: Page = await browser.newPage()
    await page.goto(`${server.url}/public/api/${name}`)
    const tag = page.locator('.opblock-tag').first()
    await tag.waitFor()
    const block = page.locator(`.opblock[id$="-${operation}"]`)
    if ((await block.count()) === 0) await tag.click()
    await block.locator('button.opblock-summary-control').click()
    const rows = block.locator('.responses-table:not(.live-responses-table) tr.response')
    await rows.first().waitFor()
    const shown: [string, string][] = []
    for (const row of await rows.all()) {
      const example = row.locator('.highlight-code, .example, pre').first()
      const text = (await example.count()) === 0 ? '' : await example.innerText()
      shown.push([(await row.getAttribute('data-code')) ?? '', text])
    }
    await page.close()
    return shown
  }

  for (const [name, operation] of [
    ['system', 'create_asset_category'],
    ['module?module=datatable/1', 'search_datatable_1_press_releases'],
  ] as const) {
    test(`${operation} has an example of each response`, async () => {
      const shown = await shownOf(name, operation)
      const problems = shown.filter(([code]) => /^[45]/.test(code))
      assert.ok(problems.length >= 4, String(problems.length))
      for (const [code, text] of problems) assert.match(text, new RegExp(`"status": ${code}`), code)
      const [, good] = shown.find(([code]) => code.startsWith('2')) ?? []
      assert.match(good ?? '', /"date_added": "2026-01-31T12:00:00.000Z"/)
      assert.doesNotMatch(JSON.stringify(shown), /9007199254740991/)
    })
  }
})

// From the first start to a published page, a table, a key and an event without a mouse. After each step, the
// focused element is visible and is the expected element.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'
import { PASSWORD, visit } from './area.ts'
import { type Keys, openKeys } from './by-keys.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true })
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })

describe('only with the keyboard', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  let page: Page
  let keys: Keys
  let faults: readonly string[]
  before(async () => {
    server = await startTestServer()
    browser = await openBrowser()
    const visited = await visit(browser, { url: server.url })
    page = visited.page
    faults = visited.faults
    keys = openKeys(page)
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  /** Opens a page by the palette, which accepts input before its data is loaded. */
  async function go(text: string): Promise<void> {
    await keys.press('Control+k')
    await keys.type(text)
    await keys.isAt(page.getByRole('combobox'))
    await page.getByRole('option', { name: text }).first().waitFor()
    await keys.press('Enter')
  }

  const read = async (path: string): Promise<any> => (await server.call('GET', path)).body

  test('a new user can set a password and create the first key', async () => {
    await page.goto(`${server.url}${server.welcome}`)
    await keys.isAt(field(page, 'Password'))
    await keys.type(PASSWORD)
    await keys.tabTo(field(page, 'Repeat password'))
    await keys.type(PASSWORD)
    await keys.press('Enter')
    await keys.isAt(field(page, 'Key name'))
    await keys.press('Enter')
    await keys.isAt(heading(page, 'Your key is ready'))
    await keys.tabTo(page.getByRole('link', { name: 'Go to Home' }))
    await keys.press('Enter')
    await keys.isAt(heading(page, 'Welcome, admin'))
  })

  test('a page can be written and published', async () => {
    await keys.tabTo(page.getByRole('link', { name: 'Content', exact: true }), 'Shift+Tab')
    await keys.press('Enter')
    await keys.isAt(heading(page, 'Main'))
    await keys.tabTo(button(page, 'New'))
    await keys.press('Enter')
    await keys.isAt(page.getByRole('menuitem', { name: 'New file' }))
    await keys.press('Enter')
    await keys.isAt(field(page, 'Name'))
    await keys.press('Escape')
    await keys.isAt(button(page, 'New'))
    await keys.press('ArrowDown', 'Enter')
    await keys.isAt(field(page, 'Name'))
    await keys.type('index.html')
    await keys.press('Enter')
    const text = page.getByRole('textbox', { name: 'Text of index.html' })
    await keys.isAt(text)
    await keys.type('<h1>Hello</h1>')
    await keys.press('Control+s')
    await page.getByText('Saved as version 2.').waitFor()
    await keys.isAt(text)
    // The first Escape closes a list of completions.
    await keys.press('Escape', 'Escape')
    await keys.tabTo(button(page, 'More save options'), 'Shift+Tab')
    await keys.press('Enter', 'ArrowDown')
    await keys.isAt(page.getByRole('menuitem', { name: 'Save and publish' }))
    await keys.press('Enter')
    await page.getByText('Version 2 is live.').waitFor()
    await keys.isAt(button(page, 'More save options'))
    const { body } = await server.call('GET', '/api/v2/asset_file?length=1')
    const id = body.asset_file[0].asset_file_id
    assert.equal((await server.call('GET', `/file/${id}/index.html`)).text, '<h1>Hello</h1>')
  })

  test('a file can be deleted, after which the next file has the focus', async () => {
    for (const name of ['a.txt', 'b.txt', 'c.txt']) {
      const json = { name, type: 'txt', parent_category_id: 1, pageContent: name }
      assert.equal((await server.call('POST', '/api/v2/asset_file', { json })).status, 201)
    }
    await go('Content')
    await keys.isAt(heading(page, 'Main'))
    await keys.tabTo(page.getByRole('link', { name: 'b.txt', exact: true }))
    await keys.press('Delete')
    await page.getByText('1 file deleted.').waitFor()
    await keys.isAt(page.getByRole('link', { name: 'c.txt', exact: true }))
    const names = (await read('/api/v2/asset_file')).asset_file.map(({ name }: any) => name)
    assert.deepEqual(names.toSorted(), ['a.txt', 'c.txt', 'index.html'])
  })

  test('a table can be created, filled, changed and emptied', async () => {
    await go('New datatable')
    await keys.isAt(heading(page, 'New datatable'))
    await keys.tabTo(button(page, /^People/))
    await keys.press('Enter')
    await keys.tabTo(field(page, 'Name').first())
    await keys.type('Team')
    await keys.press('Enter')
    await keys.isAt(heading(page, 'Team'))
    await keys.tabTo(page.getByRole('main').getByRole('link', { name: 'New entry' }).first())
    await keys.press('Enter')
    await keys.isAt(heading(page, 'New entry in Team'))
    await keys.tabTo(page.getByRole('textbox', { name: 'Name' }))
    await keys.type('Ada')
    await keys.press('Control+Enter')
    await keys.isAt(heading(page, 'Team'))
    const cell = page.getByRole('gridcell', { name: /^Ada/ })
    await keys.tabTo(cell)
    await keys.press('F2')
    await keys.isAt(field(page, 'Name of entry 1'))
    await keys.type(' L.')
    await keys.press('Enter')
    await page.getByText('name was changed.').waitFor()
    await keys.isAt(cell)
    const { module_url: url } = (await read('/api/v2/datatable')).datatable[0]
    assert.equal((await read(url)).datatable_entry[0].name, 'Ada L.')
    await keys.press('Space')
    await keys.tabTo(button(page, 'Delete'))
    await keys.press('Enter')
    await keys.tabTo(page.getByRole('dialog').getByRole('button', { name: /^Delete/ }))
    await keys.press('Enter')
    await keys.isAt(page.getByRole('link', { name: 'New entry' }))
    assert.deepEqual((await read(url)).datatable_entry, [])
  })

  test('a key can be created and revoked', async () => {
    await go('New key')
    await keys.isAt(field(page, 'Name'))
    await keys.type('for a script')
    await keys.press('Enter')
    await keys.isAt(button(page, 'Copy: Secret'))
    const secret = await page.locator('dialog code').first().innerText()
    await keys.tabTo(button(page, 'I have stored this'))
    await keys.press('Enter')
    await keys.isAt(heading(page, 'API keys'))
    assert.equal((await server.call('GET', '/api/v2/me', { key: secret })).status, 200)
    await keys.tabTo(page.getByRole('link', { name: 'for a script' }))
    await keys.press('Enter')
    await keys.isAt(heading(page, 'for a script'))
    await keys.tabTo(button(page, 'More actions'))
    await keys.press('Enter')
    await keys.press('End')
    await keys.press('Enter')
    await keys.tabTo(page.getByRole('dialog').getByRole('button', { name: 'Revoke' }))
    await keys.press('Enter')
    await keys.isAt(heading(page, 'API keys'))
    assert.equal((await server.call('GET', '/api/v2/me', { key: secret })).status, 401)
  })

  test('a calendar and an event can be created, and the event moved and deleted', async () => {
    await go('Data')
    await keys.isAt(heading(page, 'Data'))
    await keys.tabTo(button(page, 'New calendar'))
    await keys.press('Enter')
    await keys.isAt(field(page, 'Name'))
    await keys.type('House')
    await keys.press('Enter')
    await keys.isAt(heading(page, 'House'))
    await keys.press('n')
    await keys.isAt(field(page, 'Title'))
    await keys.type('Board')
    await keys.press('Enter')
    await keys.isAt(heading(page, 'House'))
    const { module_url: url } = (await read('/api/v2/calendar')).calendar[0]
    const startOf = async (): Promise<number> =>
      Date.parse((await read(url)).calendar_entry[0].start_time)
    const before = await startOf()
    const event = page.getByRole('button', { name: /Board/ })
    await keys.tabTo(event)
    await keys.press('Shift+ArrowRight')
    await page.getByText('“Board” was moved.').waitFor()
    await keys.isAt(event)
    assert.equal((await startOf()) - before, 86_400_000)
    await keys.press('Enter')
    await keys.isAt(field(page, 'Title'))
    await keys.tabTo(page.getByRole('dialog').getByRole('button', { name: 'Delete' }))
    await keys.press('Enter')
    await page.getByText('“Board” was deleted.').waitFor()
    await keys.isAt(page.locator('[data-day] button'))
    assert.deepEqual((await read(url)).calendar_entry, [])
    assert.deepEqual(faults, [])
  })
})

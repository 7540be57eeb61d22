// Saved views in the area: a person saves a search of files and one of entries, opens both elsewhere, and removes one.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { make, makeFile, makeFolder } from '../helpers/content.ts'
import { makeEntry } from '../helpers/modules.ts'
import type { TestServer } from '../helpers/server.ts'
import { axeFaults, isTooWide, startSite, visit } from './area.ts'

const NARROW = { width: 360, height: 740 }

describe('saved views', { skip: NO_BROWSER }, () => {
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

  async function save(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name: 'Views', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Save this view' }).click()
    await page.getByLabel('Name of the view').fill(name)
    await page.keyboard.press('Enter')
  }

  test('a search of files is saved, opened in another browser by keyboard, and removed', async () => {
    const { asset_category_id: id } = await makeFolder(server)
    const place = { parent_category_id: id }
    await makeFile(server, { ...place, name: 'live.html', fileState: 'publish' })
    await makeFile(server, { ...place, name: 'draft.html' })
    const address = `${server.url}/admin/content/${id}`
    const { page, faults } = await visit(browser, { url: server.url, user: 'admin' })
    await page.goto(`${address}?state=unpublished&sort=-size`)
    await page.getByText('draft.html').first().waitFor()
    await save(page, 'Never published')
    await page.getByText('View Never published saved.').waitFor()
    await save(page, 'never PUBLISHED')
    await page.getByText('This name is already taken.').waitFor()
    assert.deepEqual(await axeFaults(page), [])

    const options = { url: server.url, user: 'admin', viewport: NARROW }
    const { page: narrow, faults: others } = await visit(browser, options)
    await narrow.goto(address)
    await narrow.getByText('live.html').first().waitFor()
    await narrow.getByRole('button', { name: 'Views', exact: true }).focus()
    await narrow.keyboard.press('ArrowDown')
    await narrow.getByRole('menuitemradio', { name: 'Never published' }).waitFor()
    assert.equal(await isTooWide(narrow), false)
    assert.deepEqual(await axeFaults(narrow), [])
    await narrow.keyboard.press('Home')
    await narrow.keyboard.press('Enter')
    await narrow.waitForURL(`${address}?state=unpublished&sort=-size`)
    await narrow.getByText('live.html').first().waitFor({ state: 'detached' })

    await narrow.getByRole('button', { name: 'Views', exact: true }).click()
    await narrow.getByRole('menuitem', { name: 'Delete a view' }).click()
    assert.deepEqual(await axeFaults(narrow), [])
    assert.equal(await isTooWide(narrow), false)
    await narrow.getByRole('button', { name: 'Delete Never published' }).click()
    await narrow.getByText('View Never published deleted.').waitFor()
    const views = async (): Promise<any> =>
      (await server.call('GET', '/api/v2/me/views')).body.views
    assert.deepEqual(await views(), [])
    await narrow.getByRole('button', { name: 'Undo' }).click()
    await narrow.getByRole('button', { name: 'Views', exact: true }).click()
    await narrow.getByRole('menuitemradio', { name: 'Never published' }).waitFor()
    assert.equal((await views()).length, 1)
    assert.deepEqual([...faults, ...others], [])
  })

  test('a search of entries belongs to its table', async () => {
    const column = { table_schema: 'title C(20)' }
    const table = await make(server, 'datatable', { name: 'Books', ...column })
    const other = await make(server, 'datatable', { name: 'Films', ...column })
    for (const title of ['Emma', 'Ulysses']) await makeEntry(server, table.module_url, { title })
    const options = { url: server.url, user: 'admin', viewport: NARROW }
    const { page, faults } = await visit(browser, options)
    await page.goto(`${server.url}/admin/data/${table.datatable_id}?text=Emma`)
    await page.getByText('Emma').first().waitFor()
    await save(page, 'About Emma')
    await page.getByText('View About Emma saved.').waitFor()
    assert.equal(await isTooWide(page), false)

    await page.goto(`${server.url}/admin/data/${table.datatable_id}`)
    await page.getByText('Ulysses').first().waitFor()
    await page.getByRole('button', { name: 'Views', exact: true }).click()
    await page.getByRole('menuitemradio', { name: 'About Emma' }).click()
    await page.getByText('Ulysses').first().waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('searchbox').first().inputValue(), 'Emma')

    await page.goto(`${server.url}/admin/data/${other.datatable_id}`)
    await page.getByRole('button', { name: 'Views', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Save this view' }).waitFor()
    assert.equal(await page.getByRole('menuitemradio').count(), 0)
    assert.deepEqual(faults, [])
  })
})

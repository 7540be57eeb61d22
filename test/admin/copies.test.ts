// Copies in the area: a file and a folder are duplicated from their menus, and scheduled files are filtered.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { makeFile, makeFolder } from '../helpers/content.ts'
import type { TestServer } from '../helpers/server.ts'
import { startSite, visit } from './area.ts'

describe('copies', { skip: NO_BROWSER }, () => {
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

  test('a file and a folder are duplicated', async () => {
    const { asset_category_id: id } = await makeFolder(server, { name: 'Press' })
    const place = { parent_category_id: id }
    const file = await makeFile(server, { ...place, name: 'news.html' })
    const { page, faults } = await visit(browser, { url: server.url, user: 'admin' })
    await page.goto(`${server.url}/admin/content/file/${file.asset_file_id}`)
    await page.getByRole('button', { name: 'Actions for this file', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    await page.getByText('1 file duplicated.').waitFor()

    await page.goto(`${server.url}/admin/content/${id}`)
    await page.getByText('news copy.html').first().waitFor()
    await page.getByRole('button', { name: 'Actions for this folder' }).click()
    await page.getByRole('menuitem', { name: 'Copy' }).click()
    await page.getByRole('button', { name: 'Copy here' }).click()
    await page.getByText('The folder was copied as Press copy.').waitFor()
    const qry = JSON.stringify({ name: 'Press copy' })
    const found = await server.call('GET', `/api/v2/asset_category?${new URLSearchParams({ qry })}`)
    assert.equal(found.body.asset_category.length, 1)
    assert.deepEqual(faults, [])
  })

  test('a list shows only scheduled files', async () => {
    const { asset_category_id: id } = await makeFolder(server)
    const place = { parent_category_id: id }
    await makeFile(server, { ...place, name: 'now.html' })
    await makeFile(server, { ...place, name: 'later.html', publish_at: '2099-07-01T07:00:00Z' })
    const { page } = await visit(browser, { url: server.url, user: 'admin' })
    await page.goto(`${server.url}/admin/content/${id}?state=scheduled`)
    await page.getByText('later.html').first().waitFor()
    assert.equal(await page.getByText('now.html').count(), 0)
  })
})

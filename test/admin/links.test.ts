// Links on the page of a file: make one, open it without a key, revoke it.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { makeFile } from '../helpers/content.ts'
import type { TestServer } from '../helpers/server.ts'
import { startSite, visit } from './area.ts'

describe('links', { skip: NO_BROWSER }, () => {
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

  test('a link is made for a draft, opened by somebody else, and revoked', async () => {
    const { asset_file_id: id } = await makeFile(server, { name: 'leaflet.txt', type: 'txt' })
    const { page, context, faults } = await visit(browser, { url: server.url, user: 'admin' })
    await page.goto(`${server.url}/admin/content/file/${id}`)
    await page.getByRole('tab', { name: 'Links' }).click()
    await page.getByText('No links yet').waitFor()
    await page.getByRole('button', { name: 'New link' }).click()
    const dialog = page.getByRole('dialog')
    const options = dialog.getByLabel('Shows').getByRole('option')
    assert.deepEqual(await options.allInnerTexts(), ['Version 1'])
    await dialog.getByLabel('Valid for').selectOption('30 days')
    await dialog.getByLabel('Note').fill('for the print shop')
    await dialog.getByRole('button', { name: 'Create link' }).click()

    const item = page.getByRole('listitem').filter({ hasText: 'for the print shop' })
    const address = await item.getByRole('group', { name: 'for the print shop' }).innerText()
    assert.match(address, new RegExp(`^${server.url}/link/[\\w-]+/leaflet\\.txt$`))
    await item.getByText(/^Version 1, admin, expires ./).waitFor()
    const path = new URL(address).pathname
    assert.equal((await server.call('GET', path, { key: null })).text, '<p>1</p>')

    await item.getByRole('button', { name: 'Revoke link' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke link' }).click()
    await page.getByText('The link no longer works.').waitFor()
    await page.getByText('No links yet').waitFor()
    assert.equal((await server.call('GET', path, { key: null })).status, 404)
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('a link that currently does not work says so', async () => {
    const file = await makeFile(server, { name: 'live.html', fileState: 'publish' })
    const { asset_file_id: id } = file
    await server.call('POST', `/api/v2/asset_file/${id}/link`, { json: { state: 'live' } })
    await server.call('POST', `/api/v2/asset_file/${id}/unpublish`)
    const { page, context } = await visit(browser, { url: server.url, user: 'admin' })
    await page.goto(`${server.url}/admin/content/file/${id}`)
    await page.getByRole('tab', { name: 'Links' }).click()
    await page.getByText('currently does not work').waitFor()
    await context.close()
  })
})

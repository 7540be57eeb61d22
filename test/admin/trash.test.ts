// Stories about the trash in a real browser. Each story asserts the resulting state of the server.

import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { make, makeFile, makeFolder } from '../helpers/content.ts'
import { makeEntry, makeTable } from '../helpers/modules.ts'
import type { TestServer } from '../helpers/server.ts'
import { listTrash, remove } from '../helpers/trash.ts'
import { axeFaults, isTooWide, startSite, visit } from './area.ts'

describe('the trash', { skip: NO_BROWSER }, () => {
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

  const visitAs = () => visit(browser, { url: server.url, user: 'admin' })

  test('a deletion can be undone with the keyboard while the next page loads', async () => {
    const table = await makeTable(server, 'title C(20)', { title_field: 'title' })
    const { datatable_entry_id: id } = await makeEntry(server, table.url, { title: 'a' })
    const { page, context, faults } = await visitAs()
    await page.goto(`${server.url}/admin/data/${table.id}/${id}`)
    await page.getByRole('button', { name: 'More' }).first().click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const focus = new EventEmitter()
    const focused = once(focus, 'done')
    await page.route('**/*.js', (route) => focused.then(() => route.continue()))
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    const undo = page.getByRole('button', { name: 'Undo' })
    await undo.waitFor()
    assert.equal((await server.call('GET', `${table.url}/${id}`)).status, 404)
    await undo.focus()
    focus.emit('done')
    await page.getByRole('link', { name: 'New entry' }).first().waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Restored.').waitFor()
    assert.equal((await server.call('GET', `${table.url}/${id}`)).status, 200)
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('the page restores, deletes permanently and empties', async () => {
    const files = [await makeFile(server), await makeFile(server), await makeFile(server)]
    for (const { asset_file_id: id } of files) await remove(server, `/api/v2/asset_file/${id}`)
    const [first, second] = files
    const { page, context, faults } = await visitAs()
    await page.goto(`${server.url}/admin`)
    await page.getByRole('link', { name: 'Trash' }).click()
    await page.getByRole('button', { name: `Restore ${first.name}` }).click()
    await page.getByText(`${first.name} was restored.`).waitFor()
    const path = `/api/v2/asset_file/${first.asset_file_id}`
    assert.equal((await server.call('GET', path)).status, 200)

    await page.getByLabel('Record type').selectOption({ label: 'Folder' })
    await page.getByText('No deleted items of this type').waitFor()
    await page.getByLabel('Record type').selectOption({ label: 'File' })
    assert.deepEqual(await axeFaults(page), [])
    await page.setViewportSize({ width: 360, height: 800 })
    assert.equal(await isTooWide(page), false)
    await page.getByRole('button', { name: `Delete ${second.name} permanently` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).click()
    await page.getByText(`${second.name} was deleted permanently.`).waitFor()

    await page.getByRole('button', { name: 'Empty trash' }).click()
    await page.getByText('Delete 1 item permanently?').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Empty trash' }).click()
    await page.getByText('1 item was deleted permanently.').waitFor()
    assert.deepEqual(await listTrash(server), [])
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('a site without a trash offers no undo after a deletion of many', async () => {
    for (const [trashDays, undos] of [
      [0, 0],
      [30, 1],
    ] as const) {
      const site = await startSite({ config: { trashDays } })
      const table = await makeTable(site, 'title C(20)', { title_field: 'title' })
      for (const title of ['a', 'b']) await makeEntry(site, table.url, { title })
      for (const name of ['a.html', 'b.html']) await makeFile(site, { name })
      await makeFile(site, { name: 'c.html' })
      const unknown = await makeFile(site, { name: 'd.html' })
      const { page, context } = await visit(browser, { url: site.url, user: 'admin' })
      await page.goto(`${site.url}/admin/content/1`)
      await page.getByRole('button', { name: 'Actions for c.html' }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      // One file that the trash keeps is deleted without a question.
      if (undos === 0) await page.getByRole('button', { name: 'Delete 1 file' }).click()
      await page.getByText('1 file deleted.').waitFor()
      // Nobody knows whether something uses this file.
      const json = { pages: [], file_groups: [], entries: [], next: null, is_complete: false }
      await page.route('**/used_on*', (route) => route.fulfill({ json }))
      await page.getByRole('button', { name: 'Actions for d.html' }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      const address = `/api/v2/asset_file/${unknown.asset_file_id}`
      await page.getByRole('dialog').getByText('d.html').waitFor()
      assert.equal((await site.call('GET', address)).status, 200)
      await page.getByRole('button', { name: 'Delete 1 file' }).click()
      await page.getByRole('button', { name: 'Actions for d.html' }).waitFor({ state: 'detached' })
      for (const [path, action, done] of [
        ['content/1', 'Delete', '2 files deleted.'],
        [`data/${table.id}`, 'Delete', '2 entries were deleted.'],
      ] as const) {
        await page.goto(`${site.url}/admin/${path}`)
        await page.getByRole('checkbox', { name: 'Select all' }).click()
        await page.getByRole('button', { name: action, exact: true }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
        await page.getByText(done).waitFor()
        assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), undos, done)
      }
      await context.close()
      await site.close()
    }
  })

  test('the question before a menu is deleted says how long the trash keeps it', async () => {
    const { file_group_id: id } = await make(server, 'file_group', { name: 'Footer' })
    const { page, context, faults } = await visitAs()
    await page.goto(`${server.url}/admin/menus/${id}`)
    await page.getByRole('button', { name: 'Actions for this menu' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Deleted items stay in the trash for 30 days.').waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Footer was deleted.').waitFor()
    assert.equal((await listTrash(server)).length, 1)
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('a site without a trash asks for the name of what is not empty', async () => {
    const bare = await startSite({ config: { trashDays: 0 } })
    const folder = await makeFolder(bare, { name: 'Summer' })
    const { asset_category_id: id } = folder
    await makeFile(bare, { parent_category_id: id })
    const { page, context, faults } = await visit(browser, { url: bare.url, user: 'admin' })
    await page.goto(`${bare.url}/admin/content/${id}`)
    await page.getByRole('button', { name: 'Actions for this folder' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('This cannot be undone.').waitFor()
    await dialog.getByRole('button', { name: 'Delete folder' }).click()
    await dialog.getByText('1 file', { exact: true }).waitFor()
    await dialog.getByRole('textbox').fill('Sumer')
    await dialog.getByRole('button', { name: 'Delete everything' }).click()
    await dialog.getByText('The name does not match.').waitFor()
    await dialog.getByRole('textbox').fill('Summer')
    await dialog.getByRole('button', { name: 'Delete everything' }).click()
    await page.getByText('The folder Summer was deleted.').waitFor()
    assert.equal((await bare.call('GET', `/api/v2/asset_category/${id}`)).status, 404)
    assert.deepEqual(faults, [])
    await context.close()
    await bare.close()
  })
})

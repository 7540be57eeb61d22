// How long versions stay, in the area: the rule of a folder with its report beforehand, and pins in the list of versions.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { makeFile, makeFolder } from '../helpers/content.ts'
import type { TestServer } from '../helpers/server.ts'
import { axeFaults, isTooWide, setPassword, startSite, visit } from './area.ts'

describe('kept versions', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  before(async () => {
    server = await startSite()
    browser = await openBrowser()
    await server.call('POST', '/api/v2/user', { json: { name: 'vera', role: 'stager' } })
    await setPassword(server, 'vera')
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  async function makeVersions(folderId: number): Promise<number> {
    const { asset_file_id: id } = await makeFile(server, { parent_category_id: folderId })
    for (const text of ['2', '3', '4', '5'])
      await server.call('PATCH', `/api/v2/asset_file/${id}`, { json: { pageContent: text } })
    return id
  }

  const ruleOf = async (id: number): Promise<unknown> =>
    (await server.call('GET', `/api/v2/asset_category/${id}`)).body.keep_versions

  const pinsOf = async (id: number): Promise<unknown> =>
    (await server.call('GET', `/api/v2/asset_file/${id}`)).body.pinned_versions

  async function openDialog(page: Page, folderId: number) {
    await page.goto(`${server.url}/admin/content/${folderId}`)
    await page.getByRole('button', { name: 'Actions for this folder' }).click()
    await page.getByRole('menuitem', { name: 'Version retention' }).click()
    return page.getByRole('dialog', { name: /^Version retention in/ })
  }

  for (const width of [1200, 360])
    test(`a rule is saved after its report is confirmed, ${width} px wide`, async () => {
      const { asset_category_id: id } = await makeFolder(server)
      await makeVersions(id)
      const { page, context, faults } = await visit(browser, {
        url: server.url,
        user: 'admin',
        viewport: { width, height: 900 },
      })
      const dialog = await openDialog(page, id)
      await dialog.getByText('All versions are kept.').waitFor()
      await dialog.getByLabel('Versions of files').selectOption('rule')
      await dialog.getByLabel('Latest versions to keep').fill('0')
      const save = dialog.getByRole('button', { name: 'Save', exact: true })
      await save.click()
      await dialog.getByText('Enter a whole number from 1 to 10,000.').waitFor()
      await dialog.getByLabel('Latest versions to keep').fill('2')
      await dialog.getByLabel('Days to keep versions').fill('0')
      await dialog.getByText(/not among the latest 2 .* older than 0 days/).waitFor()
      assert.deepEqual(await axeFaults(page), [])
      assert.equal(await isTooWide(page), false)

      const question = page.getByRole('dialog', { name: 'Remove old versions?' })
      await save.press('Enter')
      await question.getByText(/: 3 versions in 1 file, \d+ bytes?\./).waitFor()
      assert.deepEqual(await axeFaults(page), [])
      assert.equal(await isTooWide(page), false)
      await question.getByRole('button', { name: 'Cancel' }).press('Enter')
      await question.waitFor({ state: 'hidden' })
      assert.equal(await ruleOf(id), null)
      await save.click()
      await question.getByRole('button', { name: 'Remove old versions' }).press('Enter')
      await page.getByText('Saved').first().waitFor()
      assert.deepEqual(await ruleOf(id), { latest: 2, days: 0 })
      assert.deepEqual(faults, [])
      await context.close()
    })

  test('the rule of the parent folder is named and reported before it is inherited', async () => {
    const { asset_category_id: parentId } = await makeFolder(server, {
      keep_versions: { latest: 3, days: 0 },
    })
    const { asset_category_id: id } = await makeFolder(server, {
      parent_category_id: parentId,
      keep_versions: { all: true },
    })
    await makeVersions(id)
    const { page, context } = await visit(browser, { url: server.url, user: 'admin' })
    const dialog = await openDialog(page, id)
    await dialog.getByLabel('Versions of files').selectOption('inherited')
    await dialog.getByText(/not among the latest 3 /).waitFor()
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'Remove old versions?' })
    await question.getByText(/: 2 versions in 1 file, /).waitFor()
    await question.getByRole('button', { name: 'Remove old versions' }).click()
    await page.getByText('Saved').first().waitFor()
    assert.equal(await ruleOf(id), null)
    await context.close()
  })

  test('a user without the permission to delete is not offered a rule', async () => {
    const { asset_category_id: id } = await makeFolder(server)
    const { page, context } = await visit(browser, { url: server.url, user: 'vera' })
    await page.goto(`${server.url}/admin/content/${id}`)
    await page.getByRole('button', { name: 'Actions for this folder' }).click()
    await page.getByRole('menuitem', { name: 'Public access' }).waitFor()
    assert.equal(await page.getByRole('menuitem', { name: 'Version retention' }).count(), 0)
    await context.close()
  })

  test('a version is pinned and unpinned in the list of versions', async () => {
    const id = await makeVersions(1)
    const { page, context, faults } = await visit(browser, {
      url: server.url,
      user: 'admin',
      viewport: { width: 360, height: 800 },
    })
    await page.goto(`${server.url}/admin/content/file/${id}`)
    const choose = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: 'Actions for version 2' }).press('Enter')
      await page.getByRole('menuitem', { name }).press('Enter')
    }
    await choose('Pin version')
    await page.getByText('Version 2 is pinned and will not be removed automatically.').waitFor()
    await page.getByRole('button', { name: /^Version 2\s*pinned/ }).waitFor()
    assert.deepEqual(await pinsOf(id), [2])
    assert.deepEqual(await axeFaults(page), [])
    assert.equal(await isTooWide(page), false)
    await choose('Unpin version')
    await page.getByText('Version 2 is no longer pinned.').waitFor()
    await page.getByRole('button', { name: /^Version 2\s*pinned/ }).waitFor({ state: 'hidden' })
    assert.deepEqual(await pinsOf(id), [])
    assert.deepEqual(faults, [])
    await context.close()
  })
})

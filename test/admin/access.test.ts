// Stories about permissions and denials in a real browser. Each story asserts the resulting state of the
// server.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import type { TestServer } from '../helpers/server.ts'
import { setPassword, shows, startSite, visit } from './area.ts'

describe('access of users and keys', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  let newsId = 0
  let fileId = 0
  let adaId = 0
  before(async () => {
    server = await startSite()
    browser = await openBrowser()
    newsId = await make('asset_category', { name: 'News', parent_category_id: 1 })
    fileId = await make('asset_file', {
      name: 'today.html',
      type: 'html',
      parent_category_id: newsId,
      pageContent: '<p>1</p>',
    })
    adaId = await make('user', {
      name: 'ada',
      role: 'editor',
      category_roles: [{ asset_category_id: newsId, role: 'viewer' }],
    })
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  async function make(object: string, json: object): Promise<number> {
    const { status, body, text } = await server.call('POST', `/api/v2/${object}`, { json })
    assert.equal(status, 201, text)
    return body[`${object}_id`]
  }

  const openAs = async (user: string, path: string, heading: string): Promise<Page> => {
    const { page } = await visit(browser, { url: server.url, user })
    await page.goto(`${server.url}/admin${path}`)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    return page
  }

  async function ask(page: Page, action: string): Promise<void> {
    await page.getByLabel('Action', { exact: true }).selectOption(action)
    await page.getByLabel('Record', { exact: true }).fill('today')
    await page.getByRole('option', { name: /today\.html/ }).click()
  }

  const rolesOf = async (id: number) =>
    (await server.call('GET', `/api/v2/user/${id}`)).body.category_roles

  test('the page of a key shows which limit denies an action and where to change it', async () => {
    const json = { name: 'reader', user_id: adaId, grants: ['view', 'modify'] }
    const id = await make('api_key', json)
    const page = await openAs('admin', `/keys/${id}`, 'reader')
    await ask(page, 'publish')
    await page.getByText('The permission “Publish” is missing in /Main/News').waitFor()
    const reasons = page.locator('.why-reasons li')
    await shows(
      () => reasons.allInnerTexts(),
      [
        'The user’s role in /Main/News does not include “Publish”.\nEdit roles',
        'The permissions of the key do not include “Publish”.\nEdit key',
      ],
    )
    // The server gives the same answer to a program that tries.
    const { body: rotated } = await server.call('POST', `/api/v2/api_key/${id}/rotate`)
    const path = `/api/v2/asset_file/${fileId}/publish`
    const tried = await server.call('POST', path, { key: rotated.secret })
    assert.equal(tried.status, 403)
    await page.getByLabel('Action', { exact: true }).selectOption('read')
    await page.getByText('reader is allowed to do this.').waitFor()
    await page.getByLabel('Action', { exact: true }).selectOption('publish')
    await page.getByRole('link', { name: 'Edit roles' }).click()
    await page.getByRole('heading', { level: 1, name: 'ada' }).waitFor()
    await ask(page, 'update')
    await page
      .getByText('ada is not allowed to do this. The permission “Edit” is missing in /Main/News.')
      .waitFor()
    await page.context().close()
  })

  test('a user can ask about own keys and sees no others', async () => {
    await setPassword(server, 'ada')
    const id = await make('api_key', { name: 'own', user_id: adaId })
    const page = await openAs('ada', `/profile/tokens/${id}`, 'own')
    await ask(page, 'publish')
    await page.getByText('The user’s role in /Main/News').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Edit roles' }).count(), 0)
    await shows(
      () => page.getByLabel('Record type').locator('option').allInnerTexts(),
      ['File', 'Folder', 'Datatable', 'Calendar'],
    )
    await page.context().close()
  })

  test('a folder shows the access of users with its origin, and roles can be set', async () => {
    const json = { name: 'feeder', user_id: adaId, asset_category_id: newsId }
    await make('api_key', json)
    const bobId = await make('user', { name: 'bob', role: null })
    const page = await openAs('admin', `/content/${newsId}`, 'News')
    await page.getByRole('button', { name: 'Actions for this folder' }).click()
    await page.getByRole('menuitem', { name: 'Access', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Viewer, set here').waitFor()
    await dialog.getByText('Administrator, from the user’s role').waitFor()
    await shows(
      () => dialog.innerText(),
      /feeder belongs to ada\s+Read only · limited to \/Main\/News/,
    )
    assert.equal(await dialog.getByRole('link', { name: 'bob' }).count(), 0)

    await dialog.getByLabel('Role of ada').selectOption('stager')
    await page.getByText('ada now has the role Stager in News.').waitFor()
    assert.deepEqual(await rolesOf(adaId), [{ asset_category_id: newsId, role: 'stager' }])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('ada now has the role Viewer in News.').waitFor()
    assert.deepEqual(await rolesOf(adaId), [{ asset_category_id: newsId, role: 'viewer' }])

    await dialog.getByLabel('User').fill('bob')
    await page.getByRole('option', { name: 'bob' }).click()
    await dialog.getByLabel('Role', { exact: true }).selectOption('editor')
    await dialog.getByRole('button', { name: 'Assign role' }).click()
    await dialog.getByText('Editor, set here').waitFor()
    assert.deepEqual(await rolesOf(bobId), [{ asset_category_id: newsId, role: 'editor' }])
    await dialog.getByLabel('Role of bob').selectOption('above')
    await dialog.getByRole('link', { name: 'bob' }).waitFor({ state: 'detached' })
    assert.deepEqual(await rolesOf(bobId), [])
    await page.context().close()
  })
})

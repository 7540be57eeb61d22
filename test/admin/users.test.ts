// Stories about users and one's own account in a real browser. Each story asserts the resulting state of the
// server.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import type { TestServer } from '../helpers/server.ts'
import {
  open,
  PASSWORD,
  setPassword,
  shows,
  signInBefore,
  startSite,
  visit,
  type Visit,
} from './area.ts'

const USERS = { path: '/users', heading: 'Users' }
const PROFILE = { path: '/profile', heading: 'Profile' }
const OTHER = 'another sentence that nobody guesses'

describe('users', { skip: NO_BROWSER }, () => {
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

  const visitAs = (user: string): Promise<Visit> => visit(browser, { url: server.url, user })

  async function make(object: string, json: object): Promise<number> {
    const { body } = await server.call('POST', `/api/v2/${object}`, { json })
    return body[`${object}_id`]
  }

  async function userNamed(name: string) {
    const qry = encodeURIComponent(JSON.stringify({ name }))
    const { body } = await server.call('GET', `/api/v2/user?qry=${qry}`)
    return body.user[0]
  }

  const signInStatus = async (name: string, password: string): Promise<number> =>
    (await server.call('POST', '/api/v2/session', { json: { name, password }, key: null })).status

  async function openUser({ page }: Visit, name: string): Promise<void> {
    const { user_id: id } = await userNamed(name)
    await page.goto(`${server.url}/admin/users/${id}`)
    await page.getByRole('heading', { level: 1, name }).waitFor()
  }

  test('an invited user opens the link, sets a password, and is signed in', async () => {
    const visited = await visitAs('admin')
    const { page, context, faults } = visited
    await open(visited, server.url, USERS)
    await page.getByRole('button', { name: 'New user' }).click()
    await page.getByLabel('Name', { exact: true }).fill('admin')
    await page.getByRole('dialog').getByLabel('Role').selectOption('stager')
    await page.getByRole('button', { name: 'Create user' }).click()
    await page.getByRole('dialog').getByText('is already taken').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('grace')
    await page.getByRole('button', { name: 'Create user' }).click()
    await page.getByRole('dialog', { name: 'Link for grace' }).waitFor()
    const link = await page.getByRole('group', { name: 'Link' }).innerText()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('heading', { level: 1, name: 'grace' }).waitFor()
    await page.getByText('no password. Link valid until').waitFor()
    assert.deepEqual(faults, [])
    await context.close()

    const guest = await visit(browser, { url: server.url })
    await guest.page.goto(link)
    await guest.page.getByText('You are the user grace.').waitFor()
    await guest.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await guest.page.getByLabel('Repeat password').fill(PASSWORD)
    await guest.page.keyboard.press('Enter')
    await guest.page.getByRole('heading', { name: 'Welcome, grace' }).waitFor()
    assert.equal(guest.page.url(), `${server.url}/admin`)
    const { role, has_password: has } = await userNamed('grace')
    assert.deepEqual([role, has], ['stager', true])
    await guest.page.goto(link)
    await guest.page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
    assert.deepEqual(guest.faults, [])
    await guest.context.close()
  })

  test('an own role is created, given, changed and deleted', async () => {
    const visited = await visitAs('admin')
    const { page, context, faults } = visited
    await open(visited, server.url, { path: '/users/roles', heading: 'Roles' })
    await page.getByRole('button', { name: 'New role' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Translator')
    await page.getByLabel('Edit', { exact: true }).check()
    await page.getByRole('button', { name: 'Create role' }).click()
    await page.getByRole('row', { name: 'Translator' }).getByText('View, Edit').waitFor()
    const id = await make('user', { name: 'tim', role: 'viewer' })
    await openUser(visited, 'tim')
    await page.getByLabel('Display name').fill('Tim Berners-Lee')
    await page.getByLabel('Role', { exact: true }).selectOption('Translator')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('From the user’s role: Translator.').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Tim Berners-Lee' }).waitFor()
    await open(visited, server.url, USERS)
    await page.getByRole('link', { name: 'Tim Berners-Lee' }).waitFor()
    const choose = async (item: string): Promise<void> => {
      await page.getByRole('button', { name: /^Actions for (Translator|Linguist)/ }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await page.goto(`${server.url}/admin/users/roles`)
    await choose('Show users')
    await page.getByText('1 in total').waitFor()
    await page.goBack()
    await choose('Edit')
    await page.getByLabel('Name', { exact: true }).fill('Linguist')
    await page.getByLabel('Publish', { exact: true }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('View, Edit, Publish').waitFor()
    await openUser(visited, 'tim')
    await page.getByLabel('Name', { exact: true }).fill('timothy')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const { role, role_grants: held, former_names: former } = await userNamed('timothy')
    assert.deepEqual(held, { Linguist: ['view', 'modify', 'publish'] })
    assert.deepEqual([role, former], ['Linguist', ['tim']])
    await page.goto(`${server.url}/admin/users/roles`)
    await choose('Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('cannot be deleted, because users have it: timothy.').waitFor()
    await server.call('DELETE', `/api/v2/user/${id}`)
    await choose('Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Linguist was deleted.').waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('a role in a folder decides there, and the page shows this', async () => {
    const folder = await make('asset_category', { name: 'Attic', parent_category_id: 1 })
    await make('asset_category', { name: 'Chest', parent_category_id: folder })
    await make('user', { name: 'alan', role: 'viewer' })
    const visited = await visitAs('admin')
    const { page, context } = visited
    await openUser(visited, 'alan')
    await page.getByRole('button', { name: 'Add folder' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Choose a folder in each row').waitFor()
    await page.getByLabel('Folder', { exact: true }).fill('Atti')
    await page.getByRole('option', { name: '/Main/Attic' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const { category_roles: roles } = await userNamed('alan')
    assert.deepEqual(roles, [{ asset_category_id: folder, role: 'editor' }])
    await page.getByLabel('In folder').fill('Chest')
    await page.getByRole('option', { name: '/Main/Attic/Chest' }).click()
    await page.getByText('From the role in /Main/Attic: Editor.').waitFor()
    await shows(() => page.locator('.who-answer').innerText(), /Publish\s+allowed/)
    await page.getByRole('button', { name: 'Clear' }).last().click()
    await page.getByText('From the user’s role: Viewer.').waitFor()
    await shows(() => page.locator('.who-answer').innerText(), /Publish\s+not allowed/)
    await context.close()
  })

  test('a user can be disabled and enabled, get a password, and be deleted with all keys', async () => {
    const id = await make('user', { name: 'eve', role: 'editor' })
    const { body: key } = await server.call('POST', '/api/v2/api_key', {
      json: { name: 'of eve', user_id: id },
    })
    const statusWith = async (): Promise<number> =>
      (await server.call('GET', '/api/v2/me', { key: key.secret })).status
    const visited = await visitAs('admin')
    const { page, context } = visited
    await openUser(visited, 'eve')
    const choose = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    await choose('Disable')
    await page
      .getByText('eve was disabled. All sessions have ended, and keys no longer work.')
      .waitFor()
    assert.equal(await statusWith(), 401)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('eve was enabled.').waitFor()
    assert.equal(await statusWith(), 200)
    await choose('Set password')
    await page.getByLabel('New password', { exact: true }).fill(OTHER)
    await page.getByRole('dialog').getByRole('button', { name: 'Set password' }).click()
    await page.getByText('eve can now sign in with the new password').waitFor()
    assert.equal(await signInStatus('eve', OTHER), 201)
    await page.getByRole('button', { name: 'Create password link' }).click()
    await page.getByText('The current password works until').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await choose('Delete')
    await page.getByText('1 key is also revoked').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('eve was deleted.').waitFor()
    assert.equal(await userNamed('eve'), undefined)
    assert.equal(await statusWith(), 401)
    await context.close()
  })

  test('the last administrator keeps the role, and the field says why', async () => {
    const visited = await visitAs('admin')
    const { page, context } = visited
    await openUser(visited, 'admin')
    await page.getByLabel('Role', { exact: true }).selectOption('viewer')
    await page.getByRole('button', { name: 'Save' }).click()
    await page
      .locator('.field-fault', { hasText: 'This is the last active administrator.' })
      .waitFor()
    assert.equal((await userNamed('admin')).role, 'admin')
    await context.close()
  })

  test('users can change their own password, which ends all other sessions', async () => {
    await make('user', { name: 'ada', role: 'viewer' })
    await setPassword(server, 'ada')
    const other = await visitAs('ada')
    const visited = await visitAs('ada')
    const { page, context, faults } = visited
    await open(visited, server.url, PROFILE)
    await page.getByText('this session').waitFor()
    await page.getByLabel('Current password').fill('wrong')
    await page.getByLabel('New password', { exact: true }).fill(OTHER)
    await page.getByLabel('Repeat password').fill(OTHER)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('The current password is wrong.').waitFor()
    await page.getByLabel('Current password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('The password was changed.').waitFor()
    assert.equal(await signInStatus('ada', OTHER), 201)
    const renewed = await other.context.request.post(`${server.url}/api/v2/session/renew`)
    assert.equal(renewed.status(), 401)
    assert.deepEqual(faults, [])
    await other.context.close()
    await context.close()
  })

  test('users can sign out another session, and then all of them', async () => {
    await make('user', { name: 'bob', role: 'viewer' })
    await setPassword(server, 'bob')
    const visited = await visitAs('bob')
    const { page, context } = visited
    const other = await browser.newContext()
    const id = await signInBefore(other, { url: server.url, user: 'bob' })
    await open(visited, server.url, PROFILE)
    await page.getByRole('button', { name: 'End session' }).click()
    await page.getByText(/^The session .+ has ended\.$/).waitFor()
    assert.equal((await server.call('GET', `/api/v2/api_key/${id}`)).status, 404)
    await signInBefore(other, { url: server.url, user: 'bob' })
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    for (const each of [context, other]) {
      const renewed = await each.request.post(`${server.url}/api/v2/session/renew`)
      assert.equal(renewed.status(), 401)
    }
    await other.close()
    await context.close()
  })
})

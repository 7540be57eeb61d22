// Stories about API keys in a real browser. Each story asserts the resulting state of the server.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import type { TestServer } from '../helpers/server.ts'
import { isTooWide, open, setPassword, shows, startSite, visit, type Visit } from './area.ts'
import { HOSTILE, TURNING } from './people.ts'

const KEYS = { path: '/keys', heading: 'API keys' }
const TOKENS = { path: '/profile/tokens', heading: 'My API keys' }

describe('keys', { skip: NO_BROWSER }, () => {
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

  async function keyNamed(name: string) {
    const qry = encodeURIComponent(JSON.stringify({ name }))
    const { body } = await server.call('GET', `/api/v2/api_key?qry=${qry}`)
    return body.api_key[0]
  }

  async function openKey({ page }: Visit, name: string): Promise<void> {
    const { api_key_id: id } = await keyNamed(name)
    await page.goto(`${server.url}/admin/keys/${id}`)
    await page.getByRole('heading', { level: 1, name }).waitFor()
  }

  /** The answer to a program that uses the key. */
  const statusWith = async (secret: string): Promise<number> =>
    (await server.call('GET', '/api/v2/me', { key: secret })).status

  /** Returns the output of the command. */
  const inShell = async (line: string): Promise<string> =>
    (await promisify(execFile)('sh', ['-c', line])).stdout

  async function chooseRevoke(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
  }

  const secretIn = (page: Page): Promise<string> =>
    page.getByRole('group', { name: 'Secret' }).innerText()

  test('a key can be created by the keyboard alone, used, and revoked', async () => {
    const folder = await make('asset_category', { name: 'Wing', parent_category_id: 1 })
    const visited = await visitAs('admin')
    const { page, context, faults } = visited
    await open(visited, server.url, KEYS)
    await page.getByRole('link', { name: 'admin' }).waitFor()
    await page.keyboard.press('n')
    await page.getByRole('dialog', { name: 'New key' }).waitFor()
    await page.keyboard.type('by hand')
    // Without a choice, a key reads.
    await shows(() => page.getByLabel('Permissions').inputValue(), 'viewer')
    await page.getByLabel('Permissions').selectOption('admin')
    await page.getByText('The key can do everything on this server').waitFor()
    await page.getByLabel('Permissions').selectOption('viewer')
    await page.getByLabel(/^Folder/).focus()
    await page.keyboard.type('win')
    await page.getByRole('option', { name: '/Main/Wing' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByLabel('Expires').selectOption('30')
    await page.getByRole('button', { name: 'Create key' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Key by hand' }).waitFor()
    const secret = await secretIn(page)
    // An accidental Escape does not close the dialog, because it shows the secret only once.
    await page.keyboard.press('Escape')
    const line = await page.getByRole('group', { name: 'Try it in a terminal' }).innerText()
    assert.equal(line, `curl -H 'Authorization: Bearer ${secret}' ${server.url}/api/v2/me`)
    await page.getByRole('button', { name: 'I have stored this' }).click()

    // The copied command works immediately.
    assert.match(await inShell(line), /"name":"by hand"/)
    const key = await keyNamed('by hand')
    assert.deepEqual([key.grants, key.asset_category_id, key.user_id], [['view'], folder, 1])
    const days = (Date.parse(key.date_expires) - Date.now()) / 86_400_000
    assert.ok(days > 29 && days <= 30, key.date_expires)
    assert.equal(await statusWith(secret), 200)

    await page.getByRole('link', { name: 'by hand' }).click()
    await chooseRevoke(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('by hand was revoked.').waitFor()
    assert.equal(await statusWith(secret), 401)
    assert.match(await inShell(line), /"code":"key-invalid"/)
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('a rotated key works with both secrets for a while', async () => {
    const { body } = await server.call('POST', '/api/v2/api_key', { json: { name: 'rotated' } })
    const visited = await visitAs('admin')
    const { page, context } = visited
    await openKey(visited, 'rotated')
    await page.getByRole('button', { name: 'Rotate' }).click()
    await page.getByLabel('Current secret').selectOption('1h')
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByText('The previous secret works for 1 more hour.').waitFor()
    const secret = await secretIn(page)
    assert.notEqual(secret, body.secret)
    assert.deepEqual([await statusWith(body.secret), await statusWith(secret)], [200, 200])
    await page.getByRole('button', { name: 'I have stored this' }).click()
    await page.getByRole('button', { name: 'Rotate' }).click()
    await page.getByLabel('Current secret').selectOption('0s')
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByText('The previous secret no longer works.').waitFor()
    assert.deepEqual([await statusWith(body.secret), await statusWith(secret)], [401, 401])
    await context.close()
  })

  test('a key is revoked with all its descendants, whose number is shown', async () => {
    const first = await server.call('POST', '/api/v2/api_key', { json: { name: 'mother' } })
    const second = await server.call('POST', '/api/v2/api_key', {
      json: { name: 'daughter' },
      key: first.body.secret,
    })
    const third = await server.call('POST', '/api/v2/api_key', {
      json: { name: 'granddaughter' },
      key: second.body.secret,
    })
    const visited = await visitAs('admin')
    const { page, context } = visited
    await openKey(visited, 'mother')
    await chooseRevoke(page)
    await page.getByLabel('Also revoke the 2 keys that were created with it').check()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('mother was revoked.').waitFor()
    const secrets = [first, second, third].map((answer) => answer.body.secret)
    assert.deepEqual(await Promise.all(secrets.map(statusWith)), [401, 401, 401])
    await context.close()
  })

  test('several keys can be disabled, enabled by one undo, and revoked', async () => {
    for (const name of ['heap 1', 'heap 2', 'heap 3']) await make('api_key', { name })
    const visited = await visitAs('admin')
    const { page, context } = visited
    await open(visited, server.url, KEYS)
    await page.getByLabel('Search').fill('heap')
    await page.getByText('3 in total').waitFor()
    await page.getByRole('checkbox', { name: 'Select heap 1' }).check()
    await page.getByRole('checkbox', { name: 'Select heap 3' }).click({ modifiers: ['Shift'] })
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('3 keys were disabled.').waitFor()
    assert.equal((await keyNamed('heap 2')).status, 'inactive')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('3 keys were enabled.').waitFor()
    assert.equal((await keyNamed('heap 2')).status, 'active')
    await page.getByRole('checkbox', { name: 'Select heap 2' }).check()
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('2 in total').waitFor()
    assert.equal(await keyNamed('heap 2'), undefined)
    await context.close()
  })

  test('a key that somebody else changed meanwhile is not changed with the others', async () => {
    for (const name of ['pile 1', 'pile 2']) await make('api_key', { name })
    const visited = await visitAs('admin')
    const { page, context } = visited
    await open(visited, server.url, KEYS)
    await page.getByLabel('Search').fill('pile')
    await page.getByText('2 in total').waitFor()
    await page.getByRole('checkbox', { name: 'Select pile 1' }).check()
    await page.getByRole('checkbox', { name: 'Select pile 2' }).check()
    const { api_key_id: id } = await keyNamed('pile 2')
    await server.call('PATCH', `/api/v2/api_key/${id}`, { json: { grants: ['view'] } })
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('1 key was disabled.').waitFor()
    await page.getByText('Somebody else changed this in the meantime.').waitFor()
    assert.equal((await keyNamed('pile 1')).status, 'inactive')
    assert.equal((await keyNamed('pile 2')).status, 'active')
    for (const name of ['pile 1', 'pile 2']) {
      const { api_key_id: each } = await keyNamed(name)
      await server.call('DELETE', `/api/v2/api_key/${each}`)
    }
    await context.close()
  })

  test('the list is filtered by status, and sorted by the server', async () => {
    await make('api_key', { name: 'sorted b', status: 'inactive' })
    await make('api_key', { name: 'sorted a', status: 'inactive' })
    const visited = await visitAs('admin')
    const { page, context } = visited
    await open(visited, server.url, KEYS)
    await page.getByLabel('Status').selectOption('inactive')
    await page.getByText('2 in total').waitFor()
    await page.getByRole('button', { name: 'Name' }).click()
    const names = page.getByRole('row').getByRole('link')
    await page.locator('[aria-sort="ascending"]').waitFor()
    await page.locator('[aria-busy="false"]').waitFor()
    await shows(() => names.allInnerTexts(), ['sorted a', 'sorted b'])
    await page.getByLabel('Search').fill('no such key')
    await page.getByText('No keys found').waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByRole('link', { name: 'sorted a' }).waitFor()
    await context.close()
  })

  test('the slower of two people sees the change, keeps the input, and saves only that', async () => {
    const id = await make('api_key', { name: 'contested', grants: ['view'] })
    const visited = await visitAs('admin')
    const { page, context } = visited
    await openKey(visited, 'contested')
    const json = { grants: ['view', 'create'], name: 'taken over' }
    await server.call('PATCH', `/api/v2/api_key/${id}`, { json })
    await page.getByLabel('Name', { exact: true }).fill('mine')
    await page.getByRole('button', { name: 'Save' }).click()
    const notice = page.getByRole('alert')
    await notice.getByText('Somebody else changed this in the meantime').waitFor()
    await shows(() => notice.innerText(), /contested → taken over/)
    await shows(() => page.getByLabel('Name', { exact: true }).inputValue(), 'mine')
    await shows(() => page.getByRole('checkbox', { name: 'Create' }).isChecked(), true)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const { name, grants } = await keyNamed('mine')
    assert.deepEqual([name, grants], ['mine', ['view', 'create']])
    await context.close()
  })

  test('users without the admin grant see only their own keys', async () => {
    await make('user', { name: 'ada', role: 'editor' })
    await setPassword(server, 'ada')
    const visited = await visitAs('ada')
    const { page, context } = visited
    await open(visited, server.url, TOKENS)
    await page.getByText('No keys yet').waitFor()
    assert.equal(await page.getByRole('link', { name: 'API keys' }).count(), 0)
    await page.getByRole('button', { name: 'New key' }).first().click()
    const offered = await page.getByLabel('Permissions').locator('option').allInnerTexts()
    assert.ok(!offered.some((text) => text.includes('users and keys')), offered.join())
    await page.getByLabel('Name', { exact: true }).fill('of ada')
    await page.getByRole('button', { name: 'Create key' }).click()
    assert.equal(await statusWith(await secretIn(page)), 200)
    const { name, user_id: user } = await keyNamed('of ada')
    const { body } = await server.call('GET', `/api/v2/user/${user}`)
    assert.deepEqual([name, body.name], ['of ada', 'ada'])
    await page.goto(`${server.url}/admin/keys`)
    await page.getByRole('heading', { name: 'No access' }).waitFor()
    await context.close()
  })

  test('a user who revokes the current session is signed out', async () => {
    const visited = await visitAs('admin')
    const { page, context, faults } = visited
    await open(visited, server.url, { path: '/profile', heading: 'Profile' })
    const { api_key: own } = await page.evaluate<any>(`(async () => {
      const { secret } = await (await fetch('${server.url}/api/v2/session/renew', { method: 'POST' })).json()
      const headers = { authorization: 'Bearer ' + secret }
      return (await fetch('${server.url}/api/v2/me', { headers })).json()
    })()`)
    await page.goto(`${server.url}/admin/keys/${own.api_key_id}`)
    await page.getByText('This is the session of a signed-in user.').waitFor()
    await chooseRevoke(page)
    const dialog = page.getByRole('dialog')
    await dialog.getByText('If you revoke it, you will be signed out.').waitFor()
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    const { status } = await server.call('GET', `/api/v2/api_key/${own.api_key_id}`)
    assert.equal(status, 404)
    // The browser no longer has a session cookie.
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('a key that expires in a year shows the date', async () => {
    const visited = await visitAs('admin')
    const { page, context } = visited
    await open(visited, server.url, KEYS)
    await page.getByRole('button', { name: 'New key' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('for a year')
    await page.getByLabel('Expires').selectOption('In a year')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('button', { name: 'I have stored this' }).click()
    await page.getByRole('row', { name: 'for a year' }).getByText('in 1 year').waitFor()
    await context.close()
  })

  test('a hostile name runs nothing and breaks nothing', async () => {
    const user_id = await make('user', { name: HOSTILE, role: 'viewer', email: TURNING })
    await make('api_key', { name: HOSTILE, user_id })
    const viewport = { width: 360, height: 800 }
    const visited = await visit(browser, { url: server.url, user: 'admin', viewport })
    const { page, context, faults } = visited
    for (const shown of [KEYS, { path: '/users', heading: 'Users' }]) {
      await open(visited, server.url, shown)
      await page.getByRole('link', { name: '<img' }).click()
      await page.getByRole('heading', { level: 1, name: '<img' }).waitFor()
      assert.equal(await isTooWide(page), false)
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: /^(?:Revoke|Delete)$/ }).click()
      await page.getByRole('dialog').waitFor()
      const isWide = 'document.querySelector("dialog").scrollWidth > innerWidth'
      assert.equal(await page.evaluate<boolean>(isWide), false)
    }
    assert.equal(await page.locator('img').count(), 0)
    assert.deepEqual(faults, [])
    await context.close()
  })
})

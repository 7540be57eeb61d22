// Signing in and out, and what happens to a page when its session or its server goes away: nothing that was typed is
// lost, and what was asked for goes on.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'
import { open, PASSWORD, visit, type Visit } from './area.ts'

const START = { path: '', heading: 'Welcome, admin' }
const FIRST_KEY = { path: '/welcome', heading: 'Make your first API key' }

describe('a session', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  before(async () => {
    server = await startTestServer()
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  const visitAs = (key: string): Promise<Visit> => visit(browser, { url: server.url, key })

  async function signIn(page: Page, password: string): Promise<void> {
    const name = page.getByLabel('Name', { exact: true })
    if ((await name.inputValue()) === '') await name.fill('admin')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
  }

  test('begins at whatever address was asked for, and refuses what is wrong in words', async () => {
    const { page, context, session, faults } = await visitAs(server.key)
    if (session !== undefined) session.secret = undefined
    await page.goto(`${server.url}/admin/nowhere`)
    await signIn(page, 'wrong')
    await page.getByRole('alert').getByText('This name and this password do not belong').waitFor()
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'admin')
    await signIn(page, PASSWORD)
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    assert.equal(page.url(), `${server.url}/admin/nowhere`)
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('asks for the code of a second factor where there is one', async () => {
    const { page, context } = await visit(browser, { url: server.url })
    const sent: unknown[] = []
    await context.route('**/api/v2/session', (route) => {
      sent.push(route.request().postDataJSON())
      return route.fulfill({ status: 401, json: { code: 'code-required' } })
    })
    await page.goto(`${server.url}/admin`)
    await signIn(page, PASSWORD)
    await page.getByLabel('Code').fill('123 456')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('The code of the second factor').waitFor()
    assert.deepEqual(sent, [
      { name: 'admin', password: PASSWORD },
      { name: 'admin', password: PASSWORD, code: '123 456' },
    ])
    await context.close()
  })

  test('tells how long to wait after too many attempts', async () => {
    const { page, context } = await visit(browser, { url: server.url })
    const headers = { 'retry-after': '600', 'content-type': 'application/problem+json' }
    const body = JSON.stringify({ code: 'too-many-requests', detail: 'Too many.' })
    await context.route('**/api/v2/session', (route) =>
      route.fulfill({ status: 429, headers, body }),
    )
    await page.goto(`${server.url}/admin`)
    await signIn(page, PASSWORD)
    await page.getByText('Too many attempts. Try again in 10 minutes.').waitFor()
    await context.close()
  })

  test('goes on after a reload, and its secret is nowhere in the browser', async () => {
    const visited = await visitAs(server.key)
    const { page, context } = visited
    await open(visited, server.url, START)
    await page.reload()
    await page.getByRole('heading', { name: 'Welcome, admin' }).waitFor()
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    )
    assert.ok(!kept.includes(server.key))
    await context.close()
  })

  test('ends in all tabs when somebody signs out in one, and nothing is shown any more', async () => {
    const visited = await visitAs(server.key)
    const { page, context } = visited
    const other = await context.newPage()
    await open(visited, server.url, START)
    await open({ ...visited, page: other }, server.url, FIRST_KEY)
    await other.getByLabel('Name of the key').fill('half of a na')
    await page.getByRole('button', { name: 'Account of admin' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    const dialog = other.getByRole('dialog', { name: 'Sign in again' })
    await dialog.waitFor()
    await signIn(other, PASSWORD)
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await other.getByLabel('Name of the key').inputValue(), 'half of a na')
    // Who signs in in one tab has signed in in all.
    await page.getByRole('heading', { name: 'Welcome, admin' }).waitFor()
    await context.close()
  })

  test('that is over asks over the page, and what was asked for goes on', async () => {
    const secret = await server.makeKey({ name: 'of the session' })
    const visited = await visitAs(secret)
    const { page, context, session } = visited
    await open(visited, server.url, FIRST_KEY)
    await page.getByLabel('Name of the key').fill('after all')
    const { body } = await server.call('GET', '/api/v2/me', { key: secret })
    await server.call('DELETE', `/api/v2/api_key/${body.api_key.api_key_id}`)
    if (session !== undefined) session.secret = undefined
    await page.getByRole('button', { name: 'Make the key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    assert.equal(await dialog.isVisible(), true)
    // The session that comes of it has another key.
    await context.route('**/api/v2/session', (route) => {
      const date_expires = new Date(Date.now() + 600_000).toISOString()
      return route.fulfill({ status: 201, json: { secret: server.key, date_expires } })
    })
    await signIn(page, PASSWORD)
    await page.getByRole('heading', { name: 'Your key is ready' }).waitFor()
    const keys = await server.call('GET', '/api/v2/api_key?qry={"name":"after all"}')
    assert.equal(keys.body.api_key.length, 1)
    await context.close()
  })

  test('of a secret that is refused gets the next one, and nobody notices', async () => {
    const first = await server.makeKey({ name: 'first secret' })
    const visited = await visitAs(first)
    const { page, context, session } = visited
    await open(visited, server.url, FIRST_KEY)
    const { body } = await server.call('GET', '/api/v2/me', { key: first })
    await server.call('DELETE', `/api/v2/api_key/${body.api_key.api_key_id}`)
    if (session !== undefined) session.secret = server.key
    await page.getByRole('button', { name: 'Make the key' }).click()
    await page.getByRole('heading', { name: 'Your key is ready' }).waitFor()
    await context.close()
  })
})

describe('a form', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  before(async () => {
    server = await startTestServer()
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  test('keeps what was typed over a reload, but for a password', async () => {
    const visited = await visit(browser, { url: server.url, key: server.key })
    const { page, context } = visited
    await open(visited, server.url, FIRST_KEY)
    await page.getByLabel('Name of the key').fill('not saved yet')
    await page.reload()
    await page.getByText('What you had typed here is still there.').waitFor()
    assert.equal(await page.getByLabel('Name of the key').inputValue(), 'not saved yet')
    await page.getByRole('button', { name: 'Begin anew' }).click()
    assert.equal(await page.getByLabel('Name of the key').inputValue(), 'first')
    await page.goto(`${server.url}/admin/welcome#code`)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    const kept = await page.evaluate<string>('JSON.stringify({ ...sessionStorage })')
    assert.ok(!kept.includes(PASSWORD))
    await context.close()
  })

  test('shows what is wrong at the field, and puts the focus there', async () => {
    const visited = await visit(browser, { url: server.url, key: server.key })
    const { page, context } = visited
    await open(visited, server.url, FIRST_KEY)
    const name = page.getByLabel('Name of the key')
    await name.fill('')
    await page.keyboard.press('Enter')
    await page.getByText('This is needed.').waitFor()
    await name.fill('x'.repeat(300))
    await page.getByRole('button', { name: 'Make the key' }).click()
    await page.locator('.field-fault').waitFor()
    assert.equal(await name.getAttribute('aria-invalid'), 'true')
    assert.equal(await name.evaluate((input) => input === input.ownerDocument.activeElement), true)
    await context.close()
  })

  test('that cannot be sent stays as it is, and can be when the server is back', async () => {
    const visited = await visit(browser, { url: server.url, key: server.key })
    const { page, context } = visited
    await open(visited, server.url, FIRST_KEY)
    await page.getByLabel('Name of the key').fill('in the end')
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Make the key' }).click()
    await page.getByRole('alert').getByText('The server cannot be reached.').waitFor()
    await page.getByText('No connection to the server.').waitFor()
    await context.setOffline(false)
    await page.getByText('No connection to the server.').waitFor({ state: 'detached' })
    assert.equal(await page.getByLabel('Name of the key').inputValue(), 'in the end')
    await page.getByRole('button', { name: 'Make the key' }).click()
    await page.getByRole('heading', { name: 'Your key is ready' }).waitFor()
    await context.close()
  })
})

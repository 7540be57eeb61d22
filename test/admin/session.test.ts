// Signing in and out, and pages whose session ends: no input is lost, and the interrupted request continues.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import type { TestServer } from '../helpers/server.ts'
import { open, PASSWORD, setPassword, shows, signInBefore, startSite, visit } from './area.ts'

const START = { path: '', heading: 'Welcome, admin' }
const FIRST_KEY = { path: '/welcome', heading: 'Create your first API key' }

describe('a session', { skip: NO_BROWSER }, () => {
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

  async function signIn(page: Page, password: string, user = 'admin'): Promise<void> {
    await page.getByLabel('Name', { exact: true }).fill(user)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
  }

  async function countKeys(name: string): Promise<number> {
    const qry = encodeURIComponent(JSON.stringify({ name }))
    const { body } = await server.call('GET', `/api/v2/api_key?qry=${qry}`)
    return body.api_key.length
  }

  test('begins at the requested address, and explains a failed sign-in', async () => {
    const { page, context, faults } = await visit(browser, { url: server.url })
    await page.goto(`${server.url}/admin/nowhere`)
    await signIn(page, 'wrong')
    await page.getByRole('alert').getByText('The name or the password is wrong.').waitFor()
    await shows(() => page.getByLabel('Name', { exact: true }).inputValue(), 'admin')
    await signIn(page, PASSWORD)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    assert.equal(page.url(), `${server.url}/admin/nowhere`)
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('asks for a code if the user has a second factor', async () => {
    const { page, context } = await visit(browser, { url: server.url })
    const sent: unknown[] = []
    await context.route('**/api/v2/session', (route) => {
      // The page asks by GET for the available ways to sign in.
      if (route.request().method() === 'GET') return route.continue()
      sent.push(route.request().postDataJSON())
      return route.fulfill({ status: 401, json: { code: 'code-required' } })
    })
    await page.goto(`${server.url}/admin`)
    await signIn(page, PASSWORD)
    await page.getByLabel('Code').fill('123 456')
    await shows(() => page.locator(':focus').getAttribute('autocomplete'), 'one-time-code')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Enter the code from your authenticator app.').waitFor()
    assert.deepEqual(sent, [
      { name: 'admin', password: PASSWORD },
      { name: 'admin', password: PASSWORD, code: '123 456' },
    ])
    await context.close()
  })

  test('shows the waiting time after too many attempts', async () => {
    const strict = await startSite({ limits: { signInFailures: 1 } })
    const { page, context } = await visit(browser, { url: strict.url })
    await page.goto(`${strict.url}/admin`)
    await signIn(page, 'wrong')
    await page.getByRole('alert').getByText('The name or the password is wrong.').waitFor()
    await signIn(page, PASSWORD)
    await page
      .getByText(
        /^Too many attempts or requests in a short time\. Try again in \d+ (?:second|minute)s?\.$/,
      )
      .waitFor()
    await context.close()
    await strict.close()
  })

  test('continues after a reload, and its secret is not stored in the browser', async () => {
    const visited = await visit(browser, { url: server.url, user: 'admin' })
    const { page, context } = visited
    const secrets: string[] = []
    page.on('request', (request) => {
      const [, secret] = /^Bearer (.+)/.exec(request.headers()['authorization'] ?? '') ?? []
      if (secret !== undefined) secrets.push(secret)
    })
    await open(visited, server.url, START)
    await page.reload()
    await page.getByRole('heading', { name: 'Welcome, admin' }).waitFor()
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    )
    assert.ok(secrets.length > 0)
    for (const secret of secrets) assert.ok(!kept.includes(secret))
    await context.close()
  })

  test('ends in all tabs after a sign-out, and the page behind is hidden', async () => {
    const visited = await visit(browser, { url: server.url, user: 'admin' })
    const { page, context } = visited
    const other = await context.newPage()
    await open(visited, server.url, START)
    await open({ ...visited, page: other }, server.url, FIRST_KEY)
    await other.getByLabel('Key name').fill('half of a na')
    await page.getByRole('button', { name: 'Account of admin' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    const dialog = other.getByRole('dialog', { name: 'Sign in again' })
    await dialog.waitFor()
    const ground =
      "getComputedStyle(document.querySelector('dialog'), '::backdrop').backgroundColor"
    await shows(() => other.evaluate<string>(ground), /^rgb\(/)
    await signIn(other, PASSWORD)
    await dialog.waitFor({ state: 'detached' })
    await shows(() => other.getByLabel('Key name').inputValue(), 'half of a na')
    // Signing in in one tab signs in all tabs.
    await page.getByRole('heading', { name: 'Welcome, admin' }).waitFor()
    await context.close()
  })

  test('that has expired asks for a sign-in over the page, and the request continues', async () => {
    const visited = await visit(browser, { url: server.url })
    const { page, context } = visited
    const id = await signInBefore(context, { url: server.url, user: 'admin' })
    await open(visited, server.url, FIRST_KEY)
    await page.getByLabel('Key name').fill('after all')
    assert.equal((await server.call('DELETE', `/api/v2/api_key/${id}`)).status, 204)
    await page.getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await shows(() => dialog.isVisible(), true)
    await signIn(page, PASSWORD)
    await page.getByRole('heading', { name: 'Your key is ready' }).waitFor()
    assert.equal(await countKeys('after all'), 1)
    await context.close()
  })

  test('of another user starts over, and nothing of the first user is shown or sent', async () => {
    await server.call('POST', '/api/v2/user', { json: { name: 'ada', role: 'editor' } })
    await setPassword(server, 'ada')
    const visited = await visit(browser, { url: server.url })
    const { page, context } = visited
    const id = await signInBefore(context, { url: server.url, user: 'admin' })
    await open(visited, server.url, FIRST_KEY)
    await page.getByLabel('Key name').fill('of the admin')
    await server.call('DELETE', `/api/v2/api_key/${id}`)
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
    await signIn(page, PASSWORD, 'ada')
    await page.getByRole('heading', { name: 'Welcome, ada' }).waitFor()
    await page.goto(`${server.url}/admin/welcome`)
    await shows(() => page.getByLabel('Key name').inputValue(), 'first')
    assert.equal(await countKeys('of the admin'), 0)
    await context.close()
  })

  test('with a refused secret gets the next secret without a visible effect', async () => {
    const visited = await visit(browser, { url: server.url, user: 'admin' })
    const { page, context } = visited
    await open(visited, server.url, FIRST_KEY)
    const json = { code: 'key-invalid' }
    const refuse = { times: 1 }
    await context.route(
      '**/api/v2/api_key',
      (route) => route.fulfill({ status: 401, json }),
      refuse,
    )
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('heading', { name: 'Your key is ready' }).waitFor()
    await context.close()
  })
})

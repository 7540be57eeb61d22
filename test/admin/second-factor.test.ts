// Stories about the second factor and sign-in by a provider, in a real browser. Each story asserts the
// resulting state of the server.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type IdentityProvider,
  listenAsProvider,
} from '../helpers/identity-provider.ts'
import { codeAt } from '../helpers/second-factors.ts'
import type { TestServer } from '../helpers/server.ts'
import { open, PASSWORD, setPassword, shows, startSite, visit, type Visit } from './area.ts'

const PROFILE = { path: '/profile', heading: 'Profile' }

/**
 * A code is valid once, so each code is of its own time step, within the tolerance of the server.
 */
const STEP_MS = 30_000

describe('a second factor', { skip: NO_BROWSER }, () => {
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

  async function makePerson(name: string): Promise<number> {
    const { body } = await server.call('POST', '/api/v2/user', { json: { name, role: 'editor' } })
    await setPassword(server, name)
    return body.user_id
  }

  const userOf = async (id: number) => (await server.call('GET', `/api/v2/user/${id}`)).body

  const signInStatus = async (name: string, code?: string): Promise<number> => {
    const json = { name, password: PASSWORD, ...(code !== undefined && { code }) }
    return (await server.call('POST', '/api/v2/session', { json, key: null })).status
  }

  /** Returns the secret and the recovery codes. */
  async function setUp({ page }: Visit) {
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByRole('dialog').getByLabel('Current password').fill('wrong')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('dialog').getByText('The current password is wrong.').waitFor()
    await page.getByRole('dialog').getByLabel('Current password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.locator('.qr-code path').waitFor()
    const secret = (await page.getByRole('group', { name: 'Secret' }).innerText()).replaceAll(
      ' ',
      '',
    )
    await page.getByLabel('Code', { exact: true }).fill('000 000')
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('This code is wrong').waitFor()
    await page.getByLabel('Code', { exact: true }).fill(codeAt(secret, Date.now()))
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
    return { secret, codes: await codesIn(page) }
  }

  const codesIn = (page: Page): Promise<readonly string[]> =>
    page.locator('.recovery-codes code').allInnerTexts()

  test('can be set up, is required at the sign-in, and can be removed', async () => {
    const id = await makePerson('ada')
    const visited = await visit(browser, { url: server.url, user: 'ada' })
    const { page, context, faults } = visited
    await open(visited, server.url, PROFILE)
    const { secret, codes } = await setUp(visited)
    assert.equal(codes.length, 10)
    // An accidental Escape does not close the dialog, because it shows the codes only once.
    await page.keyboard.press('Escape')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    assert.equal((await download).suggestedFilename(), 'recovery-codes.txt')
    await page.getByRole('button', { name: 'I have stored this' }).click()
    await page.getByText('10 recovery codes left').waitFor()
    assert.equal((await userOf(id)).has_second_factor, true)
    assert.equal(await signInStatus('ada'), 401)

    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('Name').fill('ada')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Code', { exact: true }).fill('123456')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('This code is wrong').waitFor()
    await page.getByLabel('Code', { exact: true }).fill(codes[0] ?? '')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Welcome, ada' }).waitFor()

    await open(visited, server.url, PROFILE)
    await page.getByText('9 recovery codes left').waitFor()
    await page.getByRole('button', { name: 'Turn off' }).click()
    await page.getByRole('dialog').getByLabel('Current password').fill(PASSWORD)
    await page.getByLabel('Code', { exact: true }).fill(codes[0] ?? '')
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
    await page.getByText('This code is wrong').waitFor()
    await page.getByLabel('Code', { exact: true }).fill(codeAt(secret, Date.now() + STEP_MS))
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
    await page.getByText('The second factor is off.').waitFor()
    assert.equal((await userOf(id)).has_second_factor, false)
    assert.equal(await signInStatus('ada'), 201)
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('can get new recovery codes, which replace the earlier ones', async () => {
    await makePerson('ben')
    const visited = await visit(browser, { url: server.url, user: 'ben' })
    const { page, context } = visited
    await open(visited, server.url, PROFILE)
    const { secret, codes } = await setUp(visited)
    await page.getByRole('button', { name: 'I have stored this' }).click()
    await page.getByRole('button', { name: 'New recovery codes' }).click()
    await page.getByRole('dialog').getByLabel('Current password').fill(PASSWORD)
    await page.getByLabel('Code', { exact: true }).fill(codeAt(secret, Date.now() + STEP_MS))
    await page.getByRole('button', { name: 'Create codes' }).click()
    await page.locator('.recovery-codes').waitFor()
    const [other = ''] = await codesIn(page)
    assert.equal(await signInStatus('ben', codes[1]), 401)
    assert.equal(await signInStatus('ben', other), 201)
    await context.close()
  })

  test('can be removed by an administrator for a user who lost it', async () => {
    const id = await makePerson('eve')
    const own = await visit(browser, { url: server.url, user: 'eve' })
    await open(own, server.url, PROFILE)
    await setUp(own)
    await own.context.close()
    const visited = await visit(browser, { url: server.url, user: 'admin' })
    const { page, context } = visited
    await open(visited, server.url, { path: `/users/${id}`, heading: 'eve' })
    await page.getByText('Password and code').waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Turn off second factor' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off second factor' }).click()
    await page.getByText('eve can now sign in with the password alone.').waitFor()
    assert.equal(await signInStatus('eve'), 201)
    await context.close()
  })
})

describe('an identity provider', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let provider: IdentityProvider
  let browser: Browser
  before(async () => {
    provider = await listenAsProvider()
    const { issuer } = provider
    const oidc = { issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET }
    server = await startSite({ config: { oidc } })
    provider.open(`${server.url}/api/v2/session/oidc/callback`)
    const json = { name: 'grace', email: 'grace@example.org', role: 'viewer' }
    await server.call('POST', '/api/v2/user', { json })
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await server.close()
    await provider.close()
  })

  async function signInThere(page: Page, email: string): Promise<void> {
    await page.locator('input[name=login]').fill(email)
    await page.locator('input[name=password]').fill('any')
    await page.locator('button[type=submit]').click()
    await page.getByRole('button', { name: 'Continue' }).click()
  }

  test('signs known users in and explains refusals', async () => {
    const { page, context } = await visit(browser, { url: server.url })
    await page.goto(`${server.url}/admin`)
    await page.getByRole('link', { name: 'Sign in with your organization' }).click()
    await signInThere(page, 'nobody@example.org')
    await page.getByText('No user here has the email address').waitFor()
    await context.clearCookies()
    await page.getByRole('link', { name: 'Sign in with your organization' }).click()
    await signInThere(page, 'grace@example.org')
    await page.getByRole('heading', { name: 'Welcome, grace' }).waitFor()
    await context.close()
  })

  test('renews an expired session in another tab, and the page continues', async () => {
    const { page, context } = await visit(browser, { url: server.url })
    await page.goto(`${server.url}/admin`)
    await page.getByRole('link', { name: 'Sign in with your organization' }).click()
    await signInThere(page, 'grace@example.org')
    await page.getByRole('heading', { name: 'Welcome, grace' }).waitFor()
    await page.evaluate("new BroadcastChannel('cms/admin').postMessage('signed-out')")
    const [other] = await Promise.all([
      context.waitForEvent('page'),
      page
        .getByRole('dialog')
        .getByRole('link', { name: 'Sign in with your organization' })
        .click(),
    ])
    await other.getByRole('heading', { name: 'Welcome, grace' }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await shows(() => page.getByRole('heading', { name: 'Welcome, grace' }).isVisible(), true)
    await context.close()
  })

  test('that does not respond is reported without details in the address', async () => {
    const { page, context } = await visit(browser, { url: server.url })
    await page.goto(`${server.url}/admin/sign-in?problem=oidc-unavailable`)
    await page.getByText('The sign-in provider does not respond.').waitFor()
    await page.goto(`${server.url}/admin/sign-in?problem=retryIn`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
    await context.close()
  })
})

// The first start, from the link on the terminal to a working key, without a shell.

import assert from 'node:assert/strict'
import { after, before, beforeEach, afterEach, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'
import { PASSWORD, shows, visit } from './area.ts'

describe('the first start', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser.close())
  beforeEach(async () => {
    server = await startTestServer()
  })
  afterEach(() => server.close())

  test('leads from its link to a password, a key that works, and the start page', async () => {
    const { page, context, faults } = await visit(browser, { url: server.url })
    await page.goto(`${server.url}${server.welcome}`)
    await page.getByRole('heading', { name: 'Set your password' }).waitFor()
    const password = page.getByLabel('Password', { exact: true })
    const again = page.getByLabel('Repeat password')

    await password.fill('short')
    await again.fill('short')
    await page.keyboard.press('Enter')
    await page.getByText('Enter at least 12 characters.').waitFor()
    await password.fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('The passwords do not match.').waitFor()

    await page.getByRole('button', { name: 'Show password' }).first().click()
    await shows(() => password.getAttribute('type'), 'text')
    await password.fill(PASSWORD)
    await again.fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Create your first API key' }).waitFor()
    assert.equal(page.url(), `${server.url}/admin/welcome`)

    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('heading', { name: 'Your key is ready' }).waitFor()
    const secret = await page.getByRole('group', { name: 'Secret' }).innerText()
    const { body } = await server.call('GET', '/api/v2/me', { key: secret })
    assert.deepEqual([body.user.name, body.api_key.name], ['admin', 'first'])
    assert.equal(body.api_key.date_expires, null)
    const line = await page.getByRole('group', { name: 'Try it in a terminal' }).innerText()
    assert.equal(line, `curl -H 'Authorization: Bearer ${secret}' ${server.url}/api/v2/me`)

    await page.getByRole('link', { name: 'Go to Home' }).click()
    await page.getByRole('heading', { name: 'Welcome, admin' }).waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('with a used link explains this and leads to the sign-in', async () => {
    const first = await visit(browser, { url: server.url })
    const token = server.welcome?.split('#')[1]
    const json = { token, password: PASSWORD }
    const used = await server.call('POST', '/api/v2/session/link', { key: null, json })
    assert.equal(used.status, 201)
    const { page, context } = first
    await page.goto(`${server.url}${server.welcome}`)
    await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
    await page.getByRole('link', { name: 'Go to sign-in' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await context.close()
  })
})

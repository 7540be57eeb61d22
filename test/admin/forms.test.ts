// What happens to a form, and to a page, when something goes wrong: nothing that was typed is lost.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'
import { open, PASSWORD, shows, startSite, visit, type Visit } from './area.ts'

const FIRST_KEY = { path: '/welcome', heading: 'Make your first API key' }

describe('a form', { skip: NO_BROWSER }, () => {
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

  const visitAsAdmin = (): Promise<Visit> => visit(browser, { url: server.url, user: 'admin' })

  test('keeps what was typed over a reload, but for a password', async () => {
    const visited = await visitAsAdmin()
    const { page, context } = visited
    await open(visited, server.url, FIRST_KEY)
    await page.getByLabel('Name of the key').fill('not saved yet')
    await page.reload()
    await page.getByText('What you had typed here is still there.').waitFor()
    await shows(() => page.getByLabel('Name of the key').inputValue(), 'not saved yet')
    await page.getByRole('button', { name: 'Begin anew' }).click()
    await shows(() => page.getByLabel('Name of the key').inputValue(), 'first')
    await page.goto(`${server.url}/admin/welcome#code`)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    const kept = await page.evaluate<string>('JSON.stringify({ ...sessionStorage })')
    assert.ok(!kept.includes(PASSWORD))
    await context.close()
  })

  test('shows what is wrong at the field, and puts the focus there', async () => {
    const visited = await visitAsAdmin()
    const { page, context } = visited
    await open(visited, server.url, FIRST_KEY)
    const name = page.getByLabel('Name of the key')
    await name.fill('')
    await page.keyboard.press('Enter')
    await page.getByText('This is needed.').waitFor()
    await name.fill('x'.repeat(300))
    await page.getByRole('button', { name: 'Make the key' }).click()
    await page.locator('.field-fault').waitFor()
    await shows(() => name.getAttribute('aria-invalid'), 'true')
    await shows(() => name.evaluate((input) => input === input.ownerDocument.activeElement), true)
    await context.close()
  })

  test('is sent by Ctrl-S, as people save everywhere', async () => {
    const visited = await visitAsAdmin()
    const { page, context } = visited
    await open(visited, server.url, FIRST_KEY)
    await page.getByLabel('Name of the key').fill('by the keyboard')
    await page.keyboard.press('Control+s')
    await page.getByRole('heading', { name: 'Your key is ready' }).waitFor()
    const qry = JSON.stringify({ name: 'by the keyboard' })
    const { body } = await server.call('GET', `/api/v2/api_key?qry=${encodeURIComponent(qry)}`)
    assert.equal(body.api_key.length, 1)
    await context.close()
  })

  test('that cannot be sent stays as it is, and can be when the server is back', async () => {
    const visited = await visitAsAdmin()
    const { page, context } = visited
    await open(visited, server.url, FIRST_KEY)
    await page.getByLabel('Name of the key').fill('in the end')
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Make the key' }).click()
    await page.getByRole('alert').getByText('The server cannot be reached.').waitFor()
    await page.getByText('No connection to the server.').waitFor()
    await context.setOffline(false)
    await page.getByText('No connection to the server.').waitFor({ state: 'detached' })
    await shows(() => page.getByLabel('Name of the key').inputValue(), 'in the end')
    await page.getByRole('button', { name: 'Make the key' }).click()
    await page.getByRole('heading', { name: 'Your key is ready' }).waitFor()
    await context.close()
  })
})

describe('a server that is gone', { skip: NO_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser.close())

  test('is waited for: the page stays, and what it reads comes when the server does', async () => {
    const server = await startSite()
    const port = Number(new URL(server.url).port)
    const visited = await visit(browser, { url: server.url, user: 'admin' })
    const { page, context } = visited
    await open(visited, server.url, { path: '/nowhere', heading: 'There is no such page' })
    await server.stop()
    // Neither the program of the page is there, nor what that asks for.
    await page.getByRole('link', { name: 'To the start page' }).click()
    await page.getByText('No connection to the server.').waitFor()
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    const again = await startTestServer({ dataDir: server.dataDir, config: { port } })
    await page.getByRole('heading', { name: 'Welcome, admin' }).waitFor()
    await page.getByText('No connection to the server.').waitFor({ state: 'detached' })
    await context.close()
    await again.close()
  })
})

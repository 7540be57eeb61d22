// From the first start to a published page, a table, a key and an event on a phone by touch. No content is
// clipped, pages never scroll sideways, and every touch target is large enough.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'
import { PASSWORD, shows, visit } from './area.ts'
import { smallScreenFaults, TELEPHONE } from './small-screen.ts'

const button = (page: Page | Locator, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true })

/** Height of the bar with the menu, which covers what scrolls below it. */
const TOP_BAR_PX = 48

describe('on a telephone', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  let page: Page
  let faults: readonly string[]
  before(async () => {
    server = await startTestServer()
    browser = await openBrowser()
    const visited = await visit(browser, { url: server.url, ...TELEPHONE })
    page = visited.page
    faults = visited.faults
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  /** Asserts that the page is usable on a small screen in its current state. */
  async function fits(): Promise<void> {
    assert.deepEqual(await smallScreenFaults(page), [], page.url())
  }

  async function at(name: string): Promise<void> {
    const heading = page.getByRole('heading', { level: 1, name })
    await heading.waitFor()
    // The router scrolls to the top after it has shown the page.
    await shows(async () => ((await heading.boundingBox())?.y ?? 0) > TOP_BAR_PX, true)
    await fits()
  }

  /** Closes toasts, which cover a part of the page for a while. */
  async function putAside(): Promise<void> {
    const close = button(page.locator('.toast'), 'Close')
    // A toast also closes by itself, even just before the tap.
    while ((await close.count()) > 0)
      await close
        .first()
        .tap({ timeout: 1_000 })
        .catch(() => undefined)
  }

  async function go(name: string): Promise<void> {
    await putAside()
    await button(page, 'Open menu').tap()
    await fits()
    await page.getByRole('dialog').getByRole('link', { name, exact: true }).tap()
  }

  const menu = async (opener: Locator, name: string): Promise<void> => {
    await opener.tap()
    await fits()
    await page.getByRole('menuitem', { name, exact: true }).tap()
  }

  const read = async (path: string): Promise<any> => (await server.call('GET', path)).body

  test('a user sets a password and creates the first key', async () => {
    await page.goto(`${server.url}${server.welcome}`)
    await at('Set your password')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Repeat password').fill(PASSWORD)
    await button(page, 'Set password').tap()
    await at('Create your first API key')
    await button(page, 'Create key').tap()
    await at('Your key is ready')
    await page.getByRole('link', { name: 'Go to Home' }).tap()
    await at('Welcome, admin')
  })

  test('a user writes and publishes a page', async () => {
    await go('Content')
    await at('Main')
    await menu(button(page, 'New'), 'New file')
    await page.getByLabel('Name', { exact: true }).fill('index.html')
    await fits()
    await button(page.getByRole('dialog'), 'Create').tap()
    await at('index.html')
    await page.getByRole('textbox', { name: 'Text of index.html' }).tap()
    await page.keyboard.insertText('<h1>Hello</h1>')
    await menu(button(page, 'More save options'), 'Save and publish')
    await page.getByText('Version 2 is live.').waitFor()
    await putAside()
    await fits()
    const id = new URL(page.url()).pathname.split('/').at(-2)
    assert.equal((await server.call('GET', `/file/${id}/index.html`)).text, '<h1>Hello</h1>')
    await menu(button(page, 'More save options'), 'Versions')
    await page.getByText('Version 2').first().waitFor()
    await at('index.html')
    await page.getByRole('link', { name: 'Main', exact: true }).tap()
    await at('Main')
    await page.getByRole('checkbox', { name: 'Select index.html' }).tap()
    await page.getByText('1 selected').waitFor()
    await putAside()
    await fits()
  })

  test('a user creates, fills and changes a table', async () => {
    await go('Data')
    await at('Data')
    await page.getByRole('link', { name: 'New datatable' }).first().tap()
    await at('New datatable')
    await button(page, /^People/).tap()
    await page.getByLabel('Name', { exact: true }).first().fill('Team')
    await fits()
    await button(page, 'Create datatable').tap()
    await at('Team')
    await page.getByRole('link', { name: 'New entry' }).first().tap()
    await at('New entry in Team')
    await page.getByRole('textbox', { name: 'name' }).fill('Ada')
    await button(page, 'Create entry').tap()
    await at('Team')
    await putAside()
    await page.getByRole('link', { name: 'Open Ada' }).tap()
    await page.getByRole('textbox', { name: 'name' }).fill('Ada L.')
    await fits()
    await button(page, 'Save').tap()
    await page.getByText('Saved.').first().waitFor()
    const { module_url: url } = (await read('/api/v2/datatable')).datatable[0]
    assert.equal((await read(url)).datatable_entry[0].name, 'Ada L.')
  })

  test('a user creates and revokes a key', async () => {
    await go('API keys')
    await at('API keys')
    await button(page, 'New key').tap()
    await page.getByLabel('Name', { exact: true }).fill('for a script')
    await fits()
    await page.locator('dialog form [type=submit]').tap()
    await button(page, 'I have stored this').waitFor()
    await fits()
    const secret = await page.locator('dialog code').first().innerText()
    assert.equal((await server.call('GET', '/api/v2/me', { key: secret })).status, 200)
    await button(page, 'I have stored this').tap()
    await page.getByRole('link', { name: 'for a script' }).tap()
    await at('for a script')
    await menu(button(page, 'More actions'), 'Revoke')
    await page.getByText('No other key was created with this key.').waitFor()
    await fits()
    await button(page.getByRole('dialog'), 'Revoke').tap()
    await at('API keys')
    assert.equal((await server.call('GET', '/api/v2/me', { key: secret })).status, 401)
  })

  test('a user creates a calendar with an event and moves the event', async () => {
    await go('Data')
    await at('Data')
    await button(page, 'New calendar').tap()
    await page.getByLabel('Name', { exact: true }).fill('House')
    await fits()
    await page.locator('dialog form [type=submit]').tap()
    await at('House')
    await button(page, 'New event').first().tap()
    await page.getByLabel('Title').fill('Board')
    await fits()
    await page.locator('dialog form [type=submit]').tap()
    await page.getByText('“Board” was created.').waitFor()
    await putAside()
    await page.getByRole('button', { name: /Board/ }).tap()
    await page.getByLabel('Title').waitFor()
    const { module_url: url } = (await read('/api/v2/calendar')).calendar[0]
    const before = (await read(url)).calendar_entry[0].start_time
    const time = page.locator('input[name=from_time]')
    // A new event begins at the next full hour, which depends on the time of the test.
    await time.fill((await time.inputValue()) === '03:00' ? '04:00' : '03:00')
    await fits()
    await button(page.getByRole('dialog'), 'Save').tap()
    await page.getByText('“Board” was saved.').waitFor()
    assert.notEqual((await read(url)).calendar_entry[0].start_time, before)
    await putAside()
    for (const view of ['Month', 'Week', 'List']) {
      await button(page, view).tap()
      await fits()
    }
    assert.deepEqual(faults, [])
  })
})

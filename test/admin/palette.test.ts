// Stories about the palette in a real browser, with only the keyboard. Each story asserts the page it leads to and
// the resulting state of the server.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { fit } from '../../lib/admin/frame/palette-match.ts'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { eventually } from '../helpers/raw.ts'
import type { TestServer } from '../helpers/server.ts'
import { open, setPassword, shows, startSite, visit } from './area.ts'
import { HOSTILE } from './people.ts'

test('the best match is first', () => {
  const fits = ['API keys', 'keys', 'keys of all', 'Monkeys'].map((text) => fit(text, 'keys'))
  assert.deepEqual(fits, [3, 5, 4, 2])
  assert.equal(fit('API keys', 'apk'), 1)
  assert.equal(fit('Appearance: Light', 'night'), 0)
  // "ind" is the beginning of index.html and must not match this text.
  assert.equal(fit('Why was this denied?', 'ind'), 0)
  assert.equal(fit('Why was this denied?', 'wtd'), 1)
  assert.equal(fit('Audit trail', 'keys'), 0)
  assert.equal(fit('Élan', 'elan'), 5)
})

describe('the palette', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  before(async () => {
    server = await startSite()
    browser = await openBrowser()
    await make('asset_category', { name: 'Newsroom', parent_category_id: 1 })
    await make('asset_file', { name: 'newsletter.html', type: 'html', parent_category_id: 1 })
    await make('user', { name: 'newton', role: 'viewer' })
    await setPassword(server, 'newton')
    await make('api_key', { name: `new ${HOSTILE}` })
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

  const START = { path: '', heading: /^Welcome, / }

  /** The names of groups, each followed by its results. */
  const groupsIn = (page: Page): Promise<readonly string[]> =>
    page
      .locator('.palette [role=group]')
      .evaluateAll((all) => all.map((group) => group.getAttribute('aria-label') ?? ''))

  /** The option that Enter selects, once it is visible. */
  const chosen = (page: Page, name: RegExp) => page.getByRole('option', { name, selected: true })

  const chosenIn = (page: Page): Promise<string> =>
    page.locator('.palette [aria-selected=true] .palette-text').innerText()

  test('finds pages, folders, files, people and keys, and remembers opened results', async () => {
    const visited = await visit(browser, { url: server.url, user: 'admin' })
    const { page, context, faults } = visited
    await open(visited, server.url, START)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await shows(() => groupsIn(page), ['Pages', 'Pages and actions'])
    await page.keyboard.type('new')
    await page.getByRole('option', { name: /^newsletter\.html/ }).waitFor()
    await page.getByRole('option', { name: 'newton' }).waitFor()
    await page.getByRole('option', { name: /^new <img/ }).waitFor()
    const groups = ['Pages and actions', 'Folders', 'Files', 'Users', 'API keys']
    await shows(() => groupsIn(page), groups)
    await shows(() => chosenIn(page), 'New file')
    await page.keyboard.press('ArrowUp')
    await shows(() => chosenIn(page), /^new <img/)
    await page.keyboard.press('Escape')
    assert.equal(await page.getByRole('dialog').count(), 0)

    await page.keyboard.press('Control+k')
    await page.keyboard.type('newsletter')
    await page.getByRole('option', { name: /^newsletter\.html/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'newsletter.html' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('group', { name: 'Recently opened' }).waitFor()
    await shows(() => chosenIn(page), 'newsletter.html')
    await page.keyboard.type('audit')
    await chosen(page, /^Audit trail/).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Audit trail' }).waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('shows the text that was typed before it was loaded', async () => {
    const visited = await visit(browser, { url: server.url, user: 'admin' })
    const { page, context } = visited
    await open(visited, server.url, START)
    const held: (() => Promise<void>)[] = []
    await page.route(/palette-view/, (route) => void held.push(() => route.continue()))
    await page.keyboard.press('Control+k')
    await page.keyboard.type('audit')
    assert.equal(await page.getByRole('option').count(), 0)
    assert.ok(await eventually(() => held.length > 0))
    await Promise.all(held.map((goOn) => goOn()))
    await page.getByRole('option', { name: 'Audit trail' }).waitFor()
    await shows(() => page.getByRole('combobox').inputValue(), 'audit')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Audit trail' }).waitFor()
    await context.close()
  })

  test('finds events of a calendar and opens them there', async () => {
    const calendar = { name: 'House', parent_category_id: 1, time_zone: 'Europe/Berlin' }
    const { body } = await server.call('POST', '/api/v2/calendar', { json: calendar })
    const json = { event_title: 'Opening night', start_time: '2026-06-20T18:00:00Z' }
    const made = await server.call('POST', body.module_url, { json })
    assert.equal(made.status, 201, made.text)
    const visited = await visit(browser, { url: server.url, user: 'newton' })
    const { page, context, faults } = visited
    await open(visited, server.url, START)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.type('night')
    await page.getByRole('option', { name: 'Opening night House, 2026-06-20' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'House' }).waitFor()
    await page.getByRole('dialog').getByText('Opening night').first().waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('starts actions of other pages and of the current page', async () => {
    const visited = await visit(browser, { url: server.url, user: 'admin' })
    const { page, context } = visited
    await open(visited, server.url, START)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.type('new key')
    await chosen(page, /^New key/).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'New key' }).waitFor()
    await page.keyboard.type('from the palette')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('button', { name: 'I have stored this' }).click()
    const qry = encodeURIComponent('{"name":"from the palette"}')
    const { body } = await server.call('GET', `/api/v2/api_key?qry=${qry}`)
    assert.equal(body.api_key.length, 1)

    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: 'New key N' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'New key' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('new folder')
    await chosen(page, /^New folder/).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'New folder' }).getByLabel('Name').fill('By hand')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'By hand' }).waitFor()
    await page.getByRole('button', { name: 'Upload' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('upload')
    await chosen(page, /^Upload/).waitFor()
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.keyboard.press('Enter'),
    ])
    await chooser.setFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') })
    await page.getByRole('link', { name: 'a.txt' }).first().waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('sign out')
    await chosen(page, /^Sign out/).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    await context.close()
  })

  test('offers a viewer only permitted actions', async () => {
    const visited = await visit(browser, { url: server.url, user: 'newton' })
    const { page, context } = visited
    await open(visited, server.url, START)
    await page.getByRole('button', { name: /^Find anything/ }).click()
    await page.getByRole('combobox').waitFor()
    await page.keyboard.type('new')
    await page.getByRole('option', { name: /^Newsroom/ }).waitFor()
    await page.getByRole('option', { name: /^newsletter/ }).waitFor()
    await shows(
      () => page.getByRole('option').allInnerTexts(),
      ['New key', 'Newsroom\n/Main/Newsroom', 'newsletter.html\n/Main/newsletter.html'],
    )
    await page.getByRole('combobox').fill('users')
    await page.getByText('Nothing found.').waitFor()
    await context.close()
  })

  test('all shortcuts are in a list', async () => {
    const visited = await visit(browser, { url: server.url, user: 'admin' })
    const { page, context } = visited
    await open(visited, server.url, { path: '/keys', heading: 'API keys' })
    await page.getByRole('link', { name: 'admin' }).first().waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('New key').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('n')
    await page.getByRole('dialog', { name: 'New key' }).waitFor()
    await page.keyboard.type('?')
    await shows(() => page.getByLabel('Name', { exact: true }).inputValue(), '?')
    await context.close()
  })
})

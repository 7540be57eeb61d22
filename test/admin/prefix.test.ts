// The whole area below a path prefix that a proxy strips. Every page works, and no request leaves the prefix.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { make } from '../helpers/content.ts'
import { openReverseProxy } from '../helpers/reverse-proxy.ts'
import type { TestServer } from '../helpers/server.ts'
import { PASSWORD, previewIn, startSite, until, visit } from './area.ts'

const PAGE = '<!doctype html><h1>Hello</h1><img src="dot.svg" alt="">'
const DOT = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'

const heading = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

test('the whole area works below a path', { skip: NO_BROWSER }, async () => {
  const late: { target?: string } = {}
  const target = (): string => late.target ?? ''
  const proxy = await openReverseProxy({ target, prefix: '/cms', stripsPrefix: true })
  const server = await startSite({ config: { baseUrl: proxy.url } })
  late.target = server.url
  const browser = await openBrowser()
  try {
    const { page, faults } = await visit(browser, { url: proxy.url })
    await page.goto(`${proxy.url}/admin/content`)
    await page.getByLabel('Name').fill('admin')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await heading(page, 'Main')
    await upload(page)
    const file = await write(page)
    await openAll(page, proxy.url, { file, ...(await haveModules(server)) })
    assert.deepEqual(faults, [])
  } finally {
    await browser.close()
    await server.close()
    proxy.close()
  }

  /** Returns the identifier of the page. */
  async function write(page: Page): Promise<string> {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('index.html')
    await page.getByRole('option', { name: /^index\.html/ }).waitFor()
    await page.keyboard.press('Enter')
    await heading(page, 'index.html')
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.locator('.cm-content').focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.insertText('<p>More')
    const frame = page.frameLocator('.preview-frame')
    await frame.getByText('More').waitFor()
    const inner = await previewIn(page, `${proxy.url}/admin/preview`)
    await until(inner, "document.querySelector('img')?.naturalWidth === 9")
    await page.keyboard.press('Control+s')
    await page.getByText('Saved as version 2.').waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-2) ?? ''
    const { body } = await server.call('GET', `/api/v2/asset_file/${id}`)
    assert.equal(body.pageContent, `${PAGE}<p>More`)
    return id
  }
})

async function upload(page: Page): Promise<void> {
  const file = (name: string, mimeType: string, text: string) => ({
    name,
    mimeType,
    buffer: Buffer.from(text),
  })
  await page.setInputFiles('input[type=file] >> nth=0', [
    file('index.html', 'text/html', PAGE),
    file('dot.svg', 'image/svg+xml', DOT),
  ])
  await page.getByText('2 files uploaded').waitFor()
}

async function haveModules(server: TestServer) {
  const table = await make(server, 'datatable', { name: 'People', table_schema: 'name C(20)' })
  const calendar = await make(server, 'calendar', { name: 'House' })
  const { pathname } = new URL(table.module_url, server.url)
  const own = pathname.replace(/^\/cms/, '')
  const { status } = await server.call('POST', own, { json: { name: 'Ada' } })
  assert.equal(status, 201)
  return { table: table.datatable_id, calendar: calendar.calendar_id }
}

interface Opened {
  readonly file: string
  readonly table: number
  readonly calendar: number
}

/** Opens each page by its address, like a user who follows a link. */
async function openAll(page: Page, url: string, { file, table, calendar }: Opened): Promise<void> {
  const pages: readonly (readonly [path: string, heading: string])[] = [
    ['', 'Welcome, admin'],
    [`/content/file/${file}`, 'index.html'],
    ['/data', 'Data'],
    ['/data?new=datatable', 'New datatable'],
    [`/data/${table}`, 'People'],
    [`/data/${table}/1`, 'Ada'],
    [`/data/${table}/schema`, 'People'],
    [`/data/${table}/api`, 'People'],
    [`/calendars/${calendar}`, 'House'],
    ['/users', 'Users'],
    ['/users/1', 'admin'],
    ['/keys', 'API keys'],
    ['/profile', 'Profile'],
    ['/profile/tokens', 'My API keys'],
    ['/webhooks', 'Webhooks'],
    ['/dashboard', 'Server status'],
    ['/audit', 'Audit trail'],
    ['/backup', 'Backup'],
  ]
  for (const [path, name] of pages) {
    await page.goto(`${url}/admin${path}`)
    await heading(page, name)
    assert.equal(await page.getByRole('alert').count(), 0, path)
  }
  await page.goto(`${url}/admin/documents/module`)
  await page.frameLocator('main iframe').locator('.opblock').first().waitFor()
}

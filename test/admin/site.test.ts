// The site pages: they show the state of the server, and what they save takes effect.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import type { TestServer } from '../helpers/server.ts'
import { open, shows, startSite, visit, type Visit } from './area.ts'
import { fillSite, HOSTILE } from './demo-site.ts'
import { PICKER, written } from './written-file.ts'

const DASHBOARD = { path: '/dashboard', heading: 'Server status' }
const BACKUP = { path: '/backup', heading: 'Backup' }

describe('the pages of the site', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  before(async () => {
    server = await startSite()
    await fillSite(server)
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  async function see(shown: { path: string; heading: string }, user = 'admin'): Promise<Visit> {
    const visited = await visit(browser, { url: server.url, user })
    await open(visited, server.url, shown)
    return visited
  }

  function audit(qry = ''): { path: string; heading: string } {
    const query = qry === '' ? '' : `?qry=${encodeURIComponent(qry)}`
    return { path: `/audit${query}`, heading: 'Audit trail' }
  }

  async function rowsOf(page: Page): Promise<readonly string[]> {
    const rows = page.getByRole('list', { name: 'Audit trail' }).getByRole('paragraph')
    return rows.allInnerTexts()
  }

  async function close({ context, faults }: Visit): Promise<void> {
    assert.deepEqual(faults, [])
    await context.close()
  }

  test('are hidden from an editor, because they need the view of the whole site', async () => {
    const visited = await visit(browser, { url: server.url, user: 'ada' })
    const { page } = visited
    await open(visited, server.url, { path: '', heading: 'Welcome, ada' })
    for (const name of ['Server status', 'Audit trail', 'Backup'])
      assert.equal(await page.getByRole('link', { name }).count(), 0, name)
    await shows(() => page.getByRole('link', { name: 'System API' }).first().isVisible(), true)
    await page.goto(`${server.url}/admin/audit`)
    await page.getByRole('heading', { name: 'No access' }).waitFor()
    await close(visited)
  })

  test('the dashboard shows the values of /metrics as figures and as a table', async () => {
    const visited = await see(DASHBOARD)
    const { page } = visited
    const files = page.locator('.figure', { hasText: 'Versions' })
    await files.getByText('of 7 files').waitFor()
    await page.getByText('Over the last ten seconds').waitFor()
    for (let count = 0; count < 40; count += 1) await server.call('GET', '/api/v2/nothing')
    await page
      .locator('.figure', { hasText: 'Errors' })
      .getByText(/[1-9].* rejected/)
      .waitFor()
    await page.getByText('Show as table').click()
    await page.getByRole('columnheader', { name: 'Requests: 4xx' }).waitFor()
    assert.ok((await page.locator('.figures tbody tr').count()) > 0)
    await shows(() => page.locator('.chart canvas').count(), 6)
    await close(visited)
  })

  test('a paused dashboard sends no requests and continues where it stopped', async () => {
    const visited = await see(DASHBOARD)
    const { page } = visited
    await page.getByText('Over the last ten seconds').waitFor()
    const pause = page.getByRole('button', { name: 'Pause' })
    await pause.click()
    let looks = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/metrics')) looks += 1
    })
    await page.waitForTimeout(3_000)
    assert.equal(looks, 0)
    await pause.click()
    await page.waitForRequest(/metrics$/)
    await close(visited)
  })

  test('the dashboard shows the warnings of /ready with advice', async () => {
    const visited = await visit(browser, { url: server.url, user: 'admin' })
    const { page, context } = visited
    const json = { code: 'unavailable', detail: 'In English.', reason: 'disk-full' }
    await context.route('**/api/v2/ready', (route) => route.fulfill({ status: 503, json }))
    await page.goto(`${server.url}/admin/dashboard`)
    await page.getByRole('alert').getByText('Not enough free disk space').waitFor()
    await context.close()
  })

  test('the audit trail shows rows as sentences, newest first, with links to existing records', async () => {
    const visited = await see(audit('{"object":"asset_file"}'))
    const { page } = visited
    await page.getByText('ada published file hello.html, version 3').waitFor()
    const rows = await rowsOf(page)
    assert.match(rows[0] ?? '', /^ada published file hello\.html, version 3/)
    assert.ok(rows.includes('ada deleted file draft.html'), rows.join('\n'))
    const link = page.getByRole('link', { name: 'hello.html' }).first()
    assert.match((await link.getAttribute('href')) ?? '', /\/admin\/content\/file\/8$/)
    // The hostile text did not run and is shown literally.
    assert.ok(rows.some((row) => row.includes(HOSTILE)))
    await shows(() => page.title(), /^Audit trail/)
    await close(visited)
  })

  test('the audit trail links to datatables, also from rows about their entries', async () => {
    for (const object of ['datatable', 'datatable_entry']) {
      const visited = await see(audit(`{"object":"${object}"}`))
      await visited.page.getByRole('main').getByRole('link', { name: 'Cities' }).first().click()
      await visited.page.getByRole('heading', { level: 1, name: 'Cities' }).waitFor()
      await close(visited)
    }
  })

  test('filters of the audit trail are part of the address, which shows the same to others', async () => {
    const visited = await see(audit())
    const { page } = visited
    await page.getByLabel('User').fill('ada')
    await page.getByLabel('Action', { exact: true }).selectOption('deleted')
    await page.waitForURL(/qry=.*delete/)
    await page.getByText('ada published file hello.html').waitFor({ state: 'detached' })
    await page.getByText('ada deleted file draft.html').waitFor()
    await shows(() => rowsOf(page), ['ada deleted file draft.html'])
    const qry = new URL(page.url()).searchParams.get('qry')
    assert.deepEqual(JSON.parse(qry ?? ''), { user_name: 'ada', action: 'delete' })

    await page.reload()
    await page.getByText('ada deleted file draft.html').waitFor()
    await shows(() => page.getByLabel('User').inputValue(), 'ada')
    await page.getByLabel('From').fill('2001-01-01')
    await page.getByLabel('To', { exact: true }).fill('2001-01-02')
    await page.getByText('No changes found').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).last().click()
    await page.getByText('The command line created API key').waitFor()
    assert.equal(new URL(page.url()).search, '')
    await close(visited)
  })

  test('the audit trail finds a person by the display name', async () => {
    const { body } = await server.call('GET', '/api/v2/user?qry={"name":"ada"}')
    const setShown = (display_name: string | null): Promise<unknown> =>
      server.call('PATCH', `/api/v2/user/${body.user[0].user_id}`, { json: { display_name } })
    await setShown('Ada Lovelace')
    const visited = await see(audit('{"action":"delete"}'))
    await visited.page.getByLabel('User').fill('ada lovelace')
    await shows(() => rowsOf(visited.page), ['Ada Lovelace deleted file draft.html'])
    await setShown(null)
    await close(visited)
  })

  test('the filtered audit trail can be saved as CSV and as JSON Lines', async () => {
    const qry = '{"user_name":"ada","object":"asset_file"}'
    const visited = await visit(browser, { url: server.url, user: 'admin' })
    const { page, context } = visited
    await context.addInitScript(PICKER)
    await open(visited, server.url, audit(qry))
    const { body } = await server.call('GET', `/api/v2/audit?qry=${encodeURIComponent(qry)}`)
    const save = async (name: string): Promise<readonly string[]> => {
      await page.getByRole('button', { name: 'Export' }).click()
      await page.getByRole('menuitem', { name }).click()
      await page.getByText(`${body.audit.length} rows saved.`).waitFor()
      await page.getByRole('button', { name: 'Close' }).click()
      return (await written(page)).text.trimEnd().split('\r\n')
    }
    const lines = await save('As JSON Lines')
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      body.audit.toReversed(),
    )
    const [head, ...rows] = await save('As CSV')
    assert.match(head ?? '', /^audit_id,date_added,user_name,/)
    assert.equal(rows.length, body.audit.length)
    await close(visited)
  })

  test('a complete backup is streamed to the disk', async () => {
    const visited = await visit(browser, { url: server.url, user: 'admin' })
    const { page, context } = visited
    await context.addInitScript(PICKER)
    await open(visited, server.url, BACKUP)
    await page.getByRole('button', { name: 'Download backup' }).click()
    await page.getByText('Backup saved').waitFor()
    const { name, text } = await written(page)
    assert.match(name, /^cms-backup-.*\.tar$/)
    assert.match(text, /backup\.json/)
    await close(visited)
  })

  test('a backup is downloaded by a browser that cannot stream to the disk', async () => {
    const visited = await visit(browser, { url: server.url, user: 'admin' })
    const { page, context } = visited
    await context.addInitScript(
      'delete Window.prototype.showSaveFilePicker; delete window.showSaveFilePicker',
    )
    await open(visited, server.url, BACKUP)
    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download backup' }).click()
    const download = await coming
    assert.match(download.suggestedFilename(), /^cms-backup-.*\.tar$/)
    assert.match(readFileSync(await download.path(), 'latin1'), /backup\.json/)
    await page.getByText('The browser is downloading the backup.').waitFor()
    await close(visited)
  })

  test('a backup that is refused because another one is running says so', async () => {
    const visited = await visit(browser, { url: server.url, user: 'admin' })
    const { page, context } = visited
    await context.addInitScript(PICKER)
    const json = { code: 'unavailable', detail: 'Another backup is being made.' }
    await context.route('**/api/v2/backup', (route) => route.fulfill({ status: 503, json }))
    await open(visited, server.url, BACKUP)
    await page.getByRole('button', { name: 'Download backup' }).click()
    await page.getByRole('alert').getByText('Another backup is running').waitFor()
    await context.close()
  })
})

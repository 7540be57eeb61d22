// Large files in the administration area: pause, resume, and continue after a reload.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page, Request } from 'playwright-core'
import { RESUMABLE_BYTES } from '../../lib/shared/limits.ts'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { sha256 } from '../helpers/data-directory.ts'
import type { TestServer } from '../helpers/server.ts'
import { startSite, visit } from './area.ts'

describe('large uploads', { skip: NO_BROWSER }, () => {
  const bytes = randomBytes(RESUMABLE_BYTES + 3_000_000)
  const directory = mkdtempSync(join(tmpdir(), 'cms-large-'))
  const path = join(directory, 'Größe.bin')
  let server: TestServer
  let browser: Browser
  before(async () => {
    writeFileSync(path, bytes)
    server = await startSite()
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await server.close()
    rmSync(directory, { recursive: true })
  })

  async function openFolder(name: string) {
    const json = { name, parent_category_id: 1 }
    const { body } = await server.call('POST', '/api/v2/asset_category', { json })
    const visited = await visit(browser, { url: server.url, user: 'admin' })
    await visited.page.goto(`${server.url}/admin/content/${body.asset_category_id}`)
    await visited.page.getByText('No files here yet').waitFor()
    return { folderId: Number(body.asset_category_id), ...visited }
  }

  const choose = (page: Page) => page.setInputFiles('input[type=file] >> nth=0', path)

  async function filesIn(folderId: number): Promise<readonly any[]> {
    const qry = encodeURIComponent(JSON.stringify({ parent_category_id: folderId }))
    return (await server.call('GET', `/api/v2/asset_file?qry=${qry}`)).body.asset_file
  }

  function requestsTo(page: Page, requests: string[]): void {
    page.on('request', (request: Request) => {
      const offset = request.headers()['upload-offset']
      if (request.url().includes('/api/v2/uploads') && request.method() !== 'HEAD')
        requests.push(offset === undefined ? request.method() : `${request.method()} ${offset}`)
    })
  }

  test('an upload is paused, resumed, and continued after a reload with the same file', async () => {
    const { page, folderId, context, faults } = await openFolder('Resumed')
    const requests: string[] = []
    requestsTo(page, requests)
    const rest = (request: Request): boolean =>
      request.method() === 'PATCH' && request.headers()['upload-offset'] !== '0'
    // The second slice does not reach the server.
    await context.route('**/api/v2/uploads/*', (route, request) =>
      rest(request) ? undefined : route.continue(),
    )
    const second = page.waitForRequest(rest)
    await choose(page)
    await second
    await page.getByRole('button', { name: 'Pause Größe.bin' }).click()
    await page.getByRole('button', { name: 'Resume Größe.bin' }).waitFor()
    const third = page.waitForRequest(rest)
    await page.getByRole('button', { name: 'Resume Größe.bin' }).click()
    await third

    page.on('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await page.getByText('No files here yet').waitFor()
    await context.unroute('**/api/v2/uploads/*')
    await choose(page)
    await page.getByText('1 file uploaded').waitFor()
    const again = `PATCH ${RESUMABLE_BYTES}`
    assert.deepEqual(requests, ['POST', 'PATCH 0', again, again, again])
    const [file] = await filesIn(folderId)
    assert.deepEqual([file.name, file.version, file.sha256], ['Größe.bin', 1, sha256(bytes)])
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('a canceled upload ends on the server, and a retry begins another one', async () => {
    const { page, folderId, context } = await openFolder('Canceled')
    const requests: string[] = []
    requestsTo(page, requests)
    await context.route('**/api/v2/uploads/*', (route, request) =>
      request.method() === 'PATCH' ? undefined : route.continue(),
    )
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await choose(page)
    await sent
    const ended = page.waitForRequest((request) => request.method() === 'DELETE')
    await page.getByRole('button', { name: 'Cancel Größe.bin' }).click()
    await ended
    await context.unroute('**/api/v2/uploads/*')
    await page.getByRole('button', { name: 'Retry Größe.bin' }).click()
    await page.getByText('1 file uploaded').waitFor()
    assert.deepEqual(requests.slice(0, 5), ['POST', 'PATCH 0', 'DELETE', 'POST', 'PATCH 0'])
    assert.equal((await filesIn(folderId)).length, 1)
    await context.close()
  })

  test('an upload continues at the offset of the server after a lost connection', async () => {
    const { page, folderId, context } = await openFolder('Lost')
    let cuts = 0
    await context.route('**/api/v2/uploads/*', (route, request) => {
      if (request.method() !== 'PATCH' || cuts === 2) return route.continue()
      cuts += 1
      return route.abort('connectionreset')
    })
    await choose(page)
    await page.getByText('1 file uploaded').waitFor()
    const [file] = await filesIn(folderId)
    assert.deepEqual([cuts, file.sha256], [2, sha256(bytes)])
    await context.close()
  })
})

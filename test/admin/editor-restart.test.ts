// The server is killed during an edit and restarted. No typed text is lost, and a pending save happens once.

import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { makeKey, runCli, startChild } from '../helpers/child-server.ts'
import { temporaryDirectory } from '../helpers/server.ts'
import { PASSWORD, visit } from './area.ts'

test('an edit survives the end of the server', { skip: NO_BROWSER }, async () => {
  const dataDir = join(temporaryDirectory(), 'data')
  let server = await startChild(dataDir)
  const { url } = server
  const key = await makeKey(dataDir)
  await runCli(['user', 'password', 'admin', '--data', dataDir], { input: `${PASSWORD}\n` })
  const call = async (method: string, path: string, json?: object): Promise<any> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const body = json === undefined ? undefined : JSON.stringify(json)
    return (await fetch(`${url}${path}`, { method, headers, ...(body && { body }) })).json()
  }
  const json = { name: 'text.txt', type: 'txt', parent_category_id: 1, pageContent: 'one\n' }
  const { asset_file_id: id } = await call('POST', '/api/v2/asset_file', json)
  const browser = await openBrowser()
  try {
    const { page } = await visit(browser, { url, user: 'admin' })
    await page.goto(`${url}/admin/content/file/${id}/edit`)
    await page.locator('.cm-content').focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.insertText('typed before\n')
    await server.kill('SIGKILL')
    await page.keyboard.press('Control+s')
    await page.getByText('Waiting for the server').waitFor()
    await page.keyboard.insertText('typed meanwhile\n')
    server = await startChild(dataDir, ['--port', new URL(url).port])
    await page.getByText('Saved as version 2.').waitFor()
    assert.equal((await call('GET', `/api/v2/asset_file/${id}`)).pageContent, 'one\ntyped before\n')
    await page.getByRole('status').getByText('Draft kept', { exact: true }).waitFor()
    await page.reload()
    await page.getByText(/^Draft from/).waitFor()
    await page.keyboard.press('Control+s')
    await page.getByText('Saved as version 3.').waitFor()
    const { pageContent, version } = await call('GET', `/api/v2/asset_file/${id}`)
    assert.deepEqual([pageContent, version], ['one\ntyped before\ntyped meanwhile\n', 3])
  } finally {
    await browser.close()
    await server.kill('SIGKILL')
    rmSync(dirname(dataDir), { recursive: true, force: true })
  }
})

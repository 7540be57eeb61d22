// A link to a preview works on all three processes of a server, and after a restart, until its key is revoked.

import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type ChildServer, makeKey, runCli, startChild } from '../helpers/child-server.ts'
import { doAllServe, openProcessClients } from '../helpers/process-clients.ts'
import { eventually } from '../helpers/raw.ts'
import { type Call, send, temporaryDirectory } from '../helpers/server.ts'

const PROCESSES = 3
const SITE = 'https://www.example.org'
const FLAGS = ['--processes', String(PROCESSES), '--min-free-mb', '0', '--min-free-percent', '0']
const dataDir = join(temporaryDirectory(), 'data')
let server: ChildServer
after(async () => {
  await server.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

async function start(): Promise<void> {
  server = await startChild(dataDir, [...FLAGS, '--site-origin', SITE])
  assert.ok(await eventually(() => doAllServe(server)), server.stderr())
}

async function post(path: string, call: Call): Promise<any> {
  const answer = await send(server.url, 'POST', `/api/v2/${path}`, call)
  assert.ok(answer.status < 300, answer.text)
  return answer.body
}

/** The texts that the processes answer, or the status of an error. */
async function visitAll(path: string): Promise<readonly string[]> {
  const clients = await openProcessClients({ url: server.url, key: '' }, server.pid, PROCESSES)
  const call = { key: null, headers: { host: 'www.example.org' } }
  const answers = await Promise.all(clients.map((client) => client.call('GET', path, call)))
  for (const client of clients) client.close()
  return answers.map(({ status, text }) => (status === 200 ? text : String(status)))
}

const each = (text: string): readonly string[] => Array.from({ length: PROCESSES }, () => text)

test('a preview is shown by every process, also after a restart, until its key is revoked', async () => {
  await start()
  const key = await makeKey(dataDir)
  await post('asset_category/1', { key, json: { public: true } })
  const page = { name: 'a.html', type: 'html', parent_category_id: 1, pageContent: '<a href=/>a' }
  const { asset_file_id } = await post('asset_file', { key, json: { ...page, fileState: 'stage' } })
  const { secret } = await post('api_key', { key, json: { name: 'previews' } })
  const { url } = await post('preview', { key: secret, json: { asset_file_id } })
  const { pathname } = new URL(url)
  const expected = each(`<a href="${pathname.replace('a.html', '')}">a`)
  assert.deepEqual(await visitAll(pathname), expected)

  await server.kill('SIGTERM')
  await start()
  assert.deepEqual(await visitAll(pathname), expected)
  await runCli(['key', 'revoke', 'previews', '--data', dataDir])
  assert.deepEqual(await visitAll(pathname), each('404'))
})

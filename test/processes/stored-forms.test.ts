// The writer process makes the compressed forms of a site; all processes of the server send them.

import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { type ChildServer, makeKey, startChild } from '../helpers/child-server.ts'
import { doAllServe, openProcessClients } from '../helpers/process-clients.ts'
import { eventually } from '../helpers/raw.ts'
import { send, temporaryDirectory } from '../helpers/server.ts'

const PROCESSES = 3
const HOST = 'www.example.org'
const FLAGS = ['--processes', String(PROCESSES), '--min-free-mb', '0', '--min-free-percent', '0']
const dataDir = join(temporaryDirectory(), 'data')
let server: ChildServer
after(async () => {
  await server.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

test('every process sends the compressed form that the writer process stored', async () => {
  server = await startChild(dataDir, [...FLAGS, '--site-origin', `https://${HOST}`])
  assert.ok(await eventually(() => doAllServe(server)), server.stderr())
  const key = await makeKey(dataDir)
  const text = 'one two three '.repeat(500)
  const page = { name: 'a.html', type: 'html', parent_category_id: 1, pageContent: text }
  for (const [path, json] of [
    ['asset_category/1', { public: true }],
    ['asset_file', { ...page, fileState: 'publish' }],
  ] as const) {
    const { status } = await send(server.url, 'POST', `/api/v2/${path}`, { key, json })
    assert.ok(status < 300, path)
  }
  const clients = await openProcessClients({ url: server.url, key: '' }, server.pid, PROCESSES)
  const visit = async (encoding: string) =>
    Promise.all(
      clients.map(({ call }) => {
        const headers = { host: HOST, 'accept-encoding': encoding }
        return call('GET', '/a.html', { key: null, headers })
      }),
    )
  for (const { text: sent } of await visit('identity')) assert.equal(sent, text)
  const isMade = async (): Promise<boolean> =>
    (await visit('br')).every(({ headers }) => headers['content-encoding'] === 'br')
  assert.ok(await eventually(isMade))
  for (const { bytes } of await visit('br'))
    assert.equal(brotliDecompressSync(bytes).toString(), text)
  for (const client of clients) client.close()
})

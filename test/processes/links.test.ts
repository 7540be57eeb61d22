// Links on a server of three processes: every process answers them, and a revocation holds for all of them at once.

import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type ChildServer, makeKey, startChild } from '../helpers/child-server.ts'
import { assertProblem } from '../helpers/content.ts'
import { doAllServe, openProcessClients, type ProcessClient } from '../helpers/process-clients.ts'
import { eventually } from '../helpers/raw.ts'
import { type Answer, send, temporaryDirectory } from '../helpers/server.ts'

const PROCESSES = 3
const FLAGS = ['--processes', String(PROCESSES), '--min-free-mb', '0', '--min-free-percent', '0']

let dataDir: string
let server: ChildServer
let key: string
let links: string
let clients: readonly ProcessClient[]
before(async () => {
  dataDir = join(temporaryDirectory(), 'data')
  server = await startChild(dataDir, FLAGS)
  key = await makeKey(dataDir)
  const file = { name: 'a.txt', type: 'txt', parent_category_id: 1, pageContent: 'a' }
  const json = { ...file, fileState: 'publish' }
  const { body } = await send(server.url, 'POST', '/api/v2/asset_file', { json, key })
  links = `/api/v2/asset_file/${body.asset_file_id}/link`
  assert.ok(await eventually(() => doAllServe(server)), server.stderr())
  clients = await openProcessClients({ url: server.url, key }, server.pid, PROCESSES)
})
after(async () => {
  await server.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

const askAll = (path: string): Promise<readonly Answer[]> =>
  Promise.all(clients.map((client) => client.call('GET', path, { key: null })))

async function makeLinks(): Promise<readonly any[]> {
  const call = { json: { state: 'live' }, key }
  const made = await Promise.all(clients.map((one) => one.call('POST', links, call)))
  return made.map(({ status, body, text }) => {
    assert.equal(status, 201, text)
    return body
  })
}

test('a link of any process is served by all processes until it is revoked', async () => {
  for (const { asset_file_link_id: id, url } of await makeLinks()) {
    for (const { status, text } of await askAll(url)) assert.deepEqual([status, text], [200, 'a'])
    const revoked = await send(server.url, 'DELETE', `${links}/${id}`, { key })
    assert.equal(revoked.status, 204)
    for (const answer of await askAll(url)) assertProblem(answer, 'not-found')
  }
})

test('no token of a link is in the log, and links survive a kill', async () => {
  const [{ url }] = (await makeLinks()) as readonly [any]
  await askAll(url)
  await askAll(`${url.slice(0, -6)}/b/c`)
  await askAll(url.replace('/link/', '/links/'))
  await askAll(url.replace('/a.txt', ''))
  for (const client of clients) client.close()
  await server.kill('SIGKILL')
  const log = `${server.stderr()}${server.stdout()}`
  assert.match(log, /"route":"\/link\/:token\/:name"/)
  assert.ok(!log.includes(url.split('/')[2]))

  server = await startChild(dataDir, FLAGS)
  assert.ok(await eventually(() => doAllServe(server)), server.stderr())
  clients = await openProcessClients({ url: server.url, key }, server.pid, PROCESSES)
  for (const { text } of await askAll(url)) assert.equal(text, 'a')
})

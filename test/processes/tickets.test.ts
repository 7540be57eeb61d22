// Tickets on a server of three processes are valid on all processes and expire on all processes at
// once.

import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { siteKey } from '../../lib/schema/server-records.ts'
import { type ChildServer, makeKey, startChild } from '../helpers/child-server.ts'
import { assertProblem } from '../helpers/content.ts'
import { doAllServe, openProcessClients, type ProcessClient } from '../helpers/process-clients.ts'
import { eventually } from '../helpers/raw.ts'
import { send, temporaryDirectory } from '../helpers/server.ts'
import { tamper } from '../helpers/site.ts'

const PROCESSES = 3
const FLAGS = ['--processes', String(PROCESSES), '--min-free-mb', '0', '--min-free-percent', '0']

let dataDir: string
let server: ChildServer
let key: string
let url: string
let clients: readonly ProcessClient[]
before(async () => {
  dataDir = join(temporaryDirectory(), 'data')
  server = await startChild(dataDir, FLAGS)
  key = await makeKey(dataDir)
  const file = { name: 'a.txt', type: 'txt', parent_category_id: 1, pageContent: 'a' }
  const json = { ...file, fileState: 'publish' }
  url = (await send(server.url, 'POST', '/api/v2/asset_file', { json, key })).body.url
  await open()
})
after(async () => {
  await server.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

async function open(): Promise<void> {
  assert.ok(await eventually(() => doAllServe(server)), server.stderr())
  clients = await openProcessClients({ url: server.url, key }, server.pid, PROCESSES)
}

async function stop(): Promise<void> {
  for (const client of clients) client.close()
  await server.kill('SIGTERM')
}

async function ticketsOf(secret: string): Promise<readonly string[]> {
  const call = { json: { path: url }, key: secret }
  const made = await Promise.all(clients.map((one) => one.call('POST', '/api/v2/ticket', call)))
  return made.map(({ status, body, text }) => {
    assert.equal(status, 201, text)
    return body.path
  })
}

const askAll = (path: string) =>
  Promise.all(clients.map((client) => client.call('GET', path, { key: null })))

async function requireGood(path: string): Promise<void> {
  for (const { status, text } of await askAll(path)) assert.deepEqual([status, text], [200, 'a'])
}

test('a ticket of any process is accepted by all processes until its key is disabled', async () => {
  const json = { name: 'of a page', grants: ['view'] }
  const { body } = await send(server.url, 'POST', '/api/v2/api_key', { json, key })
  const paths = await ticketsOf(body.secret)
  for (const path of paths) await requireGood(path)

  const path = `/api/v2/api_key/${body.api_key_id}`
  await send(server.url, 'POST', path, { json: { status: 'inactive' }, key })
  for (const each of paths)
    for (const answer of await askAll(each)) assertProblem(answer, 'key-invalid')
})

test('no ticket is in the log, accepted or refused', async () => {
  const [path = ''] = await ticketsOf(key)
  const forged = `${path.slice(0, -4)}AAAA`
  await askAll(path)
  await askAll(forged)
  await askAll(path.replace('a.txt', 'b.txt'))
  await askAll(`${path}&a=b`)
  await askAll(path.replace('/file/', '/files/'))
  await askAll(path.replace('?', '?state=%FF&'))
  await stop()
  const log = `${server.stderr()}${server.stdout()}`
  const ticket = path.slice(path.indexOf('ticket=') + 7)
  assert.match(log, /"route":"\/file\/:number\/:name"/)
  assert.doesNotMatch(log, /ticket=/)
  assert.ok(!log.includes(ticket.slice(0, 40)))
  server = await startChild(dataDir, FLAGS)
  await open()
  await requireGood(path)
})

test('all processes accept tickets even if the site has no key on its disk', async () => {
  await stop()
  await tamper(dataDir, (_, records) => records.commit((unit) => unit.remove(siteKey, 1)))
  server = await startChild(dataDir, [...FLAGS, '--read-only'])
  await open()
  for (const path of await ticketsOf(key)) await requireGood(path)
})

// Servers that share a site in a database and a store, tested through their HTTP interface. The
// store is a stand-in.

import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pino } from 'pino'
import type { ClusterSettings } from '../../../lib/config/cluster-settings.ts'
import { assetCategory } from '../../../lib/schema/asset-category.ts'
import { pendingWork } from '../../../lib/schema/pending-work.ts'
import { killChildren, makeKey, runCli, startChild } from '../../helpers/child-server.ts'
import { startCluster, variablesOf } from '../../helpers/cluster.ts'
import { make, makeFile, uploadFile } from '../../helpers/content.ts'
import { openMailbox } from '../../helpers/mailbox.ts'
import {
  closeTestServers,
  send,
  startTestServer,
  temporaryDirectory,
  type TestServer,
} from '../../helpers/server.ts'
import { eventually } from '../../helpers/raw.ts'
import { openNode } from './nodes.ts'

const cluster = await startCluster()
after(closeTestServers)
after(killChildren)

interface Nodes {
  readonly a: TestServer
  readonly b: TestServer
  /** All nodes of a site share the keys. */
  readonly key: string
  readonly site: ClusterSettings
}

async function startNodes(): Promise<Nodes> {
  const site = await cluster.newSite()
  const a = await startTestServer({ config: { cluster: site } })
  return { a, b: await startTestServer({ config: { cluster: site } }), key: a.key, site }
}

async function createFolder({ call }: TestServer, name: string): Promise<string> {
  const made = await call('POST', '/api/v2/asset_category', {
    json: { name, parent_category_id: 1 },
  })
  assert.equal(made.status, 201, made.text)
  return made.headers.location ?? ''
}

const { a, b, key, site } = await startNodes()

test('each node reads at once what the other node created', async () => {
  const there = await b.call('GET', await createFolder(a, 'news'), { key })
  assert.deepEqual([there.status, there.body.name], [200, 'news'])
  const here = await a.call('GET', await createFolder(b, 'press'), { key })
  assert.deepEqual([here.status, here.body.name], [200, 'press'])
})

test('a node reads the changes of another node after an own commit that changed nothing', async () => {
  const path = await createFolder(a, 'same')
  const list = '/api/v2/asset_category?length=100'
  for (const name of ['first', 'second', 'third']) {
    assert.equal((await a.call('POST', path, { json: {} })).status, 200)
    assert.doesNotMatch((await a.call('GET', list)).text, new RegExp(`"${name}"`))
    assert.equal((await b.call('POST', path, { key, json: { name } })).status, 200)
    assert.equal((await a.call('GET', path)).body.name, name)
    assert.match((await a.call('GET', list)).text, new RegExp(`"${name}"`))
  }
})

test('a key that was revoked on one node is refused at the next request to the other', async () => {
  const secret = await a.makeKey({ name: 'short', grants: 'view' })
  assert.equal((await b.call('GET', '/api/v2/asset_category', { key: secret })).status, 200)
  await a.command({ command: 'key.revoke', key: 'short' })
  assert.equal((await b.call('GET', '/api/v2/asset_category', { key: secret })).status, 401)
})

test('keys and folder contents that another node is removing disappear with its first commit', async (t) => {
  const folder = await createFolder(a, 'old')
  const inside = { name: 'inside', parent_category_id: Number(folder.split('/').at(-1)) }
  assert.equal((await a.call('POST', '/api/v2/asset_category', { json: inside })).status, 201)
  const secret = await a.makeKey({ name: 'of mia', grants: 'view' })
  const keyId: number = (await b.call('GET', '/api/v2/me', { key: secret })).body.api_key.api_key_id
  const list = '/api/v2/asset_category?fields=name&length=100'
  assert.match((await b.call('GET', list, { key })).text, /inside/)

  // These records are the first commit of a node that deletes a user, or a folder with its content.
  // This node stops there.
  const { records } = await openNode(t, { databaseUrl: site.databaseUrl })
  await records.commit((unit) => {
    const revoke = { kind: 'revoke', api_key_ids: [keyId], spared: null, doer: null } as const
    unit.put(pendingWork, ['of mia'], revoke)
    unit.remove(assetCategory.recordType, inside.parent_category_id)
    const purge = { kind: 'purge', asset_category_id: inside.parent_category_id } as const
    unit.put(pendingWork, ['of the folder'], purge)
  })
  assert.equal((await b.call('GET', list, { key: secret })).status, 401)
  assert.doesNotMatch((await b.call('GET', list, { key })).text, /inside/)
})

for (const [size, what] of [
  [1_000, 'rides in the commit'],
  [3 * 1024 * 1024, 'is an object of the store'],
] as const) {
  test(`an upload to one node that ${what} is published there and downloaded from the other`, async () => {
    const bytes = Buffer.alloc(size, `${size} `)
    const { url } = await uploadFile(a, bytes, { fileState: 'publish' })
    const sent = await b.call('GET', url, { key })
    assert.deepEqual([sent.status, sent.bytes.equals(bytes)], [200, true], sent.text.slice(0, 200))
  })
}

test('the metrics of a node describe the database, the store and its local copies', async () => {
  const { text } = await b.call('GET', '/metrics', { key })
  for (const line of [/^cms_database_up 1$/m, /^cms_store_up 1$/m, /^cms_store_errors_total 0$/m])
    assert.match(text, line)
  assert.ok(Number(/^cms_database_commit_number (\d+)$/m.exec(text)?.[1]) > 0)
  assert.match(text, /^cms_content_cache_misses_total [1-9]/m)
})

test('a node with its database and its store reports no warning', async () => {
  const { body } = await b.call('GET', '/ready', { key: null })
  assert.deepEqual([body.status, body.warnings], ['ready', undefined])
})

test('a node refuses to make an archive and says what to back up instead', async () => {
  const { status, body } = await a.call('GET', '/api/v2/backup')
  assert.equal(status, 503)
  assert.match(body.detail, /PITR.*bucket/)
})

test('commands and single servers refuse the directory of a node, and a node refuses a site', async () => {
  const site = await cluster.newSite()
  const dataDir = join(temporaryDirectory(), 'node')
  const env = variablesOf(site)
  const node = await startChild(dataDir, [], { env })
  const secret = await makeKey(dataDir)
  assert.equal((await send(node.url, 'GET', '/api/v2/asset_category', { key: secret })).status, 200)
  await node.kill('SIGTERM')

  for (const args of [['check'], ['backup', `${dataDir}-copy`], ['key', 'list'], ['start']]) {
    const { code, stderr } = await runCli([...args, '--data', dataDir])
    assert.deepEqual(
      [code, /directory of a cluster node/.test(stderr)],
      [65, true],
      `${args} ${stderr}`,
    )
  }
  const single = join(temporaryDirectory(), 'single')
  mkdirSync(single)
  writeFileSync(join(single, 'instance.json'), '{}')
  const refused = await runCli(['start', '--data', single], { env })
  assert.equal(refused.code, 65)
  assert.match(refused.stderr, /migrate/)
})

test('a change that a killed node acknowledged is visible on the other node', async () => {
  const site = await cluster.newSite()
  const dataDir = join(temporaryDirectory(), 'node')
  const node = await startChild(dataDir, [], { env: variablesOf(site) })
  const secret = await makeKey(dataDir)
  const other = await startTestServer({ config: { cluster: site } })
  const made = await send(node.url, 'POST', '/api/v2/asset_file', {
    key: secret,
    json: { name: 'a.html', type: 'html', parent_category_id: 1, pageContent: '<p>1</p>' },
  })
  assert.equal(made.status, 201, made.text)
  await node.kill('SIGKILL')

  const found = await other.call('GET', made.headers.location ?? '')
  assert.deepEqual([found.status, found.body.name], [200, 'a.html'])
  const again = await startChild(dataDir, [], { env: variablesOf(site) })
  assert.ok(await eventually(() => again.stderr().includes('"wasCrash":true')))
  const there = await send(again.url, 'GET', made.headers.location ?? '', { key: secret })
  assert.deepEqual(there.body, found.body)
  await again.kill('SIGTERM')
  const third = await startChild(dataDir, [], { env: variablesOf(site) })
  assert.ok(await eventually(() => third.stderr().includes('"wasCrash":false')))
  await third.kill('SIGTERM')
})

test('one node sends the mails of a site, and another node sends the rest if it is killed', async () => {
  const shared = await cluster.newSite()
  const begun: string[] = []
  const box = await openMailbox({
    // The second mail waits for the mail server until its node is killed.
    onMailFrom(_address, { id }, done) {
      begun.push(id)
      if (begun.length !== 2) done()
    },
  })
  const dataDir = join(temporaryDirectory(), 'node')
  const secretFile = join(temporaryDirectory(), 'smtp-url')
  writeFileSync(secretFile, `smtp://127.0.0.1:${box.port}`)
  const mailing = ['--smtp-url-file', secretFile, '--mail-from', 'cms@example.org']
  const node = await startChild(dataDir, mailing, { env: variablesOf(shared) })
  const key = await makeKey(dataDir)
  const server = { host: '127.0.0.1', port: box.port, tls: 'none', login: undefined } as const
  const mail = { server, from: 'cms@example.org', language: 'en' } as const
  const other = await startTestServer({ config: { cluster: shared, mail } })
  for (const name of ['ada', 'bob', 'cy'])
    await make(other, 'user', { name, email: `${name}@example.org`, role: 'editor' })
  const { asset_file_id: id } = await makeFile(other, { name: 'plan.txt' })
  const json = { target: `asset_file/${id}`, text: 'For @ada, @bob and @cy' }
  assert.equal((await send(node.url, 'POST', '/api/v2/comment', { key, json })).status, 201)
  assert.ok(await eventually(() => begun.length > 1))
  assert.deepEqual([begun.length, box.mails.length], [2, 1])

  await node.kill('SIGKILL')
  const mails = await box.until(3)
  const to = ['ada@example.org', 'bob@example.org', 'cy@example.org']
  assert.deepEqual(mails.map((each) => each.to[0]).toSorted(), to)
  assert.equal(begun.length, 4)
  await other.stop()
  await box.close()
})

test('/ready reports a store that does not answer, and records can still be read', async () => {
  cluster.store.break({ fault: { status: 403, code: 'AccessDenied' }, when: /./ })
  const away = await until(b, ({ status }) => status === 503)
  assert.deepEqual([away.status, away.body.reason], [503, 'store-away'])
  assert.equal((await b.call('GET', '/api/v2/asset_category', { key })).status, 200)
  cluster.store.mend()
  assert.equal((await until(b, ({ status }) => status === 200)).status, 200)
})

test('without the database routes get 503, and routes about the process respond at once', async () => {
  cluster.postgres.pause()
  try {
    const change = { json: { name: 'lost', parent_category_id: 1 } }
    const answers = await Promise.all([
      b.call('GET', '/api/v2/asset_category', { key }),
      b.call('POST', '/api/v2/asset_category', { key, ...change }),
      b.call('GET', '/', { key: null }),
    ])
    for (const { status, headers, text } of answers)
      assert.deepEqual([status, headers['retry-after']], [503, '1'], text)
    const ready = await b.call('GET', '/ready', { key: null })
    assert.deepEqual([ready.status, ready.body.reason], [503, 'database-away'])
    assert.equal((await b.call('GET', '/health', { key: null })).status, 200)
    assert.match((await b.call('GET', '/metrics', { key })).text, /^cms_database_up 0$/m)
  } finally {
    cluster.postgres.resume()
  }
  assert.equal((await until(b, ({ status }) => status === 200)).status, 200)
  const folders = await b.call('GET', '/api/v2/asset_category', { key })
  assert.doesNotMatch(folders.text, /lost/)
})

test('an outage of the store or the database logs one warning and one line at its end', async (t) => {
  const lines: any[] = []
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const node = await startTestServer({ config: { cluster: site }, log })
  t.after(() => node.close())
  const told = (part: string) =>
    lines.filter(({ msg }) => new RegExp(`^${part} (does not respond|responds again)`).test(msg))
  const untilTold = async (part: string, count: number) => {
    while (told(part).length < count) await new Promise((resolve) => setTimeout(resolve, 50))
  }
  cluster.store.break({ fault: { status: 403, code: 'SignatureDoesNotMatch' }, when: /./ })
  await untilTold('store', 1)
  await until(node, ({ status }) => status === 503)
  cluster.store.mend()
  await untilTold('store', 2)
  cluster.postgres.pause()
  try {
    await untilTold('database', 1)
  } finally {
    cluster.postgres.resume()
  }
  await untilTold('database', 2)

  const [away, back, ...others] = told('store')
  assert.deepEqual([away.level, back.level, others], [40, 30, []])
  assert.match(away.reason, /^HeadObject: 403/)
  assert.deepEqual([away.host, back.host], [new URL(cluster.store.endpoint).host, away.host])
  assert.ok(back.awaySeconds > 0)
  const [gone, here, ...more] = told('database')
  assert.deepEqual([gone.level, here.level, more], [40, 30, []])
  assert.match(gone.host, new RegExp(`127.0.0.1:${cluster.postgres.port}`))
  assert.ok(gone.reason.length > 0 && here.awaySeconds >= 3, JSON.stringify([gone, here]))
})

async function until(node: TestServer, isIt: (ready: { readonly status: number }) => boolean) {
  for (;;) {
    const ready = await node.call('GET', '/ready', { key: null })
    if (isIt(ready)) return ready
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

// cms-server check of a cluster: faults in the database and in the store, with and without running
// nodes.

import assert from 'node:assert/strict'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { ClusterSettings } from '../../../lib/config/cluster-settings.ts'
import {
  type ChildServer,
  type Ended,
  killChildren,
  makeKey,
  runCli,
  startChild,
  startCli,
} from '../../helpers/child-server.ts'
import { startCluster, variablesOf } from '../../helpers/cluster.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { query } from '../../helpers/postgres.ts'
import { closeTestServers, send, temporaryDirectory } from '../../helpers/server.ts'
import { makeRichSite } from '../moving/rich-site.ts'

/** Their rows fill two batches of a move. */
const ENTRIES = 500

const cluster = await startCluster()
let dataDir: string
/** A site that each test leaves intact; a move into the cluster takes longer than most tests. */
let intact: ClusterSettings
before(async () => {
  ;({ dataDir } = await makeRichSite(ENTRIES))
  intact = await newSite()
})
after(async () => {
  await killChildren()
  await closeTestServers()
  removeDataDirectories()
})

async function newSite(): Promise<ClusterSettings> {
  const place = await cluster.newSite()
  const args = ['migrate', '--from', dataDir, '--to', 'cluster']
  const moved = await runCli(args, { env: variablesOf(place) })
  assert.equal(moved.code, 0, moved.stderr)
  return place
}

function check(place: ClusterSettings, ...flags: readonly string[]): Promise<Ended> {
  return runCli(['check', 'cluster', ...flags], { env: variablesOf(place) })
}

function keysOf({ store }: ClusterSettings): readonly string[] {
  const prefix = store.prefix ?? ''
  return [...cluster.store.objects.keys()].filter((key) =>
    new RegExp(`^${prefix}[0-9a-f]{2}/\\d`).test(key),
  )
}

/** The object of a content in the store; no other object has this key. */
function objectOf(place: ClusterSettings, at: number) {
  const key = keysOf(place)[at] ?? ''
  const object = cluster.store.objects.get(key)
  assert.ok(object !== undefined)
  return { key, object }
}

test('a check of an intact site reads everything and changes nothing', async () => {
  const tmp = temporaryDirectory()
  const lines = cluster.store.asked.length
  const env = { ...variablesOf(intact), TMPDIR: tmp }
  const { code, stdout, stderr } = await runCli(['check', 'cluster'], { env })
  assert.deepEqual([code, stderr], [0, 'versions compared: 8 of 8, 10.0 MiB\n'], stdout)
  assert.match(stdout, /^5\d{2} records, 8 versions, 8 contents of \d+ bytes\nNo faults found\.\n$/)
  assert.deepEqual(readdirSync(tmp), [])
  const asked = cluster.store.asked.slice(lines)
  for (const key of keysOf(intact))
    assert.ok(asked.some((line) => line.includes(`GET /cms/${key}`)))
  assert.deepEqual(
    asked.filter((line) => !/^(?:GET|HEAD) /.test(line)),
    [],
  )
})

test('a fault in the store is reported, marked by a repair, and unmarked once it is corrected', async () => {
  const gone = objectOf(intact, 0)
  const other = objectOf(intact, 1)
  cluster.store.objects.delete(gone.key)
  const bytes = Buffer.from(other.object.bytes)
  bytes[0] = (bytes[0] ?? 0) ^ 1
  cluster.store.objects.set(other.key, { ...other.object, bytes })

  const found = await check(intact)
  assert.equal(found.code, 1)
  assert.match(found.stdout, /^FAULT +content: asset_file \d+ version 1: the bytes are missing\.$/m)
  assert.match(found.stdout, /^FAULT +content: .*: the SHA-256 is wrong\.$/m)
  assert.match(found.stdout, /^2 faults\. Repair damage marks with --repair\./m)

  const mended = await check(intact, '--repair')
  assert.equal(mended.code, 0, mended.stdout)
  assert.equal(mended.stdout.match(/^fixed content: .*It is marked damaged\.$/gm)?.length, 2)
  const known = await check(intact)
  assert.match(known.stdout, /^known: 2 versions are marked damaged; their bytes are lost\.$/m)
  assert.equal(known.code, 0)

  for (const { key, object } of [gone, other]) cluster.store.objects.set(key, object)
  assert.match((await check(intact)).stdout, /right again; --repair removes the damage mark/)
  await check(intact, '--repair')
  assert.match((await check(intact)).stdout, /\nNo faults found\.\n$/)
})

test('objects without a version are reported, both of running saves and others', async () => {
  const { key, object } = objectOf(intact, 0)
  const unfinished = key.replace(/\/\d+\./, '/999.')
  const foreign = `${intact.store.prefix}aa/notes.txt`
  // A bucket may hold other objects beside the directories of the contents.
  const beside = `${intact.store.prefix}abc.txt`
  for (const added of [unfinished, beside]) cluster.store.objects.set(added, object)
  const left = await check(intact)
  assert.match(left.stdout, /^known: 1 content of interrupted saves; a node removes them/m)
  assert.equal(left.code, 0)

  cluster.store.objects.set(foreign, object)
  for (const flags of [[], ['--repair']]) {
    const { code, stdout } = await check(intact, ...flags)
    assert.match(stdout, /^FAULT +orphan: aa\/notes\.txt belongs to no version\.$/m)
    assert.deepEqual([code, stdout.includes('abc.txt')], [1, false])
  }
  for (const added of [unfinished, foreign, beside]) cluster.store.objects.delete(added)
})

test('faults in rows are reported and left to a check of a directory', async () => {
  const place = await newSite()
  const first = "select min(key) from cms_kv where key >= '\\x69'"
  await query(place.databaseUrl, `delete from cms_kv where key = (${first})`)
  for (const flags of [[], ['--repair']]) {
    const { code, stdout } = await check(place, ...flags)
    assert.equal(code, 1)
    assert.match(stdout, /^FAULT +index: The index row .* is missing\.$/m)
    assert.match(stdout, /move the site into a directory \("cms-server migrate"\), repair it there/)
  }

  const back = newDataDirectory()
  const env = variablesOf(place)
  assert.equal((await runCli(['migrate', '--from', 'cluster', '--to', back], { env })).code, 0)
  const mended = await runCli(['check', '--data', back, '--repair'])
  assert.match(mended.stdout, /^fixed index: /m)
})

test('a node keeps running during the check, and its saves and deletes are not faults', async () => {
  const place = await newSite()
  const nodeDir = newDataDirectory()
  const node = await startChild(nodeDir, ['--scrub-days', '0'], { env: variablesOf(place) })
  const key = await makeKey(nodeDir)
  const busy = new AbortController()
  const writing = saveAndDelete(node, key, busy.signal)
  try {
    for (let round = 0; round < 3; round += 1) {
      const { code, stdout, stderr } = await check(place)
      assert.equal(code, 0, `${stdout}${stderr}`)
    }
  } finally {
    busy.abort()
  }
  assert.ok((await writing) > 0)
})

/** Contents of this size are written to the store before their commit. */
async function saveAndDelete(
  { url }: ChildServer,
  key: string,
  signal: AbortSignal,
): Promise<number> {
  const pageContent = 'x'.repeat(200_000)
  for (let at = 0; ; at += 1) {
    if (signal.aborted) return at
    const json = { name: `busy-${at}.txt`, type: 'txt', parent_category_id: 1, pageContent }
    const made = await send(url, 'POST', '/api/v2/asset_file', { key, json })
    assert.equal(made.status, 201, made.text)
    const path = `/api/v2/asset_file/${made.body.asset_file_id}`
    if (at % 2 === 0) assert.equal((await send(url, 'DELETE', path, { key })).status, 204)
  }
}

test('an incomplete site is refused, and no tables are created', async () => {
  const empty = await cluster.newSite()
  const none = await check(empty)
  assert.equal(none.code, 65, none.stderr)
  assert.match(none.stderr, /The database holds no site/)
  const tables = await query(empty.databaseUrl, "select to_regclass('cms_kv') as found")
  assert.equal(tables[0]?.['found'], null)

  const other = { ...intact, store: { ...intact.store, prefix: 'elsewhere/' } }
  assert.match((await check(other)).stderr, /The bucket does not hold the contents of this site/)
  await query(intact.databaseUrl, `insert into cms_move values (1, 'x', gen_random_uuid())`)
  assert.match((await check(intact)).stderr, /A move of a site into the database/)
  await query(intact.databaseUrl, 'delete from cms_move')
})

test('invalid places exit with 2, and a node directory points to the check of its cluster', async () => {
  const both = await runCli(['check', 'cluster', '--data', dataDir])
  assert.deepEqual([both.code, /not both/.test(both.stderr)], [2, true])
  const unset = await runCli(['check', 'cluster'])
  assert.deepEqual([unset.code, /Set DATABASE_URL/.test(unset.stderr)], [2, true])
  assert.match((await runCli(['check', dataDir])).stdout, /\nNo faults found\.\n$/)

  const nodeDir = newDataDirectory()
  const node = await startChild(nodeDir, [], { env: variablesOf(intact) })
  const refused = await runCli(['check', '--data', nodeDir])
  assert.equal(refused.code, 65)
  assert.match(refused.stderr, /"cms-server check cluster"/)
  await node.kill('SIGTERM')
})

test('a signal stops the check with a message and removes its copy of the records', async () => {
  const tmp = join(temporaryDirectory(), 'tmp')
  mkdirSync(tmp)
  cluster.store.break({ fault: 'silent', when: /^GET .*\/[0-9a-f]{2}\/\d+\./, times: 1 })
  const from = cluster.store.asked.length
  const command = startCli(['check', 'cluster'], { env: { ...variablesOf(intact), TMPDIR: tmp } })
  const isReading = (): boolean =>
    cluster.store.asked.slice(from).some((line) => /\/\d+\./.test(line))
  while (!isReading()) await new Promise((resolve) => setTimeout(resolve, 10))
  assert.equal(readdirSync(tmp).length, 1)
  command.signal('SIGTERM')
  const { code, stderr } = await command.ended
  cluster.store.mend()
  assert.equal(code, 1)
  assert.match(stderr, /The check was stopped\./)
  assert.deepEqual(readdirSync(tmp), [])
})

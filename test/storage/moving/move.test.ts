// cms-server migrate as operators run it: there and back, interrupted at any point, and with places
// that it refuses.

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClusterSettings } from '../../../lib/config/cluster-settings.ts'
import {
  type Ended,
  killChildren,
  runCli,
  startChild,
  startCli,
} from '../../helpers/child-server.ts'
import { startCluster, variablesOf } from '../../helpers/cluster.ts'
import {
  contentsIn,
  newDataDirectory,
  removeDataDirectories,
} from '../../helpers/data-directory.ts'
import { query } from '../../helpers/postgres.ts'
import { closeTestServers } from '../../helpers/server.ts'
import { copySite } from '../../helpers/site.ts'
import { contentsOf, makeRichSite, type RichSite, rowsInDatabase, rowsOf } from './rich-site.ts'

const cluster = await startCluster()
let site: RichSite
before(async () => {
  site = await makeRichSite()
})
after(async () => {
  await killChildren()
  await closeTestServers()
  removeDataDirectories()
})

function moveOut(dataDir: string, to: ClusterSettings, flags: readonly string[] = []) {
  const args = ['migrate', '--from', dataDir, '--to', 'cluster', ...flags]
  return runCli(args, { env: variablesOf(to) })
}

function moveBack(from: ClusterSettings, dataDir: string): Promise<Ended> {
  return runCli(['migrate', '--from', 'cluster', '--to', dataDir], { env: variablesOf(from) })
}

function startNode(place: ClusterSettings): ReturnType<typeof startChild> {
  // A scrub would also read from the store, so it is off.
  return startChild(newDataDirectory(), ['--scrub-days', '0'], { env: variablesOf(place) })
}

/**
 * Kills the command with SIGKILL when it has sent a matching request to the store, which does not
 * answer.
 */
async function killAt(
  args: readonly string[],
  place: ClusterSettings,
  when: RegExp,
): Promise<void> {
  cluster.store.break({ fault: 'silent', when })
  const from = cluster.store.asked.length
  const command = startCli(args, { env: variablesOf(place) })
  const isAsked = (): boolean => cluster.store.asked.slice(from).some((line) => when.test(line))
  const ended = command.ended.then((end) => assert.fail(`${end.code} ${end.stderr}`))
  while (!isAsked()) await Promise.race([sleep(10), ended])
  ended.catch(() => undefined)
  command.signal('SIGKILL')
  await command.ended
  cluster.store.mend()
}

function prefixOf({ store }: ClusterSettings): string {
  return store.prefix ?? ''
}

test('a site that moves to a cluster and back keeps every row and content', async () => {
  const place = await cluster.newSite()
  const rows = await rowsOf(site.dataDir)

  const out = await moveOut(site.dataDir, place)
  assert.equal(out.code, 0, out.stderr)
  assert.match(
    out.stdout,
    new RegExp(`^${rows.length} rows of .*, all compared, ${rows.length} written`, 'm'),
  )
  assert.match(out.stdout, /^8 contents? of \d+ bytes, all read back|^7 contents/m)
  assert.match(out.stdout, /^1 small content stored in the rows/m)
  assert.match(out.stdout, /The migration is complete\.\n$/)
  assert.match(out.stderr, /contents read back: /)
  assert.deepEqual(await rowsInDatabase(place.databaseUrl), rows)

  const again = await moveOut(site.dataDir, place)
  assert.equal(again.code, 0, again.stderr)
  assert.match(again.stdout, /all compared, 0 written/)

  const dataDir = newDataDirectory()
  const back = await moveBack(place, dataDir)
  assert.equal(back.code, 0, back.stderr)
  assert.match(back.stderr, /All servers of the cluster reject changes/)
  assert.deepEqual(await rowsOf(dataDir), rows)
  assert.deepEqual(contentsOf(dataDir), contentsOf(site.dataDir))
  const hashOf = ({ stdout }: Ended): string | undefined => /SHA-256 (\w{64})/.exec(stdout)?.[1]
  assert.equal(hashOf(back), hashOf(out))
  const check = await runCli(['check', '--data', dataDir])
  assert.match(check.stdout, /No faults found\./)
})

test('a store that cannot list uploads does not prevent a move', async () => {
  const place = await cluster.newSite()
  const fault = { status: 501, code: 'NotImplemented' }
  cluster.store.break({ fault, when: /^GET .*[?&]uploads/ })
  const out = await moveOut(site.dataDir, place)
  cluster.store.mend()
  assert.equal(out.code, 0, out.stderr)
  assert.match(
    out.stderr,
    /could not be removed from the bucket: ListMultipartUploads: 501 NotImplemented/,
  )
  await (await startNode(place)).kill('SIGTERM')
})

test('an interrupted move can be resumed, and no server opens the incomplete site', async () => {
  const place = await cluster.newSite()
  const out = ['migrate', '--from', site.dataDir, '--to', 'cluster']
  await killAt(out, place, /^PUT .*\/[0-9a-f]{2}\/\d+\./)
  await assert.rejects(startNode(place), /a move into it is running or was interrupted/)
  // Imitates the rows of an interrupted move and of another site that was moved later.
  await query(place.databaseUrl, "delete from cms_kv where key < '\\x69'")
  await query(place.databaseUrl, "insert into cms_kv values ('\\x7a7a', 'x')")
  await killAt(out, place, /^GET .*\/[0-9a-f]{2}\/\d+\./)
  assert.equal((await moveOut(site.dataDir, place)).code, 0)
  assert.deepEqual(await rowsInDatabase(place.databaseUrl), await rowsOf(site.dataDir))

  const dataDir = newDataDirectory()
  const back = ['migrate', '--from', 'cluster', '--to', dataDir]
  await killAt(back, place, /^GET .*\/[0-9a-f]{2}\/\d+\./)
  const started = await runCli(['start', '--data', dataDir, '--port', '0'])
  assert.equal(started.code, 65)
  assert.match(started.stderr, /a move into it is running or was interrupted/)
  assert.equal((await moveBack(place, dataDir)).code, 0)
  assert.deepEqual(await rowsOf(dataDir), await rowsOf(site.dataDir))
  assert.deepEqual(contentsOf(dataDir), contentsOf(site.dataDir))
})

test('a source keeps serving reads, and a source that accepts changes is refused', async () => {
  const dataDir = copySite(site.dataDir)
  const place = await cluster.newSite()
  const writing = await startChild(dataDir)
  const refused = await moveOut(dataDir, place)
  assert.equal(refused.code, 75, refused.stderr)
  assert.match(refused.stderr, /Stop it, or restart it with --read-only/)
  await writing.kill('SIGTERM')

  const reading = await startChild(dataDir, ['--read-only'])
  const moved = await moveOut(dataDir, place)
  assert.equal(moved.code, 0, moved.stderr)
  const headers = { authorization: `Bearer ${site.key}` }
  const read = async (url: string): Promise<unknown> => {
    const answer = await fetch(`${url}${site.entries}?length=50`, { headers })
    assert.equal(answer.status, 200)
    return answer.json()
  }
  const there = await read(reading.url)
  await reading.kill('SIGTERM')

  const node = await startNode(place)
  assert.deepEqual(await read(node.url), there)
  // From its first change on, the site is independent, and no other site may replace it.
  const body = '{"name":"Later"}'
  const json = { ...headers, 'content-type': 'application/json' }
  const made = await fetch(`${node.url}/api/v2/asset_category`, {
    method: 'POST',
    headers: json,
    body,
  })
  assert.equal(made.status, 201)
  const late = await moveOut(dataDir, place)
  assert.equal(late.code, 1)
  assert.match(late.stderr, /one of the two was changed since the move/)
  await node.kill('SIGTERM')
})

test('a cluster accepts changes only after its move', async () => {
  const place = await cluster.newSite()
  assert.equal((await moveOut(site.dataDir, place)).code, 0)
  const node = await startNode(place)
  const headers = { authorization: `Bearer ${site.key}`, 'content-type': 'application/json' }
  const change = (): Promise<Response> =>
    fetch(`${node.url}/api/v2/asset_category`, { method: 'POST', headers, body: '{"name":"Late"}' })
  cluster.store.break({ fault: 'silent', when: /^GET .*\/[0-9a-f]{2}\/\d+\./ })
  const from = cluster.store.asked.length
  const args = ['migrate', '--from', 'cluster', '--to', newDataDirectory()]
  const command = startCli(args, { env: variablesOf(place) })
  while (
    !cluster.store.asked
      .slice(from)
      .some((line) => line.startsWith('GET ') && /\/\d+\.\w{32}/.test(line))
  )
    await sleep(10)
  const refused = await change()
  assert.equal(refused.status, 503)
  assert.equal(refused.headers.get('retry-after'), '5')
  assert.match(await refused.text(), /The site is being moved to a data directory\./)
  const read = await fetch(`${node.url}${site.entries}?length=1`, { headers })
  assert.equal(read.status, 200)

  command.signal('SIGKILL')
  await command.ended
  cluster.store.mend()
  assert.equal((await change()).status, 201)
  await node.kill('SIGTERM')
})

test('a target with other contents is refused unchanged', async () => {
  const [place, other] = [await cluster.newSite(), await cluster.newSite()]
  await query(place.databaseUrl, 'create table cms_other (id int)')
  assert.equal((await moveOut(site.dataDir, place)).code, 0)
  const rows = await rowsInDatabase(place.databaseUrl)
  const others = newDataDirectory()
  const server = await startChild(others)
  await server.kill('SIGTERM')
  const taken = await moveOut(others, place)
  assert.equal(taken.code, 65, taken.stderr)
  assert.match(taken.stderr, /another site/)
  assert.deepEqual(await rowsInDatabase(place.databaseUrl), rows)

  // The bucket belongs to a site whose records are in another database.
  const mixed = { databaseUrl: other.databaseUrl, store: place.store }
  const twice = await moveOut(site.dataDir, mixed)
  assert.equal(twice.code, 1)
  assert.match(twice.stderr, /belong to another database/)

  const dataDir = newDataDirectory()
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'letter.txt'), 'mine')
  const full = await moveBack(place, dataDir)
  assert.equal(full.code, 1)
  assert.match(full.stderr, /is not empty/)
  assert.ok(!existsSync(join(dataDir, 'records')))
  assert.equal((await moveBack(other, newDataDirectory())).code, 65)
})

test('damage is reported and prevents opening the site, unless it is left out', async () => {
  const dataDir = copySite(site.dataDir)
  const place = await cluster.newSite()
  const [path = '', wrong = ''] = contentsIn(dataDir)
  rmSync(path)
  const bytes = readFileSync(wrong)
  writeFileSync(wrong, Buffer.alloc(bytes.length))
  const moved = await moveOut(dataDir, place)
  assert.equal(moved.code, 1)
  assert.match(moved.stdout, /^FAULT asset_file \d+ version \d+: the bytes are missing\.$/m)
  assert.match(moved.stdout, /^FAULT asset_file \d+ version \d+: the bytes are wrong\.$/m)
  assert.match(moved.stdout, /The migration is incomplete: 2 contents could not be copied/)
  await assert.rejects(startNode(place), /is incomplete: a move into it/)

  writeFileSync(wrong, bytes)
  const rest = await moveOut(dataDir, place, ['--leave-damaged'])
  assert.equal(rest.code, 0, rest.stderr)
  assert.match(rest.stdout, /, 1 written\n/)
  assert.match(rest.stdout, /^FAULT .* missing\.\nEverything else was migrated\.$/m)
  await (await startNode(place)).kill('SIGTERM')
})

test('a content that was changed in the store is reported on the way back', async () => {
  const place = await cluster.newSite()
  assert.equal((await moveOut(site.dataDir, place)).code, 0)
  const [key = ''] = [...cluster.store.objects.keys()].filter(
    (name) => name.startsWith(prefixOf(place)) && !name.endsWith('.json'),
  )
  const object = cluster.store.objects.get(key)
  assert.ok(object !== undefined)
  cluster.store.objects.set(key, { ...object, bytes: Buffer.alloc(object.bytes.length) })
  const back = await moveBack(place, newDataDirectory())
  assert.equal(back.code, 1)
  assert.match(back.stdout, /^FAULT .*: the bytes are wrong\.$/m)
})

test('an ambiguous command line is refused', async () => {
  const url = 'postgres://a:secret@127.0.0.1:1/b'
  const runs = [
    [['--from', 'x', '--to', 'y'], /Give a data directory and a cluster/, 2],
    [['--from', 'x', '--to', url, 'y'], /--to takes one directory, or a cluster/, 2],
    [['--from', 'x', '--to', url, url], /one database and one bucket/, 2],
    [['--from', 'x', '--to', url], /DATABASE_URL is set, but S3_BUCKET is not/, 2],
    [['--from', 'x'], /required option '--to/, 2],
  ] as const
  for (const [flags, said, code] of runs) {
    const ended = await runCli(['migrate', ...flags])
    assert.equal(ended.code, code, ended.stderr)
    assert.match(ended.stderr, said)
    assert.ok(!ended.stderr.includes('secret'))
  }
})

// A whole cluster under load: three servers behind nginx, PostgreSQL under Patroni, Ceph with two gateways. Their parts are
// killed, paused, cut off, slowed down and filled up in turn, and what clients were told is compared with what every node
// says. CMS_RIG_ROUNDS is how often each fault comes (CMS_RIG_MINUTES at most), CMS_RIG_FAULTS words of the names of those that are wanted.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeKey } from '../helpers/child-server.ts'
import { SEED } from '../helpers/seed.ts'
import { openRandom } from '../rigs/random.ts'
import { NO_STORE, REAL_STORE, settingsOf } from './real-store.ts'
import { faultsAt } from './whole/checks.ts'
import type { Doors } from './whole/doors.ts'
import { type Fault, faultsOf } from './whole/faults.ts'
import { follow } from './whole/followers.ts'
import { type Load, openLoad, runLoad } from './whole/load.ts'
import { type Nodes, startNodes } from './whole/nodes.ts'

const ROUNDS = Number(process.env['CMS_RIG_ROUNDS'] ?? 1)
const WANTED = (process.env['CMS_RIG_FAULTS'] ?? '').split(',')
const WRITERS = Number(process.env['CMS_RIG_WRITERS'] ?? 8)
const READERS = 4
/** No round begins later than so many minutes after the first. */
const MINUTES = Number(process.env['CMS_RIG_MINUTES'] ?? Number.POSITIVE_INFINITY)
const MOST_SAID = 4_000
const FAULT_MS = 9_000
const REST_MS = 2_000
/** The target is for a failover; the rest of it is for a machine that has little to give. */
const MOST_GAP_MS = 60_000

interface Told {
  readonly name: string
  readonly gapMs: number
}

const database = process.env['CMS_TEST_DATABASE']
const store = REAL_STORE
const skip = NO_STORE || (database === undefined && 'npm run test:cluster -- whole')

test('whatever fails, nothing that was acknowledged is lost, and nothing wrong is read', {
  skip,
}, async (t) => {
  if (store?.script === undefined || database === undefined) return
  const home = mkdtempSync(join(tmpdir(), 'cms-whole-'))
  chmodSync(home, 0o755)
  const nodes = await startNodes(home, {
    databaseUrl:
      'postgres://postgres:s3cret@10.99.0.1:5432,10.99.0.2:5432,10.99.0.3:5432/postgres?sslmode=disable',
    store: { ...settingsOf(store), prefix: `whole-${Date.now()}/` },
  })
  const random = openRandom(SEED)
  const key = await makeKey(nodes.dataDirs[0] ?? '')
  const urls = [nodes.balancer, ...nodes.urls]
  const doors: Doors = { urls, key, random, settledAt: [], again: 0 }
  const load = await openLoad(doors, WRITERS)
  const followers = nodes.urls.map((url) => follow(url, key))
  const stop = new AbortController()
  const running = runLoad(load, READERS, stop.signal)
  const ending = running.catch(() => undefined)
  t.after(async () => {
    stop.abort()
    await ending
    await Promise.all(followers.map((follower) => follower.stop()))
    console.error(nodes.said().slice(-MOST_SAID))
    await nodes.close()
    rmSync(home, { recursive: true, force: true })
  })

  const faults = faultsOf({ scripts: { database, store: store.script }, nodes, random })
  const { told, failure } = await breakAll(faults, { doors, nodes, database })
  stop.abort()
  await running

  console.error(summaryOf(load, told))
  await nodes.untilReady()
  for (const url of nodes.urls) assert.deepEqual(await faultsAt(load, url), [])
  assert.deepEqual(load.wrong, [])
  for (const follower of followers) await follower.close()
  const [first] = followers
  for (const { faults: once, sequences } of followers) {
    assert.deepEqual(once, [])
    assert.deepEqual(sequences, first?.sequences)
  }
  for (const { name, gapMs } of told) assert.ok(gapMs < MOST_GAP_MS, `${name}: ${gapMs} ms`)
  await canary(load, nodes)
  assert.ifError(failure)
})

interface Broken {
  readonly doors: Doors
  readonly nodes: Nodes
  /** The script of the database. */
  readonly database: string
}

/** Where one cannot be undone, what the writers know is compared all the same. */
async function breakAll(
  faults: readonly Fault[],
  broken: Broken,
): Promise<{ readonly told: readonly Told[]; readonly failure?: unknown }> {
  const told: Told[] = []
  const until = Date.now() + MINUTES * 60_000
  try {
    for (let round = 0; round < ROUNDS && Date.now() < until; round += 1)
      for (const fault of faults)
        if (WANTED.some((word) => fault.name.includes(word))) told.push(await meet(fault, broken))
    console.error(`at rest: the longest gap ${await quietGap(broken.doors)} ms`)
    return { told }
  } catch (failure) {
    return { told, failure }
  }
}

/** Begins a fault, ends it, and waits until all is well; how long no write was settled meanwhile. */
async function meet(
  { name, begin }: Fault,
  { doors, nodes, database: script }: Broken,
): Promise<Told> {
  await sleep(REST_MS)
  const from = Date.now()
  const end = await begin()
  await sleep(from + FAULT_MS - Date.now())
  await end()
  await healthy(script)
  await nodes.untilReady()
  await sleep(REST_MS)
  const gapMs = longestGap(doors.settledAt, from, Date.now())
  console.error(`${name}: the longest gap ${gapMs} ms, well again after ${Date.now() - from} ms`)
  return { name, gapMs }
}

async function quietGap({ settledAt }: Doors): Promise<number> {
  const from = Date.now()
  await sleep(REST_MS)
  return longestGap(settledAt, from, Date.now())
}

function longestGap(at: readonly number[], from: number, until: number): number {
  const times = [from, ...at.filter((time) => time > from && time < until), until]
  return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? 0)))
}

async function healthy(script: string): Promise<void> {
  const child = spawn('bash', [script, 'health'], { stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'exit')
  assert.equal(code, 0, 'the database is not well again')
}

/** What is taken away behind the back of the writers would be seen. */
async function canary(load: Load, { urls }: Nodes): Promise<void> {
  const [known] = load.known
  const [id] = known?.folders.keys() ?? []
  assert.ok(known && id !== undefined)
  const path = `${urls[1]}/api/v2/asset_category/${id}`
  const headers = { authorization: `Bearer ${load.doors.key}` }
  assert.equal((await fetch(path, { method: 'DELETE', headers })).status, 204)
  for (const url of urls) assert.equal((await faultsAt(load, url)).length, 1)
}

function summaryOf({ done, reads, doors, wrong }: Load, told: readonly Told[]): string {
  const kinds = [...new Set(told.map(({ name }) => name))].map((name) => {
    const gaps = told.filter((one) => one.name === name).map(({ gapMs }) => gapMs)
    const sorted = gaps.sort((a, b) => a - b)
    return `| ${name} | ${gaps.length} | ${sorted[Math.floor(sorted.length / 2)]} | ${sorted.at(-1)} |`
  })
  return `seed ${SEED}: ${JSON.stringify(done)}, ${doors.settledAt.length} writes settled, ${doors.again} of them by sending again, ${reads} reads compared, ${wrong.length} wrong
| fault | times | median gap, ms | longest, ms |
| --- | --- | --- | --- |
${kinds.join('\n')}`
}

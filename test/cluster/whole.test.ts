// A whole cluster under load: three servers behind nginx, PostgreSQL under Patroni, Ceph with two
// gateways. Parts are killed, paused, cut off, slowed down, filled up and set to another time, one
// after the other. Every twenty faults and at the end, the answers that clients received are compared
// with the data of every node.
//
//   CMS_RIG_ROUNDS    how often each fault occurs, in another order each time
//   CMS_RIG_MINUTES   no fault begins later than this after the first fault
//   CMS_RIG_FAULTS    words of the names of the wanted faults: "kill,cut a node"
//   CMS_RIG_OUT       a directory for the logs of nodes (node-N.log), a line for each fault (faults.jsonl) and summary.md

import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeKey } from '../helpers/child-server.ts'
import { SEED } from '../helpers/seed.ts'
import { openRandom } from '../rigs/random.ts'
import { NO_STORE, REAL_STORE, settingsOf } from './real-store.ts'
import { faultsAt } from './whole/checks.ts'
import type { Doors } from './whole/doors.ts'
import { type Fault, faultsOf } from './whole/faults.ts'
import { type Follower, follow } from './whole/followers.ts'
import { type Load, openLoad, openRunning } from './whole/load.ts'
import { type Nodes, startNodes } from './whole/nodes.ts'
import { openReport } from './whole/report.ts'
import { breakAll } from './whole/rounds.ts'

const ROUNDS = Number(process.env['CMS_RIG_ROUNDS'] ?? 1)
const WANTED = (process.env['CMS_RIG_FAULTS'] ?? '').split(',')
const WRITERS = Number(process.env['CMS_RIG_WRITERS'] ?? 8)
const READERS = 4
const MINUTES = Number(process.env['CMS_RIG_MINUTES'] ?? Number.POSITIVE_INFINITY)
const OUT = process.env['CMS_RIG_OUT'] ?? mkdtempSync(join(tmpdir(), 'cms-whole-out-'))
/** The target for a failover, with a margin for a slow machine. */
const MOST_GAP_MS = 60_000

/** An interrupted run leaves nothing behind: the exit handler undoes all faults. */
process.once('SIGTERM', () => process.exit(143))

const database = process.env['CMS_TEST_DATABASE']
const store = REAL_STORE
const skip = NO_STORE || (database === undefined && 'npm run test:cluster -- whole')

test('no failure loses acknowledged changes or returns wrong data', {
  skip,
}, async (t) => {
  if (store?.script === undefined || database === undefined) return
  const home = mkdtempSync(join(tmpdir(), 'cms-whole-'))
  chmodSync(home, 0o755)
  mkdirSync(OUT, { recursive: true })
  const report = openReport(OUT)
  const nodes = await startNodes({
    home,
    out: OUT,
    gateways: store.gateways,
    site: {
      databaseUrl:
        'postgres://postgres:s3cret@10.99.0.1:5432,10.99.0.2:5432,10.99.0.3:5432/postgres?sslmode=disable',
      store: { ...settingsOf(store), prefix: `whole-${Date.now()}/` },
    },
  })
  const random = openRandom(SEED)
  const key = await makeKey(nodes.dataDirs[0] ?? '')
  const urls = [nodes.balancer, ...nodes.urls]
  const doors: Doors = { urls, key, random, settledAt: [], again: 0 }
  const load = await openLoad(doors, WRITERS)
  const followers = nodes.urls.map((url) => follow(url, key))
  const running = openRunning(load, READERS)
  t.after(async () => {
    await running.halt().catch(() => undefined)
    await Promise.all(followers.map((follower) => follower.stop()))
    await nodes.close()
    rmSync(home, { recursive: true, force: true })
  })

  const scripts = { database, store: store.script }
  const faults = faultsOf({ scripts, nodes, random }).filter(isWanted)
  const until = Date.now() + MINUTES * 60_000
  running.goOn()
  const all = { faults, rounds: ROUNDS, until, scripts, nodes, load, running, report }
  const failure = await breakAll(all)
  report.end(load, nodes.ended)
  await running.halt()
  await nodes.untilReady()
  for (const url of nodes.urls) assert.deepEqual(await faultsAt(load, url), [])
  report.note('everything compared on every node')
  assert.deepEqual(load.wrong, [])
  await requireSame(followers)
  report.note('the followers are the same')
  for (const { name, gapMs } of report.told) assert.ok(gapMs < MOST_GAP_MS, `${name}: ${gapMs} ms`)
  await canary(load, nodes)
  assert.ifError(failure)
})

function isWanted({ name }: Fault): boolean {
  return WANTED.some((word) => name.includes(word))
}

async function requireSame(followers: readonly Follower[]): Promise<void> {
  for (const follower of followers) await follower.close()
  const [first] = followers
  for (const { faults, sequences } of followers) {
    assert.deepEqual(faults, [])
    assert.deepEqual(sequences, first?.sequences)
  }
}

/** Verifies that the rig detects changes that the writers did not make. */
async function canary(load: Load, { urls }: Nodes): Promise<void> {
  const [known] = load.known
  const [id] = known?.folders.keys() ?? []
  assert.ok(known && id !== undefined)
  const path = `${urls[1]}/api/v2/asset_category/${id}`
  const headers = { authorization: `Bearer ${load.doors.key}` }
  assert.equal((await fetch(path, { method: 'DELETE', headers })).status, 204)
  for (const url of urls) assert.equal((await faultsAt(load, url)).length, 1)
}

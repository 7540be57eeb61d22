// The start after a crash, with a fault at each of its system calls: the next start finds the same
// site. A start that is killed repeatedly succeeds as soon as no fault occurs. See injection.ts.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pMap from 'p-map'
import { assetFileVersion } from '../../lib/schema/asset-file.ts'
import { NOBODY } from '../../lib/schema/audit.ts'
import { pendingWork } from '../../lib/schema/pending-work.ts'
import { removalKey, removalMark } from '../../lib/schema/reference.ts'
import { contentPath, dataPathsOf, newUid } from '../../lib/storage/embedded/data-paths.ts'
import { openPool } from '../../lib/workers/pool.ts'
import { type Ended, startChild } from '../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { send } from '../helpers/server.ts'
import { copySite, tamper } from '../helpers/site.ts'
import {
  FAULTS,
  JOBS,
  type Point,
  pointsOf,
  type Prepared,
  requireEnd,
  requireHealed,
  struck,
  tell,
  tryAll,
  untilHit,
} from './injection.ts'
import { AUTHOR_URL, MADE, makeOperationSite } from './operations.ts'
import { IS_FULL, sample } from './sampling.ts'
import { SEED } from '../helpers/seed.ts'
import { type Call, openShim, type Shim, whyNoShim } from './shim.ts'
import { readState, type Site, type SiteState } from './site-state.ts'

const SHORT_POINTS = 6
const DEEP = IS_FULL ? 30 : 2
const ARGS = ['--log-level', 'error', '--min-free-mb', '0', '--scrub-days', '0']

const skip = whyNoShim() ?? false
const pool = openPool(1)
let crashed: Prepared
let empty: Prepared
let state: SiteState
before(async () => {
  const site = await makeOperationSite({ hasReferences: true })
  state = await stateOf(site)
  crashed = { ...site, dataDir: await crash(site), pool, untilWorkEnds: untilNoAuthor }
  empty = { dataDir: newDataDirectory(), key: '', pool }
})
after(async () => {
  await pool.close()
  removeDataDirectories()
})

test(`S4: recovery reaches the same state, whichever call fails (TEST_SEED=${SEED})`, {
  skip,
}, async (t) => {
  const points = pointsOf(await callsOfStart(crashed))
  const chosen = IS_FULL ? points : sample(points, SHORT_POINTS)
  const counts = await tryAll('recovery', chosen, async (point) => {
    const dataDir = copySite(crashed.dataDir)
    const outcome = await startWith(dataDir, point)
    await requireHealed(crashed, dataDir, [state])
    return outcome
  })
  assert.ok(points.length > 0, 'the shim saw nothing')
  t.diagnostic(`${chosen.length} of ${points.length} points: ${JSON.stringify(counts)}`)
})

test(`S4: recovery that is killed three times reaches the same state (TEST_SEED=${SEED})`, {
  skip,
}, async () => {
  const calls = await callsOfStart(crashed)
  const rounds = Array.from({ length: DEEP }, () => sample(calls, 3))
  const killAgain = async (chosen: readonly Call[]): Promise<void> => {
    const dataDir = copySite(crashed.dataDir)
    for (const call of chosen) await startWith(dataDir, { ...call, fault: 'kill' })
    await requireHealed(crashed, dataDir, [state])
  }
  await pMap(rounds, killAgain, { concurrency: JOBS })
})

test(`S4: a first start can be repeated, whichever call fails (TEST_SEED=${SEED})`, {
  skip,
}, async (t) => {
  const points = pointsOf(await callsOfStart(empty))
  // All shards are made in the same way, so a sample of them is enough.
  const isShard = ({ call }: Point) => call === 'mkdir'
  const rest = points.filter((point) => !isShard(point))
  const chosen = IS_FULL
    ? [...sample(points.filter(isShard), 60), ...rest]
    : sample(points, SHORT_POINTS)
  const counts = await tryAll('first start', chosen, async (point) => {
    const dataDir = newDataDirectory()
    const outcome = await startWith(dataDir, point)
    const again = await startChild(dataDir, ARGS)
    assert.equal((await again.kill('SIGTERM')).code, 0)
    return outcome
  })
  assert.ok(points.length > 0, 'the shim saw nothing')
  t.diagnostic(`${chosen.length} of ${points.length} points: ${JSON.stringify(counts)}`)
})

/** The state without the author, whose deletion the crash interrupts. */
async function stateOf({ dataDir, key }: Omit<Prepared, 'pool'>): Promise<SiteState> {
  const server = await startChild(copySite(dataDir), [...ARGS, '--trash-days', '0'])
  const { status } = await send(server.url, 'DELETE', AUTHOR_URL, { key })
  assert.ok(status === 202 || status === 204, `${status}`)
  await untilNoAuthor({ url: server.url, key })
  const read = await readState({ url: server.url, key })
  await server.kill('SIGTERM')
  return read
}

/** The deletion of an entry with many dependents continues after the server listens. */
async function untilNoAuthor({ url, key }: Site): Promise<void> {
  const isThere = async () => (await send(url, 'GET', AUTHOR_URL, { key })).status !== 404
  for (let waitedMs = 0; await isThere(); waitedMs += 20) {
    assert.ok(waitedMs < 30_000, 'the deletion does not end')
    await sleep(20)
  }
}

/** Kills a server on the site and leaves work for every step of the recovery. */
async function crash({ dataDir: from }: { readonly dataDir: string }): Promise<string> {
  const dataDir = copySite(from)
  const dataPaths = dataPathsOf(dataDir)
  const server = await startChild(dataDir, ARGS)
  await server.kill('SIGKILL')

  const orphan = { fileId: 9, uid: newUid() }
  const removed = { fileId: 9, uid: newUid() }
  for (const name of [orphan, removed])
    writeFileSync(contentPath(dataPaths, name), randomBytes(1_000))
  writeFileSync(join(dataPaths.tmp, newUid()), randomBytes(1_000))
  await tamper(dataDir, (_, records) =>
    records.commit((unit) => {
      unit.put(pendingWork, ['unfinished'], { kind: 'remove', contents: [removed] })
      // The content looks as if it was stored inline in its commit and was not yet written to a file.
      const stored = unit.get(assetFileVersion, MADE.page, 1)
      assert.ok(stored !== undefined)
      const name = { fileId: MADE.page, uid: stored.value.uid }
      unit.putInline(name, Buffer.from('<p>1'))
      rmSync(contentPath(dataPaths, name), { force: true })
      const target = { object: 'datatable', module_id: MADE.authors, id: 1 } as const
      unit.put(removalMark, removalKey(target), { work: 'cascade' })
      const cascade = { kind: 'cascade', stage: 'deleting', target, doer: NOBODY } as const
      unit.put(pendingWork, ['cascade'], cascade)
    }),
  )
  return dataDir
}

/**
 * Returns all calls of a start until the server is ready and has written out the inline contents.
 */
async function callsOfStart({ dataDir: from }: Prepared): Promise<readonly Call[]> {
  const dataDir = from === empty.dataDir ? newDataDirectory() : copySite(from)
  const { shim, ended } = await startShimmed(dataDir, (shim) => shim.set({ mode: 'count' }))
  const calls = shim.calls()
  shim.close()
  assert.equal((await ended).code, 0)
  return calls
}

/** Starts the server with the fault; the server may end in any way. */
async function startWith(dataDir: string, point: Point): Promise<string> {
  const { fault, number } = point
  const plan = { ...FAULTS[fault], at: number }
  const { shim, ended } = await startShimmed(dataDir, (shim) => shim.set(plan))
  const { code, signal, stderr } = await ended
  const failed = struck(point, shim.calls())
  shim.close()
  if (failed.length === 0) return tell('', point, failed)
  if (fault === 'kill' || signal !== null)
    requireEnd({ code, signal, stderr, stdout: '' }, { fault, failed })
  else assert.ok([0, 1, 65, 70].includes(code ?? -1), `${code} ${stderr}`)
  return tell(signal ?? `exit ${code}`, point, failed)
}

async function startShimmed(
  dataDir: string,
  plan: (shim: Shim) => void,
): Promise<{ readonly shim: Shim; readonly ended: Promise<Ended> }> {
  const shim = openShim(dataDir)
  plan(shim)
  try {
    const server = await startChild(dataDir, ARGS, { env: shim.env })
    await untilHit(shim, server)
    return { shim, ended: server.kill('SIGTERM') }
  } catch (error) {
    return { shim, ended: Promise.resolve((error as { readonly ended: Ended }).ended) }
  }
}

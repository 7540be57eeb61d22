// A point of injection: an operation on a fresh copy of a site, with a fault at one of its system
// calls, and everything that must hold afterwards.
//
// - A 2xx answer: the site is in the state after the operation, at once and after the next start.
// - Any other answer: the site is in the state before; only `outcome-unknown`, or no answer at all,
//   permits both states.
// - A server that survives needs no restart: without the fault the operation succeeds. After a failed
//   disk, however, the server takes no changes, and says so, until it is started again.
// - A server that ends exits with 70, or by the kill; the next start repairs what is left.
// - `check` finds no fault.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import pMap from 'p-map'
import { checkContents } from '../../lib/storage/integrity/check-contents.ts'
import { checkedFiles } from '../../lib/storage/integrity/check.ts'
import { dataPathsOf } from '../../lib/storage/embedded/data-paths.ts'
import { openLmdb } from '../../lib/storage/embedded/lmdb-kv.ts'
import { verifyRecords } from '../../lib/storage/integrity/verify-records.ts'
import type { Pool } from '../../lib/workers/pool.ts'
import { type ChildServer, type Ended, startChild } from '../helpers/child-server.ts'
import { untilContents } from '../helpers/data-directory.ts'
import { type Answer, send, startTestServer } from '../helpers/server.ts'
import { copySite } from '../helpers/site.ts'
import { type Operation } from './operations.ts'
import { openProgress } from './progress.ts'
import { type Call, openShim, type Plan, type Shim } from './shim.ts'
import { readState, type Site, type SiteState } from './site-state.ts'

/** The faults that a call can have. */
export const FAULTS = {
  kill: { mode: 'kill' },
  'EIO once': { mode: 'once', error: 'EIO' },
  'EIO for ever': { mode: 'from', error: 'EIO' },
  ENOSPC: { mode: 'from', error: 'ENOSPC' },
  EMFILE: { mode: 'from', error: 'EMFILE' },
} as const satisfies Readonly<Record<string, Plan>>

export type Fault = keyof typeof FAULTS

export interface Prepared {
  readonly dataDir: string
  readonly key: string
  readonly pool: Pool
  /** 0 by default: deletions remove contents. */
  readonly trashDays?: number
  /** Waits for work that continues after a start. */
  readonly untilWorkEnds?: (site: Site) => Promise<void>
}

/**
 * The reference run of an operation: its calls without a fault, and the states before and after.
 */
export interface Reference {
  readonly operation: Operation
  readonly calls: readonly Call[]
  readonly before: SiteState
  readonly after: SiteState
}

/** The disk is full only if the shim says so. */
const ARGS = ['--log-level', 'error', '--min-free-mb', '0', '--scrub-days', '0']

/** The number of points that are tried concurrently, because most of the time is waiting. */
export const JOBS = Number(process.env['CMS_RIG_JOBS'] ?? 3)

/** The maximum duration of work after the answer. */
const MAX_WORK_MS = 3_000
/** The time from a fault to the end of the server that it causes. */
const END_MS = 150

export async function measure(prepared: Prepared, operation: Operation): Promise<Reference> {
  const run = await start(prepared)
  const { site, shim, server, dataDir } = run
  try {
    const before = await readState(site)
    shim.set({ mode: 'count' })
    const answer = await operation.run(site)
    assert.ok(answer.status < 300, `${operation.name}: ${answer.text}`)
    const after = await readState(site)
    const kept = prepared.trashDays === undefined ? [after] : [before, after]
    await untilContents(dataDir, countContents(kept))
    await untilQuiet(shim)
    const calls = shim.calls()
    shim.set({ mode: 'off' })
    await server.kill('SIGTERM')
    return { operation, calls, before, after }
  } catch (error) {
    // A server that still runs would keep this process alive.
    await server.kill('SIGKILL')
    throw error
  } finally {
    shim.close()
  }
}

export interface Point extends Call {
  readonly fault: Fault
}

/** Returns every possible fault of each call. */
export function pointsOf(calls: readonly Call[]): readonly Point[] {
  const faults = Object.keys(FAULTS) as readonly Fault[]
  return faults.flatMap((fault) =>
    calls.filter((call) => canHappen(fault, call)).map((call) => ({ ...call, fault })),
  )
}

/**
 * Returns the calls that really failed. Threads are scheduled differently each time, so a call may
 * have another number than in the reference run.
 */
export function struck({ fault, number }: Point, calls: readonly Call[]): readonly Call[] {
  const isForEver = FAULTS[fault].mode === 'from'
  const isIts = (other: number): boolean => other === number || (isForEver && other > number)
  return calls.filter((call) => isIts(call.number) && canHappen(fault, call))
}

/** Describes an outcome, and notes if another call failed than in the reference run. */
export function tell(outcome: string, point: Point, [first]: readonly Call[]): string {
  if (first === undefined) return 'not reached'
  const isSame = first.call === point.call && kindOf(first.path) === kindOf(point.path)
  return isSame ? outcome : `${outcome}, at another call`
}

/** The kind of a path; names of contents are random in each run. */
function kindOf(path: string): string {
  const inside = path.slice(path.lastIndexOf('/data') + 5)
  return inside.replace(/\/[0-9a-f]{2}(?=\/|$)/, '/shard').replace(/[^/]*[0-9a-f-]{32,36}$/, 'uid')
}

function canHappen(fault: Fault, { call }: Call): boolean {
  if (fault === 'EMFILE') return call === 'open' || call === 'create'
  return fault !== 'ENOSPC' || !['open', 'unlink', 'rmdir'].includes(call)
}

/** Tries each point. Throws with all failures, or returns the number of points for each outcome. */
export async function tryAll(
  name: string,
  points: readonly Point[],
  attempt: (point: Point) => Promise<string>,
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {}
  const failed: string[] = []
  let tried = 0
  const progress = openProgress(
    name,
    () => `${tried} of ${points.length} points, ${JSON.stringify(counts)} ${failed.join('\n')}`,
  )
  const tryOne = async (point: Point): Promise<void> => {
    try {
      const outcome = `${point.fault}: ${await attempt(point)}`
      counts[outcome] = (counts[outcome] ?? 0) + 1
    } catch (error) {
      failed.push(`${show(point)}: ${(error as Error).message}`)
    }
    tried += 1
  }
  await pMap(points, tryOne, { concurrency: JOBS }).finally(progress.close)
  if (failed.length > 0) throw new Error(failed.join('\n'))
  return counts
}

function show({ fault, number, call, path }: Point): string {
  return `${fault} at ${number} (${call} ${path.slice(path.lastIndexOf('/data/') + 6)})`
}

export type Outcome = 'done' | 'refused' | 'unknown'

/** Throws if something is lost or incomplete, or if the server cannot continue. */
export async function inject(
  prepared: Prepared,
  reference: Reference,
  point: Point,
): Promise<string> {
  const { fault, number } = point
  const { site, shim, server, dataDir } = await start(prepared)
  try {
    shim.set({ ...FAULTS[fault], at: number })
    const answer = await reference.operation.run(site).catch(() => undefined)
    const outcome = outcomeOf(answer)
    await untilHit(shim, server)
    const ended = answer === undefined ? await server.ended : await findEnd(server, site)
    const failed = struck(point, shim.calls())
    shim.set({ mode: 'off' })

    const allowed = statesAfter(outcome, reference)
    if (ended !== undefined) {
      requireEnd(ended, { fault, failed })
      await requireHealed(prepared, dataDir, allowed)
    } else {
      const shown = await goesOn({ site, server, reference, outcome, struck: { fault, failed } })
      await requireHealed(prepared, dataDir, shown === undefined ? allowed : [shown])
    }
    return tell(outcome, point, failed)
  } finally {
    await server.kill('SIGKILL')
    shim.close()
  }
}

function outcomeOf(answer: Answer | undefined): Outcome {
  if (answer === undefined) return 'unknown'
  if (answer.status < 300) return 'done'
  assert.ok(answer.body?.code !== undefined, `no problem: ${answer.text}`)
  return answer.body.code === 'outcome-unknown' ? 'unknown' : 'refused'
}

function statesAfter(outcome: Outcome, { before, after }: Reference): readonly SiteState[] {
  if (outcome === 'done') return [after]
  return outcome === 'refused' ? [before] : [before, after]
}

interface Survivor {
  readonly site: Site
  readonly server: ChildServer
  readonly reference: Reference
  readonly outcome: Outcome
  readonly struck: Struck
}

/**
 * Returns the final state of a server that survived; undefined if LMDB ended the server after all.
 */
async function goesOn(survivor: Survivor): Promise<SiteState | undefined> {
  try {
    return await goOn(survivor)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code !== 'ECONNRESET' && code !== 'ECONNREFUSED') throw error
    requireEnd(await survivor.server.ended, survivor.struck)
    return undefined
  }
}

/**
 * The server shows what it acknowledged, and refused requests succeed now. The identifier is later
 * than in the reference run, so the state is not equal to `after`.
 */
async function goOn({ site, server, reference, outcome, struck }: Survivor): Promise<SiteState> {
  requireState(await readState(site), statesAfter(outcome, reference))
  const isReadOnly = (await readiness(site))?.body.reason === 'read-only'
  if (isReadOnly) assert.match(struck.fault, /^EIO/)
  if (outcome === 'refused' || isReadOnly) {
    const again = await reference.operation.run(site)
    if (isReadOnly) assert.equal(again.body?.code, 'read-only', again.text)
    else assert.ok(again.status < 300, `once more: ${again.text} ${server.stderr()}`)
  }
  const state = await readState(site)
  const ended = await server.kill('SIGTERM')
  // Damage in the memory of LMDB may show only at the end.
  if (ended.signal !== null) requireEnd(ended, struck)
  else assert.equal(ended.code, 0, ended.stderr)
  return state
}

/**
 * The signals by which LMDB ends a process when a call on its files fails. Its exit hook can also
 * hang (test/rigs/README.md).
 */
const BROKEN = new Set(['SIGABRT', 'SIGSEGV', 'SIGKILL'])

export interface Struck {
  readonly fault: Fault
  readonly failed: readonly Call[]
}

/** A server with an unknown state exits with 70. */
export function requireEnd({ code, signal, stderr }: Ended, { fault, failed }: Struck): void {
  if (fault === 'kill') assert.equal(signal, 'SIGKILL')
  else if (signal === null) assert.equal(code, 70, stderr)
  else {
    const told = failed.map(({ number, call, path }) => `${number} ${call} ${path}`).join(', ')
    assert.ok(BROKEN.has(signal) && failed.some(isOfLmdb), `${signal} at ${told}: ${stderr}`)
  }
}

function isOfLmdb({ call, path }: Call): boolean {
  return (
    ['create', 'open', 'truncate', 'write'].includes(call) && /\/(?:data|lock)\.mdb$/.test(path)
  )
}

/** The next start shows one of the permitted states, and the disk has no fault. */
export async function requireHealed(
  { key, pool, untilWorkEnds }: Prepared,
  dataDir: string,
  allowed: readonly SiteState[],
): Promise<void> {
  const again = await startTestServer({ dataDir })
  const site = { url: again.url, key }
  try {
    await untilWorkEnds?.(site)
    requireState(await readState(site), allowed)
  } finally {
    await again.stop()
  }

  await requireSound(dataDir, pool)
}

/**
 * Runs the checks of `check` in this process. The command itself uses a child process, because a
 * damaged file can end its reader.
 */
export async function requireSound(dataDir: string, pool: Pool): Promise<void> {
  const dataPaths = dataPathsOf(dataDir)
  const kv = openLmdb({ path: dataPaths.records, readOnly: true, onFailure: () => undefined })
  try {
    const { faults } = verifyRecords(kv)
    const options = { isRepair: false, isAlone: false, onProgress: () => undefined }
    const place = checkedFiles({ dataPaths, kv, pool })
    const { damaged, known, orphans, cut } = await checkContents(place, kv, options)
    assert.deepEqual(
      { faults, damaged, known, orphans, cut },
      { faults: [], damaged: [], known: 0, orphans: [], cut: 0 },
    )
  } finally {
    await kv.close()
  }
}

function requireState(state: SiteState, allowed: readonly SiteState[]): void {
  const texts = allowed.map((item) => JSON.stringify(item))
  if (!texts.includes(JSON.stringify(state))) assert.deepEqual(state, allowed.at(-1))
}

interface Run {
  readonly site: Site
  readonly shim: Shim
  readonly server: ChildServer
  readonly dataDir: string
}

async function start({ dataDir: from, key, trashDays = 0 }: Prepared): Promise<Run> {
  const dataDir = copySite(from)
  const shim = openShim(dataDir)
  const server = await startChild(dataDir, [...ARGS, '--trash-days', String(trashDays)], {
    env: shim.env,
  })
  return { site: { url: server.url, key }, shim, server, dataDir }
}

/** Waits because the fault may occur in work after the answer. */
export async function untilHit(shim: Shim, server: ChildServer): Promise<void> {
  let isRunning = true
  void server.ended.then(() => {
    isRunning = false
  })
  for (let waitedMs = 0; isRunning && shim.hits() === 0 && waitedMs < MAX_WORK_MS; waitedMs += 20)
    await sleep(20)
}

/**
 * Returns how the server ended; undefined if it continues. A server with an unknown state is not
 * ready and ends soon.
 */
async function findEnd({ ended }: ChildServer, site: Site): Promise<Ended | undefined> {
  const soon = await Promise.race([ended, sleep(END_MS)])
  if (soon !== undefined) return soon
  const ready = await readiness(site)
  return ready?.status === 200 || ready?.body.reason === 'read-only' ? undefined : ended
}

function readiness({ url }: Pick<Site, 'url'>): Promise<Answer | undefined> {
  return send(url, 'GET', '/ready', {}).catch(() => undefined)
}

/**
 * Counts contents instead of versions: versions that changed only fields share a content, and so do copies of files. A
 * trash keeps the contents of the state before.
 */
function countContents(states: readonly SiteState[]): number {
  const all = states.flatMap(({ versions }) =>
    (versions as readonly (readonly { readonly sha256: string }[])[]).flat(),
  )
  return new Set(all.map(({ sha256 }) => sha256)).size
}

/** The commit that completes the work follows the last write of a file. */
async function untilQuiet(shim: Shim): Promise<void> {
  for (let count = -1; count !== shim.calls().length; ) {
    count = shim.calls().length
    await sleep(150)
  }
}

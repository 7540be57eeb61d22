// A site moved from a database and a store into a data directory. `.moving` is the first thing in the directory and
// leaves it last.

import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '../../base/make-directory.ts'
import { CmsError } from '../../base/errors.ts'
import { counted } from '../../schema/sentence.ts'
import { syncDirectory } from '../../workers/files.ts'
import {
  type HeldSite,
  holdCommits,
  readPlace,
  rowsAfter,
  type SizeOfRows,
  sizeOfRows,
} from '../move-tables.ts'
import type { Place } from '../local-copy.ts'
import { type OpenCluster, openCluster } from '../open-cluster.ts'
import type { Lane } from '../primary.ts'
import { requireMarked } from '../site-mark.ts'
import {
  type DataPaths,
  dataPathsOf,
  FORMAT,
  foreignNames,
  makeDirectories,
  readSmallFile,
  removeSmallFile,
  requireKinds,
  SHARDS,
  writeSmallFile,
} from '../../storage/embedded/data-paths.ts'
import { openLmdb } from '../../storage/embedded/lmdb-kv.ts'
import { acquireLock, refuseAll } from '../../storage/embedded/lock.ts'
import type { Owner } from '../../storage/embedded/owner.ts'
import { RefusedError } from '../../storage/embedded/refusal.ts'
import { takeDirectory, type TakenDirectory } from '../../storage/embedded/taken-directory.ts'
import { CARRIED } from '../../storage/records/inline-contents.ts'
import { moveContents, totalsOf } from './move-contents.ts'
import { openIntoFiles } from './into-files.ts'
import { failedAtLast, GO_ON, type MoveOptions, type MoveReport, openTelling } from './move.ts'
import { compareRows, moveRows, rowsOfKv } from './move-rows.ts'

export async function moveToDirectory(options: MoveOptions): Promise<MoveReport> {
  const cluster = await openCluster(options.cluster, {
    ...options,
    advice: GO_ON,
    waiting: options,
  })
  try {
    const held = await hold(cluster)
    options.onNote(
      'Changes are refused by all servers of the cluster (503) until this ends; reads go on.',
    )
    const guard = openGuard(held)
    try {
      const signal = AbortSignal.any([guard.lost, options.signal])
      return await moveHeld({ cluster, ...held, guard }, { ...options, signal })
    } finally {
      guard.close()
    }
  } finally {
    cluster.close()
  }
}

interface Held {
  /** Each of its connections lets nobody commit until it ends. */
  readonly lane: Lane
  readonly site: string
  readonly place: Place
}

async function hold({ openLane, store, prefix }: OpenCluster): Promise<Held> {
  let first: HeldSite | undefined
  const lane = openLane({
    async begin(link) {
      const now = await holdCommits(link)
      // Another server, or another connection: others may have committed between the two.
      if (first !== undefined) requireSamePlace(first.place, now.place)
      first ??= now
    },
  })
  const place = await readPlace(lane)
  const site = first?.site
  if (site === undefined) throw new RefusedError('There is no site in the database.')
  await requireMarked({ store, prefix }, site)
  return { lane, site, place }
}

function requireSamePlace(before: Place, { seq, op, epoch }: Place): void {
  if (seq === before.seq && op === before.op && epoch === before.epoch) return
  throw new CmsError(
    'unavailable',
    'The site in the database was changed meanwhile. Run the same command again: it goes on with what is there now.',
  )
}

interface Guard {
  /** Somebody may have changed the source. */
  readonly lost: AbortSignal
  /** Throws where somebody has. */
  requireSame(): Promise<void>
  close(): void
}

const LOOK_EVERY_MS = 2_000

/** A connection that ends lets others commit, and they may remove contents then. A look makes it anew. */
function openGuard({ lane, place }: Held): Guard {
  const lost = new AbortController()
  async function requireSame(): Promise<void> {
    requireSamePlace(place, await readPlace(lane))
  }
  const look = (): void => void requireSame().catch((error: unknown) => lost.abort(error))
  const timer = setInterval(look, LOOK_EVERY_MS).unref()
  return { lost: lost.signal, requireSame, close: () => clearInterval(timer) }
}

interface Source extends Held {
  readonly cluster: OpenCluster
  readonly guard: Guard
}

async function moveHeld(source: Source, options: MoveOptions): Promise<MoveReport> {
  const to = dataPathsOf(options.dataDir)
  const made = makeDirectory(to.dataDir)
  const taken = await takeToWrite(to)
  taken.lock.serve(
    refuseAll('A site is being moved into this directory. Try again when it is done.'),
  )
  try {
    const isCompare = await isThere(to, source.site)
    const size = await sizeOfRows(source.lane)
    if (!isCompare) begin(to, { site: source.site, owner: taken.owner }, size)
    const report = await copy(source, { ...options, to, size, isCompare })
    options.signal.throwIfAborted()
    // Also where contents are missing: whoever has changed the source may have removed them.
    await source.guard.requireSame()
    if (isCompare || !report.isWhole) return report
    await makeSite(to, source.site, taken).catch(failedAtLast)
    return report
  } finally {
    await taken.release()
    // Refused before anything was written there.
    if (made !== undefined && readdirSync(to.dataDir).length === 0)
      rmSync(made, { recursive: true })
  }
}

async function makeSite(to: DataPaths, uuid: string, taken: TakenDirectory): Promise<void> {
  for (const shard of SHARDS) syncDirectory(join(to.dataDir, shard))
  if (!existsSync(to.instance)) writeSmallFile(to, to.instance, { format: FORMAT, uuid })
  taken.giveContents()
  await removeSmallFile(to, to.moving)
}

/** A site that is there whole is read alone, and stays with its owner. */
async function takeToWrite(to: DataPaths): Promise<TakenDirectory> {
  if (!existsSync(to.instance) || existsSync(to.moving))
    return takeDirectory(to.dataDir, await readSmallFile(to.moving))
  requireKinds(to)
  const lock = await acquireLock(to.dataDir)
  return { lock, owner: undefined, giveContents: () => undefined, release: () => lock.release() }
}

/** True: a whole site of this name is there, to be compared. False: nothing is, or the half of this move. */
async function isThere(to: DataPaths, site: string): Promise<boolean> {
  const moving = await readSmallFile(to.moving)
  if (moving !== undefined && moving['site'] !== site)
    throw new RefusedError(
      `Another site is being moved into ${to.dataDir}. Give a directory that is empty or not there.`,
    )
  if (moving !== undefined) return false
  const names = foreignNames(to.dataDir)
  if (names.length === 0) return false
  const instance = await readSmallFile(to.instance)
  if (instance?.['uuid'] === site && instance['format'] === FORMAT && existsSync(to.dataFile))
    return true
  throw new CmsError(
    'not-empty',
    `${to.dataDir} is not empty. Give a directory that is empty or not there.`,
  )
}

/** LMDB leaves part of its pages empty. */
const ROWS_TAKE = 1.5
const SPARE_BYTES = 64 * 1024 * 1024

function begin(
  to: DataPaths,
  { site, owner }: { readonly site: string; readonly owner: Owner | undefined },
  { bytes }: SizeOfRows,
): void {
  rmSync(to.tmp, { recursive: true, force: true })
  if (!existsSync(to.dataFile)) requireRoom(to, bytes * ROWS_TAKE)
  mkdirSync(to.tmp, { recursive: true, mode: 0o700 })
  if (!existsSync(to.moving)) writeSmallFile(to, to.moving, { site, ...(owner && { owner }) })
  makeDirectories(to)
}

function requireRoom({ dataDir }: DataPaths, sizeBytes: number): void {
  const { bavail, bsize } = statfsSync(dataDir)
  const needed = Math.ceil(sizeBytes) + SPARE_BYTES
  if (bavail * bsize >= needed) return
  throw new CmsError(
    'disk-full',
    `There is too little room in ${dataDir}: ${counted(needed, 'byte')} are needed, and ${counted(bavail * bsize, 'byte')} free. Make room, and run the same command again.`,
  )
}

interface Copying extends MoveOptions {
  readonly to: DataPaths
  readonly size: SizeOfRows
  readonly isCompare: boolean
}

async function copy({ cluster, lane, site }: Source, options: Copying): Promise<MoveReport> {
  const { to, size, isCompare, signal, pool, leaveDamaged } = options
  const { store, prefix } = cluster
  const telling = openTelling(options)
  const { onRows, onCompare } = telling.rows({ count: size.rows, bytes: size.bytes })
  const kv = openLmdb({ path: to.records, readOnly: isCompare, onFailure: () => undefined })
  try {
    const source = { after: (key: Buffer) => rowsAfter(lane, key) }
    const walk = { from: source, to: rowsOfKv(kv), signal, onRows }
    const rows = isCompare
      ? { ...(await compareRows(walk, hasGoneOn)), moved: 0 }
      : await moveRows(walk, async () => onCompare())
    const totals = totalsOf(kv)
    if (rows.moved > 0) requireRoom(to, totals.bytes)
    const mover = openIntoFiles({ to, pool, store, prefix })
    const contents = await moveContents({ ...telling, kv, mover, totals, isCompare, signal })
    const isWhole = contents.faults.length === 0 || leaveDamaged
    return { site, rows, movedRows: rows.moved, contents, carried: kv.count(CARRIED), isWhole }
  } finally {
    await kv.close()
  }
}

function hasGoneOn(): Error {
  return new CmsError(
    'not-empty',
    'This site lies in the directory already, and is not the same as in the database: one of them has gone on since. Nothing was changed.',
  )
}

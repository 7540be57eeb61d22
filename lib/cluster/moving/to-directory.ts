// Moves a site from a database and an object store into a data directory. `.moving` is the first file in the directory
// and is removed last.

import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '../../base/make-directory.ts'
import { CmsError } from '../../base/errors.ts'
import { counted } from '../../schema/message-text.ts'
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
import { type ClusterConnection, connectCluster } from '../cluster-connection.ts'
import type { Lane } from '../primary.ts'
import { requireMarked } from '../site-mark.ts'
import {
  type DataPaths,
  dataPathsOf,
  foreignNames,
  makeDirectories,
  readSmallFile,
  removeSmallFile,
  requireKinds,
  SHARDS,
  writeSmallFile,
} from '../../storage/embedded/data-paths.ts'
import { FORMAT } from '../../storage/embedded/upgrade-steps.ts'
import { openLmdb } from '../../storage/embedded/lmdb-kv.ts'
import { acquireLock, refuseAll } from '../../storage/embedded/lock.ts'
import type { Owner } from '../../storage/embedded/owner.ts'
import { RefusedError } from '../../storage/embedded/refusal.ts'
import { takeDirectory, type TakenDirectory } from '../../storage/embedded/taken-directory.ts'
import { INLINE_ROWS } from '../../storage/records/inline-contents.ts'
import { moveContents, totalsOf } from './move-contents.ts'
import { openIntoFiles } from './into-store.ts'
import { failedAtLast, GO_ON, type MoveOptions, type MoveReport, buildProgress } from './move.ts'
import { compareRows, moveRows, rowsOfKv } from './move-rows.ts'

export async function moveToDirectory(options: MoveOptions): Promise<MoveReport> {
  const cluster = await connectCluster(options.cluster, {
    ...options,
    advice: GO_ON,
    waiting: options,
  })
  try {
    const source = await hold(cluster)
    options.onNote(
      'All servers of the cluster reject changes (503) until the move ends. Reads still work.',
    )
    const guard = openGuard(source)
    try {
      const signal = AbortSignal.any([guard.lost, options.signal])
      return await moveHeld({ cluster, ...source, guard }, { ...options, signal })
    } finally {
      guard.close()
    }
  } finally {
    cluster.close()
  }
}

interface LockedSource {
  /** Each connection of the lane blocks all commits until it ends. */
  readonly lane: Lane
  readonly site: string
  readonly place: Place
}

async function hold({ openLane, store, prefix }: ClusterConnection): Promise<LockedSource> {
  let first: HeldSite | undefined
  const lane = openLane({
    async begin(link) {
      const now = await holdCommits(link)
      // A new connection, perhaps to another server: commits may have happened in between.
      if (first !== undefined) requireSamePlace(first.place, now.place)
      first ??= now
    },
  })
  const place = await readPlace(lane)
  const site = first?.site
  if (site === undefined) throw new RefusedError('The database holds no site. Check DATABASE_URL.')
  await requireMarked({ store, prefix }, site)
  return { lane, site, place }
}

function requireSamePlace(before: Place, { seq, op, epoch }: Place): void {
  if (seq === before.seq && op === before.op && epoch === before.epoch) return
  throw new CmsError(
    'unavailable',
    'The site in the database was changed during the move. Run the same command again: it continues with the current state.',
  )
}

interface Guard {
  /** Aborts if the source may have been changed. */
  readonly lost: AbortSignal
  /** Throws if the source was changed. */
  requireSame(): Promise<void>
  close(): void
}

const LOOK_EVERY_MS = 2_000

/** A closed connection unblocks commits, and contents may be removed then. Polling reopens the connection. */
function openGuard({ lane, place }: LockedSource): Guard {
  const lost = new AbortController()
  async function requireSame(): Promise<void> {
    requireSamePlace(place, await readPlace(lane))
  }
  const look = (): void => void requireSame().catch((error: unknown) => lost.abort(error))
  const timer = setInterval(look, LOOK_EVERY_MS).unref()
  return { lost: lost.signal, requireSame, close: () => clearInterval(timer) }
}

interface Source extends LockedSource {
  readonly cluster: ClusterConnection
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
    // Also if contents are missing: a change of the source may have removed them.
    await source.guard.requireSame()
    if (isCompare || !report.isWhole) return report
    await makeSite(to, source.site, taken).catch(failedAtLast)
    return report
  } finally {
    await taken.release()
    // The move was refused before anything was written.
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

/** A complete site is only read, and stays with its owner. */
async function takeToWrite(to: DataPaths): Promise<TakenDirectory> {
  if (!existsSync(to.instance) || existsSync(to.moving))
    return takeDirectory(to.dataDir, await readSmallFile(to.moving))
  requireKinds(to)
  const lock = await acquireLock(to.dataDir)
  return { lock, owner: undefined, giveContents: () => undefined, release: () => lock.release() }
}

/** True if the same site is complete there and is only compared. False if the directory is empty or holds this move. */
async function isThere(to: DataPaths, site: string): Promise<boolean> {
  const moving = await readSmallFile(to.moving)
  if (moving !== undefined && moving['site'] !== site)
    throw new RefusedError(
      `Another site is being moved into ${to.dataDir}. Choose an empty or new directory.`,
    )
  if (moving !== undefined) return false
  const names = foreignNames(to.dataDir)
  if (names.length === 0) return false
  const instance = await readSmallFile(to.instance)
  if (instance?.['uuid'] === site && instance['format'] === FORMAT && existsSync(to.dataFile))
    return true
  throw new CmsError('not-empty', `${to.dataDir} is not empty. Choose an empty or new directory.`)
}

/** LMDB leaves parts of its pages unused. */
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
    `Not enough disk space in ${dataDir}: ${counted(needed, 'byte')} needed, ${counted(bavail * bsize, 'byte')} free. Free some space, then run the same command again.`,
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
  const progress = buildProgress(options)
  const { onRows, onCompare } = progress.rows({ count: size.rows, bytes: size.bytes })
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
    const contents = await moveContents({ ...progress, kv, mover, totals, isCompare, signal })
    const isWhole = contents.faults.length === 0 || leaveDamaged
    return { site, rows, movedRows: rows.moved, contents, inline: kv.count(INLINE_ROWS), isWhole }
  } finally {
    await kv.close()
  }
}

function hasGoneOn(): Error {
  return new CmsError(
    'not-empty',
    'The directory already holds this site, but it differs from the database: one of the two was changed since the move. Nothing was changed.',
  )
}

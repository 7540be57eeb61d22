// Moves a site from its data directory into a database and an object store.

import { existsSync } from 'node:fs'
import { CmsError } from '../../base/errors.ts'
import { holdContents } from '../../storage/backup/hold-contents.ts'
import {
  beginMove,
  endMove,
  readTargetTables,
  markRows,
  rowsAfter,
  writeRows,
} from '../move-tables.ts'
import { type ClusterConnection, connectCluster } from '../cluster-connection.ts'
import type { Lane } from '../primary.ts'
import { beginMark, finishMark, readMark, requireMarked } from '../site-mark.ts'
import { reasonOf } from '../store-faults.ts'
import { makeMissing } from '../postgres-tables.ts'
import { type DataPaths, dataPathsOf, requireReadable } from '../../storage/embedded/data-paths.ts'
import { requireIdentity } from '../../storage/embedded/identity.ts'
import { requireFreeLease } from '../../storage/embedded/lease.ts'
import { openLmdb } from '../../storage/embedded/lmdb-kv.ts'
import { InUseError, RefusedError } from '../../storage/embedded/refusal.ts'
import { requireSite } from '../../storage/embedded/require-site.ts'
import {
  damagedRecords,
  requireWhole,
  inspectInChild,
} from '../../storage/integrity/inspect-records.ts'
import { requireOwnContents } from '../../storage/integrity/verify-contents.ts'
import { INLINE_ROWS } from '../../storage/records/inline-contents.ts'
import { IDENTITY_KEY } from '../../storage/records/format.ts'
import type { Kv } from '../../storage/records/kv.ts'
import { moveContents, totalsOf } from './move-contents.ts'
import { openIntoStore } from './into-store.ts'
import { failedAtLast, GO_ON, type MoveOptions, type MoveReport, buildProgress } from './move.ts'
import { compareRows, moveRows, rowsOfKv, type RowsTarget } from './move-rows.ts'

export async function moveToCluster(options: MoveOptions): Promise<MoveReport> {
  const from = dataPathsOf(options.dataDir)
  requireSite(from)
  await requireReadable(from)
  requireWhole(from)
  if (existsSync(from.manifest))
    throw new RefusedError(
      `${from.dataDir} is a backup. Restore it with "cms-server restore" first, then move the restored directory.`,
    )
  const hold = await holdContents(from)
  try {
    await requireRecords(from)
    const kv = openLmdb({ path: from.records, readOnly: true, onFailure: () => undefined })
    try {
      await requireNoWriter(kv, from)
      const signal = AbortSignal.any([hold.lost, options.signal])
      return await moveFrom(from, kv, { ...options, signal })
    } finally {
      await kv.close()
    }
  } finally {
    await hold.release()
  }
}

/** Damaged records would be damaged in the target and could not be repaired there. */
async function requireRecords(from: DataPaths): Promise<void> {
  const walk = await inspectInChild(from, 'all')
  if (walk === undefined) throw damagedRecords()
  const [first] = walk.faults
  if (first === undefined) return
  throw new RefusedError(
    `The records are damaged: ${first.detail} Nothing was moved. Run "cms-server check"; with --repair it can repair some faults.`,
  )
}

/** A read-only server has no lease. */
async function requireNoWriter(kv: Kv, from: DataPaths): Promise<void> {
  await requireFreeLease(kv, from.dataDir).catch((error: unknown) => {
    if (!(error instanceof InUseError)) throw error
    throw new InUseError(
      `A cms-server that accepts changes owns ${from.dataDir}. Stop it, or restart it with --read-only to serve reads during the move.`,
    )
  })
  await requireIdentity(from, kv)
  requireOwnContents(from, kv)
}

async function moveFrom(from: DataPaths, kv: Kv, options: MoveOptions): Promise<MoveReport> {
  const site = kv.get(IDENTITY_KEY)?.toString() ?? ''
  const cluster = await connectCluster(options.cluster, {
    ...options,
    advice: GO_ON,
    waiting: options,
  })
  const target = { ...cluster, lane: cluster.openLane() }
  try {
    const run = await beginIn(target, site)
    const { report, mark } = await copy({ from, kv, target, site, run }, options)
    if (run === undefined || mark === undefined || !report.isWhole) return report
    options.signal.throwIfAborted()
    await endUploads(target, options)
    await endMove(target.lane, { run, mark }).catch(failedAtLast)
    return report
  } finally {
    cluster.close()
  }
}

/** Removes parts of interrupted uploads: nothing else uploads here yet. Leftover parts waste space but do no harm. */
async function endUploads({ store, prefix }: Target, { onNote }: MoveOptions): Promise<void> {
  await store.endUploads(prefix, 0).catch((error: unknown) => {
    onNote(`Parts of interrupted uploads could not be removed from the bucket: ${reasonOf(error)}`)
  })
}

interface Target extends Pick<ClusterConnection, 'store' | 'prefix'> {
  readonly lane: Lane
}

/** Returns undefined if the site is already in the database and is only compared. */
async function beginIn({ lane, store, prefix }: Target, site: string): Promise<string | undefined> {
  if (!/^[0-9a-f-]{36}$/.test(site))
    throw new RefusedError('The records hold no site identity. Restore a backup.')
  await makeMissing(lane)
  const target = await readTargetTables(lane)
  if (target.moving !== undefined && target.moving !== site)
    throw new RefusedError(
      'Another site is being moved into this database. Choose an empty database.',
    )
  const place = { store, prefix }
  if (target.moving !== undefined) {
    // The move was begun with a marked bucket; another bucket holds nothing of the site.
    await requireMarked(place, site)
    return beginMove(lane, site)
  }
  const mark = await readMark(place)
  const isThere = target.site === site && mark?.uuid === site
  if (isThere || (mark?.uuid !== site && mark?.isMaking === false)) await requireMarked(place, site)
  if (isThere) return undefined
  if (!target.isEmpty)
    throw new CmsError('not-empty', 'The database already holds a site. Choose an empty database.')
  if (mark?.uuid === site && !mark.isMaking)
    throw new CmsError(
      'not-empty',
      'The bucket already holds the contents of this site, which belong to another database. Choose another bucket or prefix.',
    )
  if (mark?.isMaking !== true) await requireEmpty(store, prefix)
  // The mark is written first: once the database has a row, only the marked bucket is accepted.
  await beginMark(place, site)
  const run = await beginMove(lane, site)
  await finishMark(place, site)
  return run
}

async function requireEmpty(store: ClusterConnection['store'], prefix: string): Promise<void> {
  for await (const page of store.list(prefix))
    if (page.length > 0)
      throw new CmsError(
        'not-empty',
        `The prefix "${prefix}" of the bucket holds other objects. Choose an empty bucket or prefix.`,
      )
}

interface Copy {
  readonly from: DataPaths
  readonly kv: Kv
  readonly target: Target
  readonly site: string
  readonly run: string | undefined
}

interface Copied {
  readonly report: MoveReport
  /** Undefined if nothing was written. */
  readonly mark: string | undefined
}

async function copy({ from, kv, target, site, run }: Copy, options: MoveOptions): Promise<Copied> {
  const progress = buildProgress(options)
  const { signal, pool, leaveDamaged } = options
  const all = { start: Buffer.of(0), end: Buffer.of(0xff) }
  const { lane, store, prefix } = target
  const { onRows, onCompare } = progress.rows({ count: kv.count(all), bytes: 0 })
  const walk = { from: rowsOfKv(kv), to: tableRows(lane, run), signal, onRows }
  let mark: string | undefined
  const moveInto = (own: string) =>
    moveRows(walk, async () => {
      onCompare()
      mark = await markRows(lane, own)
    })
  const rows =
    run === undefined ? { ...(await compareRows(walk, hasGoneOn)), moved: 0 } : await moveInto(run)
  const mover = openIntoStore({ from, pool, store, prefix })
  const contents = await moveContents({
    ...progress,
    kv,
    mover,
    totals: totalsOf(kv),
    isCompare: run === undefined,
    signal,
  })
  const isWhole = contents.faults.length === 0 || leaveDamaged
  const inline = kv.count(INLINE_ROWS)
  return { report: { site, rows, movedRows: rows.moved, contents, inline, isWhole }, mark }
}

function tableRows(lane: Lane, run: string | undefined): RowsTarget {
  return {
    after: (key) => rowsAfter(lane, key),
    write: (writes) => writeRows(lane, run ?? '', writes),
  }
}

function hasGoneOn(): Error {
  return new CmsError(
    'not-empty',
    'The database already holds this site, but it differs from the directory: one of the two was changed since the move. Nothing was changed.',
  )
}

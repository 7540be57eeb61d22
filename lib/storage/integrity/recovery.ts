// What a start clears away. After a clean stop there is nothing to look for but the work that was
// promised; after a crash the bytes on disk and the versions were compared both ways (look-at-records.ts):
// - bytes that no version names go to .quarantine: they may be the unfinished half of a save;
// - a version whose bytes are gone or cut is marked damaged, and the rest is served.
// Every step can be interrupted and run again. In this order:
//
// 1. Temporary files are removed: no version can name one.
// 2. Index rows and counters that do not follow from their records are made anew, since all else is found by them.
// 3. Removals that were promised are done: their bytes are no orphans.
//    After a clean stop that is all. After a crash:
// 4. Orphans are told from what is left: files that no version names.
// 5. The counter of files is raised above them, so that no identifier is given twice.
// 6. Orphans go to quarantine; versions whose bytes are gone or cut are marked damaged.
// 7. What has been in quarantine for 30 days is removed.
// The work that operations have promised goes on after it: operations/start/resume.ts.

import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type AssetFileVersion, assetFile, assetFileVersion } from '../../schema/asset-file.ts'
import { seenTime } from '../../schema/api-key.ts'
import { pendingWork } from '../../schema/pending-work.ts'
import { jumpsAtStart, livedMs } from '../../schema/retention-clock.ts'
import { syncDirectory } from '../../workers/files.ts'
import type { Kv } from '../records/kv.ts'
import type { Recovered } from '../engine.ts'
import type { Contents, Records } from '../port.ts'
import { encodeCounter, readCounter } from '../records/record-bytes.ts'
import { keysOf, requireKeys } from '../records/type-numbers.ts'
import type { Looked } from './look-at-records.ts'
import { type DataPaths, parseContentName } from '../embedded/data-paths.ts'
import { applyMend } from './mend.ts'
import { findOrphans, hasBytes } from './verify-contents.ts'
import { isDerived, type RecordFault } from './faults.ts'

export interface RecoverInput {
  readonly dataPaths: DataPaths
  readonly kv: Kv
  readonly records: Records
  readonly contents: Contents
  /** What the look at records and contents found, after a stop that was not clean. */
  readonly looked: Looked | undefined
}

const QUARANTINE_DAYS = 30
const DAY_MS = 86_400_000

export async function recover({
  dataPaths,
  kv,
  records,
  contents,
  looked,
}: RecoverInput): Promise<Recovered> {
  const temporaryFiles = purgeTemporary(dataPaths)
  const mended = await mendDerived(kv, records, looked?.faults ?? [])
  await finishRemovals(records, contents)
  if (looked === undefined)
    return { wasCrash: false, temporaryFiles, quarantined: 0, damagedVersions: 0, mended }

  // Looked for by an index: a row that was too many has hidden one.
  const orphans = mended > 0 ? findOrphans(dataPaths, kv) : looked.orphans
  // Those of a deleted file are removed by now.
  const left = orphans.filter((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined)
  await raiseHighestId(kv, left)
  quarantine(dataPaths, left)
  // Those that a backup shared with another are files of their own by now.
  const damaged = looked.cut.filter((version) => !hasBytes(dataPaths, kv, version))
  for (const version of damaged) await putMark(records, version, { damaged: true })
  emptyQuarantine(dataPaths, records)
  return {
    wasCrash: true,
    temporaryFiles,
    quarantined: left.length,
    damagedVersions: damaged.length,
    mended,
  }
}

/** A start puts it right; all others serve what they find. */
export function isMendedByStart(fault: RecordFault): boolean {
  return isDerived(fault) && fault.mend !== undefined
}

/** Before contents are looked for, because they are found by an index. */
async function mendDerived(
  kv: Kv,
  records: Records,
  faults: readonly RecordFault[],
): Promise<number> {
  const derived = faults.filter(isDerived)
  for (const { mend } of derived) if (mend !== undefined) await applyMend(kv, records, mend)
  return derived.length
}

function purgeTemporary(dataPaths: DataPaths): number {
  const names = readdirSync(dataPaths.tmp)
  for (const name of names) rmSync(join(dataPaths.tmp, name), { recursive: true, force: true })
  return names.length
}

/** Before orphans are looked for: bytes of a deleted file are to be removed, not kept. */
async function finishRemovals(records: Records, contents: Contents): Promise<void> {
  for (const [id] of records.list(pendingWork, [])) {
    const work = records.get(pendingWork, String(id))?.value
    if (work?.kind !== 'remove') continue
    await contents.remove(work.contents)
    await records.commit((unit) => unit.remove(pendingWork, String(id)))
  }
}

/** Moves what no record knows out of the way, under a name that keeps where it was. */
export function quarantine(dataPaths: DataPaths, paths: readonly string[]): void {
  if (paths.length === 0) return
  mkdirSync(dataPaths.quarantine, { recursive: true, mode: 0o700 })
  const time = Date.now()
  for (const [index, path] of paths.entries()) {
    renameSync(path, join(dataPaths.quarantine, `${time}-${index}-${basename(path)}`))
  }
  syncDirectory(dataPaths.quarantine)
}

/**
 * Records that were put back from an older copy know less than the bytes beside them: the identifier of a
 * file that they forgot is not given again.
 */
async function raiseHighestId(kv: Kv, orphans: readonly string[]): Promise<void> {
  const highest = orphans.reduce(
    (most, path) => Math.max(most, parseContentName(basename(path))?.fileId ?? 0),
    0,
  )
  if (highest <= readCounter(kv, keysOf(kv, assetFile.recordType.name).highestId)) return
  await kv.commit((writer) => {
    const { highestId } = requireKeys(writer, assetFile.recordType)
    writer.put(highestId, encodeCounter(highest))
  })
}

/** The one change that a version can undergo. */
export async function putMark(
  records: Records,
  version: AssetFileVersion,
  mark: Pick<AssetFileVersion, 'damaged'>,
): Promise<void> {
  await records.commit((unit) => {
    const ids = [version.asset_file_id, version.version]
    if (unit.get(assetFileVersion, ...ids) === undefined) return
    unit.put(assetFileVersion, ids, { ...version, ...mark })
  })
}

/** The run before has noted what it saw of the clock; this one has not begun to. */
function emptyQuarantine(dataPaths: DataPaths, reader: Pick<Records, 'get'>): void {
  const seen = reader.get(seenTime, 1)?.value
  const last = seen?.date_last ?? seen?.date_seen
  const nowMs = Date.now()
  const lastMs = last === undefined ? undefined : Date.parse(last)
  const jumps = jumpsAtStart(seen?.jumps ?? [], { lastMs, nowMs })
  const oldest = livedMs(jumps, nowMs) - QUARANTINE_DAYS * DAY_MS
  for (const name of readdirSync(dataPaths.quarantine)) {
    const path = join(dataPaths.quarantine, name)
    if (livedMs(jumps, statSync(path).ctimeMs) < oldest)
      rmSync(path, { recursive: true, force: true })
  }
}

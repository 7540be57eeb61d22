// Recovery at start. After a clean stop only promised removals remain. After a crash, contents and versions were compared
// in both directions (inspect-records.ts):
// - contents that no version refers to go to .quarantine, because they may belong to an unfinished save; the bytes of an
//   unfinished resumable upload go back to it;
// - a version whose bytes are missing or truncated is marked damaged, and the rest is served.
// Every step can be interrupted and repeated. Steps in order:
//
// 1. Temporary files are removed: no version can refer to one.
// 2. Index rows and counters that do not follow from their records are rebuilt, because later steps rely on them.
// 3. Promised removals are finished, so that their contents are not treated as orphans.
//    After a clean stop recovery ends here. After a crash:
// 4. Orphans are determined: files that no version refers to.
// 5. The file counter is raised above the orphans, so that no identifier is reused.
// 6. Orphans go to quarantine; versions whose bytes are missing or truncated are marked damaged.
// 7. Files that have been in quarantine for 30 days are removed.
// Afterwards operations/start/resume.ts resumes pending work of operations.

import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type AssetFileVersion, assetFile, assetFileVersion } from '../../schema/asset-file.ts'
import { seenTime } from '../../schema/api-key.ts'
import { pendingWork } from '../../schema/pending-work.ts'
import { jumpsAtStart, retentionMs } from '../../schema/retention-clock.ts'
import { syncDirectory } from '../../workers/files.ts'
import type { Kv } from '../records/kv.ts'
import type { Recovered } from '../engine.ts'
import type { Contents, Records } from '../port.ts'
import { encodeCounter, readCounter } from '../records/record-bytes.ts'
import { keysOf, requireKeys } from '../records/type-numbers.ts'
import type { Inspection } from './inspect-records.ts'
import { type DataPaths, parseContentName } from '../embedded/data-paths.ts'
import { restorePartials } from '../embedded/partial-files.ts'
import { applyMend } from './mend.ts'
import { findOrphans, hasBytes } from './verify-contents.ts'
import { isDerived, type RecordFault } from './faults.ts'

export interface RecoverInput {
  readonly dataPaths: DataPaths
  readonly kv: Kv
  readonly records: Records
  readonly contents: Contents
  /** Findings in records and contents after an unclean stop. */
  readonly inspection: Inspection | undefined
}

const QUARANTINE_DAYS = 30
const DAY_MS = 86_400_000

export async function recover({
  dataPaths,
  kv,
  records,
  contents,
  inspection,
}: RecoverInput): Promise<Recovered> {
  const temporaryFiles = purgeTemporary(dataPaths)
  const mended = await mendDerived(kv, records, inspection?.faults ?? [])
  await finishRemovals(records, contents)
  if (inspection === undefined)
    return { wasCrash: false, temporaryFiles, quarantined: 0, damagedVersions: 0, mended }

  // Searched again after a repair: a wrong index row can hide an orphan.
  const orphans = mended > 0 ? findOrphans(dataPaths, kv) : inspection.orphans
  // Contents of deleted files have been removed by now.
  const left = orphans.filter((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined)
  await raiseHighestId(kv, left)
  const unknown = restorePartials(dataPaths, records, left)
  quarantine(dataPaths, unknown)
  // Contents that were shared with a backup have been separated by now.
  const damaged = inspection.cut.filter((version) => !hasBytes(dataPaths, kv, version))
  for (const version of damaged) await putMark(records, version, { damaged: true })
  emptyQuarantine(dataPaths, records)
  return {
    wasCrash: true,
    temporaryFiles,
    quarantined: unknown.length,
    damagedVersions: damaged.length,
    mended,
  }
}

/** Whether a normal start repairs the fault. Other faults do not prevent serving. */
export function isMendedByStart(fault: RecordFault): boolean {
  return isDerived(fault) && fault.mend !== undefined
}

/** Runs before contents are searched, because an index is used to find them. */
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

/** Runs before orphans are determined: contents of deleted files are removed, not quarantined. */
async function finishRemovals(records: Records, contents: Contents): Promise<void> {
  for (const [id] of records.list(pendingWork, [])) {
    const work = records.get(pendingWork, String(id))?.value
    if (work?.kind !== 'remove') continue
    await contents.remove(work.contents)
    await records.commit((unit) => unit.remove(pendingWork, String(id)))
  }
}

/** Moves unreferenced files to quarantine, under a name that includes the old path. */
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
 * Records that were restored from an older copy may lack files whose contents still exist. The identifier of such a file
 * must not be reused.
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

/** The only change that a version can undergo. */
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

/** Uses the clock reading of the previous run, because this run has not recorded one yet. */
function emptyQuarantine(dataPaths: DataPaths, reader: Pick<Records, 'get'>): void {
  const seen = reader.get(seenTime, 1)?.value
  const nowMs = Date.now()
  const lastMs = seen && Date.parse(seen.date_last)
  const jumps = jumpsAtStart(seen?.jumps ?? [], { lastMs, nowMs })
  const oldest = retentionMs(jumps, nowMs) - QUARANTINE_DAYS * DAY_MS
  for (const name of readdirSync(dataPaths.quarantine)) {
    const path = join(dataPaths.quarantine, name)
    if (retentionMs(jumps, statSync(path).ctimeMs) < oldest)
      rmSync(path, { recursive: true, force: true })
  }
}

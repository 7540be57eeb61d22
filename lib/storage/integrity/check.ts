// `cms-server check`: everything that is stored is read and compared. In this order, each step trusting those before:
//
// 1. The directory is a site of a kind that this version knows, and the file of records has the head and the
//    length that it must have (embedded/data-paths.ts, look-at-records.ts). Else nothing is opened.
// 2. With repair the directory is locked, so that nobody else writes (embedded/lock.ts).
// 3. A child process walks every record, since a damaged page ends whoever maps it (look-at-records.ts). Of each it
//    compares the checksum, the rows of its indexes, the counters (verify-records.ts), what it names of other records
//    (verify-references.ts), and in modules what is UNIQUE (verify-unique.ts, entry-types.ts).
// 4. With repair: what follows from records that are right is made anew (mend.ts). Before the contents, which are
//    found by an index.
// 5. Every version's bytes are read and hashed, and files that no version names are looked for
//    (verify-contents.ts, check-contents.ts, check-files.ts). With repair: versions are marked damaged or whole, such files go to quarantine.
// 6. The report: faults, each mended or not, and notes of losses that were known before (faults.ts).

import type { Kv } from '../records/kv.ts'
import type { Records } from '../port.ts'
import { openRecords } from '../records/records.ts'
import { damagedRecords, requireWhole, walkInChild } from './look-at-records.ts'
import type { Pool } from '../../workers/pool.ts'
import { type ContentsCheck, checkContents, mendContents, notesOf } from './check-contents.ts'
import { checkedFiles } from './check-files.ts'
import {
  type DataPaths,
  dataPathsOf,
  requireKinds,
  requireReadable,
} from '../embedded/data-paths.ts'
import { requireFreeLease } from '../embedded/lease.ts'
import { openLmdb } from '../embedded/lmdb-kv.ts'
import { acquireLock } from '../embedded/lock.ts'
import { applyMend } from './mend.ts'
import { requireSite } from '../embedded/require-site.ts'
import { type CheckFault, isDerived, type RecordFault } from './faults.ts'
import { requireOwnContents } from './verify-contents.ts'
import { sharedNumbers } from './verify-references.ts'
import type { VerifyReport } from './verify-records.ts'

export interface CheckReport {
  readonly records: number
  readonly versions: number
  readonly contents: number
  readonly bytes: number
  readonly faults: readonly CheckFault[]
  /** What is known and no fault: a loss that was found before. */
  readonly notes: readonly string[]
  /** What to do where there are faults that were not mended. */
  readonly advice: string
}

const ADVICE = 'Mend with --repair, or restore a backup.'

export interface CheckOptions extends Omit<ContentsCheck, 'isAlone'> {
  readonly dataDir: string
  readonly pool: Pool
}

/** Repair needs the directory for itself; a mere check can look while a server runs. */
export async function checkEmbedded(options: CheckOptions): Promise<CheckReport> {
  const dataPaths = dataPathsOf(options.dataDir)
  requireSite(dataPaths)
  requireKinds(dataPaths)
  await requireReadable(dataPaths)
  requireWhole(dataPaths)

  const lock = options.isRepair ? await acquireLock(options.dataDir) : undefined
  try {
    // In a child: a damaged file ends the process that reads it.
    const walked = await walkInChild(dataPaths, 'all')
    if (walked === undefined) throw damagedRecords()
    return await checkWalked(dataPaths, walked, options)
  } finally {
    await lock?.release()
  }
}

async function checkWalked(
  dataPaths: DataPaths,
  { records: count, faults: recordFaults }: VerifyReport,
  options: CheckOptions,
): Promise<CheckReport> {
  const kv = openLmdb({
    path: dataPaths.records,
    readOnly: !options.isRepair,
    onFailure: () => undefined,
  })
  try {
    requireOwnContents(dataPaths, kv)
    if (options.isRepair) await requireFreeLease(kv, options.dataDir)
    const records = openRecords(kv)
    if (options.isRepair) await mendRecords(kv, records, recordFaults)
    const told = recordFaults.map(({ kind, detail, mend }) => {
      return { kind, detail, isMended: options.isRepair && mend !== undefined }
    })
    const place = checkedFiles({ dataPaths, kv, pool: options.pool })
    const asked = { ...options, isAlone: options.isRepair }
    const contents = await checkContents(place, kv, asked)
    const contentFaults = await mendContents(place, records, contents, options.isRepair)
    return {
      records: count,
      versions: contents.versions,
      contents: contents.count,
      bytes: contents.bytes,
      faults: [...told, ...contentFaults],
      notes: [...sharedNumbers(records), ...notesOf(place, contents, options.isRepair)],
      advice: ADVICE,
    }
  } finally {
    await kv.close()
  }
}

async function mendRecords(
  kv: Kv,
  records: Records,
  faults: readonly RecordFault[],
): Promise<void> {
  for (const isFirst of [true, false]) {
    const mends = faults
      .filter((fault) => isDerived(fault) === isFirst)
      .flatMap(({ mend }) => mend ?? [])
    await Promise.all(mends.map((mend) => applyMend(kv, records, mend)))
  }
}

// `cms-server check`: reads and compares everything that is stored. Each step relies on the previous ones:
//
// 1. The directory is a site of a kind that this version supports, and the file of records has a valid header and length
//    (embedded/data-paths.ts, inspect-records.ts). Otherwise nothing is opened.
// 2. With --repair the directory is locked against other writers (embedded/lock.ts).
// 3. A child process walks every record, because a damaged page crashes its reader (inspect-records.ts). It verifies the
//    checksum, index rows and counters (verify-records.ts), references to other records (verify-references.ts), and
//    UNIQUE columns of modules (verify-unique.ts, entry-types.ts).
// 4. With --repair everything derived from valid records is rebuilt (mend.ts), before the contents, which are found by an
//    index.
// 5. The bytes of every version are read and hashed, and unreferenced files are found (verify-contents.ts,
//    check-contents.ts). With --repair versions are marked damaged or whole, and unreferenced files go to
//    quarantine.
// 6. The report lists faults, each repaired or not, and notes on losses that were known before (faults.ts).

import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { counted } from '../../schema/message-text.ts'
import type { Kv, KvReader } from '../records/kv.ts'
import type { Records } from '../port.ts'
import { openRecords } from '../records/records.ts'
import { damagedRecords, requireWhole, inspectInChild } from './inspect-records.ts'
import type { Pool } from '../../workers/pool.ts'
import {
  type ContentsCheck,
  checkContents,
  mendContents,
  notesOf,
  type CheckPlace,
} from './check-contents.ts'
import {
  type DataPaths,
  dataPathsOf,
  requireReadable,
  contentPath,
  parseContentName,
} from '../embedded/data-paths.ts'
import { requireFreeLease } from '../embedded/lease.ts'
import { openLmdb } from '../embedded/lmdb-kv.ts'
import { countCutPartials } from '../embedded/partial-files.ts'
import { acquireLock } from '../embedded/lock.ts'
import { applyMend } from './mend.ts'
import { requireSite } from '../embedded/require-site.ts'
import { type CheckFault, isDerived, type RecordFault } from './faults.ts'
import { requireOwnContents, findOrphans } from './verify-contents.ts'
import { sharedNumbers } from './verify-references.ts'
import type { VerifyReport } from './verify-records.ts'
import { quarantine } from './recovery.ts'

export interface CheckReport {
  readonly records: number
  readonly versions: number
  readonly contents: number
  readonly bytes: number
  readonly faults: readonly CheckFault[]
  /** Known losses, which are not faults. */
  readonly notes: readonly string[]
  /** Advice for faults that were not repaired. */
  readonly advice: string
}

const ADVICE = 'Repair with --repair, or restore a backup.'

export interface CheckOptions extends Omit<ContentsCheck, 'isAlone'> {
  readonly dataDir: string
  readonly pool: Pool
}

/** Repair needs exclusive access to the directory; a check alone also works while a server runs. */
export async function checkEmbedded(options: CheckOptions): Promise<CheckReport> {
  const dataPaths = dataPathsOf(options.dataDir)
  requireSite(dataPaths)
  await requireReadable(dataPaths)
  requireWhole(dataPaths)

  const lock = options.isRepair ? await acquireLock(options.dataDir) : undefined
  try {
    // In a child process, because a damaged file crashes its reader.
    const walked = await inspectInChild(dataPaths, 'all')
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
      notes: [
        ...sharedNumbers(records),
        ...notesOf(place, contents, options.isRepair),
        ...cutUploads(dataPaths, records),
      ],
      advice: ADVICE,
    }
  } finally {
    await kv.close()
  }
}

/** Not a fault: a backup has the rows of unfinished uploads, and not their bytes. */
function cutUploads(dataPaths: DataPaths, records: Records): readonly string[] {
  const count = countCutPartials(dataPaths, records)
  if (count === 0) return []
  return [`bytes missing of ${counted(count, 'unfinished upload')}, which must begin again`]
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

// Checks contents that are files of a data directory.

interface CheckedFiles {
  readonly dataPaths: DataPaths
  readonly kv: KvReader
  readonly pool: Pool
}

/** Paths are relative to the directory. */
export function checkedFiles({ dataPaths, kv, pool }: CheckedFiles): CheckPlace {
  const { dataDir, clean, manifest } = dataPaths
  return {
    async sum(names) {
      const paths = names.map((name) => contentPath(dataPaths, name))
      return pool.run('hashFiles', { paths, isInBackup: existsSync(manifest) })
    },
    findOrphans: async () =>
      findOrphans(dataPaths, kv).map((path) => path.slice(dataDir.length + 1)),
    isOfCutSave: (path) => !existsSync(clean) && parseContentName(basename(path)) !== undefined,
    cutSaves: 'the next start moves them to quarantine',
    setApart: (paths) =>
      quarantine(
        dataPaths,
        paths.map((path) => join(dataDir, path)),
      ),
  }
}

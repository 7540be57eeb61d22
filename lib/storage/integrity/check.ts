// `cms-server check`: everything that is stored is read and compared: records, index rows, counters,
// references, and the SHA-256 of the bytes of every version. With repair, what can be mended is.

import type { Kv } from '../records/kv.ts'
import type { Records } from '../port.ts'
import { openRecords } from '../records/records.ts'
import { damagedRecords, requireWhole, walkInChild } from './look-at-records.ts'
import { type ContentsCheck, checkContents, mendContents, notesOf } from './check-contents.ts'
import { type Layout, layoutOf, requireKinds, requireReadable } from '../embedded/layout.ts'
import { requireFreeLease } from '../embedded/lease.ts'
import { openLmdb } from '../embedded/lmdb-kv.ts'
import { acquireLock } from '../embedded/lock.ts'
import { applyMend } from './mend.ts'
import { requireSite } from '../embedded/require-site.ts'
import type { CheckFault, RecordFault } from './faults.ts'
import type { VerifyReport } from './verify-records.ts'

export interface CheckReport {
  readonly records: number
  readonly versions: number
  readonly contents: number
  readonly bytes: number
  readonly faults: readonly CheckFault[]
  /** What is known and no fault: a loss that was found before. */
  readonly notes: readonly string[]
}

export interface CheckOptions extends ContentsCheck {
  readonly dataDir: string
}

/** Repair needs the directory for itself; a mere check can look while a server runs. */
export async function checkEmbedded(options: CheckOptions): Promise<CheckReport> {
  const layout = layoutOf(options.dataDir)
  requireSite(layout)
  requireKinds(layout)
  await requireReadable(layout)
  requireWhole(layout)

  const lock = options.isRepair ? await acquireLock(options.dataDir) : undefined
  try {
    // In a child: a damaged file ends the process that reads it.
    const walked = await walkInChild(layout, 'all')
    if (walked === undefined) throw damagedRecords()
    return await checkWalked(layout, walked, options)
  } finally {
    await lock?.release()
  }
}

async function checkWalked(
  layout: Layout,
  { records: count, faults: recordFaults }: VerifyReport,
  options: CheckOptions,
): Promise<CheckReport> {
  const kv = openLmdb({
    path: layout.records,
    readOnly: !options.isRepair,
    onFailure: () => undefined,
  })
  try {
    if (options.isRepair) await requireFreeLease(kv, options.dataDir)
    const records = openRecords(kv)
    const mended = await Promise.all(
      recordFaults.map((fault) => mendRecord(kv, records, fault, options.isRepair)),
    )
    const contents = await checkContents(layout, kv, options)
    const contentFaults = await mendContents(layout, records, contents, options.isRepair)
    return {
      records: count,
      versions: contents.versions,
      contents: contents.count,
      bytes: contents.bytes,
      faults: [...mended, ...contentFaults],
      notes: notesOf(contents, options.isRepair),
    }
  } finally {
    await kv.close()
  }
}

async function mendRecord(
  kv: Kv,
  records: Records,
  fault: RecordFault,
  isRepair: boolean,
): Promise<CheckFault> {
  const { kind, detail, mend } = fault
  if (!isRepair || mend === undefined) return { kind, detail, isMended: false }
  await applyMend(kv, records, mend)
  return { kind, detail, isMended: true }
}

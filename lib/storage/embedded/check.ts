// `cms-server check`: everything that is stored is read and compared: records, index rows, counters,
// references, and the SHA-256 of the bytes of every version. With repair, what can be mended is.

import { existsSync } from 'node:fs'
import type { AssetFileVersion } from '../../schema/asset-file.ts'
import { RECORD_TYPES } from '../../schema/catalog.ts'
import type { Pool } from '../../workers/pool.ts'
import type { Kv } from '../kv.ts'
import type { Records, RecordType } from '../port.ts'
import { encodeCounter } from '../record-format.ts'
import { openRecords } from '../records.ts'
import { requireWhole, walkInChild } from './canary.ts'
import { contentPath, type Layout, layoutOf } from './layout.ts'
import { requireFreeLease } from './lease.ts'
import { openLmdb } from './lmdb-kv.ts'
import { acquireLock } from './lock.ts'
import { putDamaged, quarantine } from './recovery.ts'
import { RefusedError } from './refused.ts'
import { eachOrphan, eachVersion } from './verify-contents.ts'
import { type Mend, type RecordFault, verifyRecords } from './verify-records.ts'

export interface CheckFault {
  readonly kind: RecordFault['kind'] | 'content' | 'orphan'
  readonly detail: string
  readonly isMended: boolean
}

export interface CheckReport {
  readonly records: number
  readonly versions: number
  readonly contents: number
  readonly bytes: number
  readonly faults: readonly CheckFault[]
}

export interface CheckOptions {
  readonly dataDir: string
  readonly pool: Pool
  readonly isRepair: boolean
  readonly onProgress: (contents: number, bytes: number) => void
}

/** Repair needs the directory for itself; a mere check can look while a server runs. */
export async function checkEmbedded(options: CheckOptions): Promise<CheckReport> {
  const layout = layoutOf(options.dataDir)
  if (!existsSync(layout.dataFile))
    throw new RefusedError(`There are no records in ${options.dataDir}.`)
  requireWhole(layout)

  // In a child first: a damaged file ends the process that reads it.
  const walked = await walkInChild(layout.records)
  if (walked === undefined)
    throw new RefusedError(
      'The records (records/data.mdb) are damaged: reading them ended the reader. Restore a backup of records/.',
    )

  const lock = options.isRepair ? await acquireLock(options.dataDir) : undefined
  const kv = openLmdb({
    path: layout.records,
    readOnly: !options.isRepair,
    onFailure: () => undefined,
  })
  try {
    if (options.isRepair) await requireFreeLease(kv, options.dataDir)
    const records = openRecords(kv)
    const { records: count, faults: recordFaults } = verifyRecords(kv)
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
    }
  } finally {
    await kv.close()
    await lock?.release()
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

async function applyMend(kv: Kv, records: Records, mend: Mend): Promise<void> {
  switch (mend.action) {
    case 'put-row':
      return kv.commit((writer) => writer.put(keyOf(mend.key), Buffer.alloc(0)))
    case 'remove-row':
      return kv.commit((writer) => writer.remove(keyOf(mend.key)))
    case 'set-counter':
      return kv.commit((writer) => writer.put(keyOf(mend.key), encodeCounter(mend.value)))
    case 'put-record':
      return records.commit((unit) => void unit.put(requireType(mend.type), mend.ids, mend.record))
    case 'remove-record':
      return records.commit((unit) => unit.remove(requireType(mend.type), ...mend.ids))
  }
}

function keyOf(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}

function requireType(name: string): RecordType {
  const type = RECORD_TYPES.find((item) => item.name === name)
  if (type === undefined)
    throw new RefusedError(`This server knows no records of the kind ${name}.`)
  return type
}

interface CheckedContents {
  readonly versions: number
  readonly count: number
  readonly bytes: number
  readonly damaged: readonly { readonly version: AssetFileVersion; readonly detail: string }[]
  readonly orphans: readonly string[]
}

/** Hashes are made this many at a time. */
const IN_FLIGHT = 8

async function checkContents(
  layout: Layout,
  kv: Kv,
  { pool, onProgress }: CheckOptions,
): Promise<CheckedContents> {
  const damaged: { version: AssetFileVersion; detail: string }[] = []
  const known = new Map<string, string | undefined>()
  let versions = 0
  let bytes = 0
  let batch: Promise<void>[] = []

  async function check(version: AssetFileVersion): Promise<void> {
    const fault = await contentFault(layout, pool, version)
    known.set(version.uid, fault)
    if (fault !== undefined) damaged.push({ version, detail: fault })
    else bytes += version.size
    onProgress(known.size, bytes)
  }

  for (const version of await allVersions(kv)) {
    versions += 1
    // Versions that share their bytes have them checked once.
    if (known.has(version.uid)) {
      const fault = known.get(version.uid)
      if (fault !== undefined) damaged.push({ version, detail: fault })
      continue
    }
    known.set(version.uid, undefined)
    batch.push(check(version))
    if (batch.length >= IN_FLIGHT) {
      await Promise.all(batch)
      batch = []
    }
  }
  await Promise.all(batch)
  return { versions, count: known.size, bytes, damaged, orphans: [...eachOrphan(layout, kv)] }
}

/** Taken before the first await: an iterator holds a snapshot, and may not outlive its turn. */
async function allVersions(kv: Kv): Promise<readonly AssetFileVersion[]> {
  return [...eachVersion(kv)]
}

async function contentFault(
  layout: Layout,
  pool: Pool,
  version: AssetFileVersion,
): Promise<string | undefined> {
  const where = `asset_file ${version.asset_file_id} version ${version.version}`
  const path = contentPath(layout, { fileId: version.asset_file_id, uid: version.uid })
  const found = await pool.run('hashFile', { path })
  if (found === null) return `${where}: the bytes are missing.`
  if (found.sizeBytes !== version.size)
    return `${where}: ${found.sizeBytes} bytes instead of ${version.size}.`
  return found.sha256 === version.sha256 ? undefined : `${where}: the SHA-256 is wrong.`
}

async function mendContents(
  layout: Layout,
  records: Records,
  { damaged, orphans }: CheckedContents,
  isRepair: boolean,
): Promise<readonly CheckFault[]> {
  if (isRepair) {
    for (const { version } of damaged) await putDamaged(records, version)
    quarantine(layout, orphans)
  }
  const contentFaults = damaged.map(({ version, detail }) => ({
    kind: 'content' as const,
    detail: version.damaged ? `${detail} It is marked damaged.` : detail,
    isMended: isRepair,
  }))
  const orphanFaults = orphans.map((path) => ({
    kind: 'orphan' as const,
    detail: `${path.slice(layout.dataDir.length + 1)} belongs to no version.`,
    isMended: isRepair,
  }))
  return [...contentFaults, ...orphanFaults]
}

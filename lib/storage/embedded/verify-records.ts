// Walks every record and compares all that follows from it: checksum, index rows, counters, and the
// references between records. Memory stays flat: nothing is collected but the faults.

import { CmsError } from '../../errors.ts'
import { type ApiKeySecret, apiKey, apiKeySecret } from '../../schema/api-key.ts'
import { assetCategory, ROOT_CATEGORY_ID } from '../../schema/asset-category.ts'
import { type AssetFile, assetFile, assetFileVersion } from '../../schema/asset-file.ts'
import { RECORD_TYPES } from '../../schema/catalog.ts'
import { type FileGroup, fileGroup } from '../../schema/file-group.ts'
import { decodeKey, prefixRange } from '../keys.ts'
import type { KvReader } from '../kv.ts'
import type { Id, JsonObject, RecordType } from '../port.ts'
import {
  countKey,
  findRecord,
  highestIdKey,
  indexKeys,
  indexRange,
  keyText,
  parseRecord,
  readCounter,
  recordIds,
  recordKey,
  recordRange,
} from '../record-format.ts'
import { findEntryTypes } from './entry-types.ts'

export interface VerifyReport {
  /** Number of records that were read. */
  readonly records: number
  readonly faults: readonly RecordFault[]
}

export interface RecordFault {
  /** record: the bytes are wrong. The others can be mended from what is right. */
  readonly kind: 'record' | 'index' | 'counter' | 'reference'
  readonly detail: string
  readonly mend?: Mend
}

/** Keys are latin1 text, so that a report crosses a process. */
export type Mend =
  | { readonly action: 'put-row' | 'remove-row'; readonly key: string }
  | { readonly action: 'set-counter'; readonly key: string; readonly value: number }
  | {
      readonly action: 'put-record'
      readonly type: string
      readonly ids: readonly Id[]
      readonly record: JsonObject
    }
  | { readonly action: 'remove-record'; readonly type: string; readonly ids: readonly Id[] }

/** A report of more faults helps nobody. */
const MAX_FAULTS = 10_000

export function verifyRecords(kv: KvReader): VerifyReport {
  const faults: RecordFault[] = []
  const report = (fault: RecordFault): void => {
    if (faults.length < MAX_FAULTS) faults.push(fault)
  }

  const entries = findEntryTypes(kv)
  const types = [...RECORD_TYPES, ...entries.types]
  const records = types.reduce((sum, type) => {
    const verify = entries.unfinished.has(type.name) ? verifyUnfinished : verifyType
    return sum + verify(kv, type, report)
  }, 0)
  verifyNames(kv, [...types, ...entries.dropped], report)
  return { records, faults }
}

type Report = (fault: RecordFault) => void

function verifyType(kv: KvReader, type: RecordType, report: Report): number {
  let count = 0
  let rows = 0
  let highest = 0

  for (const key of kv.keys(recordRange(type))) {
    const ids = recordIds(key)
    count += 1
    if (ids.length === 1 && typeof ids[0] === 'number') highest = Math.max(highest, ids[0])
    const record = readOrReport(kv, type, key, report)
    if (record === undefined) continue
    const wanted = indexKeys(type, ids, record)
    for (const row of wanted) {
      if (kv.get(row) === undefined) report(rowFault('put-row', row, 'is missing'))
      else rows += 1
    }
    for (const fault of referenceFaults(kv, type, { ids, record })) report(fault)
  }

  verifyCounters(kv, type, { count, highest }, report)
  if (kv.count(indexRange(type)) !== rows) reportStrayRows(kv, type, report)
  return count
}

/** Its index rows are as they are until the work on them is done. */
function verifyUnfinished(kv: KvReader, type: RecordType, report: Report): number {
  return verifyType(kv, type, (fault) => {
    if (fault.kind !== 'index') report(fault)
  })
}

function readOrReport(
  kv: KvReader,
  type: RecordType,
  key: Buffer,
  report: Report,
): JsonObject | undefined {
  try {
    const stored = findRecord(kv, key)
    return stored === undefined ? undefined : parseRecord(type, stored)
  } catch (error) {
    const reason = error instanceof CmsError ? error.message : 'It is not JSON.'
    report({ kind: 'record', detail: `${describe(key)}: ${reason}` })
    return undefined
  }
}

function verifyCounters(
  kv: KvReader,
  type: RecordType,
  found: { readonly count: number; readonly highest: number },
  report: Report,
): void {
  const stored = {
    count: readCounter(kv, countKey(type)),
    highest: readCounter(kv, highestIdKey(type)),
  }
  if (stored.count !== found.count) {
    report(
      counterFault(
        countKey(type),
        found.count,
        `${type.name}: ${found.count} records, counted ${stored.count}`,
      ),
    )
  }
  if (stored.highest < found.highest) {
    report(
      counterFault(
        highestIdKey(type),
        found.highest,
        `${type.name}: identifier ${found.highest} is in use, highest noted ${stored.highest}`,
      ),
    )
  }
}

/** Only when the number of rows is wrong: each row is compared with what its record must have. */
function reportStrayRows(kv: KvReader, type: RecordType, report: Report): void {
  const idCount =
    [...kv.keys({ ...recordRange(type), limit: 1 })].map((key) => recordIds(key).length)[0] ?? 1
  for (const row of kv.keys(indexRange(type))) {
    const ids = decodeKey(row).slice(-idCount) as Id[]
    const key = recordKey(type, ids)
    const isThere = kv.get(key) !== undefined
    const record = isThere ? readOrReport(kv, type, key, () => undefined) : undefined
    // The rows of a damaged record stay: nobody knows which it must have.
    if (isThere && record === undefined) continue
    const wanted = record === undefined ? [] : indexKeys(type, ids, record)
    if (!wanted.some((item) => item.equals(row)))
      report(rowFault('remove-row', row, 'belongs to no record'))
  }
}

interface Found {
  readonly ids: readonly Id[]
  readonly record: JsonObject
}

function referenceFaults(
  kv: KvReader,
  type: RecordType,
  { ids, record }: Found,
): readonly RecordFault[] {
  const has = (other: RecordType, ...otherIds: readonly Id[]): boolean =>
    kv.get(recordKey(other, otherIds)) !== undefined
  const fault = (detail: string, next: JsonObject): RecordFault => ({
    kind: 'reference',
    detail: `${type.name} ${ids.join('/')} ${detail}`,
    mend: { action: 'put-record', type: type.name, ids, record: next },
  })
  const gone = (detail: string): RecordFault => ({
    kind: 'reference',
    detail: `${type.name} ${ids.join('/')} ${detail}`,
    mend: { action: 'remove-record', type: type.name, ids },
  })

  if (type.name === assetFileVersion.name) {
    return has(assetFile.recordType, ids[0] ?? 0) ? [] : [gone('belongs to a file that is gone')]
  }
  if (type.name === apiKeySecret.name) {
    const { api_key_id: keyId } = record as unknown as ApiKeySecret
    return has(apiKey.recordType, keyId) ? [] : [gone('belongs to a key that is gone')]
  }
  if (type.name === fileGroup.name) {
    const members = (record as unknown as FileGroup).asset_file_ids ?? []
    const kept = members.filter((id) => has(assetFile.recordType, id))
    return kept.length === members.length
      ? []
      : [fault('holds files that are gone', { ...record, asset_file_ids: kept })]
  }
  if (type.name === assetFile.name) return pointerFaults(record as unknown as AssetFile, has, fault)
  return RECORD_TYPES.includes(type) ? parentFaults(type, record, has, fault) : []
}

type Has = (type: RecordType, ...ids: readonly Id[]) => boolean
type MakeFault = (detail: string, next: JsonObject) => RecordFault

function pointerFaults(file: AssetFile, has: Has, fault: MakeFault): readonly RecordFault[] {
  const isThere = (version: number | null): boolean =>
    version === null || has(assetFileVersion, file.asset_file_id, version)
  const record = file as unknown as JsonObject
  const faults = parentFaults(assetFile.recordType, record, has, fault)
  if (!isThere(file.version))
    return [
      ...faults,
      {
        kind: 'record',
        detail: `asset_file ${file.asset_file_id} has no latest version ${file.version}`,
      },
    ]
  if (isThere(file.live_version) && isThere(file.staged_version)) return faults
  const live_version = isThere(file.live_version) ? file.live_version : null
  const staged_version = isThere(file.staged_version) ? file.staged_version : null
  return [
    ...faults,
    fault('points to a version that is gone', { ...record, live_version, staged_version }),
  ]
}

/** While a deleted subtree is being cleared away its top is gone on purpose: see pending work. */
function parentFaults(
  type: RecordType,
  record: JsonObject,
  has: Has,
  fault: MakeFault,
): readonly RecordFault[] {
  const parent = record['parent_category_id']
  if (typeof parent !== 'number' || has(assetCategory.recordType, parent)) return []
  if (type.name === assetCategory.name && record['asset_category_id'] === ROOT_CATEGORY_ID)
    return []
  const name =
    `recovered-${type.name}-${String(record[`${type.name}_id`])}-${String(record['name'])}`.slice(
      0,
      200,
    )
  return [
    fault(`lies in folder ${parent}, which is gone`, {
      ...record,
      parent_category_id: ROOT_CATEGORY_ID,
      name,
    }),
  ]
}

/** Keys of records of a kind that this server does not know. */
function verifyNames(kv: KvReader, types: readonly RecordType[], report: Report): void {
  const known = new Set(types.map((type) => type.name))
  const total = kv.count(prefixRange(['r']))
  const counted = types.reduce((sum, type) => sum + kv.count(recordRange(type)), 0)
  if (total === counted) return

  for (const key of kv.keys(prefixRange(['r']))) {
    const name = String(decodeKey(key)[1])
    if (!known.has(name))
      report({
        kind: 'record',
        detail: `${describe(key)}: this server knows no records of that kind.`,
      })
  }
}

function rowFault(action: 'put-row' | 'remove-row', row: Buffer, what: string): RecordFault {
  return {
    kind: 'index',
    detail: `The index row ${describe(row)} ${what}.`,
    mend: { action, key: keyText(row) },
  }
}

function counterFault(key: Buffer, value: number, detail: string): RecordFault {
  return {
    kind: 'counter',
    detail: `${detail}.`,
    mend: { action: 'set-counter', key: keyText(key), value },
  }
}

function describe(key: Buffer): string {
  return decodeKey(key).slice(1).join('/')
}

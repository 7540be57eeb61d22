// Walks every record and verifies its checksum, index rows, counters and references. Memory use stays constant, because
// only faults are collected.

import { CmsError } from '../../base/errors.ts'
import { assetFileVersion } from '../../schema/asset-file.ts'
import { audit } from '../../schema/audit.ts'
import { RECORD_TYPES } from '../../schema/catalog.ts'
import { entriesOfHistory } from '../../schema/past-values.ts'
import type { KvReader, Pair } from '../records/kv.ts'
import type { Id, RecordType } from '../../schema/values.ts'
import {
  countKey,
  highestIdKey,
  indexKeys,
  indexOf,
  indexRange,
  keyText,
  parseRecord,
  recordIds,
  recordKey,
  recordRange,
  RECORDS,
  rowParts,
  typeOf,
} from '../records/format.ts'
import { decodeRecord, readCounter } from '../records/record-bytes.ts'
import { readTypeNumbers, typeNames } from '../records/type-numbers.ts'
import { findEntryTypes } from './entry-types.ts'
import type { RecordFault } from './faults.ts'
import { entryReferenceFaults, referrerFaults } from './verify-entry-references.ts'
import { type Clearing, clearingOf, referenceFaults } from './verify-references.ts'
import { uniqueFaults } from './verify-unique.ts'

export interface VerifyReport {
  /** Number of records that were read. */
  readonly records: number
  readonly faults: readonly RecordFault[]
}

/** Longer reports help nobody. */
const MAX_FAULTS = 10_000

/**
 * `all` compares everything. `contents`, for a backup, compares every checksum and counter, and the index rows by which
 * contents are found: other index rows are committed together with their records, so only a disk fault can separate them.
 * `start`, for the start after a crash, must be quick: it is like `contents`, but compares those rows only if their number
 * differs from the number of versions.
 */
export type Depth = 'all' | 'contents' | 'start'

export function verifyRecords(kv: KvReader, depth: Depth = 'all'): VerifyReport {
  const faults: RecordFault[] = []
  const report = (fault: RecordFault): void => {
    if (faults.length < MAX_FAULTS) faults.push(fault)
  }

  const found = findEntryTypes(kv)
  const clearing = clearingOf(found.works)
  const types = [...RECORD_TYPES, ...found.types]
  const records = types.reduce((sum, type) => {
    return sum + chooseVerify(type, depth, found.unfinished)(kv, type, { report, clearing })
  }, 0)
  for (const entry of depth === 'all' ? found.entries : []) {
    for (const fault of uniqueFaults(kv, entry)) report(fault)
    for (const fault of entryReferenceFaults(kv, entry)) report(fault)
  }
  if (depth === 'all') for (const fault of referrerFaults(kv, found.entries)) report(fault)
  verifyNames(kv, [...types, ...found.dropped], report)
  return { records, faults }
}

type Report = (fault: RecordFault) => void
type Verify = (kv: KvReader, type: RecordType, verifying: Verifying) => number

interface Verifying {
  readonly report: Report
  readonly clearing: Clearing
}

function chooseVerify(type: RecordType, depth: Depth, unfinished: ReadonlySet<string>): Verify {
  if (depth === 'all') return unfinished.has(type.name) ? verifyUnfinished : verifyType
  if (type.name === audit.recordType.name || entriesOfHistory(type.name) !== undefined)
    return verifyCount
  if (type.name !== assetFileVersion.name) return verifyChecksums
  return depth === 'start' ? verifyVersions : verifyType
}

/**
 * The audit trail and the history of entries can have more rows than all other records together, and nothing is derived
 * from them. A start therefore only counts these rows and leaves their bytes to `check` and to readers.
 */
function verifyCount(kv: KvReader, type: RecordType, { report }: Verifying): number {
  const count = kv.count(recordRange(kv, type))
  verifyCounters(kv, type, { count, highest: highestId(kv, type) }, report)
  return count
}

function verifyChecksums(kv: KvReader, type: RecordType, { report }: Verifying): number {
  let count = 0
  for (const { key, value } of kv.pairs(recordRange(kv, type))) {
    count += 1
    try {
      decodeRecord(value)
    } catch (error) {
      report({ kind: 'record', detail: `${describe(type, key)}: ${reasonOf(error)}` })
    }
  }
  verifyCounters(kv, type, { count, highest: highestId(kv, type) }, report)
  return count
}

/** Each version has one row in the index. */
function verifyVersions(kv: KvReader, type: RecordType, verifying: Verifying): number {
  const isComplete = kv.count(indexRange(kv, type)) === kv.count(recordRange(kv, type))
  return (isComplete ? verifyChecksums : verifyType)(kv, type, verifying)
}

/** Read from the last record, because keys are in identifier order; 0 if identifiers are not one number. */
function highestId(kv: KvReader, type: RecordType): number {
  const [last] = [...kv.keys({ ...recordRange(kv, type), reverse: true, limit: 1 })]
  const ids = last === undefined ? [] : recordIds(last)
  return ids.length === 1 && typeof ids[0] === 'number' ? ids[0] : 0
}

function verifyType(kv: KvReader, type: RecordType, { report, clearing }: Verifying): number {
  let count = 0
  let rows = 0

  for (const { key, value } of kv.pairs(recordRange(kv, type))) {
    const ids = recordIds(key)
    count += 1
    const record = readOrReport(type, { key, value }, report)
    if (record === undefined) continue
    for (const row of indexKeys(kv, type, { ids, record })) {
      if (row === undefined || kv.get(row) === undefined) report(missingRow(kv, type, { ids, row }))
      else rows += 1
    }
    for (const fault of referenceFaults(kv, type, { ids, record, clearing })) report(fault)
  }

  verifyCounters(kv, type, { count, highest: highestId(kv, type) }, report)
  if (kv.count(indexRange(kv, type)) !== rows) reportStrayRows(kv, type, report)
  return count
}

/** Index rows are not reported while pending work changes them. */
function verifyUnfinished(kv: KvReader, type: RecordType, { report, clearing }: Verifying): number {
  const reportOthers = (fault: RecordFault): void => {
    if (fault.kind !== 'index') report(fault)
  }
  return verifyType(kv, type, { report: reportOthers, clearing })
}

function readOrReport(type: RecordType, { key, value }: Pair, report: Report): object | undefined {
  try {
    return parseRecord(type, decodeRecord(value))
  } catch (error) {
    report({ kind: 'record', detail: `${describe(type, key)}: ${reasonOf(error)}` })
    return undefined
  }
}

function reasonOf(error: unknown): string {
  return error instanceof CmsError ? error.message : 'It is not JSON.'
}

function verifyCounters(
  kv: KvReader,
  type: RecordType,
  found: { readonly count: number; readonly highest: number },
  report: Report,
): void {
  const stored = {
    count: readCounter(kv, countKey(kv, type)),
    highest: readCounter(kv, highestIdKey(kv, type)),
  }
  if (stored.count !== found.count) {
    report(
      counterFault(
        countKey(kv, type),
        found.count,
        `${type.name}: ${found.count} records, counted ${stored.count}`,
      ),
    )
  }
  if (stored.highest < found.highest) {
    report(
      counterFault(
        highestIdKey(kv, type),
        found.highest,
        `${type.name}: identifier ${found.highest} is in use, highest noted ${stored.highest}`,
      ),
    )
  }
}

/** Compares each index row with its record; called only if the number of rows is wrong. */
function reportStrayRows(kv: KvReader, type: RecordType, report: Report): void {
  const idCount =
    [...kv.keys({ ...recordRange(kv, type), limit: 1 })].map((key) => recordIds(key).length)[0] ?? 1
  for (const row of kv.keys(indexRange(kv, type))) {
    const ids = rowParts(row).slice(-idCount) as Id[]
    const key = recordKey(kv, type, ids)
    const value = kv.get(key)
    const record =
      value === undefined ? undefined : readOrReport(type, { key, value }, () => undefined)
    // The rows of a damaged record stay, because its correct rows are unknown.
    if (value !== undefined && record === undefined) continue
    const wanted = record === undefined ? [] : indexKeys(kv, type, { ids, record })
    if (!wanted.some((item) => item?.equals(row) === true)) report(strayRow(kv, type, row))
  }
}

/** Reports keys of records of a type that this server does not support. */
function verifyNames(kv: KvReader, types: readonly RecordType[], report: Report): void {
  const total = RECORDS.reduce((sum, range) => sum + kv.count(range), 0)
  const counted = types.reduce((sum, type) => sum + kv.count(recordRange(kv, type)), 0)
  if (total === counted) return

  const known = new Set(types.map(({ name }) => readTypeNumbers(kv, name)?.number))
  const names = new Map(typeNames(kv))
  for (const range of RECORDS)
    for (const key of kv.keys(range)) {
      const { value: number } = typeOf(key)
      if (known.has(number)) continue
      const name = names.get(number) ?? `(number ${number})`
      report({
        kind: 'record',
        detail: `${describe({ name }, key)}: this server does not support records of this type.`,
      })
    }
}

function missingRow(
  kv: KvReader,
  type: RecordType,
  { ids, row }: { readonly ids: readonly Id[]; readonly row: Buffer | undefined },
): RecordFault {
  const which = row === undefined ? `${type.name}/…/${ids.join('/')}` : describeRow(kv, type, row)
  return {
    kind: 'index',
    detail: `The index row ${which} is missing.`,
    mend: { action: 'put-rows', type: type.name, ids },
  }
}

function strayRow(kv: KvReader, type: RecordType, row: Buffer): RecordFault {
  return {
    kind: 'index',
    detail: `The index row ${describeRow(kv, type, row)} belongs to no record.`,
    mend: { action: 'remove-row', key: keyText(row) },
  }
}

function counterFault(key: Buffer, value: number, detail: string): RecordFault {
  return {
    kind: 'counter',
    detail: `${detail}.`,
    mend: { action: 'set-counter', key: keyText(key), value },
  }
}

function describe({ name }: Pick<RecordType, 'name'>, key: Buffer): string {
  return [name, ...recordIds(key)].join('/')
}

function describeRow(kv: KvReader, { name }: RecordType, row: Buffer): string {
  const { value: number } = indexOf(row)
  const indexes = Object.entries(readTypeNumbers(kv, name)?.indexes ?? {})
  const index = indexes.find(([, given]) => given === number)?.[0] ?? `(number ${number})`
  return [name, index, ...rowParts(row)].join('/')
}

// Verifies UNIQUE columns: no two entries of a module may have the same value. Both entries are valid records, and only a
// person can decide which entry keeps the value, so there is no automatic repair.

import { valueKind } from '../../schema/columns/column.ts'
import type { EntryType } from '../../schema/entry.ts'
import { readScalar, type Scalar } from '../../schema/field-value.ts'
import type { LayoutColumn } from '../../schema/layout.ts'
import { beforeLastNumber, lastNumber, valueRange } from '../records/keys.ts'
import type { KvReader } from '../records/kv.ts'
import type { JsonObject, RecordType } from '../../schema/values.ts'
import { findRecord, parseRecord, recordKey, rowBase } from '../records/format.ts'
import type { RecordFault } from './faults.ts'

export function* uniqueFaults(
  kv: KvReader,
  { object: { recordType }, uniqueColumns, uniqueGroups }: EntryType,
): Generator<RecordFault> {
  for (const column of uniqueColumns) {
    for (const ids of idsOfOneKey(kv, recordType, column.key)) {
      const holders = new Map<Scalar, number>()
      for (const id of ids) {
        const value = findValue(kv, recordType, { column, id })
        if (value === null) continue
        const first = holders.get(value)
        if (first === undefined) holders.set(value, id)
        else yield toFault(`${recordType.name}/${first} and ${id}`, column)
      }
    }
  }
  for (const { key, columns } of uniqueGroups) {
    // The key is a digest of the values, so equal keys are equal values.
    for (const [first, ...others] of idsOfOneKey(kv, recordType, key)) {
      for (const id of others) {
        const detail = `${recordType.name}/${first} and ${id} have the same values in ${columns.join(', ')}, which are unique together. Change one of them.`
        yield { kind: 'reference', detail }
      }
    }
  }
}

function toFault(who: string, { column }: LayoutColumn): RecordFault {
  const detail = `${who} have the same value in the unique column ${column.name}. Change one of the two values.`
  return { kind: 'reference', detail }
}

/** Entries with the same index key. Their values may differ, because the index truncates long texts. */
function* idsOfOneKey(kv: KvReader, type: RecordType, index: string): Generator<readonly number[]> {
  let key: Buffer = Buffer.alloc(0)
  let ids: number[] = []
  for (const row of kv.keys(valueRange(rowBase(kv, type, index), {}))) {
    const next = beforeLastNumber(row)
    if (!next.equals(key)) {
      if (ids.length > 1) yield ids
      ids = []
      key = next
    }
    ids.push(lastNumber(row))
  }
  if (ids.length > 1) yield ids
}

/** Also null for a damaged record, which is reported elsewhere. */
function findValue(
  kv: KvReader,
  type: RecordType<JsonObject>,
  { column, id }: { readonly column: LayoutColumn; readonly id: number },
): Scalar | null {
  try {
    const stored = findRecord(kv, recordKey(kv, type, [id]))
    const value = stored && parseRecord(type, stored)[column.column.name]
    return readScalar(valueKind(column.column), value)
  } catch {
    return null
  }
}

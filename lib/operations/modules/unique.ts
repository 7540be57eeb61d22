// Checks unique columns: UNIQUE, KEY, AUTO. Texts are compared as stored, so case and Unicode form count; entries
// without a value do not conflict. The check uses the column's index inside the commit that writes the value. Where
// several values may share an index key (long texts, decimals), the entries themselves are compared.

import { CmsError, type Fault } from '../../base/errors.ts'
import { MAX_FAULTS, pointer, type Values } from '../../schema/check.ts'
import { valueKind } from '../../schema/columns/column.ts'
import type { EntryType } from '../../schema/entry.ts'
import { readScalar, type Scalar, toKeyPart } from '../../schema/field-value.ts'
import type { LayoutColumn } from '../../schema/layout.ts'
import type { FieldKind, JsonObject, Stored } from '../../schema/values.ts'
import type { Reader } from '../../storage/port.ts'

export type EntryReader = Pick<Reader, 'get' | 'lookup'>

export interface WrittenValues {
  readonly values: Values
  /** The place in a list of entries, as a JSON pointer; empty for a single entry. */
  readonly place: string
  /** The existing entry that gets the values; undefined for a new one. */
  readonly ownId?: number
  /** That entry before the change. */
  readonly before?: JsonObject
  /** Ends the faults of rules that depend on the whole entry, because the place does not name the entry. */
  readonly ending?: string
  /** AUTO columns whose number was assigned just now, so that no entry has it. */
  readonly unused?: readonly LayoutColumn[]
}

export interface UniqueInput {
  readonly written: readonly WrittenValues[]
  /** Only callers who may view entries learn which entry has the value. */
  readonly isViewer: boolean
}

/**
 * All values that a stored entry, or an earlier entry of the list, already has. An entry whose value the same list changes
 * no longer has its stored value, so entries of a list may exchange their values.
 */
export function findShared(
  reader: EntryReader,
  entry: EntryType,
  { written, isViewer }: UniqueInput,
): readonly Fault[] {
  const { uniqueColumns, object } = entry
  const faults: Fault[] = []
  if (uniqueColumns.length === 0) return faults
  const placesOf = new Map(uniqueColumns.map(({ key }) => [key, new Map<Scalar, string>()]))

  for (const { values, place, ownId, unused } of written) {
    for (const column of uniqueColumns) {
      if (unused?.includes(column) === true) continue
      const { name } = column.column
      const value = scalarOf(column, values)
      if (value === null || faults.length >= MAX_FAULTS) continue
      const places = placesOf.get(column.key)
      const before = places?.get(value)
      const holder = before ?? findHolder(reader, entry, { column, value, ownId })
      if (before === undefined) places?.set(value, place)
      if (holder === undefined) continue
      const isLeaving = ({ ownId: id, values: next }: WrittenValues): boolean =>
        id === holder && name in next && scalarOf(column, next) !== value
      if (before === undefined && written.some(isLeaving)) continue
      const other = isViewer ? `${object.idField} ${holder}` : `another ${object.label}`
      const who = before === undefined ? other : `${before} of this list`
      const detail = `must be unique, and ${who} has the same value`
      faults.push({ pointer: `${place}${pointer(name)}`, detail })
    }
  }
  return faults
}

interface Sought {
  readonly column: LayoutColumn
  /** In the form that readScalar returns. */
  readonly value: Scalar
  readonly ownId?: number | undefined
}

/** Another entry that has this value in the column. */
export function findHolder(
  reader: EntryReader,
  entry: EntryType,
  { column, value, ownId }: Sought,
): number | undefined {
  const { recordType } = entry.object
  const part = toKeyPart(kindOf(column), value)
  for (const [id] of reader.lookup(recordType, column.key, [part])) {
    if (id === undefined || id === ownId) continue
    const stored = reader.get(recordType, id)
    if (stored !== undefined && scalarOf(column, recordOf(entry, stored)) === value)
      return Number(id)
  }
  return undefined
}

/** Whether another entry has the same value in the column. */
export function isShared(
  reader: EntryReader,
  entry: EntryType,
  { column, record }: { readonly column: LayoutColumn; readonly record: JsonObject },
): boolean {
  const value = scalarOf(column, record)
  const ownId = Number(record[entry.object.idField])
  return value !== null && findHolder(reader, entry, { column, value, ownId }) !== undefined
}

/** The record in the present layout. */
export function recordOf({ object }: EntryType, { value }: Stored): JsonObject {
  return object.recordType.upgrade?.(value) ?? value
}

/** The value in a form in which equal values are equal by ===. */
export function scalarOf(column: LayoutColumn, record: JsonObject): Scalar | null {
  return readScalar(kindOf(column), record[column.column.name])
}

export function kindOf({ column }: LayoutColumn): FieldKind {
  return valueKind(column)
}

/** Throws not-unique with these faults, if there are any. */
export function refuseShared(faults: readonly Fault[]): void {
  if (faults.length === 0) return
  const detail = faults.map((fault) => `${fault.pointer} ${fault.detail}`).join('; ')
  throw new CmsError('not-unique', `${detail}.`, { errors: faults })
}

/** The answer while the index of a unique column, or of UNIQUE(a, b), is being built for existing entries. */
export function unfinishedIndex(what: string): CmsError {
  return new CmsError(
    'unavailable',
    `The index of ${what} is still being built. Send the request again in a moment.`,
    { headers: { 'retry-after': '1' } },
  )
}

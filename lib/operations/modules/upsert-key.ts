// The columns that decide whether an upsert creates or updates: one unique column, or all columns of a UNIQUE(a, b).

import { CmsError, type Fault } from '../../base/errors.ts'
import { pointer, refuseFaults } from '../../schema/check.ts'
import { type EntryType, upsertKeyNames } from '../../schema/entry.ts'
import type { Scalar } from '../../schema/field-value.ts'
import type { LayoutColumn } from '../../schema/layout.ts'
import { closest } from '../../schema/message-text.ts'
import type { EntryGroup } from '../../schema/unique-groups.ts'
import type { JsonObject, JsonValue } from '../../schema/values.ts'
import { type EntryReader, findHolder, scalarOf, unfinishedIndex } from './unique.ts'
import { findGroupHolder } from './unique-together.ts'

export interface UpsertKey {
  /** Faults of the whole key point to the first column. */
  readonly columns: readonly string[]
  /**
   * The values of a body that decide, in the form in which equal values are equal by ===. Null and defaults decide
   * nothing. Throws invalid-content with a fault for each column without a valid value.
   */
  readonly valueOf: (body: JsonObject) => Scalar
  /** The entry that has these values. */
  readonly find: (reader: EntryReader, value: Scalar) => number | undefined
}

/** Throws bad-request for columns that are not unique, and unavailable while their index is being built. */
export function requireUpsertKey(entry: EntryType, onConflict: string): UpsertKey {
  const names = onConflict.split(',').map((name) => name.trim())
  const column = entry.uniqueColumns.find((item) => item.column.name === onConflict.trim())
  const group = entry.uniqueGroups.find(({ columns }) => isSameSet(columns, names))
  const isIndexed = (column ?? group)?.isIndexed
  if (isIndexed === undefined) throw notUnique(entry, onConflict)
  if (!isIndexed)
    throw unfinishedIndex(
      column === undefined ? `UNIQUE(${names.join(', ')})` : `the column ${onConflict}`,
    )
  if (column !== undefined) return columnKey(entry, column)
  if (group !== undefined) return groupKey(entry, group)
  throw notUnique(entry, onConflict)
}

function columnKey(entry: EntryType, column: LayoutColumn): UpsertKey {
  const { name } = column.column
  return {
    columns: [name],
    valueOf: (body) => requireOne([name], scalarOf(column, requireValues(entry, [name], body))),
    find: (reader, value) => findHolder(reader, entry, { column, value }),
  }
}

function groupKey(entry: EntryType, group: EntryGroup): UpsertKey {
  const { columns, digest } = group
  return {
    columns,
    valueOf: (body) => requireOne(columns, digest(requireValues(entry, columns, body))),
    find: (reader, value) => findGroupHolder(reader, entry, { group, digest: String(value) }),
  }
}

/** The checked values of these columns, none of which is null. */
function requireValues(
  { object }: EntryType,
  columns: readonly string[],
  body: JsonObject,
): JsonObject {
  const faults: Fault[] = []
  const values = new Map<string, JsonValue>()
  for (const name of columns) {
    const given = Object.hasOwn(body, name) ? (body[name] ?? null) : null
    const checked = given === null ? undefined : object.fields[name]?.check(given)
    if (checked?.ok === true) values.set(name, checked.value)
    else faults.push(checked === undefined ? missing(columns, name) : faultAt(name, checked.detail))
  }
  refuseFaults(faults)
  return Object.fromEntries(values)
}

function requireOne(columns: readonly string[], value: Scalar | null | undefined): Scalar {
  if (value === null || value === undefined) {
    const errors = columns.slice(0, 1).map((name) => missing(columns, name))
    throw new CmsError('invalid-content', 'The values of on_conflict are missing.', { errors })
  }
  return value
}

function missing(columns: readonly string[], name: string): Fault {
  return faultAt(name, `must have a value: on_conflict=${columns.join(',')} finds the entry by it`)
}

function faultAt(name: string, detail: string): Fault {
  return { pointer: pointer(name), detail }
}

function isSameSet(columns: readonly string[], names: readonly string[]): boolean {
  return columns.length === names.length && columns.every((name) => names.includes(name))
}

function notUnique(entry: EntryType, onConflict: string): CmsError {
  const known = upsertKeyNames(entry)
  const near = closest(onConflict, known)
  const hint =
    known.length === 0
      ? 'this module has none'
      : `${near === undefined ? '' : `did you mean "${near}"? `}this module has ${known.join('; ')}`
  const shown = JSON.stringify(onConflict.slice(0, 100))
  return new CmsError(
    'bad-request',
    `The query parameter on_conflict must name a column with UNIQUE, KEY or AUTO, or all columns of a UNIQUE(a, b), and ${shown} is not one; ${hint}.`,
  )
}

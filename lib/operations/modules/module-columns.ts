// The member `columns` of a body, which may only rename columns. Everything else in it is read-only: it must match
// the present columns, or those of table_schema.

import { isDeepStrictEqual } from 'node:util'
import { refuseField } from '../../schema/check.ts'
import { type Column, showColumn } from '../../schema/columns/column.ts'
import type { JsonObject, JsonValue } from '../../schema/values.ts'

/** Maps new names to old names. */
export type Renames = ReadonlyMap<string, string>

export interface KnownColumns {
  /** The present columns; undefined while a module is created, so that nothing can be renamed. */
  readonly before: readonly Column[] | undefined
  /** The columns that the body's table_schema describes. */
  readonly after: readonly Column[]
}

export interface ColumnChange {
  readonly columns: readonly Column[]
  readonly checks: readonly string[]
  readonly uniques: readonly (readonly string[])[]
  readonly renames: Renames
  readonly isSchemaChange: boolean
}

/** Expects a value that checkRenames (schema/module.ts) accepts. */
export function readRenames(asked: JsonValue | undefined): Renames {
  return new Map(
    itemsOf(asked).flatMap(({ name, renamed_from: oldName }) =>
      typeof oldName !== 'string' || oldName === name ? [] : [[String(name), oldName] as const],
    ),
  )
}

/** Throws for an impossible rename, and for a column that is described wrongly. */
export function checkColumns(asked: JsonValue | undefined, { before, after }: KnownColumns): void {
  for (const [name, oldName] of readRenames(asked)) {
    if (!after.some((column) => column.name === name))
      refuseField('columns', `renames ${oldName} to ${name}, which table_schema does not have`)
    if (before?.some((column) => column.name === oldName) !== true)
      refuseField('columns', `renames ${oldName}, which the module does not have`)
  }

  const items = itemsOf(asked)
  const columns = [...(before ?? []), ...after]
  const isTrue = items.some((item) => 'renamed_from' in item)
    ? items.every((item) => columns.some((column) => agrees(item, column)))
    : asked === undefined ||
      [before ?? after, after].some((known) =>
        isDeepStrictEqual(items.map(plain), known.map(plain)),
      )
  if (isTrue) return
  refuseField(
    'columns',
    'is read-only, except for renames: {"name": "new", "renamed_from": "old"}. Leave it out; table_schema defines the columns',
  )
}

/** In a list with renames, an item may have only the name; other members must match the column. */
function agrees({ renamed_from: oldName, ...given }: JsonObject, column: Column): boolean {
  if (column.name !== given['name'] && column.name !== oldName) return false
  const shown = showColumn(column)
  return Object.entries(given).every(
    ([name, value]) => name === 'name' || isDeepStrictEqual(value, shown[name]),
  )
}

/** Removes null and false members, which clients may leave out. */
function plain(column: JsonObject): JsonObject {
  const kept = Object.entries(column).filter(([, value]) => value !== null && value !== false)
  return Object.fromEntries(kept)
}

function itemsOf(asked: JsonValue | undefined): readonly JsonObject[] {
  return (asked ?? []) as readonly JsonObject[]
}

// What a body says in `columns`: which columns are renamed. All else in it is read-only, so it must be
// what the columns are, or what table_schema makes of them.

import { isDeepStrictEqual } from 'node:util'
import { refuseField } from '../../schema/check.ts'
import type { Column } from '../../schema/columns/column.ts'
import { showColumn } from '../../schema/columns/shown-column.ts'
import type { JsonObject, JsonValue } from '../../schema/values.ts'

/** New name → old name. */
export type Renames = ReadonlyMap<string, string>

export interface KnownColumns {
  /** As they are; undefined while a module is being created, so that nothing can be renamed. */
  readonly before: readonly Column[] | undefined
  /** As table_schema of the body has them. */
  readonly after: readonly Column[]
}

/** Of a value that checkRenames (schema/module.ts) accepts. */
export function readRenames(asked: JsonValue | undefined): Renames {
  return new Map(
    itemsOf(asked).flatMap(({ name, renamed_from: oldName }) =>
      typeof oldName !== 'string' || oldName === name ? [] : [[String(name), oldName] as const],
    ),
  )
}

/** Throws for a rename that cannot be, and for a column that is described as it is not. */
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
    'is read-only, but for renames: {"name": "new", "renamed_from": "old"}. Leave it out; what the columns are, table_schema says',
  )
}

/** An item of a list of renames may have the name alone; what it has beside that must be true. */
function agrees({ renamed_from: oldName, ...given }: JsonObject, column: Column): boolean {
  if (column.name !== given['name'] && column.name !== oldName) return false
  const shown = showColumn(column)
  return Object.entries(given).every(
    ([name, value]) => name === 'name' || isDeepStrictEqual(value, shown[name]),
  )
}

/** Without what is not there: earlier versions left that out of their answers. */
function plain(column: JsonObject): JsonObject {
  const kept = Object.entries(column).filter(([, value]) => value !== null && value !== false)
  return Object.fromEntries(kept)
}

function itemsOf(asked: JsonValue | undefined): readonly JsonObject[] {
  return (asked ?? []) as readonly JsonObject[]
}

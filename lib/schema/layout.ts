// How the columns of a module came to be what they are. Entries are not rewritten when columns change:
// each carries the number of the layout under which it was stored, and is brought to the present one
// when it is read. A column keeps its key through all renames, and its index is named by that key; it
// gets a new one when its index begins or ends, as X becomes C or C becomes X.

import type { JsonObject, JsonValue } from '../storage/port.ts'
import type { Column, ColumnDefault } from './columns/column.ts'

export interface LayoutColumn {
  readonly column: Column
  /** `c1`, `c2` …, never given twice in a module. */
  readonly key: string
  /** The layout from which on it exists. */
  readonly since: number
  /** Its names: from layout n on it was called so. */
  readonly names: readonly (readonly [number, string])[]
  /** What entries have in it that are older: its default when it was added, whatever that is now. */
  readonly fill: ColumnDefault | null
  /** False while the index of a new column on old entries is being built. */
  readonly isIndexed: boolean
}

export interface Layout {
  /** Raised by every change of the columns. */
  readonly number: number
  readonly nextKey: number
  readonly columns: readonly LayoutColumn[]
}

/** The last member of a stored entry; no column can have this name. */
export const LAYOUT_MEMBER = '$layout'

export const EMPTY_LAYOUT: Layout = { number: 1, nextKey: 1, columns: [] }

export interface LayoutChange {
  readonly columns: readonly Column[]
  /** New name → old name. */
  readonly renames: ReadonlyMap<string, string>
  /** True when there are no entries, so that a new index is complete at once. */
  readonly isEmpty: boolean
  /** Whether columns of this type have an index. */
  readonly hasIndex: (column: Column) => boolean
}

/** The layout after a change. A column that is gone and comes back is a new one. */
export function nextLayout(layout: Layout, change: LayoutChange): Layout {
  const { columns, renames, isEmpty, hasIndex } = change
  const number = layout.number + 1
  const known = new Map(layout.columns.map((item) => [item.column.name, item]))
  let nextKey = layout.nextKey
  const newKey = (): Pick<LayoutColumn, 'key' | 'isIndexed'> => {
    nextKey += 1
    return { key: `c${nextKey - 1}`, isIndexed: isEmpty }
  }

  const next = columns.map((column): LayoutColumn => {
    const old = known.get(renames.get(column.name) ?? column.name)
    if (old === undefined) {
      const fill = column.default ?? null
      return { column, ...newKey(), since: number, names: [[number, column.name]], fill }
    }
    const isRenamed = old.column.name !== column.name
    const names = isRenamed ? [...old.names, [number, column.name] as const] : old.names
    const index = hasIndex(old.column) === hasIndex(column) ? {} : newKey()
    return { ...old, column, names, ...index }
  })
  return { number, nextKey, columns: next }
}

export interface Upgrade {
  readonly layout: Layout
  /** All fields of an entry, in order. */
  readonly fieldNames: readonly string[]
  /** What an entry has in a column that is younger than the entry. */
  readonly fill: (column: LayoutColumn, record: JsonObject) => JsonValue
}

/** Brings stored entries to the present layout; the member that says which they were stored under stays. */
export function upgraderOf({
  layout,
  fieldNames,
  fill,
}: Upgrade): (record: JsonObject) => JsonObject {
  const columns = new Map(layout.columns.map((item) => [item.column.name, item]))

  return (record) => {
    const from = Number(record[LAYOUT_MEMBER])
    if (from === layout.number) return record

    const values = fieldNames.map((name) => {
      const item = columns.get(name)
      if (item === undefined) return [name, record[name] ?? null] as const
      const oldName = item.names.findLast(([number]) => number <= from)?.[1]
      const isYounger = item.since > from || oldName === undefined
      return [name, isYounger ? fill(item, record) : (record[oldName] ?? null)] as const
    })
    return Object.fromEntries([...values, [LAYOUT_MEMBER, from]])
  }
}

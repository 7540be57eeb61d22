// How the columns of a module came to be what they are. Entries are not rewritten when columns change:
// each carries the number of the layout under which it was stored, and is brought to the present one
// when it is read. A column keeps its key through all renames, and its index is named by that key; it
// gets a new one when its index begins or ends, as X becomes C or C becomes X, and when the values in it
// become others: then the index is built anew.

import type { JsonObject, JsonValue } from './values.ts'
import { COLUMN_TYPES, type Column, type ColumnDefault } from './columns/column.ts'
import { converterTo, type Converter } from './columns/conversion.ts'
import { sharesIndex } from './columns/column-step.ts'

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
  /**
   * What it was at first, and what it became in which layout, where values were converted then; missing
   * where none were. A value goes through all forms that are younger than its entry.
   */
  readonly forms?: readonly (readonly [number, Column])[]
  /** False while the index of a new column on old entries is being built. */
  readonly isIndexed: boolean
}

export interface Layout {
  /** Raised by every change of the columns. */
  readonly number: number
  readonly nextKey: number
  readonly columns: readonly LayoutColumn[]
  /** Missing in layouts of earlier versions, whose entries have decimals as numbers, too. */
  readonly decimals?: 'text'
}

/** The last member of a stored entry; no column can have this name. */
export const LAYOUT_MEMBER = '$layout'

export const EMPTY_LAYOUT: Layout = { number: 1, nextKey: 1, columns: [], decimals: 'text' }

export interface LayoutChange {
  readonly columns: readonly Column[]
  /** New name → old name. */
  readonly renames: ReadonlyMap<string, string>
  /** True when there are no entries, so that a new index is complete at once. */
  readonly isEmpty: boolean
  /** Whether columns of this type have an index. */
  readonly hasIndex: (column: Column) => boolean
  /** Names of columns in which values become others, or null, beyond what a change of their kind does. */
  readonly lossy: ReadonlySet<string>
}

/**
 * A layout as it was stored, or what it means now: in one of an earlier version decimals were kept as numbers
 * or as texts, as they were given. Entries are as they were; they count as of the layout before.
 */
export function currentLayout(layout: Layout): Layout {
  if (layout.decimals === 'text' || !layout.columns.some(isDecimal)) return layout
  const number = layout.number + 1
  const columns = layout.columns.map((item): LayoutColumn => {
    if (!isDecimal(item)) return item
    const column = withDecimalText(item.column)
    // Without limits: whatever was taken once stays.
    const form: Column = { name: '', type: 'N', isRequired: false, isUnsigned: false }
    return {
      ...item,
      column,
      forms: [
        [item.since, item.column],
        [number, form],
      ],
    }
  })
  return { ...layout, number, columns, decimals: 'text' }
}

/** A column as it is now: the default of a decimal is a text, as all its values are. */
export function withDecimalText(column: Column): Column {
  const { type, default: initial } = column
  return type === 'N' && typeof initial === 'number'
    ? { ...column, default: String(converterTo(column)(initial) ?? initial) }
    : column
}

function isDecimal({ column }: LayoutColumn): boolean {
  return COLUMN_TYPES[column.type].kind === 'decimal'
}

/** The layout after a change. A column that is gone and comes back is a new one. */
export function nextLayout(layout: Layout, change: LayoutChange): Layout {
  const { columns, renames, isEmpty, hasIndex, lossy } = change
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
    const isLossy = lossy.has(column.name)
    const keepsIndex =
      hasIndex(old.column) === hasIndex(column) && sharesIndex(old.column, column) && !isLossy
    const isConverted = isLossy || kindOf(old.column) !== kindOf(column)
    const first = old.forms ?? [[old.since, old.column] as const]
    const forms = isConverted && !isEmpty ? { forms: [...first, [number, column] as const] } : {}
    return { ...old, column, names, ...(keepsIndex ? {} : newKey()), ...forms }
  })
  return { number, nextKey, columns: next, decimals: 'text' }
}

function kindOf({ type }: Column): string {
  return COLUMN_TYPES[type].kind
}

export interface Upgrade {
  readonly layout: Layout
  /** All fields of an entry, in order. */
  readonly fieldNames: readonly string[]
  /** What an entry has in a column that is younger than the entry, in the first form of the column. */
  readonly fill: (column: LayoutColumn, record: JsonObject) => JsonValue
}

/** Brings stored entries to the present layout; the member that says which they were stored under stays. */
export function upgraderOf({
  layout,
  fieldNames,
  fill,
}: Upgrade): (record: JsonObject) => JsonObject {
  const columns = new Map(
    layout.columns.map((item) => [item.column.name, { ...item, convert: conversionsOf(item) }]),
  )

  return (record) => {
    const from = Number(record[LAYOUT_MEMBER])
    if (from === layout.number) return record

    const values = fieldNames.map((name) => {
      const item = columns.get(name)
      if (item === undefined) return [name, record[name] ?? null] as const
      const oldName = item.names.findLast(([number]) => number <= from)?.[1]
      const isYounger = item.since > from || oldName === undefined
      const value = isYounger ? fill(item, record) : (record[oldName] ?? null)
      return [name, item.convert(value, from)] as const
    })
    return Object.fromEntries([...values, [LAYOUT_MEMBER, from]])
  }
}

/** A value of an entry that was stored under layout `from` in the present form of the column. */
export function conversionsOf({
  forms = [],
}: LayoutColumn): (value: JsonValue, from: number) => JsonValue {
  const steps = forms
    .slice(1)
    .map(([number, column]): readonly [number, Converter] => [number, converterTo(column)])
  return (value, from) => {
    let converted = value
    for (const [number, convert] of steps) if (number > from) converted = convert(converted)
    return converted
  }
}

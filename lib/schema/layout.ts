// The history of the columns of a module. Entries are not rewritten when columns change: each entry has the
// number of the layout under which it was stored, and is converted to the present layout when it is read. A
// column keeps its key through renames, and its index is named by that key. The column gets a new key, and the
// index is rebuilt, if its index begins or ends (X becomes C, or C becomes X) or if its values change.

import { sharesIndex } from './columns/column-step.ts'
import { type Converter, converterTo } from './columns/converted-value.ts'
import { type Column, type ColumnDefault, valueKind } from './columns/column.ts'
import { splitExpression } from './expressions/expression-tokens.ts'
import type { JsonObject, JsonValue } from './values.ts'

export interface LayoutColumn {
  readonly column: Column
  /** `c1`, `c2` …, never reused in a module. */
  readonly key: string
  /** The first layout that has the column. */
  readonly since: number
  /** Its names, each with the layout in which it was introduced. */
  readonly names: readonly (readonly [number, string])[]
  /** Value in entries older than the column: the default at the time it was added. */
  readonly fill: ColumnDefault | null
  /**
   * The forms of the column, each with its layout, if values were converted; otherwise missing. A value passes
   * through all forms that are younger than its entry.
   */
  readonly forms?: readonly (readonly [number, Column])[]
  /** False while the index of a new column is being built for existing entries. */
  readonly isIndexed: boolean
}

/** Columns whose values are unique together. */
export interface UniqueGroup {
  readonly columns: readonly string[]
  /** Name of its index, from the same numbers as the keys of columns. */
  readonly key: string
  /** False while the index is being built for existing entries. */
  readonly isIndexed: boolean
}

export interface Layout {
  /** Incremented by every change of the columns. */
  readonly number: number
  readonly nextKey: number
  readonly columns: readonly LayoutColumn[]
  /** UNIQUE(a, b); missing if there are none. */
  readonly uniques?: readonly UniqueGroup[]
  /** The expressions of CHECK rules; missing if there are none. */
  readonly checks?: readonly string[]
  /** Constant; other builds of the same format read a layout without it as one whose decimals are numbers. */
  readonly decimals: 'text'
}

/** The last member of a stored entry; no column can have this name. */
export const LAYOUT_MEMBER = '$layout'

export const EMPTY_LAYOUT: Layout = { number: 1, nextKey: 1, columns: [], decimals: 'text' }

interface LayoutChange {
  readonly columns: readonly Column[]
  /** New name → old name. */
  readonly renames: ReadonlyMap<string, string>
  /** Whether the module has no entries, so that a new index is complete at once. */
  readonly isEmpty: boolean
  /** Whether this column has an index. */
  readonly hasIndex: (column: Column) => boolean
  readonly checks: readonly string[]
  readonly uniques: readonly (readonly string[])[]
  /** Names of columns whose values change or become null beyond the conversion of their kind. */
  readonly lossy: ReadonlySet<string>
}

/** The layout after a change. A column that was dropped and added again is a new column. */
export function nextLayout(layout: Layout, change: LayoutChange): Layout {
  const { columns, checks, uniques, renames, isEmpty, hasIndex, lossy } = change
  const number = layout.number + 1
  const known = new Map(layout.columns.map((item) => [item.column.name, item]))
  let nextKey = layout.nextKey
  const newKey = (): Pick<LayoutColumn, 'key' | 'isIndexed'> => {
    nextKey += 1
    return { key: `c${nextKey - 1}`, isIndexed: isEmpty }
  }

  const answers = new Map<string, boolean>()
  /** Whether a column, and all columns that it is computed from, are the same in both layouts. */
  const keepsValues = (column: Column): boolean => {
    const answer = answers.get(column.name)
    if (answer !== undefined) return answer
    const before = known.get(column.name)?.column
    const isSame = JSON.stringify(before) === JSON.stringify(column) && !lossy.has(column.name)
    const names = readNames(column.computed)
    const isKept = (item: Column): boolean =>
      !names.has(item.name.toLowerCase()) || keepsValues(item)
    const kept = isSame && columns.every(isKept)
    answers.set(column.name, kept)
    return kept
  }

  const next = columns.map((column): LayoutColumn => {
    const found = known.get(renames.get(column.name) ?? column.name)
    const isOther = (found?.column.computed === undefined) !== (column.computed === undefined)
    const old = isOther ? undefined : found
    if (old === undefined) {
      const fill = column.default ?? null
      return { column, ...newKey(), since: number, names: [[number, column.name]], fill }
    }
    const isRenamed = old.column.name !== column.name
    const names = isRenamed ? [...old.names, [number, column.name] as const] : old.names
    const isLossy = lossy.has(column.name)
    const keepsIndex =
      hasIndex(old.column) === hasIndex(column) &&
      sharesIndex(old.column, column) &&
      !isLossy &&
      (column.computed === undefined || keepsValues(column))
    const isConverted = isLossy || valueKind(old.column) !== valueKind(column)
    const first = old.forms ?? [[old.since, old.column] as const]
    const forms = isConverted && !isEmpty ? { forms: [...first, [number, column] as const] } : {}
    return { ...old, column, names, ...(keepsIndex ? {} : newKey()), ...forms }
  })
  const groups = uniques.map((group): UniqueGroup => {
    const kept = layout.uniques?.find((old) => keepsGroup(old, group, [layout.columns, next]))
    return kept ?? { columns: group, ...newKey() }
  })
  return {
    number,
    nextKey,
    columns: next,
    ...(groups.length > 0 && { uniques: groups }),
    ...(checks.length > 0 && { checks }),
    decimals: 'text',
  }
}

/** All names in an expression, in lower case. */
function readNames(expression: string | undefined): ReadonlySet<string> {
  const tokens = expression === undefined ? [] : splitExpression(expression)
  return new Set(tokens.map(({ text }) => text.toLowerCase()))
}

/** Whether the rows of the index stay right: the same names, and columns with the same keys and kinds of values. */
function keepsGroup(
  { columns }: UniqueGroup,
  names: readonly string[],
  layouts: readonly (readonly LayoutColumn[])[],
): boolean {
  if (columns.join() !== names.join()) return false
  return names.every((name) => {
    const [before, after] = layouts.map((items) => items.find((item) => item.column.name === name))
    if (before === undefined || after === undefined) return before === after
    return before.key === after.key && valueKind(before.column) === valueKind(after.column)
  })
}

interface Upgrade {
  readonly layout: Layout
  /** All fields of an entry, in order. */
  readonly fieldNames: readonly string[]
  /** Value of an entry that is older than the column, in the first form of the column. */
  readonly fill: (column: LayoutColumn, record: JsonObject) => JsonValue
}

/** Converts stored entries to the present layout; the layout member keeps the original number. */
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

/** Converts a value that was stored under layout `from` to the present form of the column. */
export function conversionsOf({
  forms = [],
}: LayoutColumn): (value: JsonValue, from: number) => JsonValue {
  const steps = forms
    .slice(1)
    .map(([number, to], at): readonly [number, Converter] => [
      number,
      converterTo({ from: forms[at]?.[1] ?? to, to }),
    ])
  return (value, from) => {
    let converted = value
    for (const [number, convert] of steps) if (number > from) converted = convert(converted)
    return converted
  }
}

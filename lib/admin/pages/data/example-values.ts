// Valid example values for columns, for requests that can be tried out.

import { typeOf } from './column-types.ts'
import type { Column } from './table.ts'

export type ExampleValue = string | number | boolean

export type ExampleEntry = Readonly<Record<string, ExampleValue>>

/** Maximum number of optional columns, so that examples stay short. */
const MOST = 4

/** The body of a new entry: all required columns, and the first optional ones. */
export function exampleEntry(columns: readonly Column[]): ExampleEntry {
  const asked = columns.filter(({ isAuto }) => isAuto !== true)
  const needed = asked.filter(({ isRequired }) => isRequired === true)
  const others = asked.filter((column) => !needed.includes(column))
  const chosen = new Set([...needed, ...others.slice(0, Math.max(MOST - needed.length, 0))])
  const shown = asked.filter((column) => chosen.has(column))
  return Object.fromEntries(shown.map((column) => [column.name, exampleValue(column)]))
}

/** One changed value, different from that of the new entry if possible. */
export function exampleChange(columns: readonly Column[]): ExampleEntry {
  const changeable = columns.filter(({ isAuto, isUnique }) => isAuto !== true && isUnique !== true)
  const column = changeable[0] ?? columns[0]
  return column === undefined ? {} : { [column.name]: otherValue(column) }
}

/** A search condition that the column types allow. */
export function exampleSearch(columns: readonly Column[]): object {
  const column = columns.find(({ type }) => kindOf(type) === 'text') ?? columns[0]
  if (column === undefined) return {}
  const { name, type } = column
  const kind = kindOf(type)
  if (kind === 'text') return { [name]: { $contains: 'a' } }
  if (kind === 'boolean' || kind === 'choice') return { [name]: exampleValue(column) }
  return { [name]: { $gte: exampleValue(column) } }
}

function exampleValue({ type, size, values, isUnique }: Column): ExampleValue {
  switch (kindOf(type)) {
    case 'integer':
      return 1
    case 'number':
      return type === 'N' ? decimal(size ?? undefined) : 1.5
    case 'boolean':
      return true
    case 'day':
      return '2026-01-31'
    case 'time':
      return '2026-01-31T12:00:00Z'
    case 'choice':
      return values?.[0] ?? ''
    default:
      return (isUnique === true ? 'A-1' : 'Example').slice(0, size ?? undefined)
  }
}

function otherValue(column: Column): ExampleValue {
  const value = exampleValue(column)
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  const { type, size, values } = column
  if (kindOf(type) === 'choice') return values?.at(-1) ?? value
  return kindOf(type) === 'text' ? 'Changed'.slice(0, size ?? undefined) : value
}

/** A string, so that no digit is lost. */
function decimal(size: number | undefined): string {
  return size === undefined || size > 3 ? '12' : '1'
}

function kindOf(type: Column['type']) {
  return typeOf(type ?? 'C').kind
}

// Columns whose values are converted, and the effect on existing entries. Losing or changing a value requires
// ?confirm=drop; in a NOTNULL column no value may become null.

import type { Column } from '../../schema/columns/column.ts'
import { converterTo, isKept, sharesIndex } from '../../schema/columns/column-step.ts'
import { hasIndex } from '../../schema/entry.ts'
import type { JsonValue } from '../../schema/values.ts'
import type { Module } from './module-cache.ts'
import type { EntryTest } from './entry-tracker.ts'

export interface ConvertedTest {
  /** The name and type of the column after the change. */
  readonly name: string
  readonly type: string
  /** The conversion changes the value. */
  readonly isConflict: EntryTest
  /** The conversion turns the value into null. */
  readonly isLost: EntryTest
  /** The entry will have no value, or has none now. */
  readonly isEmpty: EntryTest
  readonly isRequired: boolean
  readonly isUnique: boolean
  /** All values and their index are rebuilt; otherwise only entries that lose a value are rewritten. */
  readonly isRebuilt: boolean
  /** The column needs a new index even if no value is lost. */
  readonly hasNewIndex: boolean
}

type Renames = ReadonlyMap<string, string>

export function testConverted(
  { entry }: Module,
  columns: readonly Column[],
  renames: Renames,
): readonly ConvertedTest[] {
  return columns.flatMap((to) => {
    const oldName = renames.get(to.name) ?? to.name
    const from = entry.layout.columns.find(({ column }) => column.name === oldName)?.column
    return from === undefined ? [] : [testOne(from, to)]
  })
}

function testOne(from: Column, to: Column): ConvertedTest {
  const convert = converterTo(to)
  const isRebuilt = !sharesIndex(from, to)
  const valueOf = (record: Readonly<Record<string, JsonValue>>): JsonValue =>
    record[from.name] ?? null
  return {
    name: to.name,
    type: to.type,
    isConflict(record) {
      const value = valueOf(record)
      return value !== null && !isKept({ from, to }, value, convert(value))
    },
    isLost(record) {
      const value = valueOf(record)
      return value !== null && convert(value) === null
    },
    isEmpty: (record) => convert(valueOf(record)) === null,
    isRequired: to.isRequired,
    isUnique: to.isUnique === true,
    isRebuilt,
    hasNewIndex: isRebuilt || hasIndex(from) !== hasIndex(to),
  }
}

// The numbers of AUTO columns: one more than the highest number that an entry of the module ever had in the column,
// starting at 1. Numbers are assigned inside the commit that creates the entry, so none is assigned twice; numbers of
// deleted entries are not reused. Clients may send a number themselves.

import type { Fault } from '../../base/errors.ts'
import { pointer, refuseFaults } from '../../schema/check.ts'
import { integerRange } from '../../schema/columns/column-field.ts'
import { parseScalar } from '../../schema/field-value.ts'
import type { Layout, LayoutColumn } from '../../schema/layout.ts'
import { moduleNumbers } from '../../schema/module.ts'
import type { JsonValue } from '../../schema/values.ts'
import type { Unit } from '../../storage/port.ts'
import type { Module } from './module-cache.ts'
import { recordOf, scalarOf, type WrittenValues } from './unique.ts'

/** Highest number by column key. */
type Highest = Map<string, bigint>

export interface Numbered<T> {
  readonly written: readonly T[]
  /** Stores the assigned numbers; call it when nothing can refuse the entries any more, because it writes. */
  readonly keep: () => void
}

interface ToNumber<T> {
  /** The values of new entries. */
  readonly written: readonly T[]
  /** The values that existing entries get: no number is assigned, but a higher number counts as assigned. */
  readonly changed?: readonly WrittenValues[]
}

/**
 * Fills each AUTO column that has no value in new entries. Numbers given by other entries of the request count as
 * assigned. Throws invalid-content if the column's type has no higher number, and if a change removes a number.
 */
export function numberEntries<T extends WrittenValues>(
  unit: Unit,
  module: Module,
  { written, changed = [] }: ToNumber<T>,
): Numbered<T> {
  const { autoColumns } = module.entry
  const isChanged = autoColumns.some(({ column: { name } }) =>
    changed.some(({ values }) => name in values),
  )
  if (autoColumns.length === 0 || (written.length === 0 && !isChanged))
    return { written, keep: () => undefined }
  refuseFaults(removedNumbers(autoColumns, changed))
  const highest = readHighest(unit, module)
  raise(highest, autoColumns, [...written, ...changed])
  const unused = autoColumns.filter((column) => isAboveAll(unit, module, { column, highest }))

  const faults: Fault[] = []
  const numbered = written.map((item) => {
    const values: Record<string, JsonValue> = { ...item.values }
    for (const column of autoColumns) {
      const { name } = column.column
      if ((values[name] ?? null) !== null) continue
      const next = (highest.get(column.key) ?? 0n) + 1n
      if (next > integerRange(column.column).maximum) {
        const detail = `has no number left after ${next - 1n}; change the column to a larger type, such as I8`
        faults.push({ pointer: `${item.place}${pointer(name)}`, detail })
        break
      }
      highest.set(column.key, next)
      values[name] = scalarOfNumber(next)
    }
    const given = unused.filter(({ column: { name } }) => (item.values[name] ?? null) === null)
    return { ...item, values, unused: given }
  })
  refuseFaults(faults)
  return { written: numbered, keep: () => putHighest(unit, module, highest) }
}

/** The canonical form of an integer (field-value.ts). Parsing each number took a tenth of a commit of 1,000 entries. */
function scalarOfNumber(number: bigint): JsonValue {
  if (number <= Number.MAX_SAFE_INTEGER) return Number(number)
  return parseScalar('integer', number.toString()) ?? null
}

interface Counted {
  readonly column: LayoutColumn
  readonly highest: Highest
}

/** Whether no entry has a number above the highest assigned one: always true unless records are damaged. */
function isAboveAll(unit: Unit, { entry }: Module, { column: { key }, highest }: Counted): boolean {
  const part = unit.highest(entry.object.recordType, key) ?? null
  // Above 2^53 the index is inexact, so the next number may look like an existing one.
  return part === null || Number((highest.get(key) ?? 0n) + 1n) > Number(part)
}

/** Only a create assigns the next number. */
function removedNumbers(
  columns: readonly LayoutColumn[],
  changed: readonly WrittenValues[],
): readonly Fault[] {
  return changed.flatMap(({ values, place }) =>
    columns
      .filter(({ column }) => values[column.name] === null)
      .map(({ column: { name } }) => ({
        pointer: `${place}${pointer(name)}`,
        detail: 'must be a number; only a create assigns the next number',
      })),
  )
}

export interface NewNumbers {
  readonly module: Module
  readonly layout: Layout
}

/** Called after a change of columns: in a column that became AUTO, numbers continue after those of existing entries. */
export function startNumbers(unit: Unit, { module, layout }: NewNumbers): void {
  const known = readHighest(unit, module)
  const highest: Highest = new Map()
  for (const { column, key } of layout.columns) {
    const given = known.get(key)
    const found = column.isAuto === undefined ? undefined : findHighest(unit, module, key)
    const numbers = [given, found].filter((number) => number !== undefined)
    if (numbers.length > 0) highest.set(key, maximum(numbers))
  }
  if (known.size > 0 || highest.size > 0) putHighest(unit, module, highest)
}

/** The highest number of any entry in the column. */
function findHighest(unit: Unit, { entry }: Module, key: string): bigint | undefined {
  const { recordType } = entry.object
  const column = entry.layout.columns.find((item) => item.key === key)
  const part = unit.highest(recordType, key) ?? null
  if (column === undefined || part === null) return undefined

  // Above 2^53 one index part stands for several numbers.
  const numbers = unit.lookup(recordType, key, [part]).flatMap(([id]) => {
    const stored = unit.get(recordType, id ?? 0)
    const value = stored && scalarOf(column, recordOf(entry, stored))
    return value === undefined || value === null ? [] : [BigInt(value)]
  })
  return numbers.length === 0 ? undefined : maximum(numbers)
}

function raise(
  highest: Highest,
  columns: readonly LayoutColumn[],
  written: readonly Pick<WrittenValues, 'values'>[],
): void {
  for (const column of columns) {
    const given = written
      .map(({ values }) => scalarOf(column, values))
      .filter((item) => item !== null)
    const before = highest.get(column.key) ?? 0n
    highest.set(column.key, maximum([before, ...given.map((item) => BigInt(item))]))
  }
}

function maximum(numbers: readonly bigint[]): bigint {
  return numbers.reduce((left, right) => (left > right ? left : right))
}

function readHighest(unit: Unit, { kind, id }: Module): Highest {
  const stored = unit.get(moduleNumbers, kind, id)
  const digits = Object.entries(stored?.value ?? {})
  return new Map(digits.map(([key, number]) => [key, BigInt(String(number))]))
}

function putHighest(unit: Unit, { kind, id }: Module, highest: Highest): void {
  const digits = [...highest].map(([key, number]) => [key, number.toString()] as const)
  unit.put(moduleNumbers, [kind, id], Object.fromEntries(digits))
}

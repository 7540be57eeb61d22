// Columns whose values are converted, and the effect on existing entries. Losing or changing a value requires
// ?confirm=drop; in a NOTNULL column no value may become null.

import { CmsError } from '../../base/errors.ts'
import { sharesIndex } from '../../schema/columns/column-step.ts'
import { converterTo, isKept, isNoValue } from '../../schema/columns/converted-value.ts'
import type { Column } from '../../schema/columns/column.ts'
import type { SchemaChange } from '../../schema/columns/schema-diff.ts'
import { hasIndex } from '../../schema/entry.ts'
import { type Scalar, toKeyPart } from '../../schema/field-value.ts'
import type { LayoutColumn } from '../../schema/layout.ts'
import { nextSlice } from '../../schema/time-slicing.ts'
import type { JsonObject, JsonValue, KeyPart } from '../../schema/values.ts'
import type { Context } from '../context.ts'
import type { EntryTest, WriteTest } from './entry-tracker.ts'
import type { Module } from './module-cache.ts'
import { isShared, kindOf, recordOf, scalarOf } from './unique.ts'

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
  const convert = converterTo({ from, to })
  const isRebuilt = !sharesIndex(from, to)
  const valueOf = (record: Readonly<Record<string, JsonValue>>): JsonValue =>
    record[from.name] ?? null
  return {
    name: to.name,
    type: to.type,
    isConflict(record) {
      const value = valueOf(record)
      return !isNoValue(value) && !isKept({ from, to }, value, convert(value))
    },
    isLost(record) {
      const value = valueOf(record)
      return !isNoValue(value) && isNoValue(convert(value))
    },
    isEmpty: (record) => isNoValue(convert(valueOf(record))),
    isRequired: to.isRequired,
    isUnique: to.isUnique === true,
    isRebuilt,
    hasNewIndex: isRebuilt || hasIndex(from) !== hasIndex(to),
  }
}

export interface UniqueTest {
  readonly name: string
  /** The column before the change. */
  readonly from: LayoutColumn
  readonly isConflict: WriteTest
}

export interface CountedShared {
  readonly name: string
  /** Entries whose value an entry with a lower identifier also has. */
  readonly entries: number
  /** The first identifiers. */
  readonly examples: readonly number[]
}

const PAGE = 200
/** Identifiers that the plan of a change lists for each conflict. */
export const MAX_EXAMPLES = 10

/**
 * Tests existing entries when columns become UNIQUE. Returns one test for each column that already has an index; other
 * columns are tested by testTwoStep. Entries are compared in the order of the index, where equal values are adjacent.
 */
export function testUnique(
  { entry }: Module,
  { uniqueNow }: SchemaChange,
  renames: Renames,
): readonly UniqueTest[] {
  return uniqueNow.flatMap(({ name }) => {
    const from = findColumn(entry.layout.columns, renames.get(name) ?? name)
    if (from === undefined || !hasIndex(from.column)) return []
    const isConflict: WriteTest = (record, reader) =>
      isShared(reader, entry, { column: from, record })
    return [{ name, from, isConflict }]
  })
}

/**
 * Throws while the index of such a column is being built: the index does not cover every entry yet, and renaming the
 * column would restart the build.
 */
export function requireFinishedIndexes(
  { entry }: Module,
  columns: readonly Column[],
  renames: Renames,
): void {
  for (const { name, isUnique } of columns) {
    const from = findColumn(entry.layout.columns, renames.get(name) ?? name)
    if (isUnique === undefined || from === undefined) continue
    if (from.isIndexed || !hasIndex(from.column)) continue
    if (from.column.isUnique !== undefined && from.column.name === name) continue
    throw new CmsError(
      'unavailable',
      `The index of the column ${from.column.name} is still being built. Change the column again in a moment.`,
      { headers: { 'retry-after': '1' } },
    )
  }
}

export async function countShared(
  context: Context,
  module: Module,
  tests: readonly UniqueTest[],
): Promise<readonly CountedShared[]> {
  const counted: CountedShared[] = []
  for (const { name, from } of tests) {
    const examples: number[] = []
    let entries = 0
    for await (const id of findShared(context, module, from)) {
      entries += 1
      if (examples.length < MAX_EXAMPLES) examples.push(id)
    }
    counted.push({ name, entries, examples })
  }
  return counted
}

async function* findShared(
  context: Context,
  module: Module,
  column: LayoutColumn,
): AsyncGenerator<number> {
  const seen = new Set<Scalar>()
  let lastPart: KeyPart = null

  for await (const record of inOrder(context, module, column.column.name)) {
    const value = scalarOf(column, record)
    if (value === null) continue
    // Different values may share an index part (decimals beyond the precision of a number), so all values of a part
    // are kept.
    const part = toKeyPart(kindOf(column), value)
    if (part !== lastPart) seen.clear()
    lastPart = part
    if (seen.has(value)) yield Number(record[module.entry.object.idField])
    seen.add(value)
  }
}

/** Entries that have a value, in the order of the value; one page at a time, so that other requests can run. */
async function* inOrder(
  { records }: Context,
  { entry }: Module,
  name: string,
): AsyncGenerator<JsonObject> {
  const { recordType, searchable } = entry.object
  const field = searchable.get(name)
  if (field === undefined) return
  let cursor: string | undefined
  do {
    const query = { match: { op: 'exists', field } as const, orderBy: name, length: PAGE, cursor }
    const page = await records.search(recordType, searchable, query)
    yield* page.records.map((stored) => recordOf(entry, stored))
    cursor = page.next
    await nextSlice()
  } while (cursor !== undefined)
}

function findColumn(columns: readonly LayoutColumn[], name: string): LayoutColumn | undefined {
  return columns.find(({ column }) => column.name === name)
}

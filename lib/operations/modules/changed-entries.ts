// Entries as they would be after a change of columns, so that rules of the new schema can be tested with existing entries.

import type { Column } from '../../schema/columns/column.ts'
import type { SchemaChange } from '../../schema/columns/schema-diff.ts'
import { buildEntryType, type EntryType, hasIndex } from '../../schema/entry.ts'
import { LAYOUT_MEMBER, nextLayout } from '../../schema/layout.ts'
import type { EntryGroup } from '../../schema/unique-groups.ts'
import type { JsonObject } from '../../schema/values.ts'
import type { Test } from './conflict-counts.ts'
import type { Module } from './module-cache.ts'
import type { ColumnChange } from './module-columns.ts'

interface NewColumns {
  readonly columns: readonly Column[]
  readonly checks: readonly string[]
  readonly uniques: readonly (readonly string[])[]
  readonly renames: ReadonlyMap<string, string>
  /** Columns whose values may be converted. */
  readonly converted: readonly Column[]
}

interface ChangedEntries {
  readonly entry: EntryType
  /** Expects a record in the present layout. */
  readonly after: (record: JsonObject) => JsonObject
}

function changedEntries(
  { kind, id, entry: { layout } }: Module,
  { converted, ...change }: NewColumns,
): ChangedEntries {
  const lossy = new Set(converted.map(({ name }) => name))
  const next = nextLayout(layout, { ...change, isEmpty: false, hasIndex, lossy })
  const entry = buildEntryType(kind, id, next)
  const upgrade = entry.object.recordType.upgrade ?? ((record: JsonObject) => record)
  let last: readonly [before: JsonObject, after: JsonObject] | undefined
  return {
    entry,
    // Each rule tests the same record in turn, and a conversion computes every COMPUTED column.
    after(record) {
      if (last?.[0] !== record)
        last = [record, upgrade({ ...record, [LAYOUT_MEMBER]: layout.number })]
      return last[1]
    },
  }
}

interface RuleTests {
  /** By the expression of the rule, or by the COMPUTED column that must hold its value. */
  readonly checks: readonly Test[]
  /** By the names of the columns that become unique together. */
  readonly together: readonly Test[]
}

/**
 * Tests for the rules of the new schema that concern whole entries. A CHECK rule that exists already needs no test if all
 * columns keep their values.
 */
export function testRules(
  module: Module,
  { isSchemaChange, ...change }: ColumnChange,
  schema: SchemaChange,
): RuleTests {
  const isPlain = change.columns.every(({ computed }) => computed === undefined)
  if (!isSchemaChange || (isPlain && change.checks.length + change.uniques.length === 0))
    return { checks: [], together: [] }
  const { layout } = module.entry
  const converted = [...schema.narrowed, ...schema.retyped]
  const { added, dropped } = schema
  const isSame = [...converted, ...added, ...dropped].length === 0 && change.renames.size === 0
  const known = isSame ? (layout.checks ?? []) : []
  const { entry, after } = changedEntries(module, { ...change, converted })
  const keys = new Set(layout.uniques?.map(({ key }) => key))
  return {
    checks: [
      ...entry.checks
        .filter(({ text }) => !known.includes(text))
        .map(({ text, expression }) => ({
          name: text,
          isConflict: (record: JsonObject) => expression.run(after(record)) === false,
        })),
      ...entry.computed.map(({ column, compute }) => ({
        name: `${column.name} COMPUTED ${column.computed}`,
        isConflict: (record: JsonObject) => !compute(after(record)).ok,
      })),
    ],
    together: entry.uniqueGroups
      .filter(({ key }) => !keys.has(key))
      .map((group) => testTogether(group, after, entry.object.idField)),
  }
}

/**
 * Remembers the values of each entry that it sees, while entries are counted and while others are written, because the
 * index of the group does not exist yet. An entry needs about 100 bytes.
 */
function testTogether(
  { columns, digest }: EntryGroup,
  after: (record: JsonObject) => JsonObject,
  idField: string,
): Test {
  const holders = new Map<string, number>()
  return {
    name: columns.join(', '),
    isConflict(record) {
      const found = digest(after(record))
      if (found === undefined) return false
      const id = Number(record[idField])
      const holder = holders.get(found)
      if (holder === undefined) holders.set(found, id)
      return holder !== undefined && holder !== id
    },
  }
}

// Entries as they would be after a change of columns, so that rules of the new schema can be tested with existing entries.

import type { Column } from '../../schema/columns/column.ts'
import type { SchemaChange } from '../../schema/columns/schema-diff.ts'
import { buildEntryType, type EntryType, hasIndex } from '../../schema/entry.ts'
import { LAYOUT_MEMBER, nextLayout } from '../../schema/layout.ts'
import type { JsonObject } from '../../schema/values.ts'
import type { Test } from './conflict-counts.ts'
import type { Module } from './module-cache.ts'
import type { ColumnChange } from './module-columns.ts'

interface NewColumns {
  readonly columns: readonly Column[]
  readonly checks: readonly string[]
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
  return { entry, after: (record) => upgrade({ ...record, [LAYOUT_MEMBER]: layout.number }) }
}

/**
 * One test for each CHECK rule of the new schema. A rule that exists already needs no test if all columns keep their values.
 */
export function testChecks(
  module: Module,
  { columns, checks, renames, isSchemaChange }: ColumnChange,
  schema: SchemaChange,
): readonly Test[] {
  if (!isSchemaChange || checks.length === 0) return []
  const converted = [...schema.narrowed, ...schema.retyped]
  const { added, dropped } = schema
  const isSame = [...converted, ...added, ...dropped].length === 0 && renames.size === 0
  const known = isSame ? (module.entry.layout.checks ?? []) : []
  const { entry, after } = changedEntries(module, { columns, checks, renames, converted })
  return entry.checks
    .filter(({ text }) => !known.includes(text))
    .map(({ text, expression }) => ({
      name: text,
      isConflict: (record) => expression.run(after(record)) === false,
    }))
}

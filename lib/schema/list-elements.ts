// Counts the elements of the lists (SET, MANY) of an entry: each has a row in an index.

import type { EntryType } from './entry.ts'
import type { JsonObject, JsonValue, Stored } from './values.ts'

/** Expects a record in the present layout. */
export function elementsOf({ listColumns }: EntryType, record: JsonObject): number {
  return listColumns.reduce((sum, name) => sum + itemsOf(record[name]).length, 0)
}

/** Parses the entry only if its module has lists. */
export function elementsIn(entry: EntryType, stored: Stored | undefined): number {
  if (stored === undefined || entry.listColumns.length === 0) return 0
  return elementsOf(entry, entry.object.recordType.upgrade?.(stored.value) ?? stored.value)
}

export function itemsOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : []
}

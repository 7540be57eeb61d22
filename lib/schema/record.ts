// Between stored bytes and values.

import type { JsonObject, JsonValue, Stored } from './values.ts'
import type { ObjectType } from './object.ts'

/** The record of stored bytes; its type is what was put under that type of record. */
export function valueOf<T = JsonObject>(stored: Stored): T {
  return stored.value as T
}

interface Origin {
  readonly id: number
  readonly owner: string
  readonly now: string
}

/** A new record: the identifier first, then the fields in the order of the definition. */
export function buildRecord(
  object: ObjectType,
  values: Readonly<Record<string, JsonValue>>,
  { id, owner, now }: Origin,
): JsonObject {
  const base: Record<string, JsonValue> = {
    [object.idField]: id,
    date_added: now,
    date_modified: now,
    owner,
  }
  const record: Record<string, JsonValue> = {}
  for (const [name, { isStored }] of Object.entries(object.fields)) {
    if (isStored) record[name] = base[name] ?? values[name] ?? null
  }
  return record
}

/** Strong, and changed by every change of the record. */
export function etagOf(stored: Pick<Stored, 'revision'>): string {
  return `"r${stored.revision}"`
}

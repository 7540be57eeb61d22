// Between stored bytes and values.

import type { JsonObject, JsonValue, Stored } from './values.ts'
import type { ObjectType } from './object.ts'

interface Origin {
  readonly id: number
  readonly owner: string
  readonly now: string
}

/** A new record: the identifier first, then the fields in the order of the definition. */
export function buildRecord<T extends JsonObject>(
  object: ObjectType<T>,
  values: Readonly<Record<string, JsonValue>>,
  { id, owner, now }: Origin,
): T {
  const base: Record<string, JsonValue> = {
    [object.idField]: id,
    date_added: now,
    date_modified: now,
    owner,
  }
  const record: Record<string, JsonValue> = {}
  for (const name of storedNames(object)) record[name] = base[name] ?? values[name] ?? null
  // The fields have checked the values, and give what is missing: the compiler does not see that it is all of T.
  return record as JsonObject as T
}

/** Of each object in use, the fields that its records have: found once, as each new record asks. */
const STORED_NAMES = new WeakMap<object, readonly string[]>()

function storedNames(object: Pick<ObjectType, 'fields'>): readonly string[] {
  const known = STORED_NAMES.get(object.fields)
  if (known !== undefined) return known
  const names = Object.keys(object.fields).filter((name) => object.fields[name]?.isStored)
  STORED_NAMES.set(object.fields, names)
  return names
}

/** The record with values in the place of its own that the check of its fields has accepted. */
export function withValues<T extends JsonObject>(
  record: T,
  values: Readonly<Record<string, JsonValue>>,
): T {
  return { ...record, ...values }
}

/** Some members of a record, null where it has none. */
export function pickFields(record: JsonObject, names: Iterable<string>): JsonObject {
  const picked: Record<string, JsonValue> = {}
  for (const name of names) picked[name] = record[name] ?? null
  return picked
}

/** Strong, and changed by every change of the record. */
export function etagOf(stored: Pick<Stored, 'revision'>): string {
  return `"r${stored.revision}"`
}

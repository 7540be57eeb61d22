// Builds records from values.

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
  // The checks of the fields guarantee the values, and missing values are null; the compiler cannot see that
  // this is T.
  return record as JsonObject as T
}

const STORED_NAMES = new WeakMap<object, readonly string[]>()

/** The names of the stored fields, in the order of the definition; computed once because every new record needs them. */
export function storedNames(object: Pick<ObjectType, 'fields'>): readonly string[] {
  const known = STORED_NAMES.get(object.fields)
  if (known !== undefined) return known
  const names = Object.keys(object.fields).filter((name) => object.fields[name]?.isStored)
  STORED_NAMES.set(object.fields, names)
  return names
}

/** The record with some values replaced by values that the field checks have accepted. */
export function withValues<T extends JsonObject>(
  record: T,
  values: Readonly<Record<string, JsonValue>>,
): T {
  return { ...record, ...values }
}

/** Some members of a record; missing members are null. */
export function pickFields(record: JsonObject, names: Iterable<string>): JsonObject {
  const picked: Record<string, JsonValue> = {}
  for (const name of names) picked[name] = record[name] ?? null
  return picked
}

/** Nulls for the named fields that a record of an earlier version lacks; undefined if it lacks none. */
export function laterFields<K extends string>(
  record: Readonly<Partial<Record<K, unknown>>>,
  names: readonly K[],
): JsonObject | undefined {
  const missing = names.filter((name) => record[name] === undefined)
  return missing.length === 0 ? undefined : pickFields({}, missing)
}

/** A strong ETag that every change of the record changes. */
export function etagOf(stored: Pick<Stored, 'revision'>): string {
  return `"r${stored.revision}"`
}

/**
 * Whether both are the same state of a record, or both are missing. Compares the bytes too: after a rollback for lack of
 * disk space, a revision number is used again.
 */
export function isSameRecord(left: Stored | undefined, right: Stored | undefined): boolean {
  if (left === right) return true
  return left?.revision === right?.revision && left?.bytes.equals(right?.bytes ?? NOTHING) === true
}

const NOTHING = Buffer.alloc(0)

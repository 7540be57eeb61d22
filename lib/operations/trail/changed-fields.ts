// The fields in which two states of a record differ.

import { isSame } from '../../schema/check.ts'
import { LAYOUT_MEMBER } from '../../schema/layout.ts'
import type { JsonObject, RecordType, Stored } from '../../schema/values.ts'

/** date_modified repeats the time of the row; the layout number is internal. */
const UNTOLD = new Set<string>(['date_modified', LAYOUT_MEMBER])

/** Names of the changed fields; undefined for a record that was created or deleted. */
export function fieldsOf(
  type: RecordType,
  before: Stored<object> | undefined,
  stored: Stored<object> | undefined,
): readonly string[] | undefined {
  if (before === undefined || stored === undefined) return undefined
  const [old, now] = [valueIn(type, before), valueIn(type, stored)]
  return Object.keys(now).filter(
    (name) => !UNTOLD.has(name) && !isSame(now[name] ?? null, old[name] ?? null),
  )
}

/** In the present form of its type: an older entry may have other column names. */
export function valueIn({ upgrade }: RecordType, { value }: Stored<object>): JsonObject {
  const record = value as JsonObject
  return upgrade === undefined ? record : (upgrade(record) as JsonObject)
}

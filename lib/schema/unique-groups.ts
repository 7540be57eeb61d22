// UNIQUE(a, b): no two entries of a module have the same values in all columns of a group. A group has an index of its own,
// whose only value is a digest of the values: keys of several long texts would be too long. An entry without a value in one
// of the columns has no row, and conflicts with no entry, as in SQL.

import { createHash } from 'node:crypto'
import { readScalar } from './field-value.ts'
import type { UniqueGroup } from './layout.ts'
import type { Fields } from './object.ts'
import type { Index, JsonObject } from './values.ts'

export interface EntryGroup extends UniqueGroup {
  /** Equal for entries with the same values; undefined if a value is missing. Expects a record in the present layout. */
  readonly digest: (record: JsonObject) => string | undefined
}

export function entryGroup(group: UniqueGroup, fields: Fields): EntryGroup {
  const parts = group.columns.map((name) => ({ name, kind: fields[name]?.search ?? 'string' }))
  return {
    ...group,
    digest(record) {
      const values = parts.map(({ name, kind }) => readScalar(kind, record[name]))
      if (values.includes(null)) return undefined
      return createHash('sha256').update(JSON.stringify(values)).digest('base64')
    },
  }
}

export function groupIndex({ key, digest }: EntryGroup): Index {
  return {
    name: key,
    width: 1,
    rows(record) {
      const found = digest(record)
      return found === undefined ? [] : [[found]]
    },
  }
}

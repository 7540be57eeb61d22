// The values of the loaded entries, which a filter offers. A request for all values would read the whole table.

import type { ColumnKind } from '../../client/column-kind.ts'
import type { Entry } from '../../client/module-paths.ts'
import { type EntryField, textOf } from './fields.ts'

const OFFERED: ReadonlySet<ColumnKind> = new Set(['text', 'integer', 'decimal', 'number'])
const MOST_OFFERED = 50
const MOST_LENGTH = 80

/** The different values, in order; none for fields whose values are chosen or long. */
export function knownValues(
  field: EntryField,
  entries: ReadonlyMap<number, Entry>,
): readonly string[] {
  if (!OFFERED.has(field.kind)) return []
  const texts = [...entries.values()].map((entry) => textOf(field, entry[field.name]))
  const known = new Set(texts.filter((text) => text !== '' && text.length <= MOST_LENGTH))
  return [...known]
    .slice(0, MOST_OFFERED)
    .toSorted((left, right) => left.localeCompare(right, undefined, { numeric: true }))
}

// Bounds the elements of lists (SET, MANY) that one commit writes or removes. Each element has a row in an index, so that an
// entry with 1,000 references takes as long as 350 values.

import { CmsError } from '../../base/errors.ts'
import type { EntryType } from '../../schema/entry.ts'
import { elementsOf, itemsOf } from '../../schema/list-elements.ts'
import type { JsonValue } from '../../schema/values.ts'
import { MAX_LIST_ELEMENTS } from '../../shared/limits.ts'
import type { WrittenValues } from './unique.ts'

/** Throws too-large if the lists of one entry become too long, or if the lists of all entries change too much. */
export function requireListElements(entry: EntryType, written: readonly WrittenValues[]): void {
  if (entry.listColumns.length === 0) return
  let changed = 0
  for (const { values, before = {} } of written) {
    const own = entry.listColumns
      .filter((name) => name in values)
      .reduce((sum, name) => sum + changesOf(itemsOf(before[name]), itemsOf(values[name])), 0)
    if (own === 0) continue
    changed += own
    const after = elementsOf(entry, { ...before, ...values })
    if (after > MAX_LIST_ELEMENTS && after > elementsOf(entry, before))
      throw tooManyElements('The lists of an entry may have', 'Send shorter lists.')
    if (changed > MAX_LIST_ELEMENTS)
      throw tooManyElements('One request may add or remove', 'Send several requests.')
  }
}

export function tooManyElements(what: string, advice: string): CmsError {
  const limit = MAX_LIST_ELEMENTS.toLocaleString('en')
  return new CmsError(
    'too-large',
    `${what} at most ${limit} elements of SET and MANY columns. ${advice}`,
  )
}

/** Elements that only one of the two lists has. */
function changesOf(before: readonly JsonValue[], after: readonly JsonValue[]): number {
  const known = new Set(before)
  const kept = after.filter((item) => known.has(item)).length
  return before.length + after.length - 2 * kept
}

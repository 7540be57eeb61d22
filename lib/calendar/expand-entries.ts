// One page of the occurrences of many entries, in the order of start and entry.

import { occurrencesOf } from './occurrences.ts'
import type { TimedEntry } from './entry.ts'

export interface ExpandEntries {
  readonly entries: readonly TimedEntry[]
  readonly timeZone: string
  readonly window: { readonly fromMs: number; readonly toMs: number }
  /** The occurrences behind this one, in the order of start and entry. */
  readonly after?: { readonly start: string; readonly entryId: number } | undefined
  /** Of each entry its earliest alone. */
  readonly isOncePerEntry?: boolean
  readonly limit: number
}

export interface ExpandedEntry {
  readonly entryId: number
  readonly start: string
  readonly end: string | null
}

/** So many pages are gathered before they are put in order. */
const MANY_PAGES = 4
/** The start of a whole day is told without its zone. */
const DAY_MS = 86_400_000

export function expandEntries({
  entries,
  timeZone,
  window,
  after,
  isOncePerEntry = false,
  limit,
}: ExpandEntries): readonly ExpandedEntry[] {
  const startsFromMs = after && Date.parse(after.start)
  // One more, for the one that starts where the page before ended.
  const most = isOncePerEntry ? 1 : limit + (after === undefined ? 0 : 1)
  let found: ExpandedEntry[] = []
  let { toMs } = window
  for (const entry of entries) {
    const { calendar_entry_id: entryId } = entry
    for (const item of occurrencesOf(entry, timeZone, { ...window, toMs, startsFromMs }, most)) {
      if (after === undefined || inOrder(after, { entryId, ...item }) < 0)
        found.push({ entryId, ...item })
    }
    if (found.length < MANY_PAGES * limit) continue
    // What comes later than a whole page is not in it: nobody need look for it, nor keep it.
    found = found.toSorted(inOrder).slice(0, limit)
    const last = found.at(-1)
    if (last !== undefined) toMs = Math.min(toMs, Date.parse(last.start) + DAY_MS)
  }
  return found.toSorted(inOrder).slice(0, limit)
}

type Place = Pick<ExpandedEntry, 'start' | 'entryId'>

function inOrder(left: Place, right: Place): number {
  if (left.start !== right.start) return left.start < right.start ? -1 : 1
  return left.entryId - right.entryId
}

// One page of the occurrences of many entries, ordered by start and entry.

import type { TimedEntry } from './entry.ts'
import { occurrencesOf } from './occurrences.ts'
import { openClock } from './wall-clock.ts'
import { openWork } from './expansion-budget.ts'

export interface ExpandEntries {
  readonly entries: readonly TimedEntry[]
  readonly timeZone: string
  readonly window: { readonly fromMs: number; readonly toMs: number }
  /** Returns only occurrences after this one, in the order of start and entry. */
  readonly after?: { readonly start: string; readonly entryId: number } | undefined
  /** Returns only the earliest occurrence of each entry. */
  readonly isOncePerEntry?: boolean
  readonly limit: number
  /** Steps of work: see expansion-budget.ts. */
  readonly maxSteps: number
  /** Shared memory: a number other than 0 stops the work. */
  readonly stop?: Int32Array | undefined
}

export interface ExpandedEntry {
  readonly entryId: number
  readonly start: string
  readonly end: string | null
}

/** Pages of occurrences that are collected before sorting. */
const MANY_PAGES = 4

/** Throws too-large if the rules exceed the budget, and unavailable if the work was stopped. */
export function expandEntries(input: ExpandEntries): readonly ExpandedEntry[] {
  const { entries, window, after, isOncePerEntry = false, limit } = input
  const clock = openClock(input.timeZone)
  const work = openWork(input)
  const startsFromMs = after && Date.parse(after.start)
  let found: ExpandedEntry[] = []
  let { toMs } = window
  for (const entry of entries) {
    const { calendar_entry_id: entryId } = entry
    work.begin(entryId)
    let left = isOncePerEntry ? 1 : limit
    for (const item of occurrencesOf({ entry, clock, work }, { ...window, toMs, startsFromMs })) {
      const place = { entryId, start: item.start, end: item.end }
      if (after !== undefined && inOrder(after, place) >= 0) continue
      found.push(place)
      left -= 1
      if (left === 0) break
    }
    if (found.length < MANY_PAGES * limit) continue
    // Occurrences after a full page cannot be on it, so they are neither searched nor kept.
    found = found.toSorted(inOrder).slice(0, limit)
    toMs = Math.min(toMs, Date.parse(found.at(-1)?.start ?? '') + 1)
  }
  return found.toSorted(inOrder).slice(0, limit)
}

type Place = Pick<ExpandedEntry, 'start' | 'entryId'>

function inOrder(left: Place, right: Place): number {
  if (left.start !== right.start) return left.start < right.start ? -1 : 1
  return left.entryId - right.entryId
}

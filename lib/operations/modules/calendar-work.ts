// What calendars leave to the pool of workers: rules of recurrence, and the feed.

import type { CalendarEntry, FeedCalendar, TimedEntry } from '../../calendar/entry.ts'
import type { Position } from './occurrence-cursor.ts'

/** Work of the pool, so that neither the rules nor their packages load the main thread. */
export interface CalendarWork {
  expand(input: ExpandInput, signal: AbortSignal): Promise<readonly Expanded[]>
  feed(input: FeedInput, signal: AbortSignal): Promise<string>
}

export interface ExpandInput {
  readonly entries: readonly TimedEntry[]
  readonly timeZone: string
  readonly window: TimeWindow
  /** The occurrences behind this one. */
  readonly after?: Position | undefined
  /** Of each entry its earliest alone. */
  readonly isOncePerEntry?: boolean
  readonly limit: number
  /** Of work: see lib/calendar/expansion-budget.ts. */
  readonly maxSteps: number
}

interface FeedInput {
  readonly calendar: FeedCalendar
  readonly entries: readonly CalendarEntry[]
}

export interface TimeWindow {
  readonly fromMs: number
  readonly toMs: number
}

export interface Expanded {
  readonly entryId: number
  readonly start: string
  readonly end: string | null
}

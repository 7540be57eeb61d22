// The calendar work that runs in the worker pool: expanding recurrence rules, feeds, and reading iCalendar files.

import type { ReadCalendarFile } from '../../calendar/calendar-file.ts'
import type { PackedCalendarFile } from '../../calendar/packed-calendar.ts'
import type { CalendarEntry, FeedCalendar, TimedEntry } from '../../calendar/entry.ts'
import type { Position } from './occurrence-cursor.ts'

/** Runs in the pool, so that neither the rules nor their packages load the main thread. */
export interface CalendarWork {
  expand(input: ExpandInput, signal: AbortSignal): Promise<readonly Expanded[]>
  feed(input: FeedInput, signal: AbortSignal): Promise<string>
  readFile(input: Omit<ReadCalendarFile, 'stop'>, signal: AbortSignal): Promise<PackedCalendarFile>
}

export interface ExpandInput {
  readonly entries: readonly TimedEntry[]
  readonly timeZone: string
  readonly window: TimeWindow
  /** Returns only occurrences after this one. */
  readonly after?: Position | undefined
  /** Returns only the earliest occurrence of each entry. */
  readonly isOncePerEntry?: boolean
  readonly limit: number
  /** Budget in steps: see lib/calendar/expansion-budget.ts. */
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

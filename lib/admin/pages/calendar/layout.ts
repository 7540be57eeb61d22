// Computes the layout of events: bars across the days of a week, and side-by-side blocks within a day.

import { DAY_MS, startOfDay } from '../../../shared/wall-clock.ts'
import type { Occurrence } from './events.ts'
import { MINUTE_MS } from './wall.ts'

export interface Bar {
  readonly event: Occurrence
  /** Zero-based index of the first day. */
  readonly first: number
  readonly span: number
  /** Zero-based row. */
  readonly lane: number
  /** The event began before these days, or continues after them. */
  readonly isFromBefore: boolean
  readonly goesOn: boolean
}

/** Places bars for consecutive days. Bars in one lane do not overlap. */
export function layBars(events: readonly Occurrence[], days: readonly number[]): readonly Bar[] {
  const [from = 0] = days
  const to = from + days.length * DAY_MS
  const inDays = events
    .filter((event) => event.startWall < to && lastDayOf(event) >= from)
    .toSorted(byDay)
  const free: number[] = []
  return inDays.map((event) => {
    const first = Math.max(0, (startOfDay(event.startWall) - from) / DAY_MS)
    const last = Math.min(days.length - 1, (lastDayOf(event) - from) / DAY_MS)
    const found = free.findIndex((until) => until <= first)
    const lane = found === -1 ? free.length : found
    free[lane] = last + 1
    return {
      event,
      first,
      span: last - first + 1,
      lane,
      isFromBefore: event.startWall < from,
      goesOn: lastDayOf(event) >= to,
    }
  })
}

/** The last day of an event. An event that ends at midnight ends on the previous day. */
export function lastDayOf({ startWall, endWall }: Occurrence): number {
  return startOfDay(Math.max(startWall, endWall - 1))
}

/** Longer events come first, so that their bars are on top. */
function byDay(left: Occurrence, right: Occurrence): number {
  return (
    startOfDay(left.startWall) - startOfDay(right.startWall) ||
    lastDayOf(right) - lastDayOf(left) ||
    Number(right.isAllDay) - Number(left.isAllDay) ||
    left.startWall - right.startWall ||
    left.entryId - right.entryId
  )
}

/** Events longer than a day are shown as bars above the hours. */
export function isBar({ isAllDay, startWall, endWall }: Occurrence): boolean {
  return isAllDay || endWall - startWall >= DAY_MS
}

export interface Block {
  readonly event: Occurrence
  /** Minutes since midnight. */
  readonly from: number
  readonly to: number
  /** Zero-based column. */
  readonly column: number
  readonly columns: number
}

/** Height of one line of text. */
const LEAST_MINUTES = 25

/** Places overlapping events side by side. All connected events share one column width. */
export function layBlocks(events: readonly Occurrence[], day: number): readonly Block[] {
  const pieces = events
    .filter((event) => event.startWall < day + DAY_MS && lastDayOf(event) >= day)
    .map((event) => {
      const from = Math.max(0, (event.startWall - day) / MINUTE_MS)
      const to = Math.min(24 * 60, (event.endWall - day) / MINUTE_MS)
      return { event, from: Math.min(from, 24 * 60 - LEAST_MINUTES), to }
    })
    .map(({ event, from, to }) => ({ event, from, to: Math.max(to, from + LEAST_MINUTES) }))
    .toSorted((left, right) => left.from - right.from || right.to - left.to)

  const blocks: Block[] = []
  let group: Omit<Block, 'columns'>[] = []
  let ends: number[] = []
  const close = (): void => {
    blocks.push(...group.map((piece) => ({ ...piece, columns: ends.length })))
    group = []
    ends = []
  }
  for (const piece of pieces) {
    if (ends.every((end) => end <= piece.from)) close()
    const found = ends.findIndex((end) => end <= piece.from)
    const column = found === -1 ? ends.length : found
    ends[column] = piece.to
    group.push({ ...piece, column })
  }
  close()
  return blocks
}

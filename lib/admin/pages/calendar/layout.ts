// Where events stand: bars over the days of a week, and blocks side by side in the hours of a day.

import type { Occurrence } from './events.ts'
import { DAY_MS, MINUTE_MS, startOfDay } from './wall.ts'

export interface Bar {
  readonly event: Occurrence
  /** From 0, within the days. */
  readonly first: number
  readonly span: number
  /** From 0, downwards. */
  readonly lane: number
  /** It began before, or goes on after these days. */
  readonly isFromBefore: boolean
  readonly goesOn: boolean
}

/** Bars for these days, which follow on each other: no two of a lane touch. */
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

/** The day on which it ends; of midnight the one before. */
export function lastDayOf({ startWall, endWall }: Occurrence): number {
  return startOfDay(Math.max(startWall, endWall - 1))
}

/** The longer above, so that bars lie on bars. */
function byDay(left: Occurrence, right: Occurrence): number {
  return (
    startOfDay(left.startWall) - startOfDay(right.startWall) ||
    lastDayOf(right) - lastDayOf(left) ||
    Number(right.isAllDay) - Number(left.isAllDay) ||
    left.startWall - right.startWall ||
    left.entryId - right.entryId
  )
}

/** Longer than a day: a bar above the hours. */
export function isBar({ isAllDay, startWall, endWall }: Occurrence): boolean {
  return isAllDay || endWall - startWall >= DAY_MS
}

export interface Block {
  readonly event: Occurrence
  /** Minutes since midnight. */
  readonly from: number
  readonly to: number
  /** Of so many columns, this one from 0. */
  readonly column: number
  readonly columns: number
}

/** As high as a line of text is. */
const LEAST_MINUTES = 25

/** What overlaps stands side by side, all that hang together in columns of one width. */
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

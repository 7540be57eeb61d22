// The figures that this tab has seen in the last 15 minutes. They outlive the page, but not a reload.

import { type Figures, figuresOf } from './figures.ts'
import { readMetrics, type Reading } from './reading.ts'

export const SPAN_SECONDS = 15 * 60

/** Length of the window that rates are averaged over; shorter windows would jump. */
const WINDOW_SECONDS = 10

/** After this long without a reading, the chart shows a gap. */
const GAP_SECONDS = 15

export interface History {
  /** Undefined before the first reading. */
  readonly latest: Figures | undefined
  /** Oldest first; undefined marks a gap. */
  readonly past: readonly (Figures | undefined)[]
  /** The latest figures cover the time since the server started. */
  readonly isFirst: boolean
}

interface Kept extends History {
  readonly readings: readonly Reading[]
}

const NOTHING: Kept = { latest: undefined, past: [], isFirst: true, readings: [] }

// Belongs to the tab, because pages come and go.
let kept = NOTHING

export function readHistory(): History {
  return kept
}

export interface Look {
  readonly text: string
  /** Seconds since 1970 on the server's clock, if known. */
  readonly serverTime: number
}

export function addLook({ text, serverTime }: Look): History {
  const reading = readMetrics(text, Date.now() / 1_000)
  const last = kept.readings.at(-1)
  // If the clock was set back, the lines would run backwards.
  const isOther = last?.startedAt !== reading.startedAt || reading.at <= last.at
  const before = isOther ? [] : kept.readings
  const isGap = last !== undefined && (isOther || reading.at - last.at > GAP_SECONDS)
  const latest = figuresOf(reading, before[0], serverTime - reading.startedAt)
  const past = isOther && (last?.at ?? 0) >= reading.at ? [] : kept.past
  kept = {
    latest,
    past: inSpan([
      ...past,
      ...(isGap ? [undefined] : []),
      ...(before.length === 0 ? [] : [latest]),
    ]),
    isFirst: before.length === 0,
    readings: [...before, reading].filter(({ at }) => reading.at - at <= WINDOW_SECONDS),
  }
  return kept
}

function inSpan(past: History['past']): History['past'] {
  const since = (past.at(-1)?.at ?? 0) - SPAN_SECONDS
  const from = past.findIndex((figures) => figures !== undefined && figures.at >= since)
  return from < 0 ? [] : past.slice(from)
}

// What this tab has seen of the server in the last quarter of an hour. It outlives the page, so that who goes somewhere
// else and comes back finds it; a reload begins anew.

import { type Figures, figuresOf } from './figures.ts'
import { readMetrics, type Reading } from './reading.ts'

export const SPAN_SECONDS = 15 * 60

/** Figures are of so long: those of two seconds would jump between nothing and all. */
const WINDOW_SECONDS = 10

/** After so long without a look nobody knows what was between. */
const GAP_SECONDS = 15

export interface History {
  /** Undefined: there was no reading yet. */
  readonly latest: Figures | undefined
  /** Oldest first; undefined stands where nobody looked. */
  readonly past: readonly (Figures | undefined)[]
  /** The latest figures are those since the start of the server. */
  readonly isFirst: boolean
}

interface Kept extends History {
  readonly readings: readonly Reading[]
}

const NOTHING: Kept = { latest: undefined, past: [], isFirst: true, readings: [] }

// That of the tab: pages come and go.
let kept = NOTHING

export function readHistory(): History {
  return kept
}

export interface Look {
  readonly text: string
  /** Seconds since 1970, by the clock of the server as far as it tells. */
  readonly serverTime: number
}

export function addLook({ text, serverTime }: Look): History {
  const reading = readMetrics(text, Date.now() / 1_000)
  const last = kept.readings.at(-1)
  // A clock that was set back would draw lines to the left.
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

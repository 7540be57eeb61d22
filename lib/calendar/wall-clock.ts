// What the clock on the wall of a time zone shows. A wall time is a number of milliseconds, as if the
// clock stood in UTC: so days are 24 hours long, and adding a day keeps the time of day.

import { Temporal } from 'temporal-polyfill'

export const DAY_MS = 86_400_000

export interface Clock {
  readonly timeZone: string
  wallOf(ms: number): number
  /** The first of two instants that show this time; one that no instant shows moves on by the gap. */
  instantOf(wallMs: number): number
}

/** A time without changes of the clock: from its beginning up to its end. */
interface Calm {
  readonly fromMs: number
  readonly toMs: number
  readonly offsetMs: number
}

/** Remembers the calm it was last asked about: Temporal takes 50 to 100 µs for each conversion. */
export function openClock(timeZone: string): Clock {
  let calm: Calm = { fromMs: 0, toMs: 0, offsetMs: 0 }

  function offsetAt(ms: number): number {
    if (ms < calm.fromMs || ms >= calm.toMs) calm = findCalm(ms, timeZone)
    return calm.offsetMs
  }

  return {
    timeZone,
    wallOf: (ms) => ms + offsetAt(ms),
    instantOf(wallMs) {
      // A day after a change of the clock, no earlier instant shows the same time.
      const ms = wallMs - offsetAt(wallMs)
      if (ms >= calm.fromMs + DAY_MS && ms < calm.toMs) return ms
      return findInstant(wallMs, timeZone)
    },
  }
}

function findCalm(ms: number, timeZone: string): Calm {
  const now = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone)
  const next = now.getTimeZoneTransition('next')
  // A change at this very moment counts as the beginning.
  const previous = now.add({ nanoseconds: 1 }).getTimeZoneTransition('previous')
  return {
    fromMs: previous?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    toMs: next?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offsetMs: Math.round(now.offsetNanoseconds / 1e6),
  }
}

function findInstant(wallMs: number, timeZone: string): number {
  const wall = Temporal.Instant.fromEpochMilliseconds(wallMs).toZonedDateTimeISO('UTC')
  return wall.toPlainDateTime().toZonedDateTime(timeZone).epochMilliseconds
}

export function startOfDay(wallMs: number): number {
  return Math.floor(wallMs / DAY_MS) * DAY_MS
}

/** `20260330T090000`, the form of RFC 5545 for wall times; with a Z behind it, for UTC. */
export function compactTime(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:]/g, '').slice(0, 15)
}

/** `20260330` */
export function compactDate(ms: number): string {
  return compactTime(ms).slice(0, 8)
}

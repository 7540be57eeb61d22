// Makes random entries from a seed: rules with every combination of parts that RFC 5545 permits, in
// time zones with all kinds of clock changes. Half of the entries begin or end near a clock change.

import type { PlainEntry } from '../../calendar/plain-expander.ts'
import { instantOf } from '../../calendar/plain-expander.ts'
import type { Random } from '../random.ts'

const DAY_MS = 86_400_000
const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** A time zone, and a time near a clock change. */
const PLACES = [
  ['UTC', '2026-02-28T00:00Z'],
  ['Europe/Berlin', '2026-10-25T01:00Z'],
  ['Europe/Berlin', '2026-03-29T01:00Z'],
  ['America/New_York', '2027-11-07T06:00Z'],
  ['America/New_York', '2027-03-14T07:00Z'],
  ['America/Sao_Paulo', '2017-10-15T03:00Z'],
  ['America/Sao_Paulo', '2018-02-18T02:00Z'],
  ['America/Havana', '2026-11-01T05:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00Z'],
  ['Africa/Casablanca', '2026-03-22T02:00Z'],
  ['Africa/Cairo', '2026-10-29T21:00Z'],
  ['Asia/Kolkata', '2026-12-30T00:00Z'],
  ['Pacific/Apia', '2011-12-30T10:00Z'],
  ['Pacific/Kwajalein', '1993-08-20T12:00Z'],
] as const

export interface MadeEntry extends PlainEntry {
  readonly fromMs: number
  readonly toMs: number
}

export function makeEntryOf(random: Random): MadeEntry {
  const [zone, change] = random.pick(PLACES)
  const isAllDay = random.below(4) === 0
  const startMs = makeStart(random, Date.parse(change), { zone, isAllDay })
  const near = random.below(2) === 0 ? Date.parse(change) : startMs
  const rrule = makeRule(random, { startMs, near })
  const fromMs = startMs + (random.below(700) - 100) * DAY_MS
  return {
    rrule,
    startMs,
    zone,
    isAllDay,
    fromMs,
    toMs: fromMs + (1 + random.below(1_500)) * DAY_MS,
  }
}

interface Place {
  readonly zone: string
  readonly isAllDay: boolean
}

/** The start of an all-day entry is an existing date. */
function makeStart(random: Random, changeMs: number, { zone, isAllDay }: Place): number {
  const isNear = random.below(2) === 0
  const minutes = isNear ? random.below(600) - 300 : random.below(1_440 * 800)
  const daysBefore = isNear && random.below(2) === 0 ? random.below(40) : 0
  const startMs = changeMs + Math.floor(minutes / 15) * 900_000 - daysBefore * DAY_MS
  if (!isAllDay) return startMs
  const midnight = Math.floor(startMs / DAY_MS) * DAY_MS
  return instantOf(midnight + DAY_MS / 2, zone) === undefined ? midnight - DAY_MS : midnight
}

function someOf(random: Random, items: readonly (string | number)[]): string {
  const chosen = items.filter(() => random.below(items.length) < 2)
  return [...(chosen.length > 0 ? chosen : [random.pick(items)])].join(',')
}

interface Times {
  readonly startMs: number
  /** The time near which UNTIL may lie. */
  readonly near: number
}

/** Some rules are invalid, or never occur. */
export function makeRule(random: Random, times: Times): string {
  const frequency = random.pick(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY', 'YEARLY'])
  const isYear = frequency === 'YEARLY'
  const maybe = (part: () => string): readonly string[] => (random.below(3) === 0 ? [part()] : [])
  const when = (isLegal: boolean, part: () => string): readonly string[] =>
    isLegal ? maybe(part) : []
  const weeks = when(isYear, () => `BYWEEKNO=${someOf(random, [1, 2, 20, 52, 53, -1, -53])}`)
  const hasOrdinals = (isYear || frequency === 'MONTHLY') && weeks.length === 0
  const days = hasOrdinals && random.below(2) === 0 ? ORDINALS : DAYS
  const parts = [
    ...maybe(() => `INTERVAL=${random.pick([1, 2, 3, 5, 17])}`),
    ...maybe(() => `BYMONTH=${someOf(random, [1, 2, 3, 6, 10, 12])}`),
    ...weeks,
    ...when(isYear, () => `BYYEARDAY=${someOf(random, [1, 2, 60, 100, 361, 366, -1, -2, -366])}`),
    ...when(frequency !== 'WEEKLY', () => `BYMONTHDAY=${someOf(random, MONTH_DAYS)}`),
    ...maybe(() => `BYDAY=${someOf(random, days)}`),
    ...maybe(() => `WKST=${random.pick(DAYS)}`),
    ...makeTimes(random),
  ]
  const hasSet = parts.some((part) => part.startsWith('BY'))
  const set = when(hasSet, () => `BYSETPOS=${someOf(random, [1, 2, -1, -2, 5, 30, -31])}`)
  return [`FREQ=${frequency}`, ...parts, ...set, ...makeEnd(random, times)].join(';')
}

const ORDINALS = ['1MO', '-1FR', '2WE', '5TU', '-5SA', '3SU', 'FR', 'MO']
const MONTH_DAYS = [1, 5, 13, 25, 29, 30, 31, -1, -2, -31]

function makeTimes(random: Random): readonly string[] {
  if (random.below(2) === 0) return []
  const maybe = (part: string): readonly string[] => (random.below(2) === 0 ? [part] : [])
  return [
    ...maybe(`BYHOUR=${someOf(random, [0, 1, 2, 3, 9, 23])}`),
    ...maybe(`BYMINUTE=${someOf(random, [0, 15, 30, 45])}`),
    ...maybe(`BYSECOND=${someOf(random, [0, 20, 30, 59, 60])}`),
  ]
}

function makeEnd(random: Random, { startMs, near }: Times): readonly string[] {
  const end = random.below(5)
  if (end === 0) return [`COUNT=${random.pick([1, 2, 7, 40, 300])}`]
  if (end > 2) return []
  const untilMs =
    random.below(2) === 0 ? startMs + random.below(900) * DAY_MS : near + random.below(24) * 900_000
  const text = new Date(untilMs).toISOString().replace(/[-:]/g, '').slice(0, 15)
  return [`UNTIL=${end === 1 ? text.slice(0, 8) : `${text}Z`}`]
}

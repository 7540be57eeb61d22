// Converts a recurrence rule (RFC 5545) to and from the values of a form. A rule that the form cannot express is kept as
// text.

import {
  buildRule,
  parseRule,
  parseUntil,
  type RuleParts,
  TIME_PARTS,
  WEEKDAYS,
} from '../../../shared/recurrence-rule.ts'
import { type Clock, DAY_MS, startOfDay } from '../../../shared/wall-clock.ts'
import { dateText, weekdayOf } from './wall.ts'

export const KINDS = [
  'none',
  'daily',
  'weekly',
  'monthly',
  'monthlyWeekday',
  'monthlyLast',
  'yearly',
  'custom',
] as const

export type Kind = (typeof KINDS)[number]

export const ENDS = ['never', 'on', 'after'] as const

export interface Repeat {
  readonly kind: Kind
  /** Number of days, weeks, months or years between occurrences. */
  readonly interval: string
  /** Days of the week: `MO,TU`. */
  readonly days: string
  readonly ends: (typeof ENDS)[number]
  /** `2026-12-31` */
  readonly until: string
  readonly count: string
  /** The text of a custom rule. */
  readonly rule: string
}

/** Defaults for parts that a rule leaves out. */
const EMPTY: Repeat = {
  kind: 'none',
  interval: '1',
  days: '',
  ends: 'never',
  until: '',
  count: '10',
  rule: '',
}

export function parseRepeat(rule: string | null, startWall: number, clock: Clock): Repeat {
  const own = { ...EMPTY, days: WEEKDAYS[weekdayOf(startWall)] ?? 'MO' }
  if (rule === null) return own
  const parts = parseRule(rule)
  const count = parts.get('COUNT')
  const until = untilDay(parts, clock)
  const ends = count !== undefined ? 'after' : until !== undefined ? 'on' : 'never'
  const read: Repeat = {
    ...own,
    ends,
    kind: kindOf(parts, startWall),
    interval: parts.get('INTERVAL') ?? '1',
    ...(count !== undefined && { count }),
    ...(until !== undefined && { until: dateText(until) }),
    ...(parts.has('BYDAY') && { days: parts.get('BYDAY') ?? '' }),
    rule,
  }
  return read
}

/** The last day, on the calendar's clock. */
function untilDay(parts: RuleParts, clock: Clock): number | undefined {
  const until = parts.get('UNTIL') ?? ''
  const ms = parseUntil(until)
  return ms === undefined || !until.includes('T') ? ms : startOfDay(clock.wallOf(ms))
}

const KNOWN: ReadonlySet<string> = new Set(['FREQ', 'INTERVAL', 'COUNT', 'UNTIL'])

function kindOf(parts: RuleParts, startWall: number): Kind {
  const more = new Map([...parts].filter(([name]) => !KNOWN.has(name)))
  // With an interval of one week, the first day of the week has no effect.
  if (more.get('WKST') === 'MO' || (parts.get('INTERVAL') ?? '1') === '1') more.delete('WKST')
  const is = (rule: string): boolean => buildRule(more) === rule
  const { monthDay, weekday, ordinal, month } = describe(startWall)
  const frequency = parts.get('FREQ')
  if (frequency === 'DAILY' && is('')) return 'daily'
  if (frequency === 'WEEKLY' && (is('') || isDaysAlone(more))) return 'weekly'
  if (frequency === 'MONTHLY') {
    if (is('') || is(`BYMONTHDAY=${monthDay}`)) return 'monthly'
    if (is(`BYDAY=${ordinal}${weekday}`)) return 'monthlyWeekday'
    if (is(`BYDAY=-1${weekday}`)) return 'monthlyLast'
  }
  const isYearly = is('') || is(`BYMONTH=${month};BYMONTHDAY=${monthDay}`)
  return frequency === 'YEARLY' && isYearly ? 'yearly' : 'custom'
}

function isDaysAlone(more: RuleParts): boolean {
  return more.size === 1 && /^[A-Z]{2}(?:,[A-Z]{2})*$/.test(more.get('BYDAY') ?? '')
}

export function describe(wall: number) {
  const date = new Date(wall)
  const monthDay = date.getUTCDate()
  const length = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  return {
    monthDay,
    month: date.getUTCMonth() + 1,
    weekday: WEEKDAYS[weekdayOf(wall)] ?? 'MO',
    /** Ordinal of the weekday in its month. */
    ordinal: Math.ceil(monthDay / 7),
    isLast: monthDay + 7 > length,
  }
}

/** Returns null for an event that does not repeat. */
export function buildRepeat(repeat: Repeat, startWall: number): string | null {
  const { kind, interval, ends, until, count } = repeat
  if (kind === 'none') return null
  if (kind === 'custom') return repeat.rule.trim().replace(/^RRULE:/i, '')
  return [
    `FREQ=${FREQUENCIES[kind]}`,
    ...(interval.trim() === '1' || interval.trim() === '' ? [] : [`INTERVAL=${interval.trim()}`]),
    ...dayParts(repeat, startWall),
    ...(ends === 'on' && until !== '' ? [`UNTIL=${until.replaceAll('-', '')}`] : []),
    ...(ends === 'after' ? [`COUNT=${count.trim()}`] : []),
  ].join(';')
}

const FREQUENCIES = {
  daily: 'DAILY',
  weekly: 'WEEKLY',
  monthly: 'MONTHLY',
  monthlyWeekday: 'MONTHLY',
  monthlyLast: 'MONTHLY',
  yearly: 'YEARLY',
} as const

/** A rule without days means the day of the first event. */
function dayParts({ kind, days }: Repeat, startWall: number): readonly string[] {
  const { weekday, ordinal } = describe(startWall)
  if (kind === 'weekly') return days === '' ? [] : [`BYDAY=${days}`]
  if (kind === 'monthlyWeekday') return [`BYDAY=${ordinal}${weekday}`]
  return kind === 'monthlyLast' ? [`BYDAY=-1${weekday}`] : []
}

/** Ends a series before one of its occurrences. Rules with times of day have several occurrences a day. */
export function endBefore(rule: string, { startWall, start, isAllDay }: Before): string {
  const parts = new Map(parseRule(rule))
  parts.delete('COUNT')
  const hasTimes = TIME_PARTS.some((name) => parts.has(name))
  const compact = (text: string): string => text.replaceAll(/[-:]|\.\d+/g, '')
  const last =
    hasTimes && !isAllDay
      ? compact(new Date(Date.parse(start) - 1_000).toISOString())
      : compact(dateText(startOfDay(startWall) - DAY_MS))
  return buildRule(parts.set('UNTIL', last))
}

interface Before {
  readonly startWall: number
  readonly start: string
  readonly isAllDay: boolean
}

/** Returns the rule for the remaining occurrences; undefined if none remain. */
export function restOf(rule: string, done: number): string | undefined {
  const parts = new Map(parseRule(rule))
  const count = Number(parts.get('COUNT') ?? Number.NaN)
  if (Number.isNaN(count)) return rule
  return count - done < 1 ? undefined : buildRule(parts.set('COUNT', String(count - done)))
}

/**
 * Shifts the rule of a series to other days, including an end date. Returns undefined if the intended days are
 * ambiguous.
 */
export function shiftRule(
  rule: string,
  { from, to, clock }: { readonly from: number; readonly to: number; readonly clock: Clock },
): string | undefined {
  const dayShift = Math.round((startOfDay(to) - startOfDay(from)) / DAY_MS)
  const repeat = parseRepeat(rule, from, clock)
  const until = untilDay(parseRule(rule), clock)
  const isTimed = (parseRule(rule).get('UNTIL') ?? '').includes('T')
  if (dayShift === 0 && !isTimed) return rule
  if (repeat.kind === 'custom') return dayShift === 0 ? rule : undefined
  const days = repeat.days.split(',').map((day) => turned(day, dayShift))
  const moved = until === undefined ? '' : dateText(until + dayShift * DAY_MS)
  const { ordinal } = describe(to)
  const kind = repeat.kind === 'monthlyWeekday' && ordinal === 5 ? 'monthlyLast' : repeat.kind
  const hasDays = parseRule(rule).has('BYDAY')
  return (
    buildRepeat({ ...repeat, kind, days: hasDays ? days.join(',') : '', until: moved }, to) ??
    undefined
  )
}

function turned(day: string, shift: number): string {
  const at = WEEKDAYS.findIndex((each) => each === day)
  return WEEKDAYS[(((at + shift) % 7) + 7) % 7] ?? day
}

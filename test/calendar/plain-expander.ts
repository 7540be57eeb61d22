// A slow and simple implementation of recurrence by the text of RFC 5545 section 3.3.10, as a reference for
// the server. It checks every day and every second of a day against the rule, and looks up local times with
// Intl. It shares no code with lib/calendar.
//
// Choices where the RFC is ambiguous: a week belongs to the year of its week number, even if INTERVAL or
// BYSETPOS divide by years. BYWEEKNO without days means the weekday of the start. The start is always an
// occurrence and the first of COUNT, even if it does not match the rule. For whole-day entries, the times of
// a rule are ignored, as the RFC says; BYSETPOS is then ignored if no other BY part remains.

const DAY_MS = 86_400_000
const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
/**
 * BYSETPOS selects from the whole period, even if the start or the end cuts off a part of the
 * period.
 */
const PERIOD_DAYS = 372

export interface PlainEntry {
  readonly rrule: string
  /** Midnight of the date in UTC, for whole-day entries. */
  readonly startMs: number
  readonly zone: string
  readonly isAllDay: boolean
}

/** The instants of all starts before `endMs`, beginning with the start of the entry. */
export function expandPlainly(entry: PlainEntry, endMs: number): readonly number[] {
  const rule = readRule(entry)
  const lastDay = Math.ceil(endMs / DAY_MS) + PERIOD_DAYS
  const sets = new Map<number, number[]>()
  for (let number = rule.start.number - PERIOD_DAYS; number <= lastDay; number += 1) {
    const day = describeDay(number)
    if (!isMet(rule, day)) continue
    const period = periodOf(rule, day)
    sets.set(period, [...(sets.get(period) ?? []), ...instantsOf(rule, number)])
  }

  const positions = rule.numbers('BYSETPOS')
  const chosen = [...sets.values()].flatMap((set) =>
    set.filter((_, at) => isListed(positions, at + 1, set.length)),
  )
  const later = chosen.filter((ms) => ms > rule.startMs && isBeforeUntil(rule, ms))
  const count = Number(rule.parts.get('COUNT') ?? Number.POSITIVE_INFINITY)
  return [rule.startMs, ...later].slice(0, count).filter((ms) => ms < endMs)
}

interface Rule {
  readonly parts: ReadonlyMap<string, string>
  readonly numbers: (name: string) => readonly number[] | undefined
  readonly frequency: string
  readonly start: Day
  readonly startMs: number
  readonly zone: string
  readonly isAllDay: boolean
  /** Seconds of the day. */
  readonly times: readonly number[]
}

function readRule({ rrule, startMs, zone, isAllDay }: PlainEntry): Rule {
  const parts = new Map(rrule.split(';').map((part) => part.split('=') as [string, string]))
  if (isAllDay) {
    for (const name of ['BYHOUR', 'BYMINUTE', 'BYSECOND']) parts.delete(name)
    const hasSet = [...parts.keys()].some((name) => name.startsWith('BY') && name !== 'BYSETPOS')
    if (!hasSet) parts.delete('BYSETPOS')
  }
  const numbers = (name: string): readonly number[] | undefined =>
    parts.get(name)?.split(',').map(Number)
  const startWall = isAllDay ? startMs : wallOf(startMs, zone)
  const start = describeDay(Math.floor(startWall / DAY_MS))
  return {
    parts,
    numbers,
    frequency: parts.get('FREQ') ?? '',
    start,
    startMs: isAllDay ? (firstInstant(start.number, zone) ?? Number.NaN) : startMs,
    zone,
    isAllDay,
    times: timesOf(numbers, (startWall % DAY_MS) / 1_000),
  }
}

/**
 * Checks every second of a day. A leap second counts as the second before, because no clock here
 * shows leap seconds.
 */
function timesOf(numbers: Rule['numbers'], startSecond: number): readonly number[] {
  const inDay = (startSecond + 86_400) % 86_400
  const hours = numbers('BYHOUR') ?? [Math.floor(inDay / 3_600)]
  const minutes = numbers('BYMINUTE') ?? [Math.floor(inDay / 60) % 60]
  const seconds = numbers('BYSECOND')?.map((second) => Math.min(second, 59)) ?? [
    Math.floor(inDay) % 60,
  ]
  return Array.from({ length: 86_400 }, (_, second) => second).filter(
    (second) =>
      hours.includes(Math.floor(second / 3_600)) &&
      minutes.includes(Math.floor(second / 60) % 60) &&
      seconds.includes(second % 60),
  )
}

interface Day {
  /** Days since 1970. */
  readonly number: number
  readonly year: number
  /** Starts at 1. */
  readonly month: number
  readonly ofMonth: number
  readonly ofYear: number
  readonly monthLength: number
  readonly yearLength: number
  readonly weekday: number
}

const DESCRIBED = new Map<number, Day>()

function describeDay(number: number): Day {
  const described = DESCRIBED.get(number) ?? describe(number)
  DESCRIBED.set(number, described)
  return described
}

function describe(number: number): Day {
  const date = new Date(number * DAY_MS)
  const year = date.getUTCFullYear()
  const month = date.getUTCMonth() + 1
  const newYear = Date.UTC(year, 0, 1) / DAY_MS
  return {
    number,
    year,
    month,
    ofMonth: date.getUTCDate(),
    ofYear: number - newYear + 1,
    monthLength: new Date(Date.UTC(year, month, 0)).getUTCDate(),
    yearLength: Date.UTC(year + 1, 0, 1) / DAY_MS - newYear,
    weekday: date.getUTCDay(),
  }
}

/** The number of the day, week, month or year. A week counts by its first day. */
function periodOf(rule: Rule, day: Day): number {
  if (rule.frequency === 'DAILY') return day.number
  if (rule.frequency === 'WEEKLY') return Math.floor((firstOfWeek(rule, day) + 7) / 7)
  if (rule.frequency === 'MONTHLY') return day.year * 12 + day.month
  return rule.parts.has('BYWEEKNO') ? fourthOfWeek(rule, day).year : day.year
}

function firstOfWeek({ parts }: Rule, { number, weekday }: Day): number {
  return number - ((weekday - DAYS.indexOf(parts.get('WKST') ?? 'MO') + 7) % 7)
}

/** A week belongs to the year that has most of its days. */
function fourthOfWeek(rule: Rule, day: Day): Day {
  return describeDay(firstOfWeek(rule, day) + 3)
}

/** Whether the list contains this position, counted from the beginning or from the end. */
function isListed(list: readonly number[] | undefined, at: number, length: number): boolean {
  return list === undefined || list.includes(at) || list.includes(at - length - 1)
}

function isMet(rule: Rule, day: Day): boolean {
  const { parts, numbers, start, frequency } = rule
  const periods = periodOf(rule, day) - periodOf(rule, start)
  const hasDays = ['BYDAY', 'BYMONTHDAY', 'BYYEARDAY'].some((name) => parts.has(name))
  return (
    periods % Number(parts.get('INTERVAL') ?? 1) === 0 &&
    (numbers('BYMONTH')?.includes(day.month) ?? true) &&
    isListed(numbers('BYMONTHDAY'), day.ofMonth, day.monthLength) &&
    isListed(numbers('BYYEARDAY'), day.ofYear, day.yearLength) &&
    isWeek(rule, day) &&
    (parts.get('BYDAY')?.split(',') ?? [undefined]).some((item) => isDay(rule, day, item)) &&
    (hasDays || frequency === 'DAILY' || isLikeStart(rule, day))
  )
}

function isWeek(rule: Rule, day: Day): boolean {
  const { ofYear, yearLength } = fourthOfWeek(rule, day)
  const number = Math.ceil(ofYear / 7)
  return isListed(rule.numbers('BYWEEKNO'), number, number + Math.floor((yearLength - ofYear) / 7))
}

/** A rule without days inherits the missing parts from the start. */
function isLikeStart({ parts, frequency, start }: Rule, day: Day): boolean {
  if (frequency === 'WEEKLY' || parts.has('BYWEEKNO')) return day.weekday === start.weekday
  const isMonth = frequency === 'MONTHLY' || parts.has('BYMONTH') || day.month === start.month
  return isMonth && day.ofMonth === start.ofMonth
}

/**
 * A number before a weekday counts within the month, or within the year for a yearly rule without
 * BYMONTH.
 */
function isDay({ parts, frequency }: Rule, day: Day, item: string | undefined): boolean {
  if (item === undefined) return true
  if (DAYS[day.weekday] !== item.slice(-2)) return false
  if (item.length === 2) return true
  const isOfYear = frequency === 'YEARLY' && !parts.has('BYMONTH')
  const [at, length] = isOfYear ? [day.ofYear, day.yearLength] : [day.ofMonth, day.monthLength]
  const fromStart = Math.ceil(at / 7)
  const fromEnd = -Math.ceil((length - at + 1) / 7)
  return [fromStart, fromEnd].includes(Number(item.slice(0, -2)))
}

/** Skipped local times do not exist; neither COUNT nor BYSETPOS counts them. */
function instantsOf({ isAllDay, zone, times }: Rule, number: number): readonly number[] {
  const found = isAllDay
    ? [firstInstant(number, zone)]
    : times.map((second) => instantOf(number * DAY_MS + second * 1_000, zone))
  return found.filter((ms) => ms !== undefined)
}

function isBeforeUntil({ parts, isAllDay, zone }: Rule, ms: number): boolean {
  const until = parts.get('UNTIL')
  if (until === undefined) return true
  const time = until.replace(/^(....)(..)(..)(?:T(..)(..)(..)Z)?$/, '$1-$2-$3T$4:$5:$6Z')
  const date = wallText(ms, zone).slice(0, 10)
  if (!until.includes('T')) return date <= time.slice(0, 10)
  if (!isAllDay) return ms <= Date.parse(time)
  // Midnight in UTC stands for its date; any other time stands for its date in the zone.
  const untilMs = Date.parse(time)
  return date <= (untilMs % DAY_MS === 0 ? time : wallText(untilMs, zone)).slice(0, 10)
}

/** The first instant with this local time, or undefined if the time does not exist. */
export function instantOf(wall: number, zone: string): number | undefined {
  const offsets = [-36, -12, 0, 12, 36].map((hours) => {
    const near = wall + hours * 3_600_000
    return wallOf(near, zone) - near
  })
  const shown = offsets.map((offset) => wall - offset).filter((ms) => wallOf(ms, zone) === wall)
  return shown.length === 0 ? undefined : Math.min(...shown)
}

/** The first instant of a day. A day can begin after midnight or not exist at all. */
export function firstInstant(number: number, zone: string): number | undefined {
  for (let minute = 0; minute < 1_440; minute += 1) {
    const ms = instantOf(number * DAY_MS + minute * 60_000, zone)
    if (ms !== undefined) return ms
  }
  return undefined
}

const FORMATS = new Map<string, Intl.DateTimeFormat>()
const OFFSETS = new Map<string, number>()

/** Since 1973, offsets change only at quarter hours, so each quarter hour needs a single lookup. */
const QUARTER_MS = 900_000

export function wallOf(ms: number, zone: string): number {
  const quarter = Math.floor(ms / QUARTER_MS) * QUARTER_MS
  const key = `${zone} ${quarter}`
  const offset = OFFSETS.get(key) ?? Date.parse(`${localText(quarter, zone)}Z`) - quarter
  OFFSETS.set(key, offset)
  return ms + offset
}

function localText(ms: number, zone: string): string {
  const options = { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' } as const
  const format = FORMATS.get(zone) ?? new Intl.DateTimeFormat('sv', options)
  FORMATS.set(zone, format)
  return format.format(ms).replace(' ', 'T')
}

function wallText(ms: number, zone: string): string {
  return new Date(wallOf(ms, zone)).toISOString()
}

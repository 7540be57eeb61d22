// Generated rules against a plain reading of RFC 5545: every day is looked at, and asked whether it meets the rule. The
// library walks, jumps and counts instead.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { occurrencesOf } from '../../lib/calendar/occurrences.ts'
import { checkRrule, parseRule, type RuleParts } from '../../lib/calendar/rule.ts'
import { openRandom, type Random } from '../rigs/random.ts'
import { makeEntry } from './entries.ts'

const DAY_MS = 86_400_000
const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
const TIME = 'T09:00:00.000Z'

const dayOf = (iso: string): number => Date.parse(`${iso.slice(0, 10)}T00:00:00Z`) / DAY_MS
const isoOf = (day: number): string => `${new Date(day * DAY_MS).toISOString().slice(0, 10)}${TIME}`

interface Day {
  readonly day: number
  readonly year: number
  /** From 1. */
  readonly month: number
  readonly ofMonth: number
  readonly ofYear: number
  readonly monthLength: number
  readonly yearLength: number
  readonly weekday: number
}

const DESCRIBED = new Map<number, Day>()

function describeDay(day: number): Day {
  const described = DESCRIBED.get(day) ?? describe(day)
  DESCRIBED.set(day, described)
  return described
}

function describe(day: number): Day {
  const date = new Date(day * DAY_MS)
  const year = date.getUTCFullYear()
  const month = date.getUTCMonth() + 1
  const newYear = Date.UTC(year, 0, 1) / DAY_MS
  return {
    day,
    year,
    month,
    ofMonth: date.getUTCDate(),
    ofYear: day - newYear + 1,
    monthLength: new Date(Date.UTC(year, month, 0)).getUTCDate(),
    yearLength: Date.UTC(year + 1, 0, 1) / DAY_MS - newYear,
    weekday: date.getUTCDay(),
  }
}

interface Rule {
  readonly parts: RuleParts
  readonly frequency: string
  readonly start: Day
}

/** Of the day, of the week by its first day, of the month, of the year. */
function periodOf({ parts, frequency }: Rule, { day, year, month, weekday }: Day): number {
  if (frequency === 'DAILY') return day
  if (frequency === 'YEARLY') return year
  if (frequency === 'MONTHLY') return year * 12 + month
  const first = DAYS.indexOf(parts.get('WKST') ?? 'MO')
  return Math.floor((day - ((weekday - first + 7) % 7) + 7) / 7)
}

const numbersOf = (rule: Rule, name: string): readonly number[] | undefined =>
  rule.parts.get(name)?.split(',').map(Number)

/** A number of a list is this one, counted from the beginning or from the end. */
function isListed(list: readonly number[] | undefined, at: number, length: number): boolean {
  return list === undefined || list.includes(at) || list.includes(at - length - 1)
}

function isMet(rule: Rule, day: Day): boolean {
  const { parts, start, frequency } = rule
  const isInterval =
    (periodOf(rule, day) - periodOf(rule, start)) % Number(parts.get('INTERVAL') ?? 1) === 0
  const hasDays = ['BYDAY', 'BYMONTHDAY', 'BYYEARDAY'].some((name) => parts.has(name))
  return (
    isInterval &&
    (numbersOf(rule, 'BYMONTH')?.includes(day.month) ?? true) &&
    isListed(numbersOf(rule, 'BYMONTHDAY'), day.ofMonth, day.monthLength) &&
    isListed(numbersOf(rule, 'BYYEARDAY'), day.ofYear, day.yearLength) &&
    isWeek(rule, day) &&
    (parts.get('BYDAY')?.split(',') ?? [undefined]).some((item) => isDay(rule, day, item)) &&
    (hasDays || frequency === 'DAILY' || isLikeStart(rule, day))
  )
}

/** A week belongs to the year that has most of its days: that of its fourth. */
function isWeek(rule: Rule, { day, weekday }: Day): boolean {
  const wanted = numbersOf(rule, 'BYWEEKNO')
  const first = DAYS.indexOf(rule.parts.get('WKST') ?? 'MO')
  const { ofYear, yearLength } = describeDay(day - ((weekday - first + 7) % 7) + 3)
  const number = Math.ceil(ofYear / 7)
  return isListed(wanted, number, number + Math.floor((yearLength - ofYear) / 7))
}

/** What a rule without days takes from the start. */
function isLikeStart({ parts, frequency, start }: Rule, day: Day): boolean {
  if (frequency === 'WEEKLY' || parts.has('BYWEEKNO')) return day.weekday === start.weekday
  const isMonth = frequency === 'MONTHLY' || parts.has('BYMONTH') || day.month === start.month
  return isMonth && day.ofMonth === start.ofMonth
}

/** A number before a day counts within the month; within the year where a yearly rule names no month. */
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

/** All days of the rule up to one day, the start first. */
function readPlainly(rule: Rule, lastDay: number): readonly number[] {
  const until = rule.parts.get('UNTIL')
  const end = until === undefined ? lastDay : Math.min(lastDay, dayOfUntil(until))
  const periods = new Map<number, number[]>()
  // A set is chosen from the whole period, of which the start may leave out a part.
  for (let day = rule.start.day - 366; day <= lastDay + 366; day += 1) {
    const found = describeDay(day)
    if (!isMet(rule, found)) continue
    const period = periodOf(rule, found)
    periods.set(period, [...(periods.get(period) ?? []), day])
  }
  const positions = numbersOf(rule, 'BYSETPOS')
  const days = [...periods.values()].flatMap((set) =>
    set.filter((_, at) => isListed(positions, at + 1, set.length)),
  )
  const met = days.filter((day) => day > rule.start.day && day <= end)
  return [rule.start.day, ...met].slice(0, Number(rule.parts.get('COUNT') ?? Infinity))
}

function dayOfUntil(until: string): number {
  return dayOf(until.replace(/^(....)(..)(..).*$/, '$1-$2-$3'))
}

function someOf<T>(random: Random, items: readonly T[]): string {
  const chosen = items.filter(() => random.below(items.length) < 2)
  return [...(chosen.length > 0 ? chosen : [random.pick(items)])].join(',')
}

function makeRule(random: Random): string {
  const frequency = random.pick(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'])
  const isLong = frequency === 'MONTHLY' || frequency === 'YEARLY'
  const maybe = (part: () => string): readonly string[] => (random.below(3) === 0 ? [part()] : [])
  const monthDays =
    frequency === 'WEEKLY'
      ? []
      : maybe(() => `BYMONTHDAY=${someOf(random, [1, 5, 13, 29, 30, 31, -1, -2, -31])}`)
  const yearDays =
    frequency === 'YEARLY' && monthDays.length === 0
      ? maybe(() => `BYYEARDAY=${someOf(random, [1, 60, 100, 365, 366, -1, -366])}`)
      : []
  const isYearAlone = frequency === 'YEARLY' && monthDays.length + yearDays.length === 0
  // Of one year in two, or of a set of days, readers differ on the week that two years share.
  const weeks = isYearAlone
    ? maybe(() => `BYWEEKNO=${someOf(random, [1, 2, 20, 52, 53, -1, -53])}`)
    : []
  const hasOrdinals =
    isLong && monthDays.length + yearDays.length + weeks.length === 0 && random.below(2) === 0
  const days = hasOrdinals ? ['1MO', '-1FR', '2WE', '5TU', '-5SA', '3SU'] : DAYS
  // Neither is taken beside BYYEARDAY: the library passes them over.
  const byDay = yearDays.length > 0 ? [] : maybe(() => `BYDAY=${someOf(random, days)}`)
  const set =
    monthDays.length + yearDays.length + byDay.length > 0 && isLong && weeks.length === 0
      ? maybe(() => `BYSETPOS=${someOf(random, [1, 2, -1, -2, 5])}`)
      : []
  return [
    `FREQ=${frequency}`,
    ...(weeks.length > 0 ? weeks : maybe(() => `INTERVAL=${random.pick([1, 2, 3, 5])}`)),
    ...maybe(() => `BYMONTH=${someOf(random, [1, 2, 3, 6, 10, 12])}`),
    ...monthDays,
    ...yearDays,
    ...byDay,
    ...set,
    ...(frequency === 'WEEKLY' || weeks.length > 0 ? maybe(() => `WKST=${random.pick(DAYS)}`) : []),
    ...(random.below(4) === 0
      ? [random.pick(['COUNT=1', 'COUNT=7', 'COUNT=40', 'UNTIL=20280301'])]
      : []),
  ].join(';')
}

test('a rule is met on the days on which a plain reading of it is', () => {
  const random = openRandom(1_255_004)
  const firstDay = dayOf('2026-01-01')
  let found = 0
  for (let count = 0; count < 400; count += 1) {
    const rrule = makeRule(random)
    assert.equal(checkRrule(rrule), undefined, rrule)
    const start = describeDay(firstDay + random.below(800))
    const parts = parseRule(rrule)
    const rule = { parts, frequency: parts.get('FREQ') ?? '', start }
    const from = start.day + random.below(700) - 100
    const to = from + 1 + random.below(1_500)

    const entry = makeEntry({ start_time: isoOf(start.day), end_time: null, rrule })
    const window = { fromMs: from * DAY_MS, toMs: to * DAY_MS }
    const times = occurrencesOf(entry, 'UTC', window, 10_000).map((item) => item.start)
    const plain = readPlainly(rule, to).filter((day) => day >= from && day < to)
    assert.deepEqual(times, plain.map(isoOf), `${rrule} from ${isoOf(start.day)}`)
    found += times.length
  }
  assert.ok(found > 5_000, String(found))
})

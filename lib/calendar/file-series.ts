// Expresses the recurrence of an event of an iCalendar file as fields of an entry: one rule on the clock of the calendar, with
// exceptions and further dates. A recurrence that needs more, like a rule in another time zone or several rules, is
// written as the list of its starts if it has an end. Everything else is refused, so that no start moves by an hour.

import { MAX_SERIES_DATES } from '../shared/limits.ts'
import { type Clock, compactTime, DAY_MS, openClock } from '../shared/wall-clock.ts'
import { buildRule, parseRule, withPart } from '../shared/recurrence-rule.ts'
import { checkRrule } from './check-rule.ts'
import type { Property } from './content-lines.ts'
import { dayNumberOf } from './day.ts'
import type { ExpansionBudget } from './expansion-budget.ts'
import { EventFault, type FileTime, timeText } from './file-values.ts'
import { isSameClock } from './file-zones.ts'
import { daysOfPeriod, periodOf } from './period-days.ts'
import { readRecurrence } from './recurrence.ts'
import { spanOf } from './span.ts'
import { startsOf } from './starts.ts'

/** A recurrence as the file describes it. Starts are instants, or days as midnights in UTC. */
export interface FileRecurrence {
  readonly start: FileTime
  /** Values of RRULE and EXRULE that readRule has returned. */
  readonly rules: readonly string[]
  readonly excludingRules: readonly string[]
  readonly excluded: readonly number[]
  readonly added: readonly number[]
}

export interface SeriesFields {
  readonly start_time: string
  readonly rrule: string | null
  readonly exdates: readonly string[]
  readonly rdates: readonly string[]
}

export interface SeriesWork {
  readonly clock: Clock
  readonly budget: ExpansionBudget
}

/** The main thread receives each date of a series, so that a date costs as much as this many steps of a rule. */
const DATE_STEPS = 100

/** The start alone, with which further dates are a series. */
export const ONCE = 'FREQ=DAILY;COUNT=1'

export function fieldsOfSeries(recurrence: FileRecurrence, work: SeriesWork): SeriesFields {
  const { start, excludingRules, excluded, added } = recurrence
  const { isAllDay } = start
  const rules = mergeRules(recurrence.rules)
  if (rules.length === 0 && added.length === 0)
    return { start_time: timeText(start.ms, isAllDay), rrule: null, exdates: [], rdates: [] }
  const isSame = isAllDay || isSameClock(start.clock, work.clock, start.ms)
  const endless = rules.filter((rule) => !hasEnd(rule))
  const isEarly = added.some((ms) => ms < start.ms)
  const isPlain = rules.length <= 1 && excludingRules.length === 0 && !isEarly
  work.budget.spend((excluded.length + added.length) * DATE_STEPS)
  if (isSame && isPlain) return withRule(recurrence, rules[0] ?? ONCE)
  if (endless.length === 0) return listed(recurrence, work)
  const isOneRule = endless.length === 1 && excludingRules.every(hasEnd)
  if (!isSame) throw new EventFault('seriesZone', start.property, start.clock.timeZone)
  if (!isOneRule) throw new EventFault('rules', start.property)
  const more = rules.filter((rule) => rule !== endless[0])
  const all = {
    ...recurrence,
    added: [...added, ...more.flatMap((rule) => startsBy(rule, start, work))],
    excluded: [
      ...excluded,
      ...excludingRules.flatMap((rule) => startsOfExcluding(rule, start, work)),
    ],
  }
  return withRule(all, endless[0] ?? ONCE)
}

/**
 * Rules that differ in one list are one rule with both lists, which gives the same starts: BYDAY=MO and BYDAY=WE become
 * BYDAY=MO,WE.
 */
function mergeRules(rules: readonly string[]): readonly string[] {
  const merged: string[] = []
  for (const rule of rules) {
    const at = merged.findIndex((each) => mergedRule(each, rule) !== undefined)
    const both = mergedRule(merged[at] ?? '', rule)
    if (both === undefined) merged.push(rule)
    else merged[at] = both
  }
  return merged
}

/** COUNT and BYSETPOS count the starts of their own rule. */
function mergedRule(left: string, right: string): string | undefined {
  if (left === right) return left
  const [one, other] = [parseRule(left), parseRule(right)]
  const names = [...new Set([...one.keys(), ...other.keys()])]
  const [name = '', ...more] = names.filter((each) => one.get(each) !== other.get(each))
  const [first, second] = [one.get(name), other.get(name)]
  const isList = name.startsWith('BY') && first !== undefined && second !== undefined
  if (!isList || more.length > 0 || one.has('COUNT') || one.has('BYSETPOS')) return undefined
  const list = [...new Set([...first.split(','), ...second.split(',')])].join(',')
  return buildRule(withPart(one, name, list))
}

function withRule({ start, added, excluded }: FileRecurrence, rrule: string): SeriesFields {
  const { ms, isAllDay, property } = start
  const dates = (list: readonly number[]): readonly string[] => {
    const texts = [...new Set(list)].toSorted(byTime).map((each) => timeText(each, isAllDay))
    if (texts.length > MAX_SERIES_DATES) throw new EventFault('dates', property)
    return texts
  }
  if (added.some((each) => each < ms)) throw new EventFault('dates', property)
  return {
    start_time: timeText(ms, isAllDay),
    rrule,
    exdates: dates(excluded),
    rdates: dates(added),
  }
}

/** The series as the list of its starts. */
function listed(recurrence: FileRecurrence, work: SeriesWork): SeriesFields {
  const { isAllDay, property } = recurrence.start
  const [first, ...rest] = allStarts(recurrence, work)
  work.budget.spend(rest.length * DATE_STEPS)
  if (first === undefined) throw new EventFault('never', property)
  return {
    start_time: timeText(first, isAllDay),
    rrule: ONCE,
    exdates: [],
    rdates: rest.map((ms) => timeText(ms, isAllDay)),
  }
}

/** Every start of a series with an end, in order. Throws if there are too many. */
export function allStarts(recurrence: FileRecurrence, work: SeriesWork): readonly number[] {
  const { start, rules, excludingRules, excluded, added } = recurrence
  const found = new Set([start.ms, ...added])
  for (const rule of rules) for (const ms of startsBy(rule, start, work)) found.add(ms)
  const lastMs = [...found].reduce((last, ms) => Math.max(last, ms), start.ms)
  const gone = new Set(excluded)
  for (const rule of excludingRules)
    for (const ms of startsOfExcluding(rule, start, work, lastMs)) gone.add(ms)
  const starts = [...found].filter((ms) => !gone.has(ms)).toSorted(byTime)
  // The first start is the start of the entry.
  if (starts.length <= MAX_SERIES_DATES + 1) return starts
  throw tooMany(start, work)
}

function tooMany(start: FileTime, { clock }: SeriesWork): EventFault {
  const isSame = start.isAllDay || isSameClock(start.clock, clock, start.ms)
  if (isSame) return new EventFault('rules', start.property)
  return new EventFault('seriesZone', start.property, start.clock.timeZone)
}

function byTime(left: number, right: number): number {
  return left - right
}

export function hasEnd(rule: string): boolean {
  const parts = parseRule(rule)
  return parts.has('COUNT') || parts.has('UNTIL')
}

const UTC = openClock('UTC')

/** The starts that a rule adds after the start of the event, up to this one. */
function startsBy(
  rule: string,
  start: FileTime,
  work: SeriesWork,
  lastMs = Number.POSITIVE_INFINITY,
): readonly number[] {
  const starts: number[] = []
  for (const ms of ruleStarts(rule, start, work.budget)) {
    if (ms > lastMs) break
    if (starts.length > MAX_SERIES_DATES) throw tooMany(start, work)
    starts.push(ms)
  }
  return starts
}

export function* ruleStarts(
  rule: string,
  start: FileTime,
  budget: ExpansionBudget,
): Generator<number> {
  const { isAllDay, ms: startMs } = start
  const clock = isAllDay ? UTC : start.clock
  const times = { start_time: new Date(startMs).toISOString(), end_time: null, all_day: isAllDay }
  const span = spanOf({ ...times, rrule: rule }, clock)
  const range = { first: span.startWall, last: Number.MAX_SAFE_INTEGER }
  for (const { ms, wall } of startsOf({ span, clock, budget }, range)) yield isAllDay ? wall : ms
}

/** EXRULE excludes the start of the event only if the rule gives it. */
function startsOfExcluding(
  rule: string,
  start: FileTime,
  work: SeriesWork,
  lastMs?: number,
): readonly number[] {
  const parts = parseRule(rule)
  const recurrence = readRecurrence(parts, start.wall)
  const day = dayNumberOf(start.wall)
  const isStart =
    daysOfPeriod(recurrence, periodOf(recurrence, day)).days.includes(day) &&
    (start.isAllDay || recurrence.times.includes(start.wall % DAY_MS))
  if (parts.has('BYSETPOS') || (parts.has('COUNT') && !isStart))
    throw new EventFault('rules', start.property)
  return [...(isStart ? [start.ms] : []), ...startsBy(rule, start, work, lastMs)]
}

/** The value of RRULE or EXRULE with an UNTIL in the form of the interface. */
export function readRule(
  property: Property,
  { isAllDay, clock }: Pick<FileTime, 'isAllDay' | 'clock'>,
): string {
  const rule = property.value
    .trim()
    .toUpperCase()
    .replace(/;+$/, '')
    .replace(UNTIL, (all, day: string, time: string | undefined, utc: string) => {
      if (isAllDay || time === undefined) return `UNTIL=${day}`
      const wall = wallOf(day, time)
      // An UNTIL without a zone is a time of the event.
      const isLocal = utc === '' && !Number.isNaN(wall)
      return isLocal ? `UNTIL=${compactTime(clock.instantOf(wall))}Z` : all
    })
  const fault = checkRrule(rule)
  if (fault !== undefined) throw new EventFault('rule', property, fault)
  return rule
}

const UNTIL = /UNTIL=(\d{8})(?:T(\d{6})(Z?))?(?=;|$)/

/** NaN if no day has this time; checkRrule refuses the text then. */
function wallOf(day: string, time: string): number {
  return Date.parse(`${day}T${time}Z`.replace(/^(....)(..)(..)T(..)(..)(..)/, '$1-$2-$3T$4:$5:$6'))
}

// The grammar of recurrence rules (RFC 5545 section 3.3.10), with limits that bound the work: at most daily
// frequency, 24 times a day, COUNT up to 10,000.

import { dayNumberOf } from './day.ts'
import { daysOfPeriod, periodOf } from './period-days.ts'
import {
  hasSet,
  nameOf,
  parseUntil,
  type RuleParts,
  TIME_PARTS,
  WEEKDAYS,
} from '../shared/recurrence-rule.ts'
import { readRecurrence } from './recurrence.ts'

const MAX_LENGTH = 2_000
const MAX_COUNT = 10_000
const MAX_INTERVAL = 1_000
const MAX_TIMES_A_DAY = 24

type Check = (value: string) => string | undefined

// Names are upper case, so none can be an inherited property of the object.
const CHECKS: Readonly<Record<string, Check>> = {
  FREQ: checkFrequency,
  UNTIL: checkUntil,
  COUNT: wholeNumber(MAX_COUNT),
  INTERVAL: wholeNumber(MAX_INTERVAL),
  BYSECOND: numbers(0, 60),
  BYMINUTE: numbers(0, 59),
  BYHOUR: numbers(0, 23),
  BYDAY: checkDays,
  BYMONTHDAY: signedNumbers(31),
  BYYEARDAY: signedNumbers(366),
  BYWEEKNO: signedNumbers(53),
  BYMONTH: numbers(1, 12),
  BYSETPOS: signedNumbers(366),
  WKST: checkWeekStart,
}

const NAMES = Object.keys(CHECKS)
/** Why a rule is refused and what to do, or undefined. Never throws; linear in the length of the text. */
export function checkRrule(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return `may have at most ${MAX_LENGTH} characters`
  if (/[\r\n]/.test(text)) return 'must be one rule on one line, without DTSTART, RDATE or EXDATE'
  if (/^(?:RRULE|DTSTART|EXRULE|EXDATE|RDATE)\b/i.test(text))
    return 'must be the value of RRULE alone, like FREQ=WEEKLY;BYDAY=MO'

  const parts = new Map<string, string>()
  for (const part of text.toUpperCase().split(';')) {
    const fault = addPart(parts, part)
    if (fault !== undefined) return fault
  }

  return findClash(parts)
}

function addPart(parts: Map<string, string>, part: string): string | undefined {
  const name = nameOf(part)
  const check = CHECKS[name]
  if (check === undefined)
    return `has the unknown part "${name.slice(0, 20)}"; the parts are ${NAMES.join(', ')}`
  if (parts.has(name)) return `has ${name} twice; give it once`
  if (part.length === name.length) return `must give ${name} a value: ${name}=…`

  const value = part.slice(name.length + 1)
  parts.set(name, value)
  const fault = check(value)
  return fault === undefined ? undefined : `${name} ${fault}`
}

function checkFrequency(value: string): string | undefined {
  if (['SECONDLY', 'MINUTELY', 'HOURLY'].includes(value))
    return 'must be DAILY or less frequent; list the hours of a day in BYHOUR'
  if (['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'].includes(value)) return undefined
  return 'must be DAILY, WEEKLY, MONTHLY or YEARLY'
}

function checkUntil(value: string): string | undefined {
  if (parseUntil(value) !== undefined) return undefined
  return 'must be a date like 20261231, or a time in UTC like 20261231T225959Z'
}

function wholeNumber(max: number): Check {
  return (value) =>
    /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= max
      ? undefined
      : `must be a number from 1 to ${max}`
}

function numbers(min: number, max: number): Check {
  const isInRange = (item: string): boolean =>
    /^\d{1,2}$/.test(item) && Number(item) >= min && Number(item) <= max
  return (value) =>
    value.split(',').every(isInRange) ? undefined : `must list numbers from ${min} to ${max}`
}

function signedNumbers(max: number): Check {
  const isInRange = (item: string): boolean =>
    /^[+-]?\d{1,3}$/.test(item) && Number(item) !== 0 && Math.abs(Number(item)) <= max
  return (value) =>
    value.split(',').every(isInRange)
      ? undefined
      : `must list numbers from 1 to ${max}, or from -1 to -${max} to count from the end`
}

const DAY = /^(?:[+-]?(\d{1,2}))?(?:MO|TU|WE|TH|FR|SA|SU)$/

function checkDays(value: string): string | undefined {
  const isDay = (item: string): boolean => {
    const match = DAY.exec(item)
    const [, ordinal = '1'] = match ?? []
    return match !== null && Number(ordinal) >= 1 && Number(ordinal) <= 53
  }
  if (value.split(',').every(isDay)) return undefined
  return 'must list days like MO,TU, each with an optional number before it from 1 to 53 or -1 to -53'
}

function checkWeekStart(value: string): string | undefined {
  return /^(?:MO|TU|WE|TH|FR|SA|SU)$/.test(value) ? undefined : 'must be one day, like MO'
}

/** Finds conflicts between parts. */
function findClash(parts: RuleParts): string | undefined {
  const frequency = parts.get('FREQ')
  const hasOrdinal = /\d/.test(parts.get('BYDAY') ?? '')
  if (frequency === undefined) return 'must have FREQ, like FREQ=WEEKLY'
  if (parts.has('COUNT') && parts.has('UNTIL')) return 'must not have both COUNT and UNTIL'
  if (parts.has('BYWEEKNO') && frequency !== 'YEARLY') return 'may have BYWEEKNO only with YEARLY'
  if (parts.has('BYYEARDAY') && frequency !== 'YEARLY') return 'may have BYYEARDAY only with YEARLY'
  if (parts.has('BYMONTHDAY') && frequency === 'WEEKLY')
    return 'must not have BYMONTHDAY with WEEKLY; use MONTHLY'
  if (hasOrdinal && frequency !== 'MONTHLY' && frequency !== 'YEARLY')
    return 'may have numbers in BYDAY only with MONTHLY or YEARLY'
  if (hasOrdinal && parts.has('BYWEEKNO')) return 'must not have numbers in BYDAY with BYWEEKNO'
  if (hasOrdinal && isOfMonths(parts) && MORE_THAN_FIVE.test(parts.get('BYDAY') ?? ''))
    return 'must not have numbers beyond 5 in BYDAY where they count within a month'
  if (parts.has('BYSETPOS') && !hasSet(parts))
    return 'may have BYSETPOS only together with another BY part, like BYDAY'
  if (timesADay(parts) > MAX_TIMES_A_DAY)
    return `must not have more than ${MAX_TIMES_A_DAY} times a day in BYHOUR, BYMINUTE and BYSECOND`
  return mayHappen(parts)
    ? undefined
    : 'names days that do not exist in any year; the event would never happen'
}

const MORE_THAN_FIVE = /(?:[6-9]|\d\d)(?:MO|TU|WE|TH|FR|SA|SU)/

/** In a yearly rule without BYMONTH, the ordinals count within the year. */
function isOfMonths(parts: RuleParts): boolean {
  return parts.get('FREQ') === 'MONTHLY' || parts.has('BYMONTH')
}

function timesADay(parts: RuleParts): number {
  const sizes = TIME_PARTS.map((name) => new Set(parts.get(name)?.split(',').map(Number)).size)
  return sizes.reduce((product, size) => product * Math.max(1, size), 1)
}

const FROM = Date.parse('2000-01-01')
const TO = Date.parse('2028-01-01')

/** Parts that select days. Positions, counts and times do not matter here. */
const DAY_PARTS = ['BYMONTH', 'BYWEEKNO', 'BYYEARDAY', 'BYMONTHDAY', 'BYDAY']

/**
 * Whether any day matches a rule: 30 February does not exist, and the last Friday of a year is never the 13th. Returns
 * false only if the rule never matches, whatever its start. Within 28 years each day of the year falls on each weekday, in
 * leap years and in other years, so at most 11,000 days are examined.
 */
function mayHappen(parts: RuleParts): boolean {
  const named = [...parts].filter(([name]) => DAY_PARTS.includes(name))
  // A single part always matches some day.
  if (named.length < 2) return true

  const days = new Map([['BYDAY', WEEKDAYS.join()], ...named])
  for (const name of ['FREQ', 'WKST']) if (parts.has(name)) days.set(name, parts.get(name) ?? '')
  const rule = readRecurrence(days, FROM)
  const last = periodOf(rule, dayNumberOf(TO))
  for (let period = periodOf(rule, dayNumberOf(FROM)); period <= last; period += 1)
    if (daysOfPeriod(rule, period).days.length > 0) return true
  return false
}

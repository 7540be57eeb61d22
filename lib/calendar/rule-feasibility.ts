// Whether any day matches a rule: 30 February does not exist, and the last Friday of a year is never the 13th. Within
// 28 years each day of the year falls on each weekday, in leap years and others.

import { dayNumberOf } from './day.ts'
import { daysOfPeriod, periodOf } from './period-days.ts'
import { readRecurrence, WEEKDAYS } from './recurrence.ts'
import type { RuleParts } from './rule.ts'

const FROM = Date.parse('2000-01-01')
const TO = Date.parse('2028-01-01')

/** Parts that select days. Positions, counts and times do not matter here. */
const DAY_PARTS = ['BYMONTH', 'BYWEEKNO', 'BYYEARDAY', 'BYMONTHDAY', 'BYDAY']

/** False only if the rule never matches, whatever its start; examines at most 11,000 days. */
export function mayHappen(parts: RuleParts): boolean {
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

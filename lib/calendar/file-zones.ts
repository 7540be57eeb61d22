// The time zones of an iCalendar file. A name of the IANA database, or of Windows, is that zone, as for every other program;
// other names need a VTIMEZONE (RFC 5545 section 3.6.5), whose rules are expanded for the years in which people plan.

import { CmsError } from '../base/errors.ts'
import {
  checkTimeZone,
  type Clock,
  clockOf,
  compactTime,
  openClock,
  type StablePeriod,
} from '../shared/wall-clock.ts'
import { parseUntil } from '../shared/recurrence-rule.ts'
import { checkRrule } from './check-rule.ts'
import type { Component } from './content-lines.ts'
import { openExpansionBudget } from './expansion-budget.ts'
import { findProperty, parseTime, propertiesOf } from './file-values.ts'
import { spanOf } from './span.ts'
import { startsOf } from './starts.ts'
import { WINDOWS_ZONES } from './windows-zones.ts'

export interface FileZones {
  /** Undefined if the zone is not known. */
  findClock(name: string): Clock | undefined
}

/** Zones of a file: comparing two clocks takes up to a tenth of a second. */
const MAX_ZONES = 100
const FIRST_MS = Date.UTC(1900, 0, 1)
/** Clocks of later years are not planned. */
const LAST_MS = Date.UTC(2101, 0, 1)
/** Changes of one zone: two a year, and some more. */
const MAX_CHANGES = 1_000
/** From this time, a description and the database are compared. */
const PRESENT_MS = Date.UTC(2020, 0, 1)

/** Expects the descriptions in the file, and the clock of the calendar. */
export function openFileZones(descriptions: readonly Component[], clock: Clock): FileZones {
  const described = new Map<string, Component>()
  for (const component of descriptions)
    for (const { value } of propertiesOf(component, 'TZID')) described.set(value.trim(), component)
  const clocks = new Map<string, Clock | undefined>()

  const openKnown = (iana: string): Clock => (iana === clock.timeZone ? clock : openClock(iana))

  function open(name: string): Clock | undefined {
    const zone = described.get(name)
    const iana = ianaName(name)
    const known = iana === undefined ? undefined : openKnown(iana)
    if (zone === undefined || (known !== undefined && name.includes('/'))) return known
    // Names without a place, like EST, may have other rules in the file than in the database. Outlook describes the
    // present rules of a zone for all years.
    const own = describedClock(name, zone)
    return own && known && isSameClock(own, known, PRESENT_MS) ? known : own
  }

  return {
    findClock(name) {
      if (clocks.has(name)) return clocks.get(name)
      if (clocks.size >= MAX_ZONES)
        throw new CmsError('too-large', `The file has more than ${MAX_ZONES} time zones.`)
      const found = open(name)
      clocks.set(name, found)
      return found
    },
  }
}

/** Finds names of Windows, and the name at the end of a globally unique one: /mozilla.org/20050126_1/Europe/Berlin. */
function ianaName(name: string): string | undefined {
  const parts = name.split('/')
  const candidates = [
    name,
    ...(parts.length > 2 ? [-3, -2].map((at) => parts.slice(at).join('/')) : []),
  ]
  return (
    candidates.find((candidate) => checkTimeZone(candidate) === undefined) ??
    WINDOWS_ZONES.get(name)
  )
}

interface Onset {
  readonly ms: number
  readonly fromMs: number
  readonly toMs: number
}

/** Undefined if the description is invalid. */
function describedClock(name: string, zone: Component): Clock | undefined {
  const onsets: Onset[] = []
  for (const observance of zone.components) {
    const found = onsetsOf(observance)
    if (found === undefined) return undefined
    onsets.push(...found)
    if (onsets.length > MAX_CHANGES) return undefined
  }
  const sorted = onsets.toSorted((left, right) => left.ms - right.ms)
  const [first] = sorted
  if (first === undefined) return undefined
  const periods: StablePeriod[] = [
    { fromMs: Number.NEGATIVE_INFINITY, toMs: first.ms, offsetMs: first.fromMs },
  ]
  for (const [at, { ms, toMs: offsetMs }] of sorted.entries())
    periods.push({ fromMs: ms, toMs: sorted[at + 1]?.ms ?? Number.POSITIVE_INFINITY, offsetMs })
  return clockOf(name, (ms) => periodIn(periods, ms))
}

function periodIn(periods: readonly StablePeriod[], ms: number): StablePeriod {
  let [low, high] = [0, periods.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((periods[middle]?.fromMs ?? 0) <= ms) low = middle
    else high = middle - 1
  }
  return periods[low] ?? { fromMs: 0, toMs: 0, offsetMs: 0 }
}

/** The times at which an observance begins (STANDARD or DAYLIGHT). */
function onsetsOf(observance: Component): readonly Onset[] | undefined {
  const fromMs = offsetIn(observance, 'TZOFFSETFROM')
  const toMs = offsetIn(observance, 'TZOFFSETTO')
  const start = parseTime(findProperty(observance, 'DTSTART')?.value ?? '')
  if (fromMs === undefined || toMs === undefined || start === undefined) return undefined
  const walls = [start.wall]
  for (const { value } of propertiesOf(observance, 'RDATE'))
    for (const item of value.split(',')) {
      const time = parseTime(item)
      if (time === undefined) return undefined
      walls.push(time.isUtc ? time.wall + fromMs : time.wall)
    }
  for (const { value } of propertiesOf(observance, 'RRULE')) {
    const found = ruleOnsets({ rule: value.trim(), startWall: start.wall, fromMs })
    if (found === undefined) return undefined
    walls.push(...found)
  }
  return walls.map((wall) => ({ ms: wall - fromMs, fromMs, toMs }))
}

const UTC = openClock('UTC')

interface OnsetRule {
  readonly rule: string
  readonly startWall: number
  readonly fromMs: number
}

/** The rule counts on the wall clock before the change, which has no gaps. */
function ruleOnsets({ rule, startWall, fromMs }: OnsetRule): readonly number[] | undefined {
  const local = rule.toUpperCase().replace(/UNTIL=(\d{8}T\d{6}Z)/, (all, until: string) => {
    const ms = parseUntil(until)
    return ms === undefined ? all : `UNTIL=${compactTime(ms + fromMs)}Z`
  })
  if (checkRrule(local) !== undefined) return undefined
  const times = { start_time: new Date(startWall).toISOString(), end_time: null, all_day: false }
  const span = spanOf({ ...times, rrule: local }, UTC)
  const budget = openExpansionBudget({ maxSteps: MAX_STEPS })
  const walls: number[] = []
  for (const { wall } of startsOf(
    { span, clock: UTC, budget },
    { first: FIRST_MS, last: LAST_MS },
  )) {
    if (walls.length > MAX_CHANGES) return undefined
    walls.push(wall)
  }
  return walls
}

/** Days of all years in which a rule is expanded, several times. */
const MAX_STEPS = 500_000

const OFFSET = /^([+-])(\d\d):?(\d\d)(?::?(\d\d))?$/

function offsetIn(observance: Component, name: string): number | undefined {
  const match = OFFSET.exec(findProperty(observance, name)?.value.trim() ?? '')
  if (match === null) return undefined
  const [hours = 0, minutes = 0, seconds = 0] = match.slice(2).map((part) => Number(part ?? 0))
  const size = (hours * 3_600 + minutes * 60 + seconds) * 1_000
  return match[1] === '-' ? -size : size
}

/** Until this time, both clocks are compared. */
const COMPARED_TO_MS = Date.UTC(2050, 0, 1)

/** Whether both clocks show the same time at every instant from this one on. */
export function isSameClock(left: Clock, right: Clock, fromMs: number): boolean {
  if (left === right) return true
  for (let ms = fromMs; ms < Math.max(COMPARED_TO_MS, fromMs + 1); ) {
    const [one, other] = [left.periodAt(ms), right.periodAt(ms)]
    if (one.offsetMs !== other.offsetMs) return false
    ms = Math.min(one.toMs, other.toMs)
  }
  return true
}

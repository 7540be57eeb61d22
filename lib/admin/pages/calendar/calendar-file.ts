// Reads an iCalendar file (RFC 5545) as bodies of events for one calendar. What cannot be taken exactly is refused with a
// reason, and properties without a place in an event are counted.

import ICAL from 'ical.js'
import {
  checkTimeZone,
  type Clock,
  compactTime,
  DAY_MS,
  openClock,
} from '../../../shared/wall-clock.ts'
import type { EventBody } from './events.ts'

export interface FileEvent {
  /** UID of the event; an event that replaces an occurrence has the UID of its series. */
  readonly series: string
  /** Undefined for an event or a whole series. */
  readonly recurrenceId: string | undefined
  readonly title: string
  readonly body: EventBody
}

export type FileFault =
  | 'cancelled'
  | 'noStart'
  | 'zone'
  | 'seriesZone'
  | 'rules'
  | 'periods'
  | 'range'
  | 'uid'
  | 'series'

export interface Refused {
  readonly title: string
  readonly fault: FileFault
  /** The value that is refused, such as a time zone. */
  readonly value: string
}

export interface CalendarFile {
  readonly events: readonly FileEvent[]
  readonly refused: readonly Refused[]
  /** Names of properties and components that are not imported, with their numbers. */
  readonly ignored: ReadonlyMap<string, number>
}

/** Properties that an event keeps, and those that describe the file alone. */
const TAKEN = new Set(
  'uid dtstart dtend duration summary location description rrule rdate exdate recurrence-id status dtstamp created last-modified sequence transp class priority'.split(
    ' ',
  ),
)
const MAX_UID = 255
/** A series in another zone is accepted if both clocks agree on each day of these years. */
const COMPARED_DAYS = 3 * 366

class Fault extends Error {
  readonly fault: FileFault
  readonly value: string
  constructor(fault: FileFault, value = '') {
    super(fault)
    this.fault = fault
    this.value = value
  }
}

/** Throws if the text is not an iCalendar file. */
export function readCalendarFile(text: string, clock: Clock): CalendarFile {
  const parsed: unknown = ICAL.parse(text)
  const roots = (Array.isArray(parsed) && Array.isArray(parsed[0]) ? parsed : [parsed]) as unknown[]
  const events: FileEvent[] = []
  const refused: Refused[] = []
  const ignored = new Map<string, number>()
  const cancelled = new Map<string, string[]>()
  /** The UIDs of refused series. */
  const lost = new Set<string>()
  for (const root of roots) {
    const calendar = new ICAL.Component(root as never)
    if (calendar.name !== 'vcalendar') throw new Error('no calendar')
    for (const component of calendar.getAllSubcomponents()) {
      if (component.name === 'vtimezone') continue
      if (component.name !== 'vevent') {
        count(ignored, component.name.toUpperCase())
        continue
      }
      countIgnored(ignored, component)
      const title = textOf(component, 'summary')
      try {
        const event = readEvent(component, clock)
        if (!isCancelled(component)) events.push(event)
        else if (event.recurrenceId === undefined) throw new Fault('cancelled')
        else
          cancelled.set(event.series, [...(cancelled.get(event.series) ?? []), event.recurrenceId])
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        refused.push({ title, fault: error.fault, value: error.value })
        if (!component.hasProperty('recurrence-id')) lost.add(textOf(component, 'uid'))
      }
    }
  }
  // An event that replaces an occurrence would stand alone without its series.
  const isLost = ({ series, recurrenceId }: FileEvent): boolean =>
    recurrenceId !== undefined && lost.has(series)
  for (const { title } of events.filter(isLost)) refused.push({ title, fault: 'series', value: '' })
  const kept = events.filter((event) => !isLost(event))
  return { events: kept.map((event) => withCancelled(event, cancelled)), refused, ignored }
}

/** A cancelled occurrence is a date that the series leaves out. */
function withCancelled(
  event: FileEvent,
  cancelled: ReadonlyMap<string, readonly string[]>,
): FileEvent {
  const dates = event.recurrenceId === undefined ? cancelled.get(event.series) : undefined
  if (dates === undefined) return event
  const exdates = [...(event.body['exdates'] as readonly string[]), ...dates]
  return { ...event, body: { ...event.body, exdates } }
}

function readEvent(component: ICAL.Component, clock: Clock): FileEvent {
  const start = component.getFirstProperty('dtstart')
  if (start === null) throw new Fault('noStart')
  const from = timeOf(start, clock)
  const { isAllDay } = from
  const rules = component.getAllProperties('rrule')
  if (rules.length > 1 || component.hasProperty('exrule')) throw new Fault('rules')
  const rrule = rules[0] === undefined ? null : ruleOf(String(rules[0].getFirstValue()), from)
  const exdates = datesOf(component, 'exdate', { from, clock })
  const rdates = datesOf(component, 'rdate', { from, clock })
  const repeats = rrule ?? (rdates.length > 0 ? 'FREQ=DAILY;COUNT=1' : null)
  if (repeats !== null && !isAllDay) requireSameClock(from, clock)

  const replaced = component.getFirstProperty('recurrence-id')
  if (replaced?.getParameter('range') !== undefined) throw new Fault('range')
  const recurrenceId = replaced === null ? undefined : textOfTime(timeOf(replaced, clock))
  const title = textOf(component, 'summary')
  const series = textOf(component, 'uid') || `${textOfTime(from)} ${title}`
  const uid = recurrenceId === undefined ? series : `${series}#${recurrenceId}`
  if (uid.length > MAX_UID) throw new Fault('uid', series)
  return {
    series,
    recurrenceId,
    title,
    body: {
      event_title: title || '–',
      start_time: textOfTime(from),
      end_time: endOf(component, from, clock),
      all_day: isAllDay,
      location: textOf(component, 'location') || null,
      description: textOf(component, 'description') || null,
      rrule: repeats,
      exdates,
      rdates,
      uid,
    },
  }
}

interface FileTime {
  /** The wall time as written; midnight for a day. */
  readonly wall: number
  readonly ms: number
  readonly isAllDay: boolean
  readonly instantOf: (wall: number) => number
  readonly zone: string
}

function timeOf(property: ICAL.Property, clock: Clock, value = property.getFirstValue()): FileTime {
  const time = value as ICAL.Time
  if (!(time instanceof ICAL.Time)) throw new Fault('periods')
  const wall = Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second)
  const tzid = String(property.getParameter('tzid') ?? '')
  const made = (instantOf: (of: number) => number, zone: string): FileTime => ({
    wall,
    ms: time.isDate ? wall : instantOf(wall),
    isAllDay: time.isDate,
    instantOf,
    zone,
  })
  if (time.isDate) return made((of) => of, '')
  if (time.zone === ICAL.Timezone.utcTimezone) return made((of) => of, 'UTC')
  // A time without a zone is the time of every reader; here, of the calendar.
  if (tzid === '') return made(clock.instantOf, clock.timeZone)
  if (checkTimeZone(tzid) === undefined) return made(openClock(tzid).instantOf, tzid)
  if (time.zone === ICAL.Timezone.localTimezone) throw new Fault('zone', tzid)
  return made((of) => {
    const at = ICAL.Time.fromJSDate(new Date(of), true)
    at.zone = time.zone
    return at.toUnixTime() * 1_000
  }, tzid)
}

function textOfTime({ ms, isAllDay }: FileTime): string {
  const iso = new Date(ms).toISOString()
  return isAllDay ? iso.slice(0, 10) : iso
}

/** Repeating events keep their time of day on the clock of the calendar. */
function requireSameClock({ wall, instantOf, zone }: FileTime, clock: Clock): void {
  for (let day = 0; day < COMPARED_DAYS; day += 1)
    if (clock.instantOf(wall + day * DAY_MS) !== instantOf(wall + day * DAY_MS))
      throw new Fault('seriesZone', zone)
}

function endOf(component: ICAL.Component, from: FileTime, clock: Clock): string | null {
  const end = component.getFirstProperty('dtend')
  if (end !== null) return textOfTime(timeOf(end, clock))
  const duration = component.getFirstPropertyValue('duration')
  if (!(duration instanceof ICAL.Duration)) return null
  return textOfTime({ ...from, ms: from.ms + duration.toSeconds() * 1_000 })
}

interface Around {
  readonly from: FileTime
  readonly clock: Clock
}

function datesOf(
  component: ICAL.Component,
  name: string,
  { from, clock }: Around,
): readonly string[] {
  return component.getAllProperties(name).flatMap((property) =>
    property.getValues().map((value: unknown) => {
      const time = timeOf(property, clock, value as never)
      if (!time.isAllDay || from.isAllDay) return textOfTime({ ...time, isAllDay: from.isAllDay })
      // A day of a series with times is the occurrence on that day.
      const ms = from.instantOf(time.wall + (from.wall % DAY_MS))
      return textOfTime({ ...time, ms, isAllDay: false })
    }),
  )
}

/** An UNTIL without a zone is a time of the event. */
function ruleOf(rule: string, { instantOf, isAllDay }: FileTime): string {
  return rule.replace(
    /UNTIL=(\d{8})T?(\d{6})?(Z?)/,
    (all, day: string, time: string | undefined, utc) => {
      if (isAllDay || time === undefined) return `UNTIL=${day}`
      if (utc !== '') return all
      const iso = `${day}T${time}Z`.replace(/^(....)(..)(..T..)(..)/, '$1-$2-$3:$4:')
      return `UNTIL=${compactTime(instantOf(Date.parse(iso)))}Z`
    },
  )
}

function isCancelled(component: ICAL.Component): boolean {
  return textOf(component, 'status').toUpperCase() === 'CANCELLED'
}

function textOf(component: ICAL.Component, name: string): string {
  const value = component.getFirstPropertyValue(name)
  return value === null ? '' : String(value).trim()
}

function countIgnored(ignored: Map<string, number>, component: ICAL.Component): void {
  for (const { name } of component.getAllSubcomponents()) count(ignored, name.toUpperCase())
  for (const { name } of component.getAllProperties())
    if (!TAKEN.has(name) && !name.startsWith('x-')) count(ignored, name.toUpperCase())
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

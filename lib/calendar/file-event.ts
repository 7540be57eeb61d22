// One VEVENT of an iCalendar file: its texts, times and recurrence, as far as they can be read without other events.

import { type Clock, DAY_MS } from '../shared/wall-clock.ts'
import type { Component, Property } from './content-lines.ts'
import { type FileRecurrence, readRule } from './file-series.ts'
import {
  endAfter,
  EventFault,
  type FileTime,
  findProperty,
  parseDuration,
  parseTime,
  propertiesOf,
  textIn,
  timeText,
} from './file-values.ts'
import type { FileZones } from './file-zones.ts'

/** Where times are read. */
export interface FileClocks {
  readonly zones: FileZones
  /** The clock of the calendar, for times without a zone. */
  readonly clock: Clock
}

export interface ReadEvent {
  readonly line: number
  readonly uid: string
  readonly title: string
  readonly location: string | null
  readonly description: string | null
  readonly recurrence: FileRecurrence
  /** Undefined for an event without an end. */
  readonly lengthMs: number | undefined
  /** Further dates with a length of their own. */
  readonly periods: readonly { readonly ms: number; readonly lengthMs: number }[]
  /** The occurrence that the event replaces. */
  readonly replaced: FileTime | undefined
  readonly isRange: boolean
  readonly isCancelled: boolean
  /** A later version of the same event sorts behind. */
  readonly version: readonly [number, string]
}

const MAX_UID = 255

export function readEvent(component: Component, clocks: FileClocks): ReadEvent {
  if (component.malformedLine !== undefined)
    throw new EventFault('line', lineOf(component.malformedLine))
  const dtstart = findProperty(component, 'DTSTART')
  if (dtstart === undefined) throw new EventFault('noStart')
  const start = timeOf(dtstart, clocks)
  const recurrenceId = findProperty(component, 'RECURRENCE-ID')
  const replaced = recurrenceId && timeOf(recurrenceId, clocks)
  const title = textIn(component, 'SUMMARY').trim()
  const uid = textIn(component, 'UID').trim() || `${timeText(start.ms, start.isAllDay)} ${title}`
  const { added, periods } = furtherDates(component, start, clocks)
  const lengthMs = lengthOf(component, start, clocks)
  return {
    line: component.line,
    uid,
    title,
    location: textIn(component, 'LOCATION').trim() || null,
    description: textIn(component, 'DESCRIPTION').trim() || null,
    lengthMs,
    periods: periods.filter((period) => period.lengthMs !== (lengthMs ?? 0)),
    replaced,
    isRange: recurrenceId?.parameters.get('RANGE')?.toUpperCase() === 'THISANDFUTURE',
    isCancelled: textIn(component, 'STATUS').trim().toUpperCase() === 'CANCELLED',
    version: versionOf(component),
    recurrence: {
      start,
      rules: rulesOf(component, 'RRULE', start),
      excludingRules: rulesOf(component, 'EXRULE', start),
      excluded: propertiesOf(component, 'EXDATE').flatMap((property) =>
        listOf(property).map((item) => startOn(start, timeOf(property, clocks, item))),
      ),
      added,
    },
  }
}

/** Without repeated and empty ones, which occur in real files. */
function rulesOf(component: Component, name: string, start: FileTime): readonly string[] {
  const given = propertiesOf(component, name).filter(({ value }) => value.trim() !== '')
  return [...new Set(given.map((property) => readRule(property, start)))]
}

/** The identifier of an event or of a replaced occurrence. */
export function requireUid(uid: string, property?: Property): string {
  if ([...uid].length > MAX_UID) throw new EventFault('uid', property)
  return uid
}

function lineOf(line: number): Property {
  return { name: '', line, parameters: new Map(), value: '' }
}

function versionOf(component: Component): readonly [number, string] {
  const sequence = Number(findProperty(component, 'SEQUENCE')?.value.trim() ?? 0)
  const changed =
    findProperty(component, 'LAST-MODIFIED') ?? findProperty(component, 'DTSTAMP') ?? undefined
  return [Number.isNaN(sequence) ? 0 : sequence, changed?.value.trim() ?? '']
}

/** An empty list occurs in real files. */
function listOf({ value }: Property): readonly string[] {
  return value.split(',').filter((item) => item.trim() !== '')
}

function timeOf(property: Property, clocks: FileClocks, text = property.value): FileTime {
  const written = parseTime(text)
  const isDate = property.parameters.get('VALUE')?.toUpperCase() === 'DATE'
  if (written === undefined || (isDate && !written.isAllDay))
    throw new EventFault('time', property, text.trim())
  const { wall, isAllDay, isUtc } = written
  const name = isUtc ? 'UTC' : (property.parameters.get('TZID')?.trim() ?? '')
  const isFloating = isAllDay || name === ''
  const clock = isFloating ? clocks.clock : clocks.zones.findClock(name)
  if (clock === undefined) throw new EventFault('zone', property, name)
  const ms = isAllDay ? wall : clock.instantOf(wall)
  return { wall, isAllDay, isFloating, clock, property, ms }
}

/**
 * The start of an occurrence in the form of the series: a time without a zone is a time of the series, and a day
 * of a series with times is the occurrence on this day.
 */
export function startOn(start: FileTime, time: FileTime): number {
  if (start.isAllDay) return Math.floor(time.wall / DAY_MS) * DAY_MS
  if (time.isAllDay) return start.clock.instantOf(time.wall + (start.wall % DAY_MS))
  return time.isFloating ? start.clock.instantOf(time.wall) : time.ms
}

function lengthOf(component: Component, start: FileTime, clocks: FileClocks): number | undefined {
  const end = findProperty(component, 'DTEND')
  const endTime = end && timeOf(end, clocks)
  const duration = findProperty(component, 'DURATION')
  const lengthMs =
    endTime === undefined
      ? duration && lengthBy(duration, duration.value, start)
      : endTime.ms - start.ms
  const isMixed =
    endTime !== undefined &&
    (endTime.isAllDay !== start.isAllDay || endTime.isFloating !== start.isFloating)
  const isPart = start.isAllDay && (lengthMs ?? 0) % DAY_MS !== 0
  if (isMixed || isPart || (lengthMs ?? 0) < 0) throw new EventFault('end', end ?? duration)
  return lengthMs
}

function lengthBy(property: Property, text: string, start: FileTime): number {
  const duration = parseDuration(text)
  if (duration === undefined) throw new EventFault('time', property, text.trim())
  return endAfter(start, duration) - start.ms
}

interface FurtherDates {
  readonly added: readonly number[]
  readonly periods: ReadEvent['periods']
}

/** RDATE: times, days, and periods with an end or a length. */
function furtherDates(component: Component, start: FileTime, clocks: FileClocks): FurtherDates {
  const added: number[] = []
  const periods: { ms: number; lengthMs: number }[] = []
  for (const property of propertiesOf(component, 'RDATE'))
    for (const item of listOf(property)) {
      const [from = '', to] = item.split('/')
      const time = timeOf(property, clocks, from)
      const ms = startOn(start, time)
      added.push(ms)
      if (to === undefined) continue
      const isLength = /^[+-]?P/i.test(to.trim())
      const lengthMs = isLength
        ? lengthBy(property, to, time)
        : timeOf(property, clocks, to).ms - ms
      if (lengthMs < 0) throw new EventFault('end', property)
      periods.push({ ms, lengthMs })
    }
  return { added, periods }
}

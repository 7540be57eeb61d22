// Values of the properties of an iCalendar file (RFC 5545 section 3.3), and why an event of the file is refused.

import { DAY_MS, type Clock } from '../shared/wall-clock.ts'
import type { Component, Property } from './content-lines.ts'
import type { RefusalCode } from '../shared/import-refusals.ts'

/** Refuses an event. */
export class EventFault extends Error {
  readonly code: RefusalCode
  readonly value: string
  readonly property: Property | undefined
  constructor(code: RefusalCode, property?: Property, value = '') {
    super(code)
    this.code = code
    this.property = property
    this.value = value
  }
}

/** Property that describes the time of an event, a series or an exception. */
export interface FileTime {
  /** The time as written; midnight for a day. */
  readonly wall: number
  readonly ms: number
  readonly isAllDay: boolean
  /** Written without a zone: a time on the clock of whatever it belongs to. */
  readonly isFloating: boolean
  /** The clock on which the time is written. A day is the same on every clock. */
  readonly clock: Clock
  readonly property: Property
}

export function findProperty({ properties }: Component, name: string): Property | undefined {
  return properties.find((property) => property.name === name)
}

export function propertiesOf({ properties }: Component, name: string): readonly Property[] {
  return properties.filter((property) => property.name === name)
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', N: '\n' }
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/

/** The text of a property, empty if it is missing. */
export function textIn(component: Component, name: string): string {
  const property = findProperty(component, name)
  if (property === undefined) return ''
  if (CONTROL.test(property.value)) throw new EventFault('characters', property)
  return property.value.replace(
    /\\([\\;,nN])/g,
    (_, escaped: string) => ESCAPES[escaped] ?? escaped,
  )
}

const TIME = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/

export interface WrittenTime {
  readonly wall: number
  readonly isAllDay: boolean
  readonly isUtc: boolean
}

/** A date or a time; undefined if it is none, like 30 February. */
export function parseTime(text: string): WrittenTime | undefined {
  const [, year, month, day, hour, minute = '00', second = '00', utc] = TIME.exec(text.trim()) ?? []
  if (year === undefined) return undefined
  const iso = `${year}-${month}-${day}T${hour ?? '00'}:${minute}:${second}.000Z`
  const wall = Date.parse(iso)
  if (Number.isNaN(wall) || new Date(wall).toISOString() !== iso) return undefined
  return { wall, isAllDay: hour === undefined, isUtc: utc === 'Z' }
}

const DURATION =
  /^([+-]?)P(?:(\d{1,5})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,7})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?$/

export interface Duration {
  /** Days on the clock, which may have 23 or 25 hours. */
  readonly days: number
  /** Exact time. */
  readonly ms: number
}

export function parseDuration(text: string): Duration | undefined {
  const match = DURATION.exec(text.trim().toUpperCase())
  if (match === null || /[PT]$/.test(match[0])) return undefined
  const [weeks, days, hours, minutes, seconds] = match.slice(2).map((part) => Number(part ?? 0))
  const sign = match[1] === '-' ? -1 : 1
  return {
    days: sign * ((weeks ?? 0) * 7 + (days ?? 0)),
    ms: sign * ((hours ?? 0) * 3_600 + (minutes ?? 0) * 60 + (seconds ?? 0)) * 1_000,
  }
}

/** The end of an event or a period that starts at this time. */
export function endAfter({ wall, ms, isAllDay, clock }: FileTime, duration: Duration): number {
  if (isAllDay) return wall + duration.days * DAY_MS + duration.ms
  return (duration.days === 0 ? ms : clock.instantOf(wall + duration.days * DAY_MS)) + duration.ms
}

/** The form of the interface: a date for a day, otherwise a time in UTC. */
export function timeText(ms: number, isAllDay: boolean): string {
  const iso = new Date(ms).toISOString()
  return isAllDay ? iso.slice(0, 10) : iso
}

// Converts events to and from form values, which are all text.

import { COLUMN_TYPES } from '../../../shared/column-types.ts'
import { isTexted, readValue, writeValue } from '../../../shared/value-text.ts'
import { type Clock, DAY_MS, startOfDay } from '../../../shared/wall-clock.ts'
import { idsIn } from '../../client/references.ts'
import type { Speech } from '../../texts/use-texts.ts'
import type { FormValue } from '../../ui/use-form.ts'
import { labelsIn } from '../entries/fields.ts'
import { timeFields, type Times } from './event-times.ts'
import type { CalendarRecord, Column, EventBody, EventRecord, Occurrence } from './events.ts'
import { buildRepeat, parseRepeat, type Repeat } from './rule.ts'
import type { Scope } from './series.ts'
import { dateText, HOUR_MS, parseWall, timeText } from './wall.ts'

/** Prefix for additional columns, whose names could equal those of other fields. */
const COLUMN = 'column.'

export type EventValues = Readonly<Record<string, FormValue>>

export function columnName({ name }: Pick<Column, 'name'>): string {
  return `${COLUMN}${name}`
}

/** The labels of the additional columns, next to those of the other fields. */
export function columnLabels({ columns }: CalendarRecord, t: Speech['t']) {
  const { fields } = t.calendar
  return labelsIn(
    (columns ?? []).map(({ name }) => name),
    Object.values(fields),
  )
}

export interface FormFacts {
  readonly calendar: CalendarRecord
  readonly clock: Clock
}

export function newValues(times: Times, { calendar, clock }: FormFacts): EventValues {
  const columns = (calendar.columns ?? []).map((column) => {
    const isPlain = column.default !== null && typeof column.default !== 'object'
    const initial = isPlain ? column.default : null
    const { kind } = COLUMN_TYPES[column.type ?? 'C']
    // The default of a list, a point or JSON is a text already.
    const text = isTexted(kind) ? String(initial ?? '') : columnText(column, initial)
    return [columnName(column), text] as const
  })
  return {
    event_title: '',
    ...timeValues(times),
    location: '',
    description: '',
    ...repeatValues(parseRepeat(null, times.startWall, clock)),
    scope: 'all',
    ...Object.fromEntries(columns),
  }
}

/** The times are those of the given occurrence. */
export function valuesOf(
  record: EventRecord,
  { at, calendar, clock }: FormFacts & { readonly at: Occurrence },
): EventValues {
  const columns = (calendar.columns ?? []).map(
    (column) => [columnName(column), columnText(column, record[column.name])] as const,
  )
  return {
    event_title: record.event_title,
    ...timeValues(at),
    location: record.location ?? '',
    description: record.description ?? '',
    ...repeatValues(parseRepeat(record.rrule, at.startWall, clock)),
    scope: record.rrule === null ? 'all' : 'this',
    ...Object.fromEntries(columns),
  }
}

/**
 * All-day events show their last day, not the day after. Both forms are set, so that a user can switch between them.
 */
function timeValues({ startWall, endWall, isAllDay }: Times): EventValues {
  const last = isAllDay ? endWall - DAY_MS : endWall
  return {
    all_day: isAllDay,
    from_date: dateText(startWall),
    from_time: isAllDay ? '09:00' : timeText(startWall),
    to_date: dateText(last),
    to_time: isAllDay ? '10:00' : endWall > startWall ? timeText(endWall) : '',
  }
}

function repeatValues({ kind, ...repeat }: Repeat): EventValues {
  return { repeat: kind, ...repeat }
}

export function repeatOf(values: EventValues): Repeat {
  const text = (name: string): string => String(values[name] ?? '')
  return {
    kind: text('repeat') as Repeat['kind'],
    interval: text('interval'),
    days: text('days'),
    ends: text('ends') as Repeat['ends'],
    until: text('until'),
    count: text('count'),
    rule: text('rule'),
  }
}

/** Returns undefined while the typed text is not a date. */
export function timesOf(values: EventValues): Times | undefined {
  const isAllDay = values['all_day'] === true
  const from = wallOf(values, 'from', isAllDay)
  const to = wallOf(values, 'to', isAllDay)
  if (from === undefined || to === undefined) return undefined
  return { startWall: from, endWall: isAllDay ? to + DAY_MS : to, isAllDay }
}

function wallOf(values: EventValues, end: 'from' | 'to', isAllDay: boolean): number | undefined {
  const date = parseWall(String(values[`${end}_date`] ?? ''))
  const time = String(values[`${end}_time`] ?? '')
  if (date === undefined || isAllDay) return date
  // An event without an end time has no duration.
  if (end === 'to' && time === '') return wallOf(values, 'from', isAllDay)
  return parseWall(`${dateText(date)}T${time.slice(0, 5)}`)
}

/** A later start moves the end by the same amount. */
export function movedEnd(values: EventValues, from: EventValues): EventValues {
  const before = timesOf(values)
  const next = { ...values, ...from }
  const startWall = wallOf(next, 'from', next['all_day'] === true)
  if (before === undefined || startWall === undefined) return from
  const length = before.endWall - before.startWall
  const { to_date, to_time } = timeValues({ ...before, startWall, endWall: startWall + length })
  const end = length > 0 && !before.isAllDay ? { to_date, to_time } : { to_date }
  return { ...from, ...(end as EventValues) }
}

const TIMES = ['all_day', 'from_date', 'from_time', 'to_date', 'to_time']
const REPEAT = ['repeat', 'interval', 'days', 'ends', 'until', 'count', 'rule']

export function areTimes(names: readonly string[]): boolean {
  return names.some((name) => TIMES.includes(name))
}

export function isRule(names: readonly string[]): boolean {
  return names.some((name) => REPEAT.includes(name))
}

/** Converts changed fields other than times and rule to the body of a request. */
export function plainFields(changed: Partial<EventValues>, { calendar }: FormFacts): EventBody {
  const body: Record<string, unknown> = {}
  for (const name of ['location', 'description'])
    if (name in changed) body[name] = String(changed[name] ?? '').trim() || null
  if ('event_title' in changed) body['event_title'] = String(changed['event_title'])
  for (const column of calendar.columns ?? []) {
    const value = changed[columnName(column)]
    if (value !== undefined) body[column.name] = columnValue(column, value)
  }
  return body
}

export function newBody(values: EventValues, facts: FormFacts): EventBody {
  const times = timesOf(values) ?? { startWall: 0, endWall: 0, isAllDay: false }
  const given = Object.entries(plainFields(values, facts))
  // Empty fields get their default.
  const body = Object.fromEntries(given.filter(([, value]) => value !== null))
  const rrule = buildRepeat(repeatOf(values), times.startWall)
  return { ...body, ...timeFields(times, facts.clock), ...(rrule !== null && { rrule }) }
}

/** Each occurrence of a series has a draft of its own. */
export function formNameOf(
  { calendar_id: id }: FormFacts['calendar'],
  { entryId, start }: Occurrence,
): string {
  return `event-${id}-${entryId}-${start}`
}

export function scopeOf(values: EventValues): Scope {
  const scope = values['scope']
  return scope === 'this' || scope === 'following' ? scope : 'all'
}

/** One hour on the given day, starting at the next full hour if it is today. */
export function usualTimes(day: number, now: number): Times {
  const hour = day === startOfDay(now) ? Math.min(Math.ceil((now - day) / HOUR_MS), 22) : 9
  const startWall = day + hour * HOUR_MS
  return { startWall, endWall: startWall + HOUR_MS, isAllDay: false }
}

const NUMBERS: ReadonlySet<string | undefined> = new Set(['I', 'I1', 'I2', 'I4', 'R', 'F'])

/** Converts values of additional columns to and from form values. */
export function columnText({ type, references }: Column, value: unknown): FormValue {
  if (type === 'L') return value === true
  if (value === null || value === undefined) return ''
  if (references?.isMany === true) return String(value)
  const { kind } = COLUMN_TYPES[type ?? 'C']
  if (isTexted(kind)) return writeValue(kind, value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Text that is not a number is sent as typed, and the server reports the error. */
function columnValue({ type, references }: Column, value: FormValue): unknown {
  if (typeof value === 'boolean') return value
  const text = value.trim()
  if (references?.isMany === true) return idsIn(text) ?? text
  if (text === '') return null
  const { kind } = COLUMN_TYPES[type ?? 'C']
  if (isTexted(kind)) return readValue(kind, text) ?? text
  return NUMBERS.has(type) && Number.isFinite(Number(text)) ? Number(text) : value
}

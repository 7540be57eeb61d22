// Checks that need the whole calendar entry: neither the event nor its rule may end before the event begins, and the
// fields of series and their exceptions fit together. Days of all-day events are taken as written in the body.

import type { Fault } from '../../base/errors.ts'
import { END_TIME, type EntryTimes, FIRST_TIME } from '../../calendar/entry.ts'
import { parseRule } from '../../shared/recurrence-rule.ts'
import { spanOf, withWholeDays } from '../../calendar/span.ts'
import { openClock } from '../../shared/wall-clock.ts'
import type { Values } from '../../schema/check.ts'
import { writtenTime } from '../../schema/date.ts'
import { dayLoss, lossFaults } from '../../schema/strict.ts'
import type { JsonObject, JsonValue } from '../../schema/values.ts'
import type { Module } from './module-cache.ts'

const NAMES = [
  'start_time',
  'end_time',
  'all_day',
  'rrule',
  'exdates',
  'rdates',
  'recurrence_of',
  'recurrence_id',
] as const

/** Checks the times of a new body as far as they are valid, whatever else is wrong in the body. */
export function findTimesFault(module: Module, body: unknown): Fault | undefined {
  const { object, baseNames } = module.entry
  const given = (body ?? {}) as JsonObject
  const known = NAMES.filter((name) => baseNames.has(name))
  if (known.length === 0) return undefined
  const times = known.map((name) => {
    const checked = object.fields[name]?.check(given[name])
    return [name, checked?.ok === true ? checked.value : null]
  })
  const entry = withDays(module, Object.fromEntries(times) as JsonObject, { body: given })
  return rangeFault(entry) ?? endFault(entry) ?? ruleFault(module, entry) ?? seriesFault(entry)
}

/** Checks a stored entry with new values; an unchanged rule with an unchanged start is not checked again. */
export function findChangeFault(
  module: Module,
  next: JsonObject,
  values: Values,
): Fault | undefined {
  const fault = rangeFault(values) ?? endFault(next)
  if (fault !== undefined || !NAMES.some((name) => name in values)) return fault
  const hasRule = ['start_time', 'all_day', 'rrule'].some((name) => name in values)
  return (hasRule ? ruleFault(module, next) : undefined) ?? seriesFault(next)
}

/** Finds fields of series and of replaced occurrences that contradict each other. */
function seriesFault(entry: JsonObject): Fault | undefined {
  const {
    start_time: start,
    rrule = null,
    recurrence_of: of = null,
    recurrence_id: id = null,
  } = entry
  const [first] = timesIn(entry['rdates'])
  if (first !== undefined && rrule === null)
    return {
      pointer: '/rdates',
      detail: 'must be empty without an rrule; FREQ=DAILY;COUNT=1 is the start alone',
    }
  if (first !== undefined && typeof start === 'string' && first < start)
    return { pointer: '/rdates', detail: 'must not have a date before start_time' }
  if (of !== null && id === null)
    return {
      pointer: '/recurrence_id',
      detail:
        'must name the start of the occurrence that this entry replaces, because recurrence_of is given',
    }
  if (of === null && id !== null)
    return {
      pointer: '/recurrence_of',
      detail:
        'must name the series of the occurrence that this entry replaces, because recurrence_id is given',
    }
  if (of !== null && rrule !== null)
    return {
      pointer: '/rrule',
      detail: 'must be null, because this entry replaces one occurrence of a series',
    }
  return undefined
}

function timesIn(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function endFault({ start_time: start, end_time: end }: JsonObject): Fault | undefined {
  if (typeof start !== 'string' || typeof end !== 'string' || end >= start) return undefined
  return { pointer: '/end_time', detail: 'must not be before start_time' }
}

const [FIRST_MS, END_MS] = [Date.parse(FIRST_TIME), Date.parse(END_TIME)]

/** Finds times that some zone, or the feed, cannot express. */
function rangeFault(entry: JsonObject): Fault | undefined {
  const { start_time: start, end_time: end, recurrence_id: id } = entry
  const isInRange = (time: JsonValue | undefined, lastMs: number): boolean =>
    typeof time !== 'string' || (Date.parse(time) >= FIRST_MS && Date.parse(time) <= lastMs)
  const detail = `must be from ${FIRST_TIME.slice(0, 10)} to ${END_TIME.slice(0, 10)}, as calendar programs support no other years`
  if (!isInRange(start, END_MS - 1)) return { pointer: '/start_time', detail }
  if (!isInRange(id, END_MS - 1)) return { pointer: '/recurrence_id', detail }
  for (const name of ['exdates', 'rdates'])
    if (!timesIn(entry[name]).every((time) => isInRange(time, END_MS - 1)))
      return { pointer: `/${name}`, detail }
  if (isInRange(end, END_MS)) return undefined
  return { pointer: '/end_time', detail: `${detail}; leave it out if the event has no end` }
}

function ruleFault({ record }: Module, entry: JsonObject): Fault | undefined {
  const { start_time, end_time = null, all_day, rrule } = entry
  if (typeof start_time !== 'string' || typeof rrule !== 'string') return undefined
  const times = { start_time, end_time, all_day: all_day === true, rrule } as EntryTimes
  if (!endsBeforeStart(times, record.time_zone ?? 'UTC')) return undefined
  return { pointer: '/rrule', detail: 'must not have UNTIL before start_time' }
}

const DAY_MS = 86_400_000

interface Written {
  /** The fields that the client sent. */
  readonly body: JsonObject
  /** The stored entry; undefined for a new one. */
  readonly current?: JsonObject
}

/**
 * The stored form of an entry. A day written in the body is that day, whatever its offset. An end with a time of day
 * includes its day. If a stored event becomes all-day, its times become their days in the calendar's zone.
 */
export function withDays(
  { kind, record }: Module,
  entry: JsonObject,
  { body, current }: Written,
): JsonObject {
  if (kind !== 'calendar' || entry['all_day'] !== true) return entry
  const dayOf = (name: string, round: (days: number) => number): JsonValue => {
    const [given, value = null] = [body[name], entry[name]]
    const isNew = name in body && given !== current?.[name]
    if (!isNew || typeof value !== 'string') return value
    const ms = Date.parse(writtenTime(given) ?? value)
    return new Date(round(ms / DAY_MS) * DAY_MS).toISOString()
  }
  const written = {
    ...entry,
    start_time: dayOf('start_time', Math.floor),
    end_time: dayOf('end_time', Math.ceil),
    rrule: entry['rrule'] ?? null,
  }
  if (written.start_time === null) return written
  return withWholeDays(written as JsonObject & EntryTimes, record.time_zone ?? 'UTC')
}

/** Values of the body that `entry` does not keep: for days, more than for times. */
export function entryLosses(
  { kind, entry: { object } }: Module,
  entry: JsonObject,
  body: unknown,
): readonly Fault[] {
  const given = body as JsonObject
  const isDays = kind === 'calendar' && entry['all_day'] === true
  const days = isDays ? ['start_time', 'end_time'].filter((name) => name in given) : []
  const lost = days.flatMap((name) => {
    const detail = dayLoss(given[name])
    return detail === undefined ? [] : [{ pointer: `/${name}`, detail }]
  })
  const isLost = (pointer: string): boolean => lost.some((fault) => fault.pointer === pointer)
  return [...lost, ...lossFaults(object, body).filter(({ pointer }) => !isLost(pointer))]
}

/**
 * Whether the UNTIL of the rule lies before the start. Expects a rule that checkRrule accepts. A date means that day on the
 * clock of the zone.
 */
function endsBeforeStart(entry: EntryTimes, timeZone: string): boolean {
  if (entry.rrule === null || !parseRule(entry.rrule).has('UNTIL')) return false
  const { untilMs, untilWall, startMs, startWall } = spanOf(entry, openClock(timeZone))
  return (
    (untilMs !== undefined && untilMs < startMs) ||
    (untilWall !== undefined && untilWall < startWall)
  )
}

// Checks that need the whole calendar entry: neither the event nor its rule may end before the event begins.

import { endsBeforeStart } from '../../calendar/check-until.ts'
import { END_TIME, type EntryTimes, FIRST_TIME } from '../../calendar/entry.ts'
import type { Fault } from '../../base/errors.ts'
import type { Values } from '../../schema/check.ts'
import type { JsonObject, JsonValue } from '../../schema/values.ts'
import type { Module } from './module-cache.ts'
import { withDays } from './whole-days.ts'

const NAMES = ['start_time', 'end_time', 'all_day', 'rrule'] as const

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
  return rangeFault(entry) ?? endFault(entry) ?? ruleFault(module, entry)
}

/** Checks a stored entry with new values; an unchanged rule with an unchanged start is not checked again. */
export function findChangeFault(
  module: Module,
  next: JsonObject,
  values: Values,
): Fault | undefined {
  const fault = rangeFault(values) ?? endFault(next)
  if (fault !== undefined || !['start_time', 'all_day', 'rrule'].some((name) => name in values))
    return fault
  return ruleFault(module, next)
}

function endFault({ start_time: start, end_time: end }: JsonObject): Fault | undefined {
  if (typeof start !== 'string' || typeof end !== 'string' || end >= start) return undefined
  return { pointer: '/end_time', detail: 'must not be before start_time' }
}

const [FIRST_MS, END_MS] = [Date.parse(FIRST_TIME), Date.parse(END_TIME)]

/** Finds times that some zone, or the feed, cannot express. */
function rangeFault({ start_time: start, end_time: end }: JsonObject): Fault | undefined {
  const isInRange = (time: JsonValue | undefined, lastMs: number): boolean =>
    typeof time !== 'string' || (Date.parse(time) >= FIRST_MS && Date.parse(time) <= lastMs)
  const detail = `must be from ${FIRST_TIME.slice(0, 10)} to ${END_TIME.slice(0, 10)}, as calendar programs support no other years`
  if (!isInRange(start, END_MS - 1)) return { pointer: '/start_time', detail }
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

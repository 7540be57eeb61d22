// What only the whole entry of a calendar shows: an event ends after it begins, and so does its rule.

import { endsBeforeStart } from '../../calendar/check-until.ts'
import type { EntryTimes } from '../../calendar/entry.ts'
import type { Fault } from '../../errors.ts'
import type { Values } from '../../schema/check.ts'
import type { JsonObject } from '../../schema/values.ts'
import type { Module } from './module-cache.ts'

const NAMES = ['start_time', 'end_time', 'all_day', 'rrule'] as const

/** Of a body that is new, where it has such fields and whatever else is wrong with it. */
export function findTimesFault(module: Module, body: unknown): Fault | undefined {
  const { object, baseNames } = module.entry
  const given = (body ?? {}) as JsonObject
  const known = NAMES.filter((name) => baseNames.has(name))
  if (known.length === 0) return undefined
  const times = known.map((name) => {
    const checked = object.fields[name]?.check(given[name])
    return [name, checked?.ok === true ? checked.value : null]
  })
  const entry = Object.fromEntries(times) as JsonObject
  return endFault(entry) ?? ruleFault(module, entry)
}

/** Of a stored entry with new values; a rule that neither they nor its start concern stays as it is. */
export function findChangeFault(
  module: Module,
  next: JsonObject,
  values: Values,
): Fault | undefined {
  const fault = endFault(next)
  if (fault !== undefined || !['start_time', 'all_day', 'rrule'].some((name) => name in values))
    return fault
  return ruleFault(module, next)
}

function endFault({ start_time: start, end_time: end }: JsonObject): Fault | undefined {
  if (typeof start !== 'string' || typeof end !== 'string' || end >= start) return undefined
  return { pointer: '/end_time', detail: 'must not be before start_time' }
}

function ruleFault({ record }: Module, entry: JsonObject): Fault | undefined {
  const { start_time, end_time = null, all_day, rrule } = entry
  if (typeof start_time !== 'string' || typeof rrule !== 'string') return undefined
  const times = { start_time, end_time, all_day: all_day === true, rrule } as EntryTimes
  if (!endsBeforeStart(times, record.time_zone ?? 'UTC')) return undefined
  return { pointer: '/rrule', detail: 'must not have UNTIL before start_time' }
}

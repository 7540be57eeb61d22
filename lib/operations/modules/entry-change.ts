// The effect of a body on one stored entry. Single updates, upserts and bulk updates follow the same rules.

import { isSame, readUpdate, refuseFaults, type Values } from '../../schema/check.ts'
import { type EntryType, entryValue } from '../../schema/entry.ts'
import type { JsonObject, Stored } from '../../schema/values.ts'
import type { Context } from '../context.ts'
import { findFurtherFaults } from './checks.ts'
import { entryLosses, findChangeFault, withDays } from './entry-times.ts'
import type { Module } from './module-cache.ts'

export interface EntryChange {
  /** The values that differ from the stored entry. */
  readonly values: Values
  /** The entry as it is stored, in the present layout. */
  readonly current: JsonObject
  /** The whole entry after the change, still with its former date_modified. */
  readonly next: JsonObject
}

interface Asked {
  readonly stored: Stored
  readonly body: unknown
}

/** Reads nothing but the entry. Throws invalid-content with the faults of the body, and record-changed. */
export function planChange(
  { isStrict }: Pick<Context, 'isStrict'>,
  module: Module,
  { stored, body }: Asked,
): EntryChange {
  const current = entryValue(module.entry, stored)
  const values = changedValues(module, body, current)
  const next = { ...current, ...values }
  if (isStrict === true) refuseFaults(entryLosses(module, next, body))
  const fault = findChangeFault(module, next, values)
  if (fault !== undefined && Object.keys(values).length > 0) refuseFaults([fault])
  return { values, current, next }
}

/** The changes that a body asks for, including the whole days that follow for an all-day event. */
function changedValues(module: Module, body: unknown, current: JsonObject): Values {
  const { values, faults } = readUpdate(module.entry.object, body, current)
  if (faults.length > 0)
    refuseFaults([
      ...faults,
      ...findFurtherFaults(module.entry, { values, faults, before: current }),
    ])
  const next = { ...current, ...values }
  const whole = withDays(module, next, { body: body as JsonObject, current })
  if (whole === next) return values
  return Object.fromEntries(
    Object.entries(whole).filter(([name, value]) => !isSame(value, current[name])),
  )
}

/** Includes the fill values of newer columns: an entry may stay as large as it is shown. */
export function shownBytes(entry: EntryType, stored: Stored): number {
  return stored.sizeBytes + (entry.fillBytes?.(stored) ?? 0)
}

// Decides for each body of an upsert whether it creates an entry or updates the entry with the same unique value or
// values, and checks the body as in a create or as in an update.

import { CmsError, type Fault } from '../../base/errors.ts'
import {
  MAX_FAULTS,
  pointer,
  refuseFaults,
  requireObject,
  type Values,
} from '../../schema/check.ts'
import type { Scalar } from '../../schema/field-value.ts'
import { isSameRecord } from '../../schema/record.ts'
import type { Stored } from '../../schema/values.ts'
import type { Unit } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { type EntryChange, planChange } from './entry-change.ts'
import { tooManyBytes } from './entry-size.ts'
import type { Module } from './module-cache.ts'
import { checkNew, faultsOf } from './new-entries.ts'
import { type EntryReader, refuseShared } from './unique.ts'
import { requireUpsertKey, type UpsertKey } from './upsert-key.ts'

/** The effect of one body. */
export interface Planned {
  readonly value: Scalar
  /** The entry that has this value; undefined if the body creates one. */
  readonly stored: Stored | undefined
  /** For an entry that exists. */
  readonly change: EntryChange | undefined
  /** For a new entry. */
  readonly values: Values
}

interface PlanInput {
  readonly module: Module
  readonly onConflict: string
  readonly bodies: readonly unknown[]
  /** Pointers to faults begin with the index in the list. */
  readonly isList: boolean
}

/**
 * Plans every body, and yields after each, so that other requests can run. Throws invalid-content with all faults, and
 * not-unique if two bodies have the same value.
 */
export function* planAll(
  context: Context,
  reader: EntryReader,
  { module, onConflict, bodies, isList }: PlanInput,
): Generator<void, readonly Planned[]> {
  const key = requireUpsertKey(module.entry, onConflict)
  const faults: Fault[] = []
  const shared: Fault[] = []
  const places = new Map<Scalar, string>()
  const planned: Planned[] = []
  let sizeBytes = 0
  for (const [index, body] of bodies.entries()) {
    if (faults.length + shared.length >= MAX_FAULTS) break
    yield
    const place = isList ? `/${index}` : ''
    try {
      const plan = planOne(context, reader, { module, key, body, place })
      const before = places.get(plan.value)
      const [first = '', ...others] = key.columns
      const together = others.length === 0 ? '' : ` together with ${others.join(', ')}`
      const values = others.length === 0 ? 'value' : 'values'
      const detail = `must be unique${together}, and ${before} of this list has the same ${values}`
      if (before === undefined) places.set(plan.value, place)
      else shared.push({ pointer: `${place}${pointer(first)}`, detail })
      planned.push(plan)
      sizeBytes += plan.stored?.sizeBytes ?? 0
      // Several large entries would be parsed in one commit.
      if (planned.length > 1 && sizeBytes > context.limits.entryBytes)
        throw tooManyBytes(context.limits, isList)
    } catch (error) {
      faults.push(...faultsOf(error))
    }
  }
  refuseFaults(faults)
  refuseShared(shared)
  return planned
}

interface PlanOne {
  readonly module: Module
  readonly key: UpsertKey
  readonly body: unknown
  readonly place: string
}

/** Faults get pointers that begin with the place. */
function planOne(
  context: Context,
  reader: EntryReader,
  { module, key, body, place }: PlanOne,
): Planned {
  const { recordType } = module.entry.object
  const plan = (): Planned => {
    const value = key.valueOf(requireObject(body))
    const id = key.find(reader, value)
    const stored = id === undefined ? undefined : reader.get(recordType, id)
    if (stored !== undefined)
      return { value, stored, change: planChange(context, module, { stored, body }), values: {} }
    const { values, faults } = checkNew(context, module, body)
    refuseFaults(faults)
    return { value, stored, change: undefined, values: values ?? {} }
  }
  try {
    return plan()
  } catch (error) {
    const errors = error instanceof CmsError ? error.facts.errors : undefined
    if (!(error instanceof CmsError) || errors === undefined || place === '') throw error
    const placed = errors.map((item) => ({ ...item, pointer: `${place}${item.pointer}` }))
    throw new CmsError(error.code, error.message, { ...error.facts, errors: placed })
  }
}

/** Returns the plans; a plan whose entry was modified or replaced since then is made again. */
export function planNewest(
  unit: Unit,
  context: Context,
  {
    planned,
    module,
    onConflict,
    bodies,
    isList,
  }: PlanInput & { readonly planned: readonly Planned[] },
): readonly Planned[] {
  const { entry } = module
  const key = requireUpsertKey(entry, onConflict)
  const faults: Fault[] = []
  const plans = planned.map((plan, at) => {
    const { value, stored } = plan
    const before = stored && Number(stored.value[entry.object.idField])
    if (stored !== undefined && before !== undefined)
      unit.reuse(entry.object.recordType, [before], stored)
    const id = key.find(unit, value)
    const newest = id === undefined ? undefined : unit.get(entry.object.recordType, id)
    if (id === before && isSameRecord(stored, newest)) return plan
    try {
      const place = isList ? `/${at}` : ''
      return planOne(context, unit, { module, key, body: bodies[at], place })
    } catch (error) {
      faults.push(...faultsOf(error))
      return plan
    }
  })
  refuseFaults(faults)
  return plans
}

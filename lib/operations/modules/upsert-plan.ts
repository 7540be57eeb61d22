// Decides for each body of an upsert whether it creates an entry or updates the entry with the same value in a unique
// column, and checks the body as in a create or as in an update.

import { CmsError, type Fault } from '../../base/errors.ts'
import {
  MAX_FAULTS,
  pointer,
  refuseFaults,
  requireObject,
  type Values,
} from '../../schema/check.ts'
import type { EntryType } from '../../schema/entry.ts'
import type { Scalar } from '../../schema/field-value.ts'
import type { LayoutColumn } from '../../schema/layout.ts'
import { closest } from '../../schema/message-text.ts'
import { isSameRecord } from '../../schema/record.ts'
import type { JsonObject, Stored } from '../../schema/values.ts'
import type { Unit } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { type EntryChange, planChange } from './entry-change.ts'
import { tooManyBytes } from './entry-size.ts'
import type { Module } from './module-cache.ts'
import { checkNew, faultsOf } from './new-entries.ts'
import { type EntryReader, findHolder, refuseShared, scalarOf } from './unique.ts'

/** The column that decides. Its index must be complete. */
function requireKey(entry: EntryType, name: string): LayoutColumn {
  const column = entry.uniqueColumns.find((item) => item.column.name === name)
  if (column?.isIndexed === true) return column
  if (column !== undefined)
    throw new CmsError(
      'unavailable',
      `The index of the column ${name} is still being built. Send the request again in a moment.`,
      { headers: { 'retry-after': '1' } },
    )
  const names = entry.uniqueColumns.map((item) => item.column.name)
  const near = closest(name, names)
  const known =
    names.length === 0
      ? 'this module has none'
      : `${near === undefined ? '' : `did you mean "${near}"? `}this module has ${names.join(', ')}`
  const shown = JSON.stringify(name.slice(0, 100))
  throw new CmsError(
    'bad-request',
    `The query parameter on_conflict must name a column with UNIQUE, KEY or AUTO, and ${shown} is none; ${known}.`,
  )
}

/** The effect of one body. */
export interface Planned {
  readonly value: Scalar
  /** The entry that has the value; undefined if the body creates one. */
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
  const column = requireKey(module.entry, onConflict)
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
      const plan = planOne(context, reader, { module, column, body, place })
      const before = places.get(plan.value)
      const detail = `must be unique, and ${before} of this list has the same value`
      if (before === undefined) places.set(plan.value, place)
      else shared.push({ pointer: `${place}${pointer(onConflict)}`, detail })
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
  readonly column: LayoutColumn
  readonly body: unknown
  readonly place: string
}

/** Faults get pointers that begin with the place. */
function planOne(
  context: Context,
  reader: EntryReader,
  { module, column, body, place }: PlanOne,
): Planned {
  const { recordType } = module.entry.object
  const plan = (): Planned => {
    const value = keyOf(module.entry, column, requireObject(body))
    const id = findHolder(reader, module.entry, { column, value })
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

/** The value that decides, in the form in which equal values are equal by ===. Null and defaults decide nothing. */
export function keyOf({ object }: EntryType, column: LayoutColumn, body: JsonObject): Scalar {
  const { name } = column.column
  const given = Object.hasOwn(body, name) ? (body[name] ?? null) : null
  const checked = given === null ? undefined : object.fields[name]?.check(given)
  const value = checked?.ok === true ? scalarOf(column, { [name]: checked.value }) : null
  if (value !== null) return value
  const detail =
    checked?.ok === false
      ? checked.detail
      : `must have a value: on_conflict=${name} finds the entry by it`
  refuseFaults([{ pointer: pointer(name), detail }])
  throw new CmsError('invalid-content', detail)
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
  const column = requireKey(entry, onConflict)
  const faults: Fault[] = []
  const plans = planned.map((plan, at) => {
    const { value, stored } = plan
    const before = stored && Number(stored.value[entry.object.idField])
    if (stored !== undefined && before !== undefined)
      unit.reuse(entry.object.recordType, [before], stored)
    const id = findHolder(unit, entry, { column, value })
    const newest = id === undefined ? undefined : unit.get(entry.object.recordType, id)
    if (id === before && isSameRecord(stored, newest)) return plan
    try {
      const place = isList ? `/${at}` : ''
      return planOne(context, unit, { module, column, body: bodies[at], place })
    } catch (error) {
      faults.push(...faultsOf(error))
      return plan
    }
  })
  refuseFaults(faults)
  return plans
}

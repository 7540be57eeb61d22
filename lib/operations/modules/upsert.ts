// POST …?on_conflict=COLUMN: creates each entry of a list, or updates the entry that has the same value in a unique
// column, or the same values in the columns of a UNIQUE(a, b); all or none, in one commit. An entry is checked as in a create or as in an update before the commit. The
// commit looks up every value again, and checks the entries again that another request has changed meanwhile.

import { type Caller, recheck } from '../../auth/caller.ts'
import { CmsError } from '../../base/errors.ts'
import { requireObject } from '../../schema/check.ts'
import { withLayout } from '../../schema/entry.ts'
import { buildRecord } from '../../schema/record.ts'
import type { Made } from '../../schema/server-records.ts'
import { allOf, inSlices } from '../../schema/time-slicing.ts'
import type { JsonObject } from '../../schema/values.ts'
import type { Unit } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { shownBytes } from './entry-change.ts'
import { mayView, putEntry, type Saved } from './entries.ts'
import { requireEntryRules } from './entry-rules.ts'
import { numberEntries } from './entry-numbers.ts'
import { requireSize } from './entry-size.ts'
import {
  findModule,
  type ModuleAddress,
  requireModule,
  requireModuleByAnyName,
} from './find-module.ts'
import type { Module } from './module-cache.ts'
import { withNow } from './new-entries.ts'
import type { WrittenValues } from './unique.ts'
import { requireUpsertKey } from './upsert-key.ts'
import { planAll, type Planned, planNewest } from './upsert-plan.ts'

export interface UpsertInput {
  readonly address: ModuleAddress
  readonly bodies: readonly unknown[]
  /** Pointers to faults begin with the index in the list. */
  readonly isList: boolean
  /** The unique column that decides, or the columns of a UNIQUE(a, b), separated by commas. */
  readonly onConflict: string
  /** Checks everything and writes nothing. */
  readonly isDryRun?: boolean
}

export interface Upserted {
  /** In the order of the bodies. */
  readonly saved: readonly Saved[]
  /** Whether each entry is new. */
  readonly created: readonly boolean[]
  /** Whether each entry is new or has other values than before. */
  readonly changed: readonly boolean[]
  /** Only callers who may view entries learn the values of an entry that existed before. */
  readonly isViewer: boolean
}

/** Throws invalid-content with all faults, not-unique, and bad-request for a column that decides nothing. */
export async function upsertEntries(context: Context, input: UpsertInput): Promise<Upserted> {
  const { address, bodies } = input
  const { records } = context
  const found = requireModule(context, address, 'modify')
  const planned = await inSlices(planAll(context, records, { ...input, module: found }))
  const { recordType } = found.entry.object
  const isNew = planned.filter(({ stored }) => stored === undefined).length
  // Entries that are deleted before the commit are created again; the second attempt has a number for each body.
  for (const count of input.isDryRun === true ? [0] : [isNew, bodies.length]) {
    const ids = count === 0 ? [] : await records.newIds(recordType, count)
    let used = 0
    try {
      const upserted = await records.commit((unit) =>
        putAll(unit, context, { ...input, found, planned, ids }),
      )
      used = upserted?.created.filter(Boolean).length ?? 0
      if (upserted !== undefined) return upserted
    } catch (error) {
      // After any other error the commit may have reached the disk.
      if (!(error instanceof CmsError) || error.status >= 500) used = count
      throw error
    } finally {
      if (used < count) records.returnIds(recordType, ids.slice(used))
    }
  }
  throw new CmsError('internal', 'An upsert had fewer numbers than entries.')
}

interface PutAll extends UpsertInput {
  /** The module whose columns were used to plan. */
  readonly found: Module
  readonly planned: readonly Planned[]
  /** Numbers for new entries. */
  readonly ids: readonly number[]
}

/** Undefined if there are more new entries than numbers. */
function putAll(unit: Unit, context: Context, input: PutAll): Upserted | undefined {
  const { address, found, ids } = input
  const caller = recheck(unit, context.caller, context.now())
  const module = findModule(context, unit, { address, grant: 'modify', caller })
  const plans =
    module.entry.layout.number === found.entry.layout.number
      ? planNewest(unit, context, { ...input, module })
      : allOf(planAll(context, unit, { ...input, module }))
  const created = plans.map(({ stored }) => stored === undefined)
  const isDryRun = input.isDryRun === true
  if (!isDryRun && created.filter(Boolean).length > ids.length) return undefined

  const now = context.now().toISOString()
  const { entry } = module
  const given = plans.map(({ change, stored, values }, at) => ({
    values: change?.values ?? withNow(entry, values, { body: input.bodies[at], now }),
    place: input.isList ? `/${at}` : '',
    ...(stored !== undefined && { ownId: Number(stored.value[entry.object.idField]) }),
    ...(change !== undefined && { before: change.current }),
  }))
  const { written, keep } = numbered(unit, module, given)
  const isViewer = mayView(unit, caller, module)
  requireEntryRules(context, unit, { caller, entry, written, isViewer })
  const records = recordsOf(module, { plans, written, ids, now, caller })
  const puts = records.filter((record) => record !== undefined)
  const [only] = plans
  const texts = requireSize(context, puts, {
    isList: input.isList,
    ...(!input.isList && only?.stored && { sizeBefore: shownBytes(entry, only.stored) }),
  })
  const changed = records.map((record) => record !== undefined)
  if (isDryRun) return { saved: [], created, changed, isViewer }
  // Nothing may throw after this line: an error would roll back other requests of the same commit.
  keep()
  let put = 0
  const saved = records.map((record, at): Saved => {
    const before = plans[at]?.stored
    if (record === undefined && before !== undefined) return { module, stored: before }
    const id = Number(record?.[entry.object.idField])
    const text = texts?.[put]
    put += 1
    return { module, stored: putEntry(context, unit, { module, id, record: record ?? {}, text }) }
  })
  return { saved, created, changed, isViewer }
}

/** The values with the numbers of AUTO columns, in the same order. */
function numbered(
  unit: Unit,
  module: Module,
  given: readonly WrittenValues[],
): { readonly written: readonly WrittenValues[]; readonly keep: () => void } {
  const isNew = ({ ownId }: WrittenValues): boolean => ownId === undefined
  const { written: made, keep } = numberEntries(unit, module, {
    written: given.filter(isNew),
    changed: given.filter((item) => !isNew(item)),
  })
  const next = made.values()
  return { written: given.map((item) => (isNew(item) ? (next.next().value ?? item) : item)), keep }
}

interface ToRecord {
  readonly plans: readonly Planned[]
  readonly written: readonly WrittenValues[]
  readonly ids: readonly number[]
  readonly now: string
  readonly caller: Caller
}

/** The record that each plan puts; undefined if the entry stays as it is. */
function recordsOf(
  { entry }: Module,
  { plans, written, ids, now, caller }: ToRecord,
): readonly (JsonObject | undefined)[] {
  const rest = ids.values()
  return plans.map(({ change }, at) => {
    if (change !== undefined)
      return Object.keys(change.values).length === 0
        ? undefined
        : withLayout({ ...change.next, date_modified: now }, entry)
    const origin = { id: rest.next().value ?? 0, owner: caller.user.name, now }
    return withLayout(buildRecord(entry.object, written[at]?.values ?? {}, origin), entry)
  })
}

/** The output for a retry: throws not-found if an entry no longer has the value that the request gave it. */
export function replayUpsert(
  context: Context,
  { address, bodies, onConflict }: UpsertInput,
  { made, updated }: { readonly made: Made; readonly updated: Made },
): Omit<Upserted, 'changed'> {
  const module = requireModuleByAnyName(context, address, 'modify')
  const { records } = context
  const { entry } = module
  const { recordType } = entry.object
  const key = requireUpsertKey(entry, onConflict)
  const saved = bodies.map((body): Saved => {
    const id = key.find(records, key.valueOf(requireObject(body)))
    const stored = id === undefined ? undefined : records.get(recordType, id)
    if (stored === undefined)
      throw new CmsError('not-found', 'An entry of the request no longer has its value.')
    return { module, stored }
  })
  const before = new Set(updated[recordType.name])
  const isNew = new Set(made[recordType.name]?.filter((id) => !before.has(id)))
  const created = saved.map(({ stored }) => isNew.has(Number(stored.value[entry.object.idField])))
  return { saved, created, isViewer: mayView(records, context.caller, module) }
}

// Updates or deletes all entries that a search selects, all or none, in one commit. The rules of a single update and of
// a single delete apply.

import { CmsError, type Fault } from '../../base/errors.ts'
import { checkUpdate, MAX_FAULTS, refuseFaults, requireObject } from '../../schema/check.ts'
import { type EntryType, withLayout } from '../../schema/entry.ts'
import { elementsIn } from '../../schema/list-elements.ts'
import { isSameRecord } from '../../schema/record.ts'
import { inSlices } from '../../schema/time-slicing.ts'
import type { JsonObject, Stored } from '../../schema/values.ts'
import { MAX_LIST_ELEMENTS } from '../../shared/limits.ts'
import type { Unit } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { applyRemoval, planRemoval } from '../references/removal-plan.ts'
import { requireUnblocked } from '../references/removal-refusal.ts'
import { beginItem, keepEntries } from '../trash/trash-items.ts'
import { type EntryChange, planChange, shownBytes } from './entry-change.ts'
import { entryItem, mayView, putEntry } from './entries.ts'
import { numberEntries } from './entry-numbers.ts'
import { requireEntryRules } from './entry-rules.ts'
import { requireSize } from './entry-size.ts'
import { tooManyElements } from './list-bounds.ts'
import { commitMatching, type Matching, type MatchingInput } from './matching-entries.ts'
import type { Module } from './module-cache.ts'
import { faultsOf } from './new-entries.ts'
import { refuseShared, type WrittenValues } from './unique.ts'

export interface BulkOutcome {
  /** Entries that the search selects. */
  readonly matched: number
  /** Entries that the request changed or deleted; in a dry run, entries that it would change or delete. */
  readonly changed: number
  readonly dry_run: boolean
}

/** Throws invalid-content if an entry that matches cannot have the values. */
export function updateMatching(
  context: Context,
  input: MatchingInput & { readonly values: unknown },
): Promise<BulkOutcome> {
  const { values: body, isDryRun } = input
  return commitMatching(context, input, {
    grant: 'modify',
    prepare: (module, found) => inSlices(planAll(context, module, { entries: found, body })),
    plan(unit, matching) {
      const changes = planNewest(context, matching, body)
      const puts = checkChanges(unit, context, { ...matching, changes })
      const outcome = { matched: changes.length, changed: puts.records.length, dry_run: isDryRun }
      if (isDryRun) return outcome
      // As in a create, nothing may throw after this line.
      puts.keep()
      const { module } = matching
      for (const { id, record, text } of puts.records)
        putEntry(context, unit, { module, id, record, text })
      return outcome
    },
  })
}

export function removeMatching(context: Context, input: MatchingInput): Promise<BulkOutcome> {
  const { isDryRun } = input
  return commitMatching(context, input, {
    grant: 'delete',
    prepare: () => undefined,
    plan(unit, { module, caller, entries }) {
      const { kind, id: moduleId, entry } = module
      const elements = entries.reduce((sum, stored) => sum + elementsIn(entry, stored), 0)
      if (entries.length > 1 && elements > MAX_LIST_ELEMENTS)
        throw tooManyElements('The entries of one request may have', 'Narrow qry.')
      const ids = entries.map(({ value }) => Number(value[entry.object.idField]))
      const targets = ids.map((id) => ({ object: kind, module_id: moduleId, id }))
      const removal = planRemoval(context, unit, targets)
      if (removal.isOver) throw tooManyDependents()
      requireUnblocked(unit, caller, removal, 'the entries')
      if (!isDryRun) {
        const trashId =
          entries.length === 0
            ? undefined
            : beginItem(unit, context, {
                ...entryItem(module, entries),
                deleted_by: caller.user.name,
              })
        applyRemoval(context, unit, removal)
        for (const id of ids) unit.remove(entry.object.recordType, id)
        if (trashId !== undefined) keepEntries(unit, context, trashId, targets)
      }
      return { matched: ids.length, changed: ids.length, dry_run: isDryRun }
    },
  })
}

function tooManyDependents(): CmsError {
  return new CmsError(
    'too-large',
    'More records refer to these entries than one request may delete or change. Narrow qry, or delete the entries one by one: the server deletes their dependents in the background.',
  )
}

/** An entry and the change that the request makes to it. */
interface Planned extends EntryChange {
  readonly id: number
  readonly stored: Stored
}

interface ToPlan {
  readonly entries: readonly Stored[]
  readonly body: unknown
}

/** Faults of the body come first, because every entry would have them. */
function* planAll(
  context: Context,
  module: Module,
  { entries, body }: ToPlan,
): Generator<void, ReadonlyMap<number, Planned>> {
  requireValues(module.entry, body)
  const planned = new Map<number, Planned>()
  const faults: Fault[] = []
  for (const stored of entries) {
    yield
    try {
      const plan = planOne(context, module, { stored, body })
      planned.set(plan.id, plan)
    } catch (error) {
      faults.push(...faultsOf(error))
    }
    if (faults.length >= MAX_FAULTS) break
  }
  refuseFaults(faults)
  return planned
}

function requireValues({ object }: EntryType, body: unknown): void {
  try {
    if (Object.keys(requireObject(body)).length === 0)
      refuseFaults([{ pointer: '', detail: 'must have at least one column' }])
    checkUpdate(object, body, {})
  } catch (error) {
    refuseFaults(placed(faultsOf(error)))
  }
}

function placed(faults: readonly Fault[], ending = ''): readonly Fault[] {
  return faults.map((item) => ({
    pointer: `/values${item.pointer}`,
    detail: item.detail + ending,
  }))
}

/** Faults name the entry. */
function planOne(
  context: Context,
  module: Module,
  { stored, body }: { readonly stored: Stored; readonly body: unknown },
): Planned {
  const { idField } = module.entry.object
  const id = Number(stored.value[idField])
  try {
    return { id, stored, ...planChange(context, module, { stored, body }) }
  } catch (error) {
    refuseFaults(placed(faultsOf(error), ` (${idField} ${id})`))
    throw error
  }
}

/** Returns the changes; a change whose entry was modified since then is planned again. */
function planNewest(
  context: Context,
  { module, entries, prepared }: Matching<ReadonlyMap<number, Planned>>,
  body: unknown,
): readonly Planned[] {
  return entries.map((stored) => {
    const before = prepared.get(Number(stored.value[module.entry.object.idField]))
    const isSame = before !== undefined && isSameRecord(before.stored, stored)
    return isSame ? before : planOne(context, module, { stored, body })
  })
}

interface ToCheck extends Omit<Matching<unknown>, 'entries' | 'prepared'> {
  readonly changes: readonly Planned[]
}

interface Checked {
  readonly records: readonly {
    readonly id: number
    readonly record: JsonObject
    readonly text: string | undefined
  }[]
  /** Stores the numbers of AUTO columns. */
  readonly keep: () => void
}

/** Checks the rules that depend on other records, and writes nothing. Entries that stay the same are left out. */
function checkChanges(unit: Unit, context: Context, { module, caller, changes }: ToCheck): Checked {
  const { entry } = module
  const real = changes.filter(({ values }) => Object.keys(values).length > 0)
  const written = real.map(
    ({ id, values, current }): WrittenValues => ({
      values,
      place: '/values',
      ending: ` (${entry.object.idField} ${id})`,
      ownId: id,
      before: current,
    }),
  )
  const { keep } = onceEach(() => {
    const numbered = numberEntries(unit, module, { written: [], changed: written })
    const isViewer = mayView(unit, caller, module)
    requireEntryRules(context, unit, { caller, entry, written, isViewer })
    return numbered
  })
  const now = context.now().toISOString()
  const records = real.map(({ next }) => withLayout({ ...next, date_modified: now }, entry))
  const [only] = real
  const sizeBefore = real.length === 1 && only !== undefined ? shownBytes(entry, only.stored) : 0
  const advice = 'Narrow qry, and send several requests.'
  const texts = requireSize(context, records, { isList: real.length > 1, sizeBefore, advice })
  return {
    records: real.map(({ id }, at) => ({ id, record: records[at] ?? {}, text: texts?.[at] })),
    keep,
  }
}

/** All entries get the same values, so most of their faults are the same. */
function onceEach<T>(check: () => T): T {
  try {
    return check()
  } catch (error) {
    const errors = error instanceof CmsError ? error.facts.errors : undefined
    if (!(error instanceof CmsError) || errors === undefined) throw error
    const texts = errors.map(({ pointer, detail }) => {
      const told = detail.replace('/values of this list', 'another entry of this request')
      return JSON.stringify({ pointer, detail: told })
    })
    const faults = [...new Set(texts)].map((text) => JSON.parse(text) as Fault)
    if (error.code === 'not-unique') refuseShared(faults)
    refuseFaults(faults)
    throw error
  }
}

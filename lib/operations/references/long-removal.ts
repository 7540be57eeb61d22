// Deletes a record on which more depends than one commit can delete or change. First the record is marked, so that
// nothing new can refer to it or to what depends on it. Then everything that depends on it is found, and a reference
// with RESTRICT refuses the whole deletion. Only then the dependents are deleted, the farthest first, in commits
// between which other requests run, and the record with the last commit. A crash before the first deletion ends the
// work; later the next start resumes it.

import { CmsError } from '../../base/errors.ts'
import type { Caller } from '../../auth/caller.ts'
import { type Doer } from '../../schema/audit.ts'
import { entryValue } from '../../schema/entry.ts'
import type { CascadeWork } from '../../schema/pending-work.ts'
import { idsOf, removalKey, removalMark, type RemovedRecord } from '../../schema/reference.ts'
import type { Unit } from '../../storage/port.ts'
import { MAX_DEPENDENTS } from '../../shared/limits.ts'
import type { Services } from '../context.ts'
import { finishWork, newWorkId, putWork, runWork } from '../pending-work.ts'
import { commitAudited } from '../trail/audit.ts'
import { beginItem, changeItem, keepEntries, type NewTrashItem } from '../trash/trash-items.ts'
import {
  applyRemoval,
  CLEAR_COST,
  clearReference,
  type Cost,
  deleteCost,
  nameOfRecord,
  openColumns,
  planRemoval,
} from './removal-plan.ts'
import { findDependents, referrersOf } from './dependents.ts'
import { requireUnblocked } from './removal-refusal.ts'

/**
 * Removes the record itself, inside the last commit; the result runs after the commit. `trashId`: the item of the trash that
 * keeps the record.
 */
export type RemoveRoot = (unit: Unit, trashId: number | undefined) => void | (() => Promise<void>)

interface LongRemoval {
  readonly target: RemovedRecord
  readonly caller: Caller
  readonly doer: Doer
  /** Checks the rights and the precondition of the request again. */
  readonly check: (unit: Unit) => void
  readonly item: (unit: Unit) => NewTrashItem
  readonly removeRoot: RemoveRoot
}

/** Resolves once the deletion is sure to happen; the rest follows in the background. */
export async function removeInBackground(
  services: Services,
  { target, caller, doer, check, item, removeRoot }: LongRemoval,
): Promise<void> {
  const { records } = services
  const workId = newWorkId()
  const work: CascadeWork = { kind: 'cascade', stage: 'checking', target, doer }
  const isFirst = await records.commit((unit) => {
    check(unit)
    if (unit.get(removalMark, ...removalKey(target)) !== undefined) return false
    unit.put(removalMark, removalKey(target), { work: workId })
    putWork(unit, workId, work)
    return true
  })
  // Another request has begun the same deletion.
  if (!isFirst) return
  let all: CascadeWork
  try {
    const { blockers, isFull } = await findDependents(services, [target])
    requireUnblocked(records, caller, { blockers, hasMore: isFull })
    if (isFull) throw tooMany()
    all = await records.commit((unit) => {
      check(unit)
      const trash_id = beginItem(unit, services, { ...item(unit), isComplete: false })
      const next = {
        ...work,
        stage: 'deleting',
        ...(trash_id !== undefined && { trash_id }),
      } as const
      putWork(unit, workId, next)
      return next
    })
  } catch (error) {
    const run = (): Promise<void> => dropMark(services, workId, target)
    await runWork(services, { name: 'cascade', workId, run })
    throw error
  }
  void runWork(services, {
    name: 'cascade',
    workId,
    run: (signal) => runCascade(services, workId, all, { removeRoot, signal }),
  })
}

function tooMany(): CmsError {
  const limit = MAX_DEPENDENTS.toLocaleString('en')
  return new CmsError(
    'in-use',
    `More than ${limit} records depend on this record. Delete some of them first; nothing was deleted.`,
  )
}

/** Ends work that has deleted nothing. */
export async function dropMark(
  { records }: Pick<Services, 'records'>,
  workId: string,
  target: RemovedRecord,
): Promise<void> {
  await records.commit((unit) => unit.remove(removalMark, ...removalKey(target)))
  await finishWork(records, workId)
}

interface Running {
  readonly removeRoot: RemoveRoot
  readonly signal: AbortSignal
}

/** Deletes everything that depends on the record, and then the record. */
export async function runCascade(
  services: Services,
  workId: string,
  { target, doer, trash_id: trashId }: CascadeWork,
  { removeRoot, signal }: Running,
): Promise<void> {
  for (let isDone = false; !isDone; ) {
    await removeDependents(services, [target], { doer, signal, trashId })
    isDone = await commitAudited(services, {
      doer,
      plan(unit) {
        const plan = planRemoval(services, unit, [target])
        if (plan.isOver) return undefined
        applyRemoval(services, unit, withBlockers(plan))
        unit.remove(removalMark, ...removalKey(target))
        if (trashId !== undefined) changeItem(unit, trashId, () => ({ state: 'complete' }))
        const after = removeRoot(unit, trashId)
        if (trashId !== undefined) keepEntries(unit, services, trashId, [target])
        return { after }
      },
    }).then(async (done) => {
      await done?.after?.()
      return done !== undefined
    })
  }
  await finishWork(services.records, workId)
}

/** The deletion is decided, so a reference that would forbid it is cleared like others. */
function withBlockers({
  dependents,
  cleared,
  blockers,
}: ReturnType<typeof planRemoval>): Parameters<typeof applyRemoval>[2] {
  return { dependents, cleared: [...cleared, ...blockers] }
}

export interface Removing {
  readonly doer: Doer
  readonly signal: AbortSignal
  /** The item of the trash that keeps the entries. */
  readonly trashId?: number | undefined
}

/** Values that one commit deletes or changes, about 10 ms, and the bytes of their entries. */
const VALUES_AT_ONCE = 500
const BYTES_AT_ONCE = 1024 * 1024
/** Records that one commit looks at. */
const RECORDS_AT_ONCE = 200

/**
 * Deletes the entries that depend on the records, and clears the other references to all of them. The records
 * themselves stay.
 */
export async function removeDependents(
  services: Services,
  roots: readonly RemovedRecord[],
  { doer, signal, trashId }: Removing,
): Promise<void> {
  const columnsOf = openColumns(services, services.records)
  if (roots.every((root) => columnsOf(root).length === 0)) return
  const { all, names } = await findDependents(services, roots)
  // The farthest first, and the records themselves last: an entry is deleted before the record through which it was
  // found, so the rest is found again after a crash.
  for (let left = all.length; left > 0; ) {
    signal.throwIfAborted()
    const batch = all.slice(Math.max(0, left - RECORDS_AT_ONCE), left).toReversed()
    left -= await commitAudited(services, {
      doer,
      plan(unit) {
        const done = removeBatch(services, unit, { batch, names, roots })
        if (trashId !== undefined) keepEntries(unit, services, trashId)
        return done
      },
    })
  }
}

interface Batch {
  readonly batch: readonly RemovedRecord[]
  /** Names of all records that are deleted. */
  readonly names: ReadonlySet<string>
  readonly roots: readonly RemovedRecord[]
}

/** Returns the number of records that are done; the first ones of the batch. */
function removeBatch(services: Services, unit: Unit, { batch, names, roots }: Batch): number {
  const columnsOf = openColumns(services, unit)
  const left = { values: VALUES_AT_ONCE, bytes: BYTES_AT_ONCE }
  const isOver = (): boolean => left.values <= 0 || left.bytes <= 0
  for (const [at, record] of batch.entries()) {
    const isRoot = roots.includes(record)
    if (!isRoot && !isDependent(services, unit, record, names)) continue
    for (const referring of columnsOf(record)) {
      const most = Math.ceil(left.values / CLEAR_COST) + 1
      for (const referrer of referrersOf(unit, referring, record, most)) {
        if (isOver()) return at
        const cost = clearReference(services, unit, referrer)
        left.values -= cost.values
        left.bytes -= cost.bytes
      }
    }
    if (!isRoot) {
      const cost = removeDependent(services, unit, record)
      left.values -= cost.values
      left.bytes -= cost.bytes
    }
    if (isOver()) return at + 1
  }
  return batch.length
}

/** Removes an entry; returns the cost of the commit. */
export function removeDependent(
  { modules }: Pick<Services, 'modules'>,
  unit: Unit,
  { object, module_id: moduleId, id }: RemovedRecord,
): Cost {
  const isEntry = object === 'datatable' || object === 'calendar'
  const module = isEntry ? modules.find(unit, object, moduleId ?? 0) : undefined
  if (module === undefined) return { values: 1, bytes: 0 }
  const { recordType } = module.entry.object
  const stored = unit.get(recordType, id)
  unit.remove(recordType, id)
  return { values: deleteCost(module, stored), bytes: stored?.sizeBytes ?? 0 }
}

/** Whether an entry still exists, and refers with CASCADE to a record that is deleted. It may have been changed since. */
function isDependent(
  { modules }: Pick<Services, 'modules'>,
  unit: Unit,
  { object, module_id: moduleId, id }: RemovedRecord,
  removed: ReadonlySet<string>,
): boolean {
  if (object !== 'datatable' && object !== 'calendar') return false
  const module = modules.find(unit, object, moduleId ?? 0)
  const stored = module && unit.get(module.entry.object.recordType, id)
  if (module === undefined || stored === undefined) return false
  const values = entryValue(module.entry, stored)
  return module.entry.referenceColumns.some(
    ({ column: { name, references } }) =>
      references?.onDelete === 'cascade' &&
      idsOf(values[name]).some((above) =>
        removed.has(
          nameOfRecord({ object: references.object, module_id: references.module_id, id: above }),
        ),
      ),
  )
}

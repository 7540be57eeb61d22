// Deletes a record together with what depends on it: in one commit if that is little, and otherwise in the background.

import { CmsError } from '../../base/errors.ts'
import type { Caller } from '../../auth/caller.ts'
import type { RemovedRecord } from '../../schema/reference.ts'
import type { Unit } from '../../storage/port.ts'
import type { ChangeContext } from '../context.ts'
import { doerOf } from '../trail/audit.ts'
import { beginItem, keepEntries, type NewTrashItem } from '../trash/trash-items.ts'
import { removeInBackground, type RemoveRoot } from './long-removal.ts'
import { applyRemoval, planRemoval } from './removal-plan.ts'
import { requireUnblocked } from './removal-refusal.ts'

/** pending: the deletion is sure to happen, and its commits follow. */
export type Removal = 'removed' | 'pending'

interface RemovalRequest {
  readonly target: RemovedRecord
  /** Checks the rights and the precondition; returns the caller in the state of the commit. */
  readonly check: (unit: Unit) => Caller
  /** The item of the trash that keeps the record. */
  readonly item: (unit: Unit) => NewTrashItem
  readonly removeRoot: RemoveRoot
}

/** Throws in-use, and deletes nothing, if a reference with ON DELETE RESTRICT remains. */
export async function removeRecord(
  context: ChangeContext,
  { target, check, item, removeRoot }: RemovalRequest,
): Promise<Removal> {
  const deleted_by = context.caller.user.name
  const done = await context.records.commit((unit) => {
    const caller = check(unit)
    const plan = planRemoval(context, unit, [target])
    if (plan.isOver) {
      if (context.isJoint === true) throw tooManyDependents()
      return undefined
    }
    requireUnblocked(unit, caller, plan)
    const trashId = beginItem(unit, context, { ...item(unit), deleted_by })
    applyRemoval(context, unit, plan)
    const after = removeRoot(unit, trashId)
    if (trashId !== undefined) keepEntries(unit, context, trashId, [target])
    return { after }
  })
  if (done !== undefined) {
    await done.after?.()
    return 'removed'
  }
  await removeInBackground(context, {
    target,
    caller: context.caller,
    doer: doerOf(context.origin),
    check,
    item: (unit) => ({ ...item(unit), deleted_by }),
    removeRoot,
  })
  return 'pending'
}

function tooManyDependents(): CmsError {
  return new CmsError(
    'too-large',
    'More records depend on this record than one commit may delete or change. Delete the record by a request of its own: the server then deletes its dependents in the background.',
  )
}

// Restores an item of the trash: all of it, or nothing.

import { requireGrant } from '../../auth/grants.ts'
import { CmsError } from '../../base/errors.ts'
import { assetFile } from '../../schema/asset-file.ts'
import { pointer } from '../../schema/check.ts'
import { type FileGroup, fileGroup } from '../../schema/file-group.ts'
import { isModuleKind } from '../../schema/module.ts'
import { pendingWork, type RestoreWork } from '../../schema/pending-work.ts'
import { trash, type TrashItem, trashPart, type TrashPart } from '../../schema/trash.ts'
import type { Unit } from '../../storage/port.ts'
import { MAX_BULK } from '../../shared/limits.ts'
import type { ChangeContext } from '../context.ts'
import { newWorkId, putWork, runWork } from '../pending-work.ts'
import { commitAudited, doerOf } from '../trail/audit.ts'
import { changeItem } from '../trash/trash-items.ts'
import { requireItem } from '../trash/trash-visibility.ts'
import { firstParts, isMembership, putMembership } from './after-parts.ts'
import { type Begun, beginRestore, requireTarget, type RestoreInput } from './begin-restore.ts'
import { putEntries } from './put-entries.ts'
import { restoreFile } from './restore-file.ts'
import { restoreFolder } from './restore-folder.ts'
import { checkReferences, putModuleBack } from './restore-module.ts'
import { endRestore, outcomeOf, type Restored, type RestoreOutcome } from './restored-item.ts'

export async function restoreItem(
  context: ChangeContext,
  input: RestoreInput,
): Promise<RestoreOutcome> {
  const { value: item } = requireItem(context.records, context.caller, input.id)
  if (item.object === 'asset_category') return restoreFolder(context, input)
  if (isModuleKind(item.object)) return restoreModule(context, input, item)
  const restored = await context.records.commit((unit) => planRestore(unit, context, input))
  return endRestore(context, restored)
}

/** The outcome of an earlier request, as its commit has stored it; undefined if that commit only began the restore. */
export function replayRestore(
  { records, caller }: ChangeContext,
  stored: unknown,
): RestoreOutcome | undefined {
  const { outcome } = (stored ?? {}) as Partial<Restored>
  if (outcome !== undefined) requireGrant(records, caller, 'view', outcome.asset_category_id)
  return outcome
}

/** Attempts while records are deleted to which entries of the module refer. */
const MAX_CHECKED = 3

async function restoreModule(
  context: ChangeContext,
  input: RestoreInput,
  { object, object_id: id }: TrashItem,
): Promise<RestoreOutcome> {
  if (!isModuleKind(object)) throw new CmsError('internal', `${object} is no module.`)
  const modules = [{ kind: object, id }]
  const begun = input.isClearing ? await beginClearing(context, input) : undefined
  try {
    for (let checked = 0; checked < MAX_CHECKED; checked += 1) {
      const still = await checkReferences(context, modules, input.isClearing)
      const plan = (unit: Unit): Restored | undefined => {
        if (!still(unit)) return undefined
        begun?.end(unit)
        return planRestore(unit, context, input)
      }
      const doer = doerOf(context.origin)
      // The first commit of the request has its row in the audit trail already.
      const restored = await (begun === undefined
        ? context.records.commit(plan)
        : commitAudited(context, { doer, plan }))
      if (restored !== undefined) return endRestore(context, restored)
    }
    throw targetsChanging()
  } catch (error) {
    if (begun !== undefined) {
      const { workId, end } = begun
      const run = (): Promise<void> => context.records.commit(end)
      await runWork(context, { name: 'restore', workId, run })
    }
    throw error
  }
}

/** Reserves the item, because clearing references takes several commits. A crash makes the item complete again. */
async function beginClearing(context: ChangeContext, input: RestoreInput) {
  const workId = newWorkId()
  await context.records.commit((unit) => {
    const { caller, item } = beginRestore(unit, context, input)
    requireTarget(unit, caller, item, input.categoryId)
    putWork(unit, workId, workOf(context, input.id))
    changeItem(unit, input.id, () => ({ state: 'restoring' }))
  })
  return {
    workId,
    end(unit: Unit): void {
      unit.remove(pendingWork, workId)
      changeItem(unit, input.id, () => ({ state: 'complete' }))
    },
  }
}

function targetsChanging(): CmsError {
  return new CmsError(
    'unavailable',
    'Records to which the entries refer are being deleted. Nothing was restored; try again in a moment.',
    { headers: { 'retry-after': '1' } },
  )
}

/** Parts after the root that the same commit restores. More of them follow in the background. */
const MOST_AFTER = 50

function planRestore(unit: Unit, context: ChangeContext, input: RestoreInput): Restored {
  const begun = beginRestore(unit, context, input)
  const { caller, item } = begun
  const { trash_id } = item
  const isEntry = item.module_id !== null
  if (isEntry && input.categoryId !== undefined) throw staysInModule()
  const after = firstParts(unit, { trash_id, phase: 'after' }, MOST_AFTER + 1)
  const isLong = after.length > MOST_AFTER
  const entries = isLong ? [] : after.filter((part) => !isMembership(part))

  const roots = isEntry ? firstParts(unit, { trash_id, phase: 'root' }, MAX_BULK) : []
  if (!isLong)
    for (const part of after.toReversed())
      if (isMembership(part)) putMembership(unit, context, part)
  const check = putEntries(context, unit, [...entries, ...roots], caller)
  // The requested record is put last, so that the audit trail names it.
  const place = isEntry ? {} : putRoot(unit, context, begun, input)
  check(input.isClearing)
  const outcome = { ...outcomeOf(item), ...place }
  if (!isLong) {
    unit.remove(trash.recordType, trash_id)
    return { outcome, next: undefined }
  }
  const next = { workId: newWorkId(), work: workOf(context, trash_id) }
  putWork(unit, next.workId, next.work)
  changeItem(unit, trash_id, () => ({ state: 'restoring' }))
  return { outcome: { ...outcome, is_pending: true }, next }
}

/** Puts the record that the item stands for; returns its folder and its name. */
function putRoot(
  unit: Unit,
  context: ChangeContext,
  { caller, item, root }: Begun,
  { categoryId: asked, name }: RestoreInput,
): Pick<TrashItem, 'asset_category_id' | 'name'> {
  const categoryId = requireTarget(unit, caller, item, asked)
  const place = { asset_category_id: categoryId, name: name ?? item.name }
  if (item.object === 'asset_file') restoreFile(unit, context, root, { caller, categoryId, name })
  else if (isModuleKind(item.object))
    putModuleBack(unit, root, { caller, kind: item.object, categoryId })
  else putGroupBack(unit, root, categoryId)
  return place
}

/** Files that were deleted meanwhile are left out, as if they had been deleted while the group existed. */
function putGroupBack(unit: Unit, part: TrashPart, categoryId: number): void {
  const group = part.record as FileGroup
  const asset_file_ids = (group.asset_file_ids ?? []).filter(
    (id) => unit.get(assetFile.recordType, id) !== undefined,
  )
  const next = { ...group, parent_category_id: categoryId, asset_file_ids }
  unit.put(fileGroup.recordType, part.ids, next, undefined, part.revision)
  unit.remove(trashPart, part.trash_part_id)
}

function workOf(context: ChangeContext, trash_id: number): RestoreWork {
  return { kind: 'restore', trash_id, asset_category_id: null, doer: doerOf(context.origin) }
}

function staysInModule(): CmsError {
  const detail = 'An entry returns to its datatable or calendar. Send no parent_category_id.'
  return new CmsError('invalid-content', detail, {
    errors: [{ pointer: pointer('parent_category_id'), detail: 'is not possible for an entry' }],
  })
}

// Restores a folder with everything in it. The contents return first, in small commits; nobody sees them, because no path leads
// from them to the root. The record of the folder returns last, and with it everything becomes visible at once. Until
// then the row of pending work is that of a deletion: a crash, or a refusal, moves the contents back into the trash.

import { requireGrant } from '../../auth/grants.ts'
import { CmsError } from '../../base/errors.ts'
import { type AssetCategory, assetCategory } from '../../schema/asset-category.ts'
import { type AssetFile, assetFile } from '../../schema/asset-file.ts'
import { fileGroup } from '../../schema/file-group.ts'
import { isModuleKind } from '../../schema/module.ts'
import { pendingWork, type PurgeWork } from '../../schema/pending-work.ts'
import { trash, type TrashPart, trashPart } from '../../schema/trash.ts'
import type { Unit } from '../../storage/port.ts'
import type { ChangeContext } from '../context.ts'
import { requireLiveFolderChange } from '../files/addresses.ts'
import { openCommitSize } from '../commit-size.ts'
import { newWorkId, putWork, runWork } from '../pending-work.ts'
import {
  addExtents,
  type Extent,
  extentOf,
  measureBelow,
  ofName,
  requireExtent,
} from '../folders/folder-extent.ts'
import { purgeTask } from '../folders/folder-rules.ts'
import { commitAudited, doerOf } from '../trail/audit.ts'
import { changeItem } from '../trash/trash-items.ts'
import { walkFirstParts } from './after-parts.ts'
import {
  type Begun,
  beginRestore,
  requireFree,
  requireTarget,
  type RestoreInput,
} from './begin-restore.ts'
import { withoutOverdue } from '../files/schedules.ts'
import { putFileBack } from './restore-file.ts'
import { checkReferences, type ModuleKey, putModuleBack } from './restore-module.ts'
import { endRestore, outcomeOf, type Restored, type RestoreOutcome } from './restored-item.ts'

/** Attempts while records are deleted to which modules in the folder refer. */
const MAX_CHECKED = 3

interface Filling {
  readonly workId: string
  readonly work: PurgeWork
}

/** Throws if the folder cannot return; then the item is complete again, and nothing has changed. */
export async function restoreFolder(
  context: ChangeContext,
  input: RestoreInput,
): Promise<RestoreOutcome> {
  const filling = await beginFilling(context, input)
  const { asset_category_id: folderId } = filling.work
  context.purging.add(folderId)
  try {
    const restored = await fillAndShow(context, input, filling)
    context.purging.delete(folderId)
    return restored
  } catch (error) {
    await giveUp(context, filling)
    throw error
  }
}

async function beginFilling(context: ChangeContext, input: RestoreInput): Promise<Filling> {
  const workId = newWorkId()
  const doer = doerOf(context.origin)
  return context.records.commit((unit) => {
    const begun = beginRestore(unit, context, input)
    requirePlace(unit, begun, input)
    const { object_id, trash_id } = begun.item
    const work = { kind: 'purge', asset_category_id: object_id, doer, trash_id } as const
    putWork(unit, workId, work)
    changeItem(unit, trash_id, () => ({ state: 'restoring' }))
    return { workId, work }
  })
}

/** The folder and the name under which it returns. */
function requirePlace(
  unit: Unit,
  { caller, item, root }: Begun,
  { categoryId: asked, name: given }: RestoreInput,
): AssetCategory {
  const folder = root.record as AssetCategory
  const categoryId = requireTarget(unit, caller, item, asked)
  const name = given ?? folder.name
  requireFree(unit, caller, assetCategory, { categoryId, name })
  const isOfVisitors = [
    folder.public,
    folder.redirects,
    folder.site_headers,
    folder.layout_file_id,
  ].some((value) => (value ?? null) !== null)
  if (isOfVisitors) requireGrant(unit, caller, 'publish', categoryId)
  return { ...folder, parent_category_id: categoryId, name }
}

async function giveUp(context: ChangeContext, { workId, work }: Filling): Promise<void> {
  const { asset_category_id: categoryId, doer, trash_id: trashId } = work
  if (doer === undefined) return
  // Moves the contents back into the trash.
  await runWork(context, purgeTask(context, workId, { categoryId, doer, trashId }))
}

async function fillAndShow(
  context: ChangeContext,
  input: RestoreInput,
  filling: Filling,
): Promise<RestoreOutcome> {
  const { asset_category_id: folderId, trash_id: trashId = 0 } = filling.work
  const modules = await fill(context, filling.workId, trashId)
  const below = await measureBelow(context.records, folderId, context.limits)
  for (let checked = 0; checked < MAX_CHECKED; checked += 1) {
    const still = await checkReferences(context, modules, input.isClearing)
    const restored = await commitAudited(context, {
      doer: doerOf(context.origin),
      plan: (unit) => (still(unit) ? show(unit, context, { input, filling, below }) : undefined),
    })
    if (restored !== undefined) return endRestore(context, restored)
  }
  throw new CmsError(
    'unavailable',
    'Records to which the contents of the folder refer are being deleted. Nothing was restored; try again in a moment.',
    { headers: { 'retry-after': '1' } },
  )
}

/** Parts of one commit: each has about twenty index rows. */
const AT_ONCE = 50

/** Puts the contents back, and returns the modules among them. */
async function fill(
  context: ChangeContext,
  workId: string,
  trashId: number,
): Promise<readonly ModuleKey[]> {
  const modules: ModuleKey[] = []
  for (let isDone = false; !isDone; ) {
    const parts = await context.records.commit((unit) => {
      requireOwnWork(unit, workId)
      const size = openCommitSize(unit)
      const put: TrashPart[] = []
      for (const part of walkFirstParts(unit, { trash_id: trashId, phase: 'content' }, AT_ONCE)) {
        putContent(unit, part, context.now())
        put.push(part)
        if (size.isFull()) break
      }
      return put
    })
    for (const { type, ids } of parts)
      if (isModuleKind(type)) modules.push({ kind: type, id: Number(ids[0]) })
    isDone = parts.length === 0
  }
  return modules
}

/** Another node of a cluster may have taken over the work of a node that did not answer. */
function requireOwnWork(unit: Unit, workId: string): void {
  if (unit.get(pendingWork, workId) !== undefined) return
  throw new CmsError('unavailable', 'Another server has ended this restore. Try again in a moment.')
}

function putContent(unit: Unit, part: TrashPart, now: Date): void {
  const { type, record, ids, revision } = part
  if (type === assetFile.recordType.name)
    return putFileBack(unit, part, withoutOverdue(record as AssetFile, now))
  const categoryId = Number(record['parent_category_id'])
  if (isModuleKind(type)) return putModuleBack(unit, part, { kind: type, categoryId })
  const object = type === assetCategory.recordType.name ? assetCategory : fileGroup
  unit.put<object>(object.recordType, ids, record, undefined, revision)
  unit.remove(trashPart, part.trash_part_id)
}

interface Showing {
  readonly input: RestoreInput
  readonly filling: Filling
  readonly below: Extent
}

/** Puts the record of the folder, which makes everything in it visible. */
function show(unit: Unit, context: ChangeContext, { input, filling, below }: Showing): Restored {
  requireOwnWork(unit, filling.workId)
  const { trash_id: trashId = 0, asset_category_id: folderId } = filling.work
  changeItem(unit, trashId, () => ({ state: 'complete' }))
  const begun = beginRestore(unit, context, { ...input, precondition: undefined })
  const { caller, item, root } = begun
  const folder = requirePlace(unit, begun, input)
  const { name, parent_category_id } = folder
  const parentId = Number(parent_category_id)
  const own = addExtents(extentOf(unit, parentId), ofName(name))
  requireExtent(context.limits, own)
  requireExtent(context.limits, own, below)
  context.folderWatches.notice(unit, { kind: 'moved', parentId, name })
  unit.remove(trashPart, root.trash_part_id)
  unit.remove(pendingWork, filling.workId)
  const workId = newWorkId()
  const work = {
    kind: 'restore',
    trash_id: trashId,
    asset_category_id: folderId,
    doer: doerOf(context.origin),
  } as const
  putWork(unit, workId, work)
  unit.put(trash.recordType, [trashId], { ...item, state: 'restoring' })
  unit.put(assetCategory.recordType, [folderId], folder, undefined, root.revision)
  requireLiveFolderChange(unit, caller, { id: folderId, to: parentId })
  return {
    outcome: { ...outcomeOf(item), name, asset_category_id: parentId },
    next: { workId, work },
  }
}

// Rules of asset_category, and the deletion of folders. asset-categories.ts creates and changes them.

import type { SchemaObject } from 'openapi3-ts/oas31'
import { recheck } from '../../auth/caller.ts'
import { requireGrant } from '../../auth/grants.ts'
import { CmsError } from '../../base/errors.ts'
import {
  assetCategory,
  MODULES_CATEGORY_ID,
  ROOT_CATEGORY_ID,
  formerPlaces,
} from '../../schema/asset-category.ts'
import { audit, type Doer } from '../../schema/audit.ts'
import { folderTombstone } from '../../schema/change-log.ts'
import { pendingWork } from '../../schema/pending-work.ts'
import { removalKey, removalMark } from '../../schema/reference.ts'
import type { Unit } from '../../storage/port.ts'
import type { ChangeContext, Context, DeletedFolder, RecordInput, Services } from '../context.ts'
import { idsInFolder } from '../folder-contents.ts'
import { IN_FOLDERS, type ObjectRules } from '../object-rules.ts'
import { newWorkId, type PendingTask, putWork, runWork } from '../pending-work.ts'
import { tagOf } from '../present.ts'
import { folderRecord, isMarked } from '../removal-marks.ts'
import { requireMatch, requireRecord, requireSubtreeGrant } from '../requirements.ts'
import { commitAudited, doerOf } from '../trail/audit.ts'
import { beginItem, finishRemoval, moveToTrash, type NewTrashItem } from '../trash/trash-items.ts'
import { viewOf } from '../visibility.ts'
import { hasReferences, requireReleased } from './folder-references.ts'
import { planRetention } from './retention-plans.ts'
import { createCategory, folderVisibility, updateCategory } from './asset-categories.ts'

const RECURSIVE = 'recursive'
const DRY_RUN = 'dry_run'

const COUNT: SchemaObject = { type: 'integer' }

const REPORT: SchemaObject = {
  type: 'object',
  required: ['plan'],
  properties: {
    plan: {
      type: 'object',
      required: ['files', 'versions', 'size', 'is_complete'],
      properties: {
        files: { ...COUNT, description: 'Files that would lose versions.' },
        versions: { ...COUNT, description: 'Versions that would be removed.' },
        size: { ...COUNT, description: 'Bytes that would be freed.' },
        is_complete: {
          type: 'boolean',
          description: 'False if the folder has too many versions to examine all of them.',
        },
      },
    },
  },
}

export const folderRules: ObjectRules = {
  ...folderVisibility,
  ...IN_FOLDERS,
  body: 'json',
  needsRoom: 'record',
  create: createCategory,
  update: (context, { options, ...input }) =>
    options.has(DRY_RUN) ? planRetention(context, input) : updateCategory(context, input),
  updateOptions: [
    {
      name: DRY_RUN,
      description:
        'Only for a body with keep_versions alone: return what the rule would remove, without changing anything.',
    },
  ],
  remove: (context, { options, ...input }) =>
    removeCategory(context, { ...input, isRecursive: options.has(RECURSIVE) }),
  notes: { planned: REPORT },
  removeOptions: [
    {
      name: RECURSIVE,
      description: 'Also delete all contents of the folder; otherwise it must be empty.',
    },
  ],
}

interface RemoveCategoryInput extends RecordInput {
  readonly isRecursive: boolean
}

/**
 * Deletes a folder. With `isRecursive` the whole subtree disappears in the commit that removes the folder; its files
 * are removed afterwards, also across a restart.
 */
async function removeCategory(context: ChangeContext, input: RemoveCategoryInput): Promise<void> {
  const workId = newWorkId()
  const doer = doerOf(context.origin)
  const check = (unit: Unit): void => requireRemoval(unit, context, input)
  const mark = input.isRecursive
    ? await markFolder(context, { categoryId: input.id, doer }, check)
    : undefined
  let trashId: number | undefined
  try {
    trashId = await context.records.commit((unit) => {
      check(unit)
      if (input.isRecursive && mark === undefined && hasReferences({ records: unit }))
        throw changed()
      mark?.drop(unit)
      const item = beginItem(unit, context, newItem(unit, input, doer))
      const kept = item === undefined ? undefined : ({ trashId: item, phase: 'root' } as const)
      const trash_id = item === undefined ? {} : { trash_id: item }
      const work = { kind: 'purge', asset_category_id: input.id, doer, ...trash_id } as const
      if (input.isRecursive) putWork(unit, workId, work)
      removeFolder(unit, context, input.id, kept)
      return item
    })
  } catch (error) {
    if (mark !== undefined) await mark.remove()
    throw error
  }

  // The folder is gone already, so the deletion has succeeded.
  if (input.isRecursive)
    await runWork(context, purgeTask(context, workId, { categoryId: input.id, doer, trashId }))
}

function newItem(
  unit: Unit,
  { id, isRecursive }: RemoveCategoryInput,
  { user_name: deleted_by }: Doer,
): NewTrashItem {
  const { name, parent_category_id: parent } = requireRecord(unit, assetCategory, id).record
  return {
    object: 'asset_category',
    object_id: id,
    name,
    asset_category_id: parent ?? ROOT_CATEGORY_ID,
    deleted_by,
    isComplete: !isRecursive,
  }
}

function requireRemoval(unit: Unit, context: ChangeContext, input: RemoveCategoryInput): void {
  const caller = recheck(unit, context.caller, context.now())
  const { stored } = requireRecord(unit, assetCategory, input.id)
  requireGrant(unit, caller, 'delete', input.id)
  requireMatch(
    input.precondition,
    stored,
    tagOf(viewOf(context, { reader: unit, as: caller }), folderVisibility, stored),
  )
  requireSubtreeGrant(unit, caller, 'delete', input.id)
  requireRemovable(unit, context, input)
}

interface FolderMark {
  readonly drop: (unit: Unit) => void
  /** Drops the mark in a commit of its own. */
  readonly remove: () => Promise<void>
}

/**
 * Marks the folder, so that nothing new refers to its contents or enters it, and checks that no reference forbids the
 * deletion. Undefined if no column refers to anything.
 */
async function markFolder(
  context: ChangeContext,
  { categoryId, doer }: Omit<Purge, 'trashId'>,
  check: (unit: Unit) => void,
): Promise<FolderMark | undefined> {
  if (!hasReferences(context)) return undefined
  const target = folderRecord(categoryId)
  const workId = newWorkId()
  const drop = (unit: Unit): void => {
    unit.remove(removalMark, ...removalKey(target))
    unit.remove(pendingWork, workId)
  }
  await context.records.commit((unit) => {
    check(unit)
    if (isMarked(unit, target)) throw changed()
    unit.put(removalMark, removalKey(target), { work: workId })
    putWork(unit, workId, { kind: 'cascade', stage: 'checking', target, doer })
  })
  const run = (): Promise<void> => context.records.commit(drop)
  const remove = (): Promise<void> => runWork(context, { name: 'cascade', workId, run })
  try {
    await requireReleased(context, categoryId)
  } catch (error) {
    await remove()
    throw error
  }
  return { drop, remove }
}

function changed(): CmsError {
  return new CmsError(
    'unavailable',
    'The folder or the columns that refer to its contents are being changed. Nothing was deleted; try again in a moment.',
    { headers: { 'retry-after': '1' } },
  )
}

/** Counting stops here; the message need not be exact beyond it. */
const MAX_COUNTED = 1_000

function requireRemovable(
  unit: Unit,
  { folderContents }: Context,
  { id, isRecursive }: RemoveCategoryInput,
): void {
  if (id === ROOT_CATEGORY_ID || id === MODULES_CATEGORY_ID) {
    throw new CmsError('in-use', 'The root folder and the folder of modules cannot be deleted.')
  }
  if (isRecursive) return

  const held = [assetCategory, ...folderContents.map(({ object }) => object)].map((object) => ({
    name: object.name,
    count: idsInFolder(unit, object, id, MAX_COUNTED).length,
  }))
  const parts = held.filter(({ count }) => count > 0).map(({ name, count }) => `${name}: ${count}`)
  if (parts.length === 0) return
  throw new CmsError(
    'not-empty',
    `The folder is not empty (${parts.join(', ')}). Delete or move its contents, or send ?recursive=true.`,
    { members: { counts: Object.fromEntries(held.map(({ name, count }) => [name, count])) } },
  )
}

export interface Purge {
  readonly categoryId: number
  readonly doer: Doer
  /** The item of the trash that keeps the subtree. */
  readonly trashId: number | undefined
}

export function purgeTask(services: Services, workId: string, purge: Purge): PendingTask {
  return { name: 'purge', workId, run: (signal) => runPurge(services, workId, purge, signal) }
}

/** Uses commits small enough to let other commits through. */
async function runPurge(
  services: Services,
  workId: string,
  { categoryId, doer, trashId }: Purge,
  signal: AbortSignal,
): Promise<void> {
  services.purging.add(categoryId)
  // Deepest first: a folder keeps its record, and so its place in the subtree, until it is empty.
  const path = [categoryId]
  for (let next = path.at(-1); next !== undefined; next = path.at(-1)) {
    const below = idsInFolder(services.records, assetCategory, next, services.limits.purgeBatch)
    if (below.length > 0) path.push(...below)
    else await purgeFolder(services, { categoryId: Number(path.pop()), doer, signal, trashId })
  }
  await finishRemoval(services, workId, trashId)
  // Skipped after an error: the rest stays hidden from searches until the work is repeated.
  services.purging.delete(categoryId)
}

async function purgeFolder(services: Services, folder: DeletedFolder): Promise<void> {
  for (const { clear } of services.folderContents) await clear(services, folder)
  const { doer, categoryId, trashId } = folder
  const kept = trashId === undefined ? undefined : ({ trashId, phase: 'content' } as const)
  const plan = (unit: Unit): void => removeFolder(unit, services, categoryId, kept)
  await commitAudited(services, { doer, plan })
}

/** Removes a folder and stores its former place. If the folder is already removed, stores that its subtree is removed. */
function removeFolder(
  unit: Unit,
  services: Pick<Services, 'records'>,
  id: number,
  kept: Parameters<typeof moveToTrash>[2] | undefined,
): void {
  const folder =
    unit.get(assetCategory.recordType, id)?.value ?? unit.get(folderTombstone, id)?.value
  const sequence = unit.highestId(audit.recordType)
  if (folder !== undefined) {
    const { name, parent_category_id } = folder
    unit.put(folderTombstone, [id], {
      ...(name !== undefined && { name }),
      parent_category_id,
      sequence,
    })
  }
  const type = assetCategory.recordType
  if (kept !== undefined) return moveToTrash(unit, services, kept, { type, id })
  unit.remove(type, id)
  unit.remove(formerPlaces, id)
}

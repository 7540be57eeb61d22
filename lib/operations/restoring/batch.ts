// Many operations on files in one request: all or none in one commit, or each by itself. Each operation is the one of the
// single request, with the same checks. Among them are restores from the trash.

import { CmsError, isNotFound } from '../../base/errors.ts'
import type { Action } from '../../shared/actions.ts'
import type { AssetFile } from '../../schema/asset-file.ts'
import { openTimeSlice } from '../../schema/time-slicing.ts'
import type { JsonObject, Stored } from '../../schema/values.ts'
import type { ChangeContext, Context, RecordInput } from '../context.ts'
import { placedAt } from '../place-in-list.ts'
import { restoreItem } from './restore-item.ts'
import { commitJointly } from '../trail/joint-commit.ts'
import { requireItemOfFile } from '../trash/trash-visibility.ts'
import { fileRules } from '../files/asset-files.ts'
import { fileVisibility } from '../files/file-visibility.ts'
import { actionOfState, type PublicationState, setState } from '../files/publication-state.ts'
import { publish, stage, unpublish, unstage } from '../files/publishing.ts'
import { restoreVersion } from '../files/version-reads.ts'

/** set_state is recorded as the action that it amounts to, and restore_trash as a restore. */
export const BATCH_OPERATIONS = [
  'publish',
  'stage',
  'unpublish',
  'unstage',
  'set_state',
  'update',
  'restore',
  'delete',
  'restore_trash',
] as const satisfies readonly (Action | 'set_state' | 'restore_trash')[]

export type BatchOperation = (typeof BATCH_OPERATIONS)[number]

export interface BatchItem extends RecordInput {
  readonly op: BatchOperation
  /** For publish and stage, undefined stands for the latest version; restore needs it. */
  readonly version: number | undefined
  /** The fields to set with update. */
  readonly fields: JsonObject | undefined
  /** Required for set_state. */
  readonly state: PublicationState | undefined
}

export type BatchMode = 'all' | 'each'

export interface Batch {
  readonly mode: BatchMode
  readonly items: readonly BatchItem[]
}

/** The file after the operation; the outcome of a delete; or the error that refused the operation. */
export type BatchResult = Stored | 'removed' | 'pending' | CmsError

/** In mode all, throws the error of the first operation that is refused, and changes nothing. */
export function runBatch(context: ChangeContext, batch: Batch): Promise<readonly BatchResult[]> {
  return batch.mode === 'all' ? runAll(context, batch.items) : runEach(context, batch.items)
}

function runAll(
  context: ChangeContext,
  items: readonly BatchItem[],
): Promise<readonly BatchResult[]> {
  const actions = new Set(items.map((item) => actionOf(context, item)))
  const [action] = actions
  const used = actions.size === 1 && action !== undefined ? context.recordedAs(action) : context
  const changes = items.map((item) => (joint: ChangeContext) => runOne(joint, item))
  return commitJointly(used, changes, (error, index) =>
    placedAt(`/operations/${index}`, error, true),
  )
}

function actionOf({ records }: Context, { op, id, state, precondition }: BatchItem): Action {
  if (op === 'restore_trash') return 'restore'
  if (op !== 'set_state') return op
  return state === undefined ? 'update' : actionOfState(records, { id, state, precondition })
}

async function runEach(
  context: ChangeContext,
  items: readonly BatchItem[],
): Promise<readonly BatchResult[]> {
  const results: BatchResult[] = []
  const slice = openTimeSlice()
  for (const item of items) {
    try {
      results.push(await runOne(context.recordedAs(actionOf(context, item)), item))
    } catch (error) {
      if (!(error instanceof CmsError)) throw interrupted(error)
      results.push(error)
    }
    if (slice.isOver(0)) await slice.next()
  }
  return results
}

function interrupted(cause: unknown): CmsError {
  return new CmsError(
    'outcome-unknown',
    'An operation failed unexpectedly, and the operations before it may have been carried out. Read the files to see their state.',
    { cause },
  )
}

async function runOne(
  context: ChangeContext,
  { op, id, version, fields, state, precondition }: BatchItem,
): Promise<Stored | 'removed' | 'pending'> {
  // A delete frees space.
  if (op !== 'delete') context.room.require('record')
  switch (op) {
    case 'publish':
      return publish(context, { id, version, precondition })
    case 'stage':
      return stage(context, { id, version, precondition })
    case 'unpublish':
      return unpublish(context, { id, precondition })
    case 'unstage':
      return unstage(context, { id, precondition })
    case 'set_state':
      return setState(context, { id, state: state as PublicationState, precondition })
    case 'restore':
      return restoreVersion(context, { id, number: Number(version), precondition })
    case 'update':
      return (await fileRules.update(context, {
        id,
        body: fields,
        precondition,
        options: NO_OPTIONS,
      })) as Stored<AssetFile>
    case 'delete':
      return (
        (await fileRules.remove(context, { id, precondition, options: NO_OPTIONS })) ?? 'removed'
      )
    case 'restore_trash':
      await restoreItem(context, {
        id: requireItemOfFile(context.records, id),
        precondition,
        categoryId: undefined,
        name: undefined,
        isClearing: false,
      })
      return fileVisibility.seen.requireMade(context, id)
  }
}

const NO_OPTIONS: ReadonlySet<string> = new Set()

/** The results of an earlier request, from the files as they are now. */
export function recallBatch(context: Context, { items }: Batch): readonly BatchResult[] {
  return items.map(({ op, id }) => {
    try {
      return fileVisibility.seen.requireMade(context, id)
    } catch (error) {
      if (!(error instanceof CmsError)) throw error
      return op === 'delete' && isNotFound(error) ? 'removed' : error
    }
  })
}

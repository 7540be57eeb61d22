// The trash: restore, removal for good, and emptying. objects.ts lists and reads its items.

import { empty, json } from '../http/reply.ts'
import type { ChangeContext } from '../operations/context.ts'
import { discardItem } from '../operations/restoring/discard-item.ts'
import { emptyTrash, replayEmpty } from '../operations/restoring/expire-trash.ts'
import type { RestoreInput } from '../operations/restoring/begin-restore.ts'
import { replayRestore, restoreItem } from '../operations/restoring/restore-item.ts'
import { refuseField } from '../schema/check.ts'
import { DISCARD_ITEM, EMPTY_TRASH, RESTORE_ITEM } from './docs/trash-docs.ts'
import { readActionBody, readBoolean, readWhole } from './request/action-body.ts'
import {
  readId,
  readPrecondition,
  type Request,
  requireKnownParameters,
} from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

const ITEM = '/api/v2/trash/:id'

export const trashRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: `${ITEM}/restore`,
    access: 'key',
    action: 'restore',
    summary: 'Restore a deleted record with everything that was deleted with it',
    docs: RESTORE_ITEM,
    read: readRestore,
    run: (context, input) => restoreItem(context as ChangeContext, input),
    keepsOutcome: true,
    recall: (context, _, { outcome }) => replayRestore(context as ChangeContext, outcome),
    reply: (outcome) => json(200, outcome),
  }),
  defineRoute({
    method: 'DELETE',
    path: ITEM,
    access: 'key',
    action: 'delete',
    summary: 'Permanently remove one trash item',
    docs: DISCARD_ITEM,
    read: (request) => {
      requireKnownParameters(request.query, [])
      return { id: readId(request, 'id'), precondition: readPrecondition(request) }
    },
    run: (context, input) => discardItem(context as ChangeContext, input),
    reply: () => empty(204),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v2/trash/bulk_delete',
    access: 'key',
    action: 'delete',
    // Emptying frees space, so it works on a full disk.
    needsRoom: undefined,
    summary: 'Permanently remove all trash items that the key may see',
    docs: EMPTY_TRASH,
    read: async (request) => {
      requireKnownParameters(request.query, [])
      const body = await readActionBody(request, ['through', 'dry_run'])
      return { through: readWhole(body, 'through'), isDryRun: readBoolean(body, 'dry_run') }
    },
    run: (context, input) => emptyTrash(context as ChangeContext, input),
    keepsOutcome: true,
    recall: (context, input, { outcome }) => replayEmpty(context as ChangeContext, input, outcome),
    reply: (outcome) => json(200, outcome),
  }),
]

async function readRestore(request: Request): Promise<RestoreInput> {
  requireKnownParameters(request.query, [])
  const id = readId(request, 'id')
  const body = await readActionBody(request, ['parent_category_id', 'name', 'clear_references'])
  const name = body['name'] ?? undefined
  if (name !== undefined && typeof name !== 'string') refuseField('name', 'must be a string')
  return {
    id,
    precondition: readPrecondition(request),
    categoryId: readWhole(body, 'parent_category_id'),
    name,
    isClearing: readBoolean(body, 'clear_references'),
  }
}

// The trash: restore, removal for good, and emptying. objects.ts lists and reads its items.

import type { SchemaObject } from 'openapi3-ts/oas31'
import { jsonAnswer, jsonBody } from '../docs/answers.ts'
import { BODY_LIMITS } from '../docs/body-limits.ts'
import type { EndpointDocs } from '../docs/endpoint.ts'
import { IF_MATCH } from '../docs/parameters.ts'
import { closed } from '../docs/schemas.ts'
import { empty, json } from '../http/reply.ts'
import type { ChangeContext } from '../operations/context.ts'
import type { RestoreInput } from '../operations/restoring/begin-restore.ts'
import { discardItem } from '../operations/restoring/discard-item.ts'
import { emptyTrash, replayEmpty } from '../operations/restoring/expire-trash.ts'
import { replayRestore, restoreItem } from '../operations/restoring/restore-item.ts'
import { refuseField } from '../schema/check.ts'
import { trash } from '../schema/trash.ts'
import { readActionBody, readBoolean, readWhole } from './request/action-body.ts'
import {
  readId,
  readPrecondition,
  type Request,
  requireKnownParameters,
} from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

const TAG = trash.name
const WHOLE: SchemaObject = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
const NUMBER: SchemaObject = { ...WHOLE, minimum: 1 }

const RESTORED: SchemaObject = closed({
  type: 'object',
  required: [
    'object',
    'object_id',
    'module_id',
    'name',
    'asset_category_id',
    'count',
    'is_pending',
  ],
  properties: {
    object: { type: 'string', description: 'Kind of the restored record.' },
    object_id: { ...NUMBER, description: 'Its identifier, the same as before.' },
    module_id: { type: ['integer', 'null'], description: 'The datatable or calendar of an entry.' },
    name: { type: ['string', 'null'], description: 'Its name; null for an entry.' },
    asset_category_id: {
      ...NUMBER,
      description: 'Its folder; for an entry, the folder of its module.',
    },
    count: { ...WHOLE, description: 'Number of restored records.' },
    is_pending: {
      type: 'boolean',
      description:
        'The record is back. Memberships in groups and entries that depend on the record are still returning.',
    },
  },
})

const RESTORE_ITEM: EndpointDocs = {
  tag: TAG,
  operationId: 'restore_trash',
  description:
    'The record returns with its identifier, and a file with its versions and its live and staged version. Needs view and delete in the folder that contained the record, create in the folder ' +
    'into which it returns, and publish if it becomes visible to visitors. If the name is taken, the response is 409 with a free name in free_name. If the folder is gone, send the identifier of another folder. An entry returns only if it satisfies the current rules of its module. A folder and everything in it become visible at once.',
  parameters: [IF_MATCH],
  body: jsonBody({
    schema: {
      type: 'object',
      properties: {
        parent_category_id: {
          ...NUMBER,
          description: 'The folder; default: the folder that contained the record.',
        },
        name: { type: 'string', description: 'A new name for a file or a folder.' },
        clear_references: {
          type: 'boolean',
          description:
            'true: references of entries to records that no longer exist become empty. Otherwise such references prevent the restore.',
        },
      },
      additionalProperties: false,
    },
    example: {},
    limit: BODY_LIMITS.json,
  }),
  problems: [409, 413, 415, 422],
  answers: {
    200: jsonAnswer('The restored record.', {
      schema: RESTORED,
      example: {
        object: 'asset_file',
        object_id: 2,
        module_id: null,
        name: 'index.html',
        asset_category_id: 1,
        count: 1,
        is_pending: false,
      },
    }),
  },
}

const DISCARD_ITEM: EndpointDocs = {
  tag: TAG,
  operationId: 'delete_trash',
  description: 'The record and its bytes cannot be restored afterwards.',
  parameters: [IF_MATCH],
  problems: [409],
  answers: { 204: { description: 'The item is gone.' } },
}

const EMPTY_TRASH: EndpointDocs = {
  tag: TAG,
  operationId: 'bulk_delete_trash',
  description:
    'Removes all items with the state complete that the key may see. To remove exactly the items of a dry run, send the number through of its response.',
  body: jsonBody({
    schema: {
      type: 'object',
      properties: {
        through: { ...NUMBER, description: 'Items with a higher number stay.' },
        dry_run: { type: 'boolean', description: 'Return the numbers without removing anything.' },
      },
      additionalProperties: false,
    },
    example: { dry_run: true },
    limit: BODY_LIMITS.json,
  }),
  problems: [413, 415, 422],
  answers: {
    200: jsonAnswer('What was removed.', {
      schema: closed({
        type: 'object',
        required: ['count', 'size', 'through', 'dry_run'],
        properties: {
          count: {
            ...WHOLE,
            description: 'Items that were removed, or that a dry run would remove.',
          },
          size: { ...WHOLE, description: 'Bytes of the contents of these items.' },
          through: {
            type: ['integer', 'null'],
            description: 'The highest number of these items; null if there are none.',
          },
          dry_run: { type: 'boolean' },
        },
      }),
      example: { count: 3, size: 40960, through: 7, dry_run: true },
    }),
  },
}

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

// OpenAPI descriptions of restores and of removals from the trash.

import type { SchemaObject } from 'openapi3-ts/oas31'
import { jsonAnswer, jsonBody } from '../../docs/answers.ts'
import { BODY_LIMITS } from '../../docs/body-limits.ts'
import type { EndpointDocs } from '../../docs/endpoint.ts'
import { IF_MATCH } from '../../docs/parameters.ts'
import { closed } from '../../docs/schemas.ts'
import { trash } from '../../schema/trash.ts'

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

export const RESTORE_ITEM: EndpointDocs = {
  tag: TAG,
  operationId: 'restore_trash',
  description:
    'The record returns with its identifier, and a file with its versions and its live and staged version. Needs view and delete where the record lay, create in the folder ' +
    'into which it returns, and publish if it becomes visible to visitors. If the name is taken, the response is 409 with a free name in free_name. If the folder is gone, send the identifier of another folder. An entry returns only if it satisfies the current rules of its module. A folder and everything in it become visible at once.',
  parameters: [IF_MATCH],
  body: jsonBody({
    schema: {
      type: 'object',
      properties: {
        parent_category_id: {
          ...NUMBER,
          description: 'The folder; default: the folder in which the record lay.',
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

export const DISCARD_ITEM: EndpointDocs = {
  tag: TAG,
  operationId: 'delete_trash',
  description: 'The record and its bytes cannot be restored afterwards.',
  parameters: [IF_MATCH],
  problems: [409],
  answers: { 204: { description: 'The item is gone.' } },
}

export const EMPTY_TRASH: EndpointDocs = {
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
          count: { ...WHOLE, description: 'Items that were removed; in a dry run, that would be.' },
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

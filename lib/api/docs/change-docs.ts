// OpenAPI descriptions of the change log: GET /api/v2/change and its event stream.

import type { ParameterObject, SchemaObject } from 'openapi3-ts/oas31'
import { LIMITS } from '../../config/limits.ts'
import { assetFile } from '../../schema/asset-file.ts'
import { CHANGE_ACTIONS, CHANGED_OBJECTS } from '../../shared/actions.ts'
import { jsonAnswer, otherAnswer } from '../../docs/answers.ts'
import type { EndpointDocs } from '../../docs/endpoint.ts'
import { queryParameter } from '../../docs/parameters.ts'
import { nullableChoice, toSchema } from '../../docs/schemas.ts'

const POSITION = 'rzhCJm5tWcu1yXN9A5uIu0KQk2b3gq1mT5yGkq6cZPxq0YbJ1c8'

const INTEGER_OR_NULL: SchemaObject = { type: ['integer', 'null'] }

const STRING_OR_NULL: SchemaObject = { type: ['string', 'null'] }

const CHANGE_MEMBERS: NonNullable<SchemaObject['properties']> = {
  sequence: {
    ...INTEGER_OR_NULL,
    description:
      'Number of the change. Numbers increase and may have gaps. Null for a key that does not see the whole site.',
  },
  date_added: { type: 'string', format: 'date-time' },
  object: { type: 'string', enum: [...CHANGED_OBJECTS] },
  object_id: { type: 'integer' },
  module_id: {
    ...INTEGER_OR_NULL,
    description: 'The datatable or calendar of an entry; null for other objects.',
  },
  action: {
    type: 'string',
    description:
      '`create` and `delete` mean that a record became visible to the key, or is no longer visible. Every other action changes a record that stays visible.',
    enum: [...CHANGE_ACTIONS],
  },
  version: {
    ...INTEGER_OR_NULL,
    description: 'The version of a file, as in the audit trail; null for other objects.',
  },
  fileState: nullableChoice({ type: 'string', enum: ['publish', 'stage'] }),
  changed_fields: { type: ['array', 'null'], items: { type: 'string' } },
  user_name: { type: ['string', 'null'], description: 'The user who made the change.' },
  asset_category_id: {
    ...INTEGER_OR_NULL,
    description:
      'The folder that contains the record, or contained it before it was deleted. For an entry, the folder of its module; for a folder, the folder itself.',
  },
  previous_category_id: {
    ...INTEGER_OR_NULL,
    description:
      'The previous folder of a record that was moved. For a folder, its previous parent folder.',
  },
  entries: {
    ...INTEGER_OR_NULL,
    description: 'Number of entries that were deleted together with their datatable or calendar.',
  },
  schedule_fault: {
    ...toSchema(assetFile.fields.schedule_fault.schema),
    description:
      'For the action schedule_failed: why the server could not keep a time of the file. Null for all other changes.',
  },
  name: {
    ...STRING_OR_NULL,
    description:
      'Name of a record that was deleted, renamed or moved, or whose address changed. The name is the one after the change. Null for all other changes.',
  },
  path: {
    ...STRING_OR_NULL,
    description:
      'Path of the record at that time, from the topmost folder that the key sees. A file has the name of its live version. Null if the record is in no folder.',
  },
  url: {
    ...STRING_OR_NULL,
    description: 'Address of the file, datatable or calendar at that time.',
  },
  previous_name: {
    ...STRING_OR_NULL,
    description: 'Null if the name did not change, or if the key did not see the record before.',
  },
  previous_path: { ...STRING_OR_NULL, description: 'Null if the path did not change.' },
  previous_url: { ...STRING_OR_NULL, description: 'Null if the address did not change.' },
}

/** Every change has every member. */
const CHANGE: SchemaObject = {
  type: 'object',
  required: Object.keys(CHANGE_MEMBERS),
  properties: CHANGE_MEMBERS,
}

const EXAMPLE = {
  sequence: 4711,
  date_added: '2026-01-31T12:00:00.000Z',
  object: 'asset_file',
  object_id: 12,
  module_id: null,
  action: 'publish',
  version: 3,
  fileState: 'publish',
  changed_fields: ['fileState', 'live_version'],
  user_name: 'admin',
  asset_category_id: 1,
  previous_category_id: null,
  entries: null,
  schedule_fault: null,
  name: null,
  path: null,
  url: null,
  previous_name: null,
  previous_path: null,
  previous_url: null,
}

const ID: SchemaObject = { type: 'integer', minimum: 1 }

const SINCE = queryParameter(
  'since',
  'Where to start: `page.next` of a response, or the id of an event. 0 starts with the oldest change in the log. A key ' +
    'that sees the whole site may send the sequence number of a change to get the changes after it. A time (2026-01-31T12:00:00Z) starts with ' +
    'the first change from then on; changes made while the clock of the server was set back may be older. Without `since`, only new changes are returned.',
  { type: 'string' },
)

const FILTERS: readonly ParameterObject[] = [
  queryParameter(
    'object',
    `Return only changes of these objects, separated by commas: ${CHANGED_OBJECTS.join(', ')}.`,
    { type: 'string' },
  ),
  queryParameter(
    'action',
    `Return only these actions, separated by commas: ${CHANGE_ACTIONS.join(', ')}. \`publish\` and \`stage\` also match a create, ` +
      'update or upload that published or staged the file; `fileState` says which.',
    { type: 'string' },
  ),
  queryParameter(
    'asset_category_id',
    'Return only changes in this folder and its subfolders. A record that is moved in is a `create`, a record that is moved out a `delete`.',
    ID,
  ),
  queryParameter('module_id', 'Return only changes of entries of this datatable or calendar.', ID),
]

const ABOUT =
  'A key gets the changes of the records that it may see, by its current grants. A record that moves to a folder that the key cannot see ' +
  'is a `delete`; a record that moves from such a folder to a visible folder is a `create`. Deleting a folder, a datatable or a calendar, or moving ' +
  'a folder, is one change for everything in it: its entries are not reported one by one. Values that change by use alone ' +
  'are not reported: `last_used`, `entry_count`, and the end of a session. The log begins where the audit trail begins.'

export const FOLLOW_CHANGES: EndpointDocs = {
  tag: 'change',
  operationId: 'follow_changes',
  description:
    `${ABOUT}\n\nStore \`page.next\` after you have processed the changes, and continue from it: every change is delivered exactly ` +
    'once. If the position is older than the log, the response is 410 with a `next`: read the lists again, then continue from `next`. ' +
    'A page may be empty although more changes follow, if the key cannot see them: continue with `page.next`.',
  parameters: [
    SINCE,
    queryParameter('length', 'Maximum number of changes in one response.', {
      type: 'integer',
      minimum: 1,
      maximum: LIMITS.maxListLength,
      default: LIMITS.listLength,
    }),
    queryParameter('wait', 'Seconds to wait for the first change if there is none yet.', {
      type: 'integer',
      minimum: 0,
      maximum: LIMITS.maxWaitMs / 1_000,
      default: 0,
    }),
    ...FILTERS,
  ],
  answers: {
    200: jsonAnswer('Changes, oldest first.', {
      schema: {
        type: 'object',
        required: ['change', 'page'],
        properties: {
          change: { type: 'array', items: CHANGE },
          page: {
            type: 'object',
            required: ['length', 'next'],
            properties: { length: { type: 'integer' }, next: { type: 'string' } },
          },
        },
      },
      example: { change: [EXAMPLE], page: { length: 1, next: POSITION } },
    }),
  },
  problems: [404, 410],
}

export const STREAM_CHANGES: EndpointDocs = {
  tag: 'change',
  operationId: 'stream_changes',
  description:
    'Server-Sent Events: `event: change`, with a change as JSON in `data` and the position to resume from in `id`. A client that ' +
    'reconnects sends the last id in the header `Last-Event-ID`, which takes precedence over `since`. If the position is older than the ' +
    'log, the server sends `event: gone` with the content of the 410 of `GET /change`; its id is the current position. A time that is older than the log is refused with 410. A comment is sent every 15 seconds. ' +
    'The stream ends when the key expires or is revoked, and when the client does not read. A stream counts as a running request of its key, its user and its address until it ends.',
  parameters: [
    SINCE,
    {
      name: 'Last-Event-ID',
      in: 'header',
      description: 'The id of the last event that the client received.',
      schema: { type: 'string' },
    },
    ...FILTERS,
  ],
  answers: {
    200: otherAnswer('Events, until the client disconnects.', 'text/event-stream', [
      'X-Accel-Buffering',
    ]),
  },
  problems: [404, 410, 429],
}

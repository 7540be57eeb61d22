// Following the changes of a site.

import type { ParameterObject, SchemaObject } from 'openapi3-ts/oas31'
import { LIMITS } from '../../config/limits.ts'
import { CHANGE_ACTIONS, CHANGED_OBJECTS } from '../../schema/change-log.ts'
import { jsonAnswer, otherAnswer } from '../../docs/answers.ts'
import type { EndpointDocs } from '../../docs/endpoint.ts'
import { query } from '../../docs/parameters.ts'
import { nullableChoice } from '../../docs/schemas.ts'

const POSITION = 'rzhCJm5tWcu1yXN9A5uIu0KQk2b3gq1mT5yGkq6cZPxq0YbJ1c8'

const INTEGER_OR_NULL: SchemaObject = { type: ['integer', 'null'] }

const STRING_OR_NULL: SchemaObject = { type: ['string', 'null'] }

const CHANGE: SchemaObject = {
  type: 'object',
  properties: {
    sequence: {
      ...INTEGER_OR_NULL,
      description:
        'Number of the change; numbers rise, with gaps. Null for a key that does not see the whole site.',
    },
    date_added: { type: 'string', format: 'date-time' },
    object: { type: 'string', enum: [...CHANGED_OBJECTS] },
    object_id: { type: 'integer' },
    module_id: { ...INTEGER_OR_NULL, description: 'Of an entry: its datatable or calendar.' },
    action: {
      type: 'string',
      description:
        '`create` and `delete` are that, as the key sees it; any other word is a change of a record that stays.',
      enum: [...CHANGE_ACTIONS],
    },
    version: { ...INTEGER_OR_NULL, description: 'Of a file: as in the audit trail.' },
    fileState: nullableChoice({ type: 'string', enum: ['publish', 'stage'] }),
    changed_fields: { type: ['array', 'null'], items: { type: 'string' } },
    user_name: { type: ['string', 'null'], description: 'Who has done it.' },
    asset_category_id: {
      ...INTEGER_OR_NULL,
      description:
        'The folder in which the record lies, or lay; of an entry that of its module, of a folder itself.',
    },
    previous_category_id: {
      ...INTEGER_OR_NULL,
      description: 'Of a record that was moved: the folder before; of a folder the one above it.',
    },
    entries: {
      ...INTEGER_OR_NULL,
      description: 'How many entries went with a datatable or calendar that was deleted.',
    },
    name: {
      ...STRING_OR_NULL,
      description:
        'Name of a record that was deleted, renamed or moved, or whose address changed, as it was after that. Null for all other changes.',
    },
    path: {
      ...STRING_OR_NULL,
      description:
        'Its path at that time, from the topmost folder that the key sees; of a file with the name of the live version. Null where it lies in no folder.',
    },
    url: {
      ...STRING_OR_NULL,
      description: 'The address of a file, datatable or calendar at that time.',
    },
    previous_name: {
      ...STRING_OR_NULL,
      description: 'Null where the name stayed the same, or the key did not see the record before.',
    },
    previous_path: { ...STRING_OR_NULL, description: 'Null where the path stayed the same.' },
    previous_url: { ...STRING_OR_NULL, description: 'Null where the address stayed the same.' },
  },
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
  name: null,
  path: null,
  url: null,
  previous_name: null,
  previous_path: null,
  previous_url: null,
}

const ID: SchemaObject = { type: 'integer', minimum: 1 }

const SINCE = query(
  'since',
  'Where to begin: `page.next` of an answer, or the id of an event, as it is. 0: the oldest change that there is. A key ' +
    'that sees the whole site may give the number of a change: those behind it follow. Without it: from now on.',
  { type: 'string' },
)

const FILTERS: readonly ParameterObject[] = [
  query('object', `Of these objects alone, several by comma: ${CHANGED_OBJECTS.join(', ')}.`, {
    type: 'string',
  }),
  query(
    'action',
    `Return only these actions, separated by commas: ${CHANGE_ACTIONS.join(', ')}. \`publish\` and \`stage\` also match a create, ` +
      'update or upload that published or staged the file; `fileState` says which.',
    { type: 'string' },
  ),
  query(
    'asset_category_id',
    'In this folder and below it alone. What comes there is a `create`, and what leaves it a `delete`.',
    ID,
  ),
  query('module_id', 'Entries of this datatable or calendar alone.', ID),
]

const ABOUT =
  'What a key sees of the records it is told of their changes, by its grants of now. A record that goes where the key ' +
  'does not see is a `delete`, and one that comes from there a `create`. Deleting a folder, a datatable or a calendar, ' +
  'or moving a folder, tells of all that lies below or in it: entries are not told one by one then. Not told is what moves by use alone: ' +
  '`last_used`, `entry_count`, and when a session ends. The log goes as far back as the audit trail.'

export const FOLLOW_CHANGES: EndpointDocs = {
  tag: 'change',
  operationId: 'follow_changes',
  description:
    `${ABOUT}\n\nStore \`page.next\` when the changes are dealt with, and ask from there: nothing is told twice, and ` +
    'nothing is left out. Who comes too late gets 410 with a `next` to go on from, when the lists are read anew. ' +
    'A page may be empty although more follows, where much of it is hidden from the key: ask on.',
  parameters: [
    SINCE,
    query('length', 'Changes in one answer.', {
      type: 'integer',
      minimum: 1,
      maximum: LIMITS.maxListLength,
      default: LIMITS.listLength,
    }),
    query(
      'wait',
      'Seconds to wait for a change where there is none; the answer comes with the first.',
      {
        type: 'integer',
        minimum: 0,
        maximum: LIMITS.maxWaitMs / 1_000,
        default: 0,
      },
    ),
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
    'Server-Sent Events: `event: change`, with a change as JSON in `data`, and in `id` where to go on. A client that asks ' +
    'anew sends the last id in the header `Last-Event-ID`, which counts more than `since`. Who comes too late gets `event: gone` with ' +
    'what the 410 of `GET /change` says; its id is that of now. A comment comes every 15 seconds. The stream ends when the key does, ' +
    'and when a client does not read. A stream counts as a running request of its key, its user and its address until it ends.',
  parameters: [
    SINCE,
    {
      name: 'Last-Event-ID',
      in: 'header',
      description: 'The id of the last event that was received.',
      schema: { type: 'string' },
    },
    ...FILTERS,
  ],
  answers: {
    200: otherAnswer('Events, for as long as the client stays.', 'text/event-stream', [
      'X-Accel-Buffering',
    ]),
  },
  problems: [404, 429],
}

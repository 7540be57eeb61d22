// OpenAPI descriptions of the feed of a calendar and of the import of iCalendar files.

import type { HeadersObject, SchemaObject } from 'openapi3-ts/oas31'
import { REFUSAL_CODES } from '../../shared/import-refusals.ts'
import { jsonAnswer, NOT_MODIFIED, otherAnswer } from '../../docs/answers.ts'
import { BODY_LIMITS } from '../../docs/body-limits.ts'
import type { ModuleEndpointDocs } from '../../docs/endpoint.ts'
import { flag, IF_NONE_MATCH } from '../../docs/parameters.ts'
import { MAX_SHOWN_FAILURES } from '../../shared/limits.ts'
import { common } from './entry-docs.ts'

const FEED_HEADERS: HeadersObject = {
  ETag: {
    description: 'For If-None-Match: a checksum of the feed, a dash, and the length of the feed.',
    schema: { type: 'string' },
  },
}

export const readFeed: ModuleEndpointDocs = (module) => {
  if (module.kind !== 'calendar') return undefined
  const answers = {
    200: { ...otherAnswer('An iCalendar object.', 'text/calendar'), headers: FEED_HEADERS },
    304: NOT_MODIFIED,
  }
  const description =
    'For calendar programs, which send a user name and a password (RFC 7617): use the key as the password, with any user name. ' +
    'Create a separate key with only the grant view, limited to this folder. Query parameters are ignored.'
  return { ...common('read_feed_of', module), description, parameters: [IF_NONE_MATCH], answers }
}

const COUNT: SchemaObject = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
const TEXT: SchemaObject = { type: ['string', 'null'] }

const REFUSAL: SchemaObject = {
  type: 'object',
  required: ['line', 'property', 'uid', 'title', 'code', 'value', 'detail'],
  properties: {
    line: { ...COUNT, description: 'The line of the property, or of the event.' },
    property: TEXT,
    uid: TEXT,
    title: TEXT,
    code: { type: 'string', enum: [...REFUSAL_CODES] },
    value: {
      type: 'string',
      description: 'The value in the file, for example the name of a time zone.',
    },
    detail: { type: 'string', description: 'Why the event is not imported, as a sentence.' },
  },
}

const OUTCOME: SchemaObject = {
  type: 'object',
  required: ['created', 'updated', 'unchanged', 'refused', 'ignored', 'refused_count', 'dry_run'],
  properties: {
    created: { ...COUNT, description: 'New entries.' },
    updated: { ...COUNT, description: 'Entries with other values than before.' },
    unchanged: { ...COUNT, description: 'Entries that had the same values already.' },
    refused: {
      type: 'array',
      maxItems: MAX_SHOWN_FAILURES,
      items: REFUSAL,
      description: 'Events that are not imported, in the order of their lines.',
    },
    ignored: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'count'],
        properties: { name: { type: 'string' }, count: COUNT },
      },
      description: 'Properties and components of the file that an entry does not have.',
    },
    refused_count: { ...COUNT, description: 'All events that are not imported.' },
    dry_run: { type: 'boolean' },
  },
}

const EXAMPLE = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'BEGIN:VEVENT',
  'UID:talk@example.org',
  'SUMMARY:Talk',
  'DTSTART:20260131T120000Z',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n')

export const importFile: ModuleEndpointDocs = (module) => {
  if (module.kind !== 'calendar') return undefined
  const outcome = {
    created: 1,
    updated: 0,
    unchanged: 0,
    refused: [],
    ignored: [],
    refused_count: 0,
    dry_run: false,
  }
  return {
    ...common('import_file_into', module),
    description:
      'Creates each event of the file, or updates the entry with the same uid; a second import of the same file changes nothing. ' +
      'Events that an entry cannot express exactly are refused one by one. The events are written in several commits: ' +
      'after an error, send the file again. Nothing is deleted. Needs the grants modify and view.',
    parameters: [
      flag('dry_run', 'Check everything and return the numbers, without changing anything.'),
    ],
    body: {
      required: true,
      description: BODY_LIMITS.calendar,
      content: { 'text/calendar': { schema: { type: 'string' }, example: EXAMPLE } },
    },
    answers: {
      200: jsonAnswer('What the import changed, or in a dry run would change.', {
        schema: OUTCOME,
        example: outcome,
      }),
    },
  }
}

// The history of an entry: a list of its changes, and the restore of an earlier state.

import type { SchemaObject } from 'openapi3-ts/oas31'
import { LIMITS } from '../config/limits.ts'
import { jsonAnswer } from '../docs/answers.ts'
import type { ModuleEndpointDocs } from '../docs/endpoint.ts'
import { examplePage, exampleWholeEntry } from '../docs/examples.ts'
import { IF_MATCH, newestFirstParameters } from '../docs/parameters.ts'
import { pageSchema } from '../docs/schemas.ts'
import { replayEntry } from '../operations/modules/entries.ts'
import { listHistory, restoreEntry } from '../operations/modules/entry-history.ts'
import type { EntryType } from '../schema/entry.ts'
import { common, conflicts, PREFER_UPDATE, wholeEntry } from './docs/entry-docs.ts'
import { ENTRY, readEntryInput, updatedReply } from './entries.ts'
import { readActionBody } from './request/action-body.ts'
import { newestFirstReply, readNumberRange } from './request/newest-first.ts'
import { readId, requireKnownParameters } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

const listDocs: ModuleEndpointDocs = (module) => ({
  ...common('list_history_of', module),
  description:
    'The last item of the last page is the create, or the oldest known state, whose date_added, user_name and action are null because ' +
    'earlier changes are not recorded. Changes are kept as long as their rows in the audit trail, ' +
    `at most ${LIMITS.historyChanges.toLocaleString('en')} for each entry, and are deleted with the entry.`,
  parameters: newestFirstParameters(),
  answers: {
    200: jsonAnswer('One page.', {
      schema: pageSchema('history', itemSchema(module.entry)),
      example: examplePage('history', exampleItem(module.entry)),
      headers: ['Link'],
    }),
  },
})

function itemSchema({ givenNames }: EntryType): SchemaObject {
  return {
    type: 'object',
    required: ['number', 'date_added', 'user_name', 'action', 'changes'],
    properties: {
      number: {
        type: 'integer',
        description: 'Number of the change, and of the state after it, for …/restore.',
      },
      date_added: { type: ['string', 'null'], format: 'date-time' },
      user_name: { type: ['string', 'null'] },
      action: { type: ['string', 'null'], enum: ['create', 'update', null] },
      changes: { type: 'array', items: changeSchema([...givenNames]) },
    },
  }
}

function changeSchema(names: readonly string[]): SchemaObject {
  const size: SchemaObject = {
    type: ['integer', 'null'],
    description: `Bytes of a value that is left out because it is larger than ${LIMITS.historyValueBytes} bytes, or because the change has more than ${LIMITS.historyCommitBytes} bytes; otherwise null.`,
  }
  return {
    type: 'object',
    required: ['name', 'from', 'to', 'from_omitted_bytes', 'to_omitted_bytes'],
    properties: {
      name: { type: 'string', enum: [...names], description: 'The current name of the column.' },
      from: { description: 'The value before the change; null if there was none.' },
      to: { description: 'The value after the change.' },
      from_omitted_bytes: size,
      to_omitted_bytes: size,
    },
  }
}

function exampleItem({ object, givenNames }: EntryType): object {
  const [name = ''] = givenNames
  const to = exampleWholeEntry(object)[name]
  const change = { name, from: null, to, from_omitted_bytes: null, to_omitted_bytes: null }
  return {
    number: 2,
    date_added: '2026-01-31T12:00:00.000Z',
    user_name: 'ada',
    action: 'update',
    changes: [change],
  }
}

const restoreDocs: ModuleEndpointDocs = (module) => ({
  ...common('restore', module),
  problems: [...(conflicts(module).problems ?? []), 413, 415, 422],
  description:
    'The restore is an update with all its checks, and a new change in the history. Columns that did not exist at that time keep their values. ' +
    'If a value of that state was too large to be kept, nothing is restored (422). Also needs the grant view, because the response shows former values. Send no body, or {}.',
  parameters: [IF_MATCH, PREFER_UPDATE],
  answers: {
    200: jsonAnswer('The entry after the change.', {
      schema: wholeEntry(module),
      example: exampleWholeEntry(module.entry.object),
      headers: ['ETag'],
    }),
  },
})

export const historyRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: `${ENTRY}/history`,
    access: ['view'],
    summary: 'List the changes of an entry, newest first, with the values before and after',
    docs: listDocs,
    read: (request) => ({ ...readNumberRange(request), ...readEntryInput(request) }),
    run: async (context, asked) => ({ asked, ...(await listHistory(context, asked)) }),
    reply: (list, request) =>
      newestFirstReply(request, { name: 'history', total: undefined, ...list }),
  }),
  defineRoute({
    method: 'POST',
    path: `${ENTRY}/history/:change/restore`,
    access: ['modify'],
    action: 'update',
    summary: 'Restore the values that an entry had after an earlier change',
    docs: restoreDocs,
    read: async (request) => {
      requireKnownParameters(request.query, [])
      await readActionBody(request, [])
      return { ...readEntryInput(request), number: readId(request, 'change') }
    },
    run: (context, input) => restoreEntry(context, input),
    recall: (context, input) => replayEntry(context, input),
    reply: updatedReply,
  }),
]

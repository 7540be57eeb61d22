// The history of an entry: a list of its changes, and the restore of an earlier state.

import { replayEntry } from '../operations/modules/entries.ts'
import { listHistory, restoreEntry } from '../operations/modules/entry-history.ts'
import { historyDocs } from './docs/history-docs.ts'
import { ENTRY, readEntryInput, updatedReply } from './entries.ts'
import { readActionBody } from './request/action-body.ts'
import { newestFirstReply, readNumberRange } from './request/newest-first.ts'
import { readId, requireKnownParameters } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

export const historyRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: `${ENTRY}/history`,
    access: ['view'],
    summary: 'List the changes of an entry, newest first, with the values before and after',
    docs: historyDocs.list,
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
    docs: historyDocs.restore,
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

// GET /api/v2/change: the changes after a position in the change log; …/stream: the same changes as Server-Sent Events.

import { FOLLOW_CHANGES, STREAM_CHANGES } from './docs/change-docs.ts'
import { CmsError } from '../base/errors.ts'
import { whilePresent } from '../http/client-disconnect.ts'
import { json } from '../http/reply.ts'
import { followChanges, positionAt } from '../operations/following/follow.ts'
import type { Context } from '../operations/context.ts'
import type { ChangeFilter, Since } from '../operations/trail/streams.ts'
import { CHANGE_ACTIONS, CHANGED_OBJECTS } from '../shared/actions.ts'
import { parseDate } from '../schema/date.ts'
import { closest } from '../schema/message-text.ts'
import { readNumber, type Request, requireKnownParameters } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

const FILTERS = ['object', 'action', 'asset_category_id', 'module_id'] as const

export const changeRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/v2/change',
    access: ['view'],
    summary: 'List the changes of the site in order',
    docs: FOLLOW_CHANGES,
    read: (request) => {
      const { query, limits, client } = request
      requireKnownParameters(query, ['since', 'length', 'wait', ...FILTERS])
      return {
        client,
        since: readSince(query.get('since')),
        filter: readFilter(query),
        length: readNumber(query, 'length', limits.maxListLength) ?? limits.listLength,
        waitMs: readWait(query, limits.maxWaitMs),
      }
    },
    run: async (context, { client, ...asked }) => {
      const following = { ...asked, since: await resolveTime(context, asked) }
      return whilePresent(client, (signal) => followChanges(context, following, signal))
    },
    reply: ({ changes, next }) =>
      json(200, { change: changes, page: { length: changes.length, next } }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v2/change/stream',
    access: ['view'],
    summary: 'Stream the changes of the site as Server-Sent Events',
    docs: STREAM_CHANGES,
    // HEAD would wait for a stream that never ends.
    hasHead: false,
    answers: 'bytes',
    read: (request) => {
      requireKnownParameters(request.query, ['since', ...FILTERS])
      const { holder, query, client } = request
      const hasEnded = (): boolean => client.socket.readableEnded
      return { since: readLast(request), filter: readFilter(query), holder, hasEnded }
    },
    run: async (context, options) =>
      context.changeStreams.open(context, {
        ...options,
        since: await resolveTime(context, options),
      }),
    reply: ({ chunks, close }) => ({
      status: 200,
      headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
      body: { sizeBytes: undefined, chunks, close },
    }),
  }),
]

/** Last-Event-ID takes precedence, because a reconnecting client sends the original URL again. */
function readLast({ message, query }: Request): Since {
  const last = message.headers['last-event-id']
  return readSince(typeof last === 'string' && last !== '' ? last : query.get('since'))
}

/** Positions and numbers have no such beginning. */
const TIME = /^\d{4}-\d{2}-\d{2}(?:[Tt ]|$)/

/** Replaces a time by the position of the first change from then on. */
async function resolveTime(
  context: Context,
  { since, filter }: { readonly since: Since; readonly filter: ChangeFilter },
): Promise<Since> {
  const isTime = typeof since === 'string' && TIME.test(since)
  return isTime ? positionAt(context, filter, since) : since
}

function readSince(text: string | null): Since {
  if (text === null) return undefined
  if (TIME.test(text)) return readTime(text)
  if (!/^\d{1,16}$/.test(text)) return text
  const number = Number(text)
  if (Number.isSafeInteger(number)) return number
  throw new CmsError(
    'bad-request',
    'since is larger than any sequence number. Send page.next of a response.',
  )
}

function readTime(text: string): string {
  const date = parseDate(text)
  if (date !== undefined) return date
  throw new CmsError(
    'bad-request',
    'since is not a time. Send it like 2026-01-31T12:00:00Z, or copy page.next of a response.',
  )
}

function readWait(query: URLSearchParams, mostMs: number): number {
  if (query.get('wait') === '0') return 0
  return 1_000 * (readNumber(query, 'wait', mostMs / 1_000) ?? 0)
}

function readFilter(query: URLSearchParams): ChangeFilter {
  return {
    objects: readNames(query, 'object', CHANGED_OBJECTS),
    actions: readNames(query, 'action', CHANGE_ACTIONS),
    categoryId: readNumber(query, 'asset_category_id'),
    moduleId: readNumber(query, 'module_id'),
  }
}

/** Rejects unknown names, because they would silently match nothing. */
function readNames(
  query: URLSearchParams,
  parameter: string,
  known: readonly string[],
): ReadonlySet<string> | undefined {
  const text = query.get(parameter)
  if (text === null) return undefined
  const names = text.split(',').map((name) => name.trim())
  for (const name of names) {
    if (known.includes(name)) continue
    const near = closest(name, known)
    const hint = near === undefined ? `known are ${known.join(', ')}` : `did you mean "${near}"?`
    throw new CmsError(
      'bad-request',
      `The query parameter ${parameter} has the unknown value ${JSON.stringify(name)}; ${hint}`,
    )
  }
  return new Set(names)
}

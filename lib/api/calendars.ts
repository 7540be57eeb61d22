// Calendars of the Module API: occurrences in a window (?from&to&expand=true), the iCalendar feed, and the import of
// iCalendar files.

import { crc32 } from 'node:zlib'
import { importFile, readFeed } from './docs/calendar-docs.ts'
import { CmsError } from '../base/errors.ts'
import { readTextBody } from '../http/body.ts'
import { whilePresent } from '../http/client-disconnect.ts'
import { json, type Reply } from '../http/reply.ts'
import { importCalendarFile } from '../operations/modules/calendar-import.ts'
import type { TimeWindow } from '../operations/modules/calendar-work.ts'
import { buildFeed, instantOf } from '../operations/modules/calendars.ts'
import type { Context } from '../operations/context.ts'
import { type ModuleAddress, requireModule } from '../operations/modules/find-module.ts'
import type { Module } from '../operations/modules/module-cache.ts'
import { isPublicModule } from '../operations/modules/public-module.ts'
import type { Expansion } from '../operations/modules/expansion.ts'
import { listOccurrences } from '../operations/modules/occurrences.ts'
import { selectFields } from '../operations/present.ts'
import { dateHint } from '../schema/date.ts'
import type { Query } from '../storage/port.ts'
import { readExpanded } from './expanded-entries.ts'
import { listReply } from './request/list-reply.ts'
import { notModified } from './request/record-reply.ts'
import {
  readFlag,
  readId,
  refusePrecondition,
  type Request,
  requireKnownParameters,
} from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

/** The additional list parameters of calendars. */
export const WINDOW_PARAMETERS = ['from', 'to'] as const

export interface WindowRequest {
  readonly window: TimeWindow
  readonly isExpanded: boolean
}

const DAY_MS = 86_400_000
const MAX_WINDOW_MS = 5 * 366 * DAY_MS

/** Undefined if the request has no window. `isExpanded`: each occurrence is requested. */
export function readWindow(
  { query }: Request,
  module: Module,
  isExpanded: boolean,
): WindowRequest | undefined {
  if (!query.has('from') && !query.has('to')) {
    if (!isExpanded) return undefined
    throw new CmsError(
      'bad-request',
      'expand=true needs from and to, because a recurrence may have no end.',
    )
  }
  const [fromMs, toMs] = [readTime(query, 'from', module), readTime(query, 'to', module)]
  if (toMs <= fromMs) throw new CmsError('bad-request', 'to must be after from.')
  if (toMs - fromMs > MAX_WINDOW_MS)
    throw new CmsError('bad-request', 'from and to may be at most five years apart.')
  return { window: { fromMs, toMs }, isExpanded }
}

function readTime(query: URLSearchParams, name: string, module: Module): number {
  const given = query.get(name) ?? ''
  const ms = instantOf(module, given)
  if (ms !== undefined) return ms
  throw new CmsError(
    'bad-request',
    `${name} must be a date: RFC 3339, YYYY-MM-DD or seconds since 1970${dateHint(given)}. Send both from and to.`,
  )
}

export interface OccurrenceRequest {
  readonly module: Module
  readonly query: Query
  readonly fields: ReadonlySet<string> | undefined
  readonly window: TimeWindow
  readonly maxEntries: number
  readonly expansion: Expansion | undefined
  readonly signal: AbortSignal
}

/** Occurrences have a fixed order, and their pages have no numbers. */
const NOT_WITH_EXPAND = ['start', 'orderStr', 'orderDir', 'count', 'explain'] as const

export async function occurrencesReply(
  context: Context,
  request: Request,
  input: OccurrenceRequest,
): Promise<Reply> {
  const refused = NOT_WITH_EXPAND.filter((name) => request.query.has(name))
  if (refused.length > 0) {
    throw new CmsError(
      'bad-qry',
      `${refused.join(', ')} cannot be used with expand=true, because occurrences are sorted by their start. Leave it out; page.next is the cursor of the next page.`,
    )
  }
  const { module, query, fields, expansion } = input
  const page = await listOccurrences(context, input)
  const plain = page.occurrences.map((item) => JSON.stringify(selectFields(item, fields)))
  const add = await readExpanded(expansion, {
    entries: page.occurrences,
    valuesIn: (item) => item,
  })
  return listReply(request, context, {
    object: module.entry.object,
    query,
    result: { texts: add(plain), page },
  })
}

const FEED = '/api/v2/module/calendar/:module_id/:feed(^[a-z0-9-]+\\.ics$)'

export const calendarRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: FEED,
    access: ['view'],
    summary: 'Read the calendar as an iCalendar feed',
    docs: readFeed,
    answers: 'bytes',
    takesPassword: true,
    takesTicket: true,
    isPublic: (context, params) => isPublicModule(context, 'calendar', params),
    // Query parameters are ignored: calendar programs and caches add their own (?v=2).
    read: (request) => {
      const { client } = request
      const { maxCalendarEntries: maxEntries } = request.limits
      return { address: readFeedAddress(request), client, maxEntries }
    },
    run: (context, { address, client, maxEntries }) => {
      const module = requireModule(context, address, 'view')
      return whilePresent(client, (signal) => buildFeed(context, { module, maxEntries, signal }))
    },
    reply: (text, request) => feedReply(text, request),
  }),
  defineRoute({
    method: 'POST',
    path: FEED,
    access: ['modify'],
    action: 'create',
    summary: 'Import an iCalendar file',
    docs: importFile,
    read: async (request) => {
      requireKnownParameters(request.query, ['dry_run'])
      refusePrecondition(request)
      const isDryRun = readFlag(request.query, 'dry_run')
      const address = readFeedAddress(request)
      const { client, limits } = request
      return { address, isDryRun, client, limits, bytes: await readFile(request) }
    },
    run: (context, { client, ...input }) =>
      whilePresent(client, (signal) => importCalendarFile(context, { ...input, signal })),
    // A second import of the same file changes nothing.
    recall: 'same',
    reply: ({ refusedCount, isDryRun, ...outcome }) =>
      json(200, { ...outcome, refused_count: refusedCount, dry_run: isDryRun }),
  }),
]

function readFile(request: Request): Promise<Buffer> {
  const { message, limits, continueBody, allowance, holder } = request
  const bounds = {
    maxBytes: limits.calendarFileBytes,
    what: 'An iCalendar file',
    instead: 'Send the events in several files.',
    timeoutMs: limits.bodyTimeoutMs,
  }
  return readTextBody(message, bounds, {
    type: 'text/calendar',
    continueBody,
    onBytes: (sizeBytes) => allowance.takeBody(message, holder, sizeBytes),
    onChunk: () => undefined,
  })
}

function readFeedAddress(request: Request): ModuleAddress {
  const name = (request.params['feed'] ?? '').replace(/\.ics$/, '')
  return { kind: 'calendar', id: readId(request, 'module_id'), name, rest: '.ics' }
}

/** Supports If-None-Match, because subscribers poll the feed. */
function feedReply(text: string, request: Request): Reply {
  const etag = `"${crc32(text).toString(16)}-${text.length}"`
  const vary = 'Authorization, Accept-Encoding'
  const headers = { etag, 'cache-control': 'private, no-cache', vary }
  return (
    notModified(request, headers) ?? {
      status: 200,
      headers: { 'content-type': 'text/calendar; charset=utf-8', ...headers },
      body: text,
    }
  )
}

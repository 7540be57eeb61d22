// Lists of entries: reads the parameters of a list, and in calendars also the window.

import { withMembers } from '../base/with-members.ts'
import { andThen } from '../base/and-then.ts'
import { CmsError } from '../base/errors.ts'
import { whilePresent } from '../http/client-disconnect.ts'
import type { Reply } from '../http/reply.ts'
import type { Context } from '../operations/context.ts'
import { hasSameColumns, searchEntries, selectEntries } from '../operations/modules/entries.ts'
import { type ModuleAddress, requireModule } from '../operations/modules/find-module.ts'
import type { Module } from '../operations/modules/module-cache.ts'
import { queryInWindow } from '../operations/modules/occurrences.ts'
import { isPublicModule } from '../operations/modules/public-module.ts'
import { and } from '../schema/match.ts'
import { isModuleKind } from '../schema/module.ts'
import type { Query } from '../storage/port.ts'
import { occurrencesReply, readWindow, WINDOW_PARAMETERS } from './calendars.ts'
import { listReply } from './request/list-reply.ts'
import { readFields, readQuery } from './request/query.ts'
import { readId, type Request, type RequestParts } from './request/request.ts'

export interface Listed {
  readonly request: Request
  readonly address: ModuleAddress
}

export function readListed(request: Request): Listed {
  return { request, address: readAddress(request) }
}

export function listEntries(context: Context, listed: Listed): Reply | Promise<Reply> {
  const { request, address } = listed
  const module = requireModule(context, address, 'view')
  return andThen(listModule(context, request, module), (reply) =>
    hasSameColumns(context, module) ? reply : listEntries(context, listed),
  )
}

function listModule(context: Context, request: Request, module: Module): Reply | Promise<Reply> {
  const { object } = module.entry
  const isCalendar = module.kind === 'calendar'
  const asked = isCalendar ? readWindow(request, module) : undefined
  const parameters = isCalendar ? WINDOW_PARAMETERS : []
  const query = readEntriesQuery(context, request, { module, parameters })
  const fields = readFields(request.query, object)
  const { maxCalendarEntries: maxEntries } = request.limits
  if (asked?.isExpanded === true) {
    const input = { module, query, fields, window: asked.window, maxEntries }
    return whilePresent(request.client, (signal) =>
      occurrencesReply(context, request, { ...input, signal }),
    )
  }

  const narrowed =
    asked === undefined
      ? query
      : whilePresent(request.client, (signal) =>
          queryInWindow(context, { module, query, window: asked.window, maxEntries, signal }),
        )
  return andThen(narrowed, (wanted) =>
    andThen(searchEntries(context, module, wanted), (page) =>
      andThen(selectEntries(module.entry, page, fields), (texts) =>
        listReply(request, context, { object, query, result: { texts, page } }),
      ),
    ),
  )
}

interface EntriesQuery {
  readonly module: Module
  /** Parameters beside those of every list. */
  readonly parameters: readonly string[]
}

function readEntriesQuery(
  { caller }: Context,
  { query, limits }: Request,
  { module, parameters }: EntriesQuery,
): Query {
  const ofCaller =
    caller.isAnonymous === true
      ? withMembers(limits, { maxListLength: limits.maxPublicListLength })
      : limits
  const asked = readQuery(query, module.entry.object, ofCaller, parameters)
  if (module.filter === undefined) return asked
  return { ...asked, match: and(module.filter, asked.match), isVisible: EVERY }
}

/**
 * The filter is a part of `match`, so that an index can serve it. This makes the search treat the other entries as hidden:
 * their number decides neither the order, nor the cursor, nor whether there is a total.
 */
const EVERY = (): boolean => true

/** Whether everybody may read the entries of the module in the path. */
export function isPublicAddress(context: Context, params: RequestParts['params']): boolean {
  const { type } = params
  return isModuleKind(type) && isPublicModule(context, type, params)
}

export function readAddress(request: Request): ModuleAddress {
  const { type, module_name: name = '' } = request.params
  if (!isModuleKind(type))
    throw new CmsError(
      'not-found',
      'There is nothing at this address: modules are datatable or calendar.',
    )
  const rest = restOf(request)
  return { kind: type, id: readId(request, 'module_id'), name, rest }
}

/** The path and query after the module name. */
function restOf({ message }: Request): string {
  return (message.url ?? '').replace(/^(?:\/[^/?]*){6}/, '')
}

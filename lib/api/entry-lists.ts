// Lists of entries: reads the parameters of a list, and in calendars also the window.

import { keyRequired } from '../auth/caller.ts'
import { requireGrant } from '../auth/grants.ts'
import { withMembers } from '../base/with-members.ts'
import { andThen } from '../base/and-then.ts'
import { CmsError } from '../base/errors.ts'
import { whilePresent } from '../http/client-disconnect.ts'
import type { Reply } from '../http/reply.ts'
import type { Context } from '../operations/context.ts'
import { hasSameColumns, searchEntries, selectEntries } from '../operations/modules/entries.ts'
import { type ModuleAddress, requireModule } from '../operations/modules/find-module.ts'
import { type Following, followReferences } from '../operations/modules/following-references.ts'
import type { Module } from '../operations/modules/module-cache.ts'
import { type Expansion, planExpansion } from '../operations/modules/expansion.ts'
import { queryInWindow } from '../operations/modules/occurrences.ts'
import { isPublicModule } from '../operations/modules/public-module.ts'
import { valuesOf } from '../operations/modules/reference-targets.ts'
import { relatedFieldsOf, withRelated } from '../operations/modules/related-search.ts'
import { fromOneState } from '../operations/one-state.ts'
import { and } from '../schema/match.ts'
import { isModuleKind } from '../schema/module.ts'
import type { JsonObject, Stored } from '../schema/values.ts'
import type { Query } from '../storage/port.ts'
import { occurrencesReply, readWindow, WINDOW_PARAMETERS } from './calendars.ts'
import { readExpand, readExpanded } from './expanded-entries.ts'
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
  const read = (reading: Context): BuildReply | Promise<BuildReply> => readList(reading, listed)
  const isThrough = mayFollow(listed.request.query)
  return andThen(isThrough ? fromOneState(context, read) : read(context), (build) => build())
}

/** Builds the reply from records that have all been read. */
type BuildReply = () => Reply | Promise<Reply>

/** Names of fields behind a reference have a dot, in conditions and in the order. */
function mayFollow(query: URLSearchParams): boolean {
  return (
    query.has('expand') ||
    ['qry', 'orderStr'].some((name) => query.get(name)?.includes('.') === true)
  )
}

function readList(context: Context, listed: Listed): BuildReply | Promise<BuildReply> {
  const { request, address } = listed
  const module = requireModule(context, address, 'view')
  const asked = readExpand(request.query, module.kind)
  const following = followReferences(context)
  const expansion = asked.names && planExpansion(following, module, asked.names)
  const input = { module, following, expansion, isEachOccurrence: asked.isEachOccurrence }
  return andThen(readModule(context, request, input), (build) =>
    hasSameColumns(context, module) && following.isCurrent() ? build : readList(context, listed),
  )
}

interface ListInput {
  readonly module: Module
  readonly following: Following
  readonly expansion: Expansion | undefined
  readonly isEachOccurrence: boolean
}

function readModule(
  context: Context,
  request: Request,
  { module, following, expansion, isEachOccurrence }: ListInput,
): BuildReply | Promise<BuildReply> {
  const { object } = module.entry
  const isCalendar = module.kind === 'calendar'
  const asked = isCalendar ? readWindow(request, module, isEachOccurrence) : undefined
  const parameters = ['expand', 'explain', ...(isCalendar ? WINDOW_PARAMETERS : [])]
  const query = readEntriesQuery(following, request, { module, parameters })
  const fields = readFields(request.query, object)
  const { maxCalendarEntries: maxEntries } = request.limits
  if (asked?.isExpanded === true) {
    const input = { module, fields, window: asked.window, maxEntries, expansion }
    return andThen(withRelated(following, query), async ({ query: related }) => {
      const reply = await whilePresent(request.client, (signal) =>
        occurrencesReply(context, request, { ...input, query: related, signal }),
      )
      return () => reply
    })
  }

  const narrow = (related: Query): Query | Promise<Query> =>
    asked === undefined
      ? related
      : whilePresent(request.client, (signal) =>
          queryInWindow(context, {
            module,
            query: related,
            window: asked.window,
            maxEntries,
            signal,
          }),
        )
  const valuesIn = (stored: Stored): JsonObject => valuesOf(module, stored)
  return andThen(withRelated(following, query), ({ query: related, steps }) =>
    andThen(
      andThen(narrow(related), (wanted) => searchEntries(following, module, wanted)),
      (page) =>
        andThen(
          readExpanded(expansion, { entries: page.records, valuesIn }),
          (add) => () =>
            andThen(selectEntries(module.entry, page, fields), (plain) => {
              const result = { texts: add(plain), page }
              return listReply(request, context, { object, query, result, steps })
            }),
        ),
    ),
  )
}

interface EntriesQuery {
  readonly module: Module
  /** Parameters in addition to those of every list. */
  readonly parameters: readonly string[]
}

function readEntriesQuery(
  following: Following,
  { query, limits }: Request,
  { module, parameters }: EntriesQuery,
): Query {
  const ofCaller =
    following.context.caller.isAnonymous === true
      ? withMembers(limits, { maxListLength: limits.maxPublicListLength })
      : limits
  const related = relatedFieldsOf(following, module)
  const asked = readQuery(query, module.entry.object, ofCaller, { further: parameters, related })
  const explain = readExplain(following.context, query, module)
  if (module.filter === undefined) return explain ? { ...asked, explain } : asked
  return { ...asked, match: and(module.filter, asked.match), isVisible: EVERY }
}

/** Whether the plan of the search is requested. The plan also counts records that the search does not return. */
function readExplain(
  { records, caller }: Context,
  query: URLSearchParams,
  module: Module,
): boolean {
  const text = query.get('explain')
  if (text === null) return false
  if (caller.isAnonymous === true) throw keyRequired()
  requireGrant(records, caller, 'admin', module.record.parent_category_id)
  if (text === '1' || text === 'true') return true
  throw new CmsError('bad-request', 'explain must be 1.')
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
      'There is nothing at this address: the type of a module is datatable or calendar.',
    )
  const rest = restOf(request)
  return { kind: type, id: readId(request, 'module_id'), name, rest }
}

/** The path and query after the module name. */
function restOf({ message }: Request): string {
  return (message.url ?? '').replace(/^(?:\/[^/?]*){6}/, '')
}

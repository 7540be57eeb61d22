// The read routes of every object of the System API, including read-only objects: the list and one record.

import { readDocs } from './docs/object-docs.ts'
import { SEARCH_SUMMARY, searchByPost } from '../docs/search-body.ts'
import type { Context } from '../operations/context.ts'
import type { ReadRules } from '../operations/object-rules.ts'
import { searchRecords } from '../operations/read.ts'
import type { Query } from '../storage/port.ts'
import { listReply } from './request/list-reply.ts'
import { readFields, readQuery, withSearchBody } from './request/query.ts'
import { recordReply } from './request/record-reply.ts'
import { readId, type Request, requireKnownParameters } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

type SearchInput = Parameters<typeof searchRecords>[1]

export function readRoutes(rules: ReadRules): readonly Route[] {
  const { object, readAccess: access, seen } = rules
  const path = `/api/v2/${object.name}`
  const docs = readDocs(rules)
  const readSearch = (request: Request): SearchInput => ({
    visibility: rules,
    query: readWidened(request, rules),
    fields: readFields(request.query, object),
    takePage: takePages(request),
  })
  const runSearch = async (context: Context, input: SearchInput) => ({
    query: input.query,
    result: await searchRecords(context, input),
  })

  return [
    defineRoute({
      method: 'GET',
      path,
      access,
      isKept: rules.isTimed !== true,
      summary: `Search: every ${object.label} that the key may view`,
      docs: docs.search,
      read: readSearch,
      run: runSearch,
      reply: ({ query, result }, request, context) =>
        listReply(request, context, { object, query, result }),
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/:id`,
      access,
      isKept: rules.isTimed !== true,
      summary: `Read one ${object.label}`,
      docs: docs.read,
      read: (request) => {
        requireKnownParameters(request.query, ['fields'])
        return readId(request, 'id')
      },
      run: (context, id) => seen.requireRead(context, id),
      reply: (stored, request, context) =>
        recordReply(context, request, { status: 200, visibility: rules, stored, isRead: true }),
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/search`,
      access,
      changesNothing: true,
      isSearch: true,
      summary: SEARCH_SUMMARY,
      docs: searchByPost(docs.search),
      read: async (request) => readSearch(await withSearchBody(request)),
      run: runSearch,
      reply: ({ query, result }, request, context) =>
        listReply(request, context, { object, query, result }),
    }),
  ]
}

function readWidened({ query, limits }: Request, { object, widen }: ReadRules): Query {
  const asked = readQuery(query, object, limits)
  return { ...asked, match: asked.match && (widen?.(asked.match) ?? asked.match) }
}

/** Reserves memory for each text of a list before the text is read. */
function takePages({ allowance, message, holder }: Request): (sizeBytes: number) => boolean {
  let allBytes = 0
  return (sizeBytes) => {
    allBytes += sizeBytes
    allowance.takeAnswer(message, holder, allBytes)
    return true
  }
}

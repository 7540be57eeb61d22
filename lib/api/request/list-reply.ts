// The response with one page of a list. Records are joined as JSON texts, without parsing and serializing them again.

import { holdsEverywhere } from '../../auth/grants.ts'
import { joinJson, type JsonItem, jsonText, type Reply } from '../../http/reply.ts'
import type { Context } from '../../operations/context.ts'
import type { ObjectType } from '../../schema/object.ts'
import { searchHint } from '../../schema/search-hint.ts'
import type { Page, Query } from '../../storage/port.ts'
import type { Request } from './request.ts'

export interface ListAnswer {
  readonly object: ObjectType
  readonly query: Query
  readonly result: {
    readonly texts: readonly JsonItem[]
    readonly page: Pick<Page, 'total' | 'next' | 'isSpent' | 'scanned'>
  }
}

/** Administrators of the whole site also get the number of scanned records. */
export function listReply(
  request: Request,
  { caller }: Context,
  { object, query, result }: ListAnswer,
): Reply {
  const { page, texts } = result
  const info = {
    start: query.cursor === undefined ? (query.start ?? 1) : null,
    length: query.length,
    total: page.total ?? null,
    next: page.next ?? null,
    ...(page.isSpent === true && { complete: false }),
    ...hintFor(query, result),
  }
  const body = joinJson(`{"${object.name}":[`, texts, `],"page":${JSON.stringify(info)}}`)
  return jsonText(200, body, {
    ...(holdsEverywhere(caller, 'admin') && {
      'server-timing': `scan;desc="scanned ${page.scanned}, returned ${texts.length}"`,
    }),
    ...totalHeader(page.total),
    ...linkHeader(request, page.next),
  })
}

/** Suggests another search if this one has found nothing at all. */
function hintFor(
  { match, cursor, start = 1 }: Query,
  { page, texts }: ListAnswer['result'],
): { readonly hint?: string } {
  const isNone = texts.length === 0 && page.next === undefined && page.isSpent !== true
  if (!isNone || cursor !== undefined || start !== 1) return {}
  const hint = searchHint(match)
  return hint === undefined ? {} : { hint }
}

/** The total of the body as a header, for clients that read headers; absent if unknown. */
export function totalHeader(total: number | undefined): Readonly<Record<string, string>> {
  return total === undefined ? {} : { 'x-total': String(total) }
}

/** The URL of the next page (RFC 8288). */
export function linkHeader(
  { message, query }: Request,
  cursor: string | undefined,
): Readonly<Record<string, string>> {
  // The next page of a search by POST has no URL.
  if (cursor === undefined || message.method === 'POST') return {}
  const next = new URLSearchParams(query)
  next.delete('start')
  next.set('cursor', cursor)
  const path = (message.url ?? '').split('?', 1)[0] ?? ''
  return { link: `<${path}?${next}>; rel="next"` }
}

// A page of a list: records are joined as the text they are; nothing is parsed to be written again.

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

/** How much work it was is told to who administers the whole site. */
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

/** What to ask instead, if a search has found nothing at all. */
function hintFor(
  { match, cursor, start = 1 }: Query,
  { page, texts }: ListAnswer['result'],
): { readonly hint?: string } {
  const isNone = texts.length === 0 && page.next === undefined && page.isSpent !== true
  if (!isNone || cursor !== undefined || start !== 1) return {}
  const hint = searchHint(match)
  return hint === undefined ? {} : { hint }
}

/** What the body says of the total, for clients that read heads; nothing where it is not known. */
export function totalHeader(total: number | undefined): Readonly<Record<string, string>> {
  return total === undefined ? {} : { 'x-total': String(total) }
}

/** RFC 8288: the address of the next page. */
export function linkHeader(
  { message, query }: Request,
  cursor: string | undefined,
): Readonly<Record<string, string>> {
  // The next page of a search in a body has no address.
  if (cursor === undefined || message.method === 'POST') return {}
  const next = new URLSearchParams(query)
  next.delete('start')
  next.set('cursor', cursor)
  const path = (message.url ?? '').split('?', 1)[0] ?? ''
  return { link: `<${path}?${next}>; rel="next"` }
}

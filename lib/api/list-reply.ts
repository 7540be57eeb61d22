// A page of a list: records are joined as the text they are; nothing is parsed to be written again.

import { joinJson, jsonText, type Reply } from '../http/reply.ts'
import type { ObjectType } from '../schema/object.ts'
import type { Page, Query } from '../storage/port.ts'
import type { Request } from './request.ts'

export interface ListAnswer {
  readonly object: ObjectType
  readonly query: Query
  readonly result: {
    readonly texts: readonly (string | Uint8Array)[]
    readonly page: ListedPage
  }
}

type ListedPage = Pick<Page, 'total' | 'next' | 'scanned'>

export function listReply(request: Request, answer: ListAnswer): Reply {
  const { texts, page } = answer.result
  return pageReply(request, { page, body: listBody(answer), returned: texts.length })
}

export function listBody({ object, query, result: { texts, page } }: ListAnswer): Uint8Array {
  const info = {
    start: query.cursor === undefined ? (query.start ?? 1) : null,
    length: query.length,
    total: page.total ?? null,
    next: page.next ?? null,
  }
  return joinJson(`{"${object.name}":[`, texts, `],"page":${JSON.stringify(info)}}`)
}

/** A body that listBody made, for a request of the same page. */
export function pageReply(
  request: Request,
  {
    page,
    body,
    returned,
  }: { readonly page: ListedPage; readonly body: Uint8Array; readonly returned: number },
): Reply {
  return jsonText(200, body, {
    'server-timing': `scan;desc="scanned ${page.scanned}, returned ${returned}"`,
    ...linkHeader(request, page.next),
  })
}

/** RFC 8288: the address of the next page. */
export function linkHeader(
  { message, query }: Request,
  cursor: string | undefined,
): Readonly<Record<string, string>> {
  if (cursor === undefined) return {}
  const next = new URLSearchParams(query)
  next.delete('start')
  next.set('cursor', cursor)
  const path = (message.url ?? '').split('?', 1)[0] ?? ''
  return { link: `<${path}?${next}>; rel="next"` }
}

// Lists in the order of their numbers, newest first. The cursor of such a list is the number where the previous page
// ended, or this number encrypted if it could reveal a hidden record.

import { joinJson, type JsonItem, jsonText, type Reply } from '../../http/reply.ts'
import type { NumberRange } from '../../operations/newest-page.ts'
import { linkHeader, totalHeader } from './list-reply.ts'
import { readId, readNumber, type Request, requireKnownParameters } from './request.ts'

/** Reads the parameters of a list that belongs to the record in the path; rejects parameters except `further`. */
export function readNewestFirst(
  request: Request,
  further: readonly string[] = [],
): NumberRange & { readonly id: number } {
  return { id: readId(request, 'id'), ...readNumberRange(request, further) }
}

/** Reads the parameters of such a list without the record in the path. */
export function readNumberRange(request: Request, further: readonly string[] = []): NumberRange {
  const { query, limits } = request
  requireKnownParameters(query, ['cursor', 'length', ...further])
  return {
    before: readNumber(query, 'cursor'),
    length: readNumber(query, 'length', limits.maxListLength) ?? limits.listLength,
  }
}

interface NewestFirst {
  /** The member of the body that holds the items. */
  readonly name: string
  /** Each item as JSON. */
  readonly texts: readonly JsonItem[]
  readonly asked: { readonly before: number | string | undefined; readonly length: number }
  /** Undefined if unknown. */
  readonly total: number | undefined
  /** A number, or a text that only the site can read; undefined on the last page. */
  readonly next: number | string | undefined
}

export function newestFirstReply(
  request: Request,
  { name, texts, asked, total, next: end }: NewestFirst,
): Reply {
  const next = end === undefined ? undefined : String(end)
  const page = {
    start: asked.before === undefined ? 1 : null,
    length: asked.length,
    total: total ?? null,
    next: next ?? null,
  }
  const body = joinJson(`{"${name}":[`, texts, `],"page":${JSON.stringify(page)}}`)
  return jsonText(200, body, { ...totalHeader(total), ...linkHeader(request, next) })
}

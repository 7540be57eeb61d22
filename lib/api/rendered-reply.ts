// Replies with a rendered page of the site. Conditions and ranges refer to the rendered bytes, which also change with the
// layout, the fragments, the menus and the linked files of the page, so there is no Last-Modified.

import { CmsError } from '../base/errors.ts'
import { evaluate, ifRangeAllows } from '../http/conditional.ts'
import { readRange } from '../http/range-header.ts'
import { empty, type Reply, VARIED_BYTES } from '../http/reply.ts'
import { recordChanged } from '../operations/requirements.ts'
import { RENDERED_TYPE } from '../schema/media-type.ts'
import type { ComposedPage } from '../schema/page-composition.ts'
import type { Request } from './request/request.ts'

interface Rendered {
  readonly status: 200 | 404
  readonly page: ComposedPage
  /** Number of the version of the page. */
  readonly version: number
}

/** The page for a missing path is always sent whole. */
export function renderedReply({ message }: Request, { status, page, version }: Rendered): Reply {
  const { bytes, digest } = page
  const etag = `"${digest}"`
  const validators = { etag, ...(bytes.length >= VARIED_BYTES && { vary: 'Accept-Encoding' }) }
  const headers = { ...validators, 'content-type': RENDERED_TYPE, 'accept-ranges': 'bytes' }
  if (status === 404) return { status, headers, body: bytes, digest }

  const { method = 'GET', headers: asked } = message
  const outcome = evaluate({ method, headers: asked, etag, lastModifiedMs: undefined })
  if (outcome === 'failed') throw recordChanged({ etag, version })
  if (outcome === 'not-modified') return empty(304, validators)

  const ifRange = asked['if-range']?.toString()
  const mayCut =
    method === 'GET' && (ifRange === undefined || ifRangeAllows(ifRange, etag, undefined))
  const range =
    mayCut && asked.range !== undefined ? readRange(asked.range, bytes.length) : undefined
  if (range === undefined) return { status, headers, body: bytes, digest }
  if (range === 'unsatisfiable')
    throw new CmsError('range-not-satisfiable', `The page has ${bytes.length} bytes.`, {
      headers: { 'content-range': `bytes */${bytes.length}` },
    })
  const { start, end } = range
  const contentRange = `bytes ${start}-${end}/${bytes.length}`
  return {
    status: 206,
    headers: { ...headers, 'content-range': contentRange },
    body: bytes.subarray(start, end + 1),
  }
}

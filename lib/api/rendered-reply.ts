// Replies with a rendered page of the site. Conditions and ranges refer to the rendered bytes, which also change when a linked
// file moves, so there is no Last-Modified.

import { CmsError } from '../base/errors.ts'
import { evaluate, ifRangeAllows } from '../http/conditional.ts'
import { readRange } from '../http/range-header.ts'
import { empty, type Reply, VARIED_BYTES } from '../http/reply.ts'
import type { Context } from '../operations/context.ts'
import { recordChanged } from '../operations/requirements.ts'
import { renderPage } from '../operations/site/rendered-pages.ts'
import type { SitePage } from '../operations/site/site-pages.ts'
import { RENDERED_TYPE } from '../schema/stml-document.ts'
import type { Request } from './request/request.ts'

/** The page for a missing path is always sent whole. */
export async function renderedReply(
  { message }: Request,
  page: Extract<SitePage, { kind: 'file' }>,
  context: Context,
): Promise<Reply> {
  const { status, download } = page
  const { version } = download.version
  const { bytes, digest } = await renderPage(context, { ...page, version: download.version })
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

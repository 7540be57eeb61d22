// GET and HEAD /file/<n>/<file_name>: downloads a file, with ranges and conditional requests.

import { mayRedirect, redirectTo } from './request/accel-redirect.ts'
import { DOWNLOAD } from './docs/asset-file-docs.ts'
import { CmsError } from '../base/errors.ts'
import { evaluate, ifRangeAllows, strongDate } from '../http/conditional.ts'
import { contentDisposition } from '../http/disposition.ts'
import { readRange } from '../http/range-header.ts'
import { empty, isText, type Reply, type ReplyBody, VARIED_BYTES } from '../http/reply.ts'
import type { Context } from '../operations/context.ts'
import { recordChanged } from '../operations/requirements.ts'
import { openDownload, type Opened } from '../operations/files/download-bytes.ts'
import {
  type Download,
  type Moved,
  findDownload,
  isPublicNumber,
} from '../operations/files/downloads.ts'
import { withCharset } from '../schema/media-type.ts'
import { askedForm, readPictureAsk } from './request/picture-query.ts'
import { readId, readNumber, type Request, requireOnce } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'
import { splitTicket } from './request/request-ticket.ts'

/** A stored file runs no scripts and has no access to the rest of the site. */
const SANDBOX = "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; sandbox"

export const downloadRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/file/:number/:name',
    access: ['view', 'modify', 'stage', 'publish'],
    summary:
      'Download a file: the live version, with ?state=stage the staged version, with ?version=n that version',
    docs: DOWNLOAD,
    answers: 'bytes',
    isKept: true,
    takesTicket: true,
    isPublic: (context, { number }) => isPublicNumber(context, number ?? ''),
    read: (request) => ({
      number: readId(request, 'number'),
      name: request.params['name'] ?? '',
      want: readWant(request),
      picture: readPictureAsk(request),
    }),
    run: (context, input) => ({ found: findDownload(context, input), ask: input.picture }),
    reply: ({ found, ask }, request, context) => {
      if ('location' in found) return movedReply(request, found)
      const isPublic = context.caller.isAnonymous === true
      return ask === undefined
        ? shownReply(request, found, context)
        : askedForm(context, request, { download: found, ask, isPublic }).then((form) =>
            shownReply(request, form, context),
          )
    },
  }),
]

/** The download, or a 304. Throws 412 if a condition fails. */
export function shownReply(
  request: Request,
  download: Download,
  context: Context,
): Reply | Promise<Reply> {
  const unchanged = preconditionReply(request, download, context)
  return unchanged ?? downloadReply(request, download, context)
}

/** The redirect (RFC 9110, 15.4.9) must not be cached, because another file may take the old address at any time. */
function movedReply(request: Request, { location }: Moved): Reply {
  const headers = {
    location: withQuery(location, request),
    'cache-control': 'private, no-cache',
    vary: 'Authorization',
  }
  return { status: 308, headers, body: undefined }
}

/**
 * An address of this server with the query of the request, such as the width of a picture. An address with a query or a fragment
 * of its own stays as it is.
 */
export function withQuery(location: string, { message }: Request): string {
  if (!/^\/[^?#]*$/.test(location)) return location
  // The answer is kept for the address without its ticket.
  const query = /\?.*$/.exec(splitTicket(message.url ?? '').target)?.[0] ?? ''
  return location + query
}

function readWant({ query }: Request): 'live' | 'stage' | number {
  requireOnce(query, ['state', 'version'])
  const state = query.get('state')
  const version = readNumber(query, 'version')
  if (state !== null && version !== undefined) {
    throw new CmsError('bad-request', 'Send either state or version, not both.')
  }
  if (state === null || state === 'live' || state === 'publish') return version ?? 'live'
  if (state === 'stage') return 'stage'
  throw new CmsError('bad-request', 'The query parameter state must be "stage" (or "live").')
}

/** Evaluates the conditions of the request before any byte is read: returns a 304 or throws 412. */
export function preconditionReply(
  { message }: Request,
  download: Download,
  { now }: Pick<Context, 'now'>,
): Reply | undefined {
  const date = dateOf(download, now())
  const outcome = evaluate({
    method: message.method ?? 'GET',
    headers: message.headers,
    etag: etagOf(download),
    lastModifiedMs: date,
  })
  if (outcome === 'failed')
    throw recordChanged({ etag: etagOf(download), version: download.version.version })
  return outcome === 'not-modified' ? empty(304, validators(download, date)) : undefined
}

export async function downloadReply(
  request: Request,
  download: Download,
  context: Context,
): Promise<Reply> {
  const { size, mime_type: type, is_text: isPlain } = download.version
  const date = dateOf(download, context.now())
  const range = requestedRange(request, download, date)
  const facts = { size, isText: isText(withCharset(type, isPlain)) }
  const isHandedOver =
    range !== 'unsatisfiable' &&
    download.form === undefined &&
    mayRedirect(context, request.message.headers, facts)
  if (range === undefined || isHandedOver) return wholeReply(context, download, isHandedOver)

  const opened = await openDownload(context, download)
  if (range === 'unsatisfiable') {
    if (opened.kind === 'stream') void opened.content.close()
    else opened.lent.giveBack?.()
    throw new CmsError('range-not-satisfiable', `The file has ${size} bytes.`, {
      headers: { 'content-range': `bytes */${size}` },
    })
  }
  const contentRange = `bytes ${range.start}-${range.end}/${size}`
  const headers = { ...headersOf(context, download, date), 'content-range': contentRange }
  return { status: 206, headers, body: bodyOf(opened, size, range) }
}

/** Built without the request, because the reply may be cached beyond the request. */
export async function wholeReply(
  context: Context,
  download: Download,
  isHandedOver: boolean,
): Promise<Reply> {
  const { version, form } = download
  const date = dateOf(download, context.now())
  const again = (): Promise<Reply> => wholeReply(context, download, isHandedOver)
  const handed = isHandedOver ? await redirectTo(context, download) : undefined
  if (handed !== undefined) {
    // nginx adds its own Accept-Ranges.
    const { 'accept-ranges': _, ...headers } = headersOf(context, download, date)
    return { status: 200, headers: { ...handed, ...headers }, body: undefined, again }
  }

  const body = bodyOf(await openDownload(context, download), version.size)
  const headers = headersOf(context, download, date)
  // The forms are on disk, and the next client may accept another one.
  const isPassing = date === undefined || form !== undefined
  const reply = { status: 200, headers, body, digest: version.sha256, isPassing }
  return body instanceof Uint8Array && !isHandedOver ? reply : { ...reply, again }
}

type Headers = Readonly<Record<string, string>>

/** Caches the headers of the last response with a version. The version object is the same while its record is unchanged. */
const HEADERS = new WeakMap<
  Download['version'],
  { readonly date: number | undefined; readonly headers: Headers }
>()

/** The Last-Modified of a download. */
function dateOf({ dateModified, form }: Download, now: Date): number | undefined {
  // A preset of another meaning changes the bytes and no date.
  if (form !== undefined) return undefined
  return strongDate(Date.parse(dateModified), now.getTime())
}

function headersOf(
  { resourcePolicy }: Context,
  download: Download,
  date: number | undefined,
): Headers {
  const { version } = download
  const known = HEADERS.get(version)
  if (known !== undefined && known.date === date) return known.headers

  const headers = {
    ...validators(download, date),
    'content-type': withCharset(version.mime_type, version.is_text),
    'content-disposition': contentDisposition(
      version.is_inline ? 'inline' : 'attachment',
      version.name,
    ),
    'accept-ranges': 'bytes',
    'content-security-policy': SANDBOX,
    'cross-origin-resource-policy': resourcePolicy,
  }
  HEADERS.set(version, { date, headers })
  return headers
}

/** A range is used only for GET, and only if If-Range still matches the content. */
function requestedRange(
  { message }: Request,
  download: Download,
  date: number | undefined,
): ReturnType<typeof readRange> {
  const { range } = message.headers
  const ifRange = message.headers['if-range']?.toString()
  if (message.method !== 'GET' || range === undefined) return undefined
  const isSame = ifRange === undefined || ifRangeAllows(ifRange, etagOf(download), date)
  return isSame ? readRange(range, download.version.size) : undefined
}

function bodyOf(
  opened: Opened,
  sizeBytes: number,
  range?: { readonly start: number; readonly end: number },
): ReplyBody {
  if (opened.kind === 'whole') {
    const { giveBack } = opened.lent
    const bytes =
      range === undefined
        ? opened.lent.bytes
        : opened.lent.bytes.subarray(range.start, range.end + 1)
    return giveBack === undefined ? bytes : { bytes, giveBack }
  }
  const { content } = opened
  const size = range === undefined ? sizeBytes : range.end - range.start + 1
  return { sizeBytes: size, chunks: () => content.chunks(range), close: () => content.close() }
}

function validators(download: Download, date: number | undefined): Record<string, string> {
  const { mime_type: type, is_text: isPlain, size } = download.version
  const isVaried = size >= VARIED_BYTES && isText(withCharset(type, isPlain))
  return {
    etag: etagOf(download),
    ...(date !== undefined && { 'last-modified': new Date(date).toUTCString() }),
    'cache-control': 'private, no-cache',
    vary: isVaried
      ? 'Authorization, Accept-Encoding'
      : download.isByAccept === true
        ? 'Authorization, Accept'
        : 'Authorization',
  }
}

function etagOf({ version }: Download): string {
  return `"${version.sha256}"`
}

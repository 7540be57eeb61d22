// The response with one record and its ETag.

import { crc32 } from 'node:zlib'
import { isNotFound } from '../../base/errors.ts'
import { evaluate } from '../../http/conditional.ts'
import { empty, json, jsonText, type Reply } from '../../http/reply.ts'
import type { Context } from '../../operations/context.ts'
import { tagOf } from '../../operations/present.ts'
import { recordText } from '../../operations/read.ts'
import { type Visibility, viewOf } from '../../operations/visibility.ts'
import type { JsonObject, Stored } from '../../schema/values.ts'
import { readFields } from './query.ts'
import { markedTag, prefers, type Request } from './request.ts'

export interface RecordAnswer {
  readonly status: number
  readonly visibility: Visibility
  readonly stored: Stored
  readonly headers?: Readonly<Record<string, string>>
  /** Returns null for the attached field, because the text of a page can be as large as an upload. */
  readonly isBare?: boolean
  /** A plain read, which may get a 304. A GET that changed something always gets the record. */
  readonly isRead?: boolean
  /** Additional members, such as a secret that is shown only once. */
  readonly extra?: JsonObject
}

/** These methods do not support `fields`. */
const POSTED: ReadonlySet<string | undefined> = new Set(['POST', 'PATCH'])

export async function recordReply(
  context: Context,
  request: Request,
  answer: RecordAnswer,
): Promise<Reply> {
  const { visibility, stored } = answer
  const isPosted = POSTED.has(request.message.method)
  const minimal = isPosted && Object.keys(answer.extra ?? {}).length === 0
  if (minimal && prefers(request.message, 'return=minimal'))
    return minimalReply(request, { ...answer, tag: tagOf(viewOf(context), visibility, stored) })
  const fields = isPosted ? undefined : readFields(request.query, visibility.object)
  const { extra, isBare } = answer
  const asked = { visibility, stored, fields, extra, isBare, takePage: takePage(request, answer) }
  const text = await recordText(context, asked).catch((error: unknown) => {
    // The change succeeded, so the response must be too, even if another client has deleted the file since.
    if (answer.isRead === true || !isNotFound(error)) throw error
    return recordText(context, { ...asked, isBare: true })
  })
  const view = viewOf(context)
  const etag = etagOfText(request, tagOf(view, visibility, stored), text)

  const unchanged = answer.isRead === true ? notModified(request, { etag }) : undefined
  return unchanged ?? jsonText(answer.status, text, { etag, ...answer.headers })
}

interface Minimal {
  /** The status of the response with a body. */
  readonly status: number
  /** The tag of the record; lists have none. */
  readonly tag?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/**
 * The response to a change with `Prefer: return=minimal` (RFC 7240, 4.2): headers without a body. The ETag fits If-Match; it is no
 * ETag of a text, because no text was made.
 */
export function minimalReply(request: Request, { status, tag, headers }: Minimal): Reply {
  return empty(status === 200 ? 204 : status, {
    ...(tag !== undefined && { etag: markedTag(tag, request.history) }),
    ...headers,
    'preference-applied': 'return=minimal',
  })
}

/** 202 says that the deletion is sure to happen, and that many dependent records are deleted first. */
export function removedReply(removal: void | 'removed' | 'pending'): Reply {
  return removal === 'pending' ? json(202, { deletion: 'pending' }) : empty(204)
}

/** Without enough memory, the response to a change omits the text, but a read is rejected. */
function takePage(
  { allowance, message, holder }: Request,
  { isRead }: RecordAnswer,
): (sizeBytes: number) => boolean {
  return (sizeBytes) => {
    if (isRead !== true) return allowance.tryAnswer(message, holder, sizeBytes)
    allowance.takeAnswer(message, holder, sizeBytes)
    return true
  }
}

/**
 * The tag that If-Match compares (etagOf, tagOf) with the history mark, a dot, and a checksum of this text. A strong ETag
 * must also change with the selection of fields, and if a folder above the record is renamed.
 */
export function etagOfText({ history }: Request, tag: string, text: string | Uint8Array): string {
  return `${markedTag(tag, history).slice(0, -1)}.${crc32(text).toString(16)}"`
}

/** The headers that a 304 shares with the full response (RFC 9110, 15.4.5). */
export interface Validators extends Readonly<Record<string, string>> {
  readonly etag: string
}

/** Returns a 304 for a read whose If-None-Match has this ETag. */
export function notModified(
  { message }: Pick<Request, 'message'>,
  headers: Validators,
): Reply | undefined {
  const method = message.method ?? ''
  const { 'if-none-match': header } = message.headers
  if ((method !== 'GET' && method !== 'HEAD') || header === undefined) return undefined
  const outcome = evaluate({
    method,
    headers: { 'if-none-match': header, 'accept-encoding': message.headers['accept-encoding'] },
    etag: headers.etag,
    lastModifiedMs: 0,
  })
  return outcome === 'not-modified' ? empty(304, headers) : undefined
}

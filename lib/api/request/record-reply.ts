// One record as an answer, with its ETag.

import { crc32 } from 'node:zlib'
import { isNotFound } from '../../base/errors.ts'
import { evaluate } from '../../http/conditional.ts'
import { empty, jsonText, type Reply } from '../../http/reply.ts'
import type { Context } from '../../operations/context.ts'
import { tagOf } from '../../operations/present.ts'
import { recordText } from '../../operations/read.ts'
import { type Showing, viewOf } from '../../operations/visibility.ts'
import type { JsonObject, Stored } from '../../schema/values.ts'
import { readFields } from './query.ts'
import { markedTag, type Request } from './request.ts'

export interface RecordAnswer {
  readonly status: number
  readonly showing: Showing
  readonly stored: Stored
  readonly headers?: Readonly<Record<string, string>>
  /** Answers null for what is attached: the text of a page can be as large as an upload. */
  readonly isBare?: boolean
  /** A plain read may be answered with 304; what a GET has changed is always told. */
  readonly isRead?: boolean
  /** Members that only this answer has: a secret that is shown once. */
  readonly extra?: JsonObject
}

/** They know no selection of fields. */
const POSTED: ReadonlySet<string | undefined> = new Set(['POST', 'PATCH'])

export async function recordReply(
  context: Context,
  request: Request,
  answer: RecordAnswer,
): Promise<Reply> {
  const { showing, stored } = answer
  const isPosted = POSTED.has(request.message.method)
  const fields = isPosted ? undefined : readFields(request.query, showing.object)
  const { extra, isBare } = answer
  const asked = { showing, stored, fields, extra, isBare, takePage: takePage(request, answer) }
  const text = await recordText(context, asked).catch((error: unknown) => {
    // Who has changed a file is told so, although another client has deleted it since.
    if (answer.isRead === true || !isNotFound(error)) throw error
    return recordText(context, { ...asked, isBare: true })
  })
  const view = viewOf(context)
  const etag = etagOfText(request, tagOf(view, showing, stored), text)

  const unchanged = answer.isRead === true ? notModified(request, { etag }) : undefined
  return unchanged ?? jsonText(answer.status, text, { etag, ...answer.headers })
}

/** The answer to a change goes without the text where there is no room for it; a read is refused. */
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
 * The tag that If-Match compares (etagOf, tagOf) with the mark of the history, and after a dot a checksum of this very
 * text: a strong ETag must also tell a selection of fields, or a folder renamed above the record, apart.
 */
export function etagOfText({ history }: Request, tag: string, text: string | Uint8Array): string {
  return `${markedTag(tag, history).slice(0, -1)}.${crc32(text).toString(16)}"`
}

/** What tells of a kept answer: a 304 has these as the whole answer does (RFC 9110, 15.4.5). */
export interface Validators extends Readonly<Record<string, string>> {
  readonly etag: string
}

/** 304 for a read whose If-None-Match names this text. */
export function notModified({ message }: Request, headers: Validators): Reply | undefined {
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

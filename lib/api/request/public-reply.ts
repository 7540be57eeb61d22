// The response to a reader without a key: any page may read it, and caches may store it if they ask again before each use,
// because an unpublish takes effect at once.

import { crc32 } from 'node:zlib'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { inMemory, type Reply } from '../../http/reply.ts'
import { notModified } from './record-reply.ts'
import type { Route } from './route.ts'

/** A cache must not send a stored response to a client with a key, because the client may see more. */
const PUBLIC = Object.freeze({
  'cache-control': 'public, no-cache',
  'cross-origin-resource-policy': 'cross-origin',
})

/**
 * The headers without If-None-Match, which publicReply compares with the response of a JSON route: so the response can come
 * from the cache.
 */
export function withoutCondition(
  { answers }: Pick<Route, 'answers'>,
  headers: IncomingHttpHeaders,
): IncomingHttpHeaders {
  if (answers === 'bytes' || headers['if-none-match'] === undefined) return headers
  const { 'if-none-match': _, ...others } = headers
  return others
}

export function publicReply(reply: Reply, message: IncomingMessage): Reply {
  const { vary, etag: given } = reply.headers
  const headers = { ...reply.headers, ...PUBLIC, vary: withAuthorization(vary) }
  if (reply.status !== 200 || given !== undefined) return { ...reply, headers }
  const body = inMemory(reply.body)
  if (body === undefined) return { ...reply, headers }
  const etag = `"${crc32(body).toString(16)}-${body.length}"`
  const tagged = { ...headers, etag }
  return notModified({ message }, tagged) ?? { ...reply, headers: tagged }
}

function withAuthorization(vary: string | number | undefined): string {
  if (vary === undefined) return 'Authorization'
  return /authorization/i.test(String(vary)) ? String(vary) : `Authorization, ${vary}`
}

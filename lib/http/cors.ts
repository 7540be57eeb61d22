// Cross-origin headers. They are sent only if the operator configured origins.

import type { IncomingMessage } from 'node:http'
import { CmsError } from '../base/errors.ts'
import { empty, type Reply } from './reply.ts'

/** Response headers that a page may read, beyond the headers that every page may read. */
const EXPOSED = [
  'Accept-Ranges, Content-Disposition, Content-Range, ETag, Idempotency-Replayed, Link, Location',
  'Preference-Applied, Retry-After, Server-Timing, Tus-Checksum-Algorithm, Tus-Extension, Tus-Max-Size',
  'Tus-Resumable, Tus-Version, Upload-Asset-File-Id, Upload-Defer-Length, Upload-Expires, Upload-Length',
  'Upload-Metadata, Upload-Offset, WWW-Authenticate, X-Request-Id, X-Total',
].join(', ')

/** Request headers that a page may send. */
const ALLOWED = [
  'Authorization, Cache-Control, Content-Type, Idempotency-Key, If-Match, If-Modified-Since',
  'If-None-Match, If-Range, If-Unmodified-Since, Last-Event-ID, Prefer, Range, Tus-Resumable',
  'Upload-Checksum, Upload-Defer-Length, Upload-Length, Upload-Metadata, Upload-Offset',
].join(', ')

export function corsHeaders(
  message: IncomingMessage,
  origins: readonly string[],
): Record<string, string> {
  if (origins.length === 0) return {}
  const { origin } = message.headers
  if (origin === undefined || !origins.includes(origin)) return { vary: 'Origin, Authorization' }
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED,
    vary: 'Origin, Authorization',
    ...(message.method === 'OPTIONS' && {
      'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
      'access-control-allow-headers': ALLOWED,
      'access-control-max-age': '600',
    }),
  }
}

/** For responses that anybody may read without credentials. */
export function publicCorsHeaders(): Record<string, string> {
  return { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED }
}

/**
 * An <img> of another origin sends no Origin, so the policy cannot depend on the origin. A download needs a ticket or a key
 * anyway.
 */
export function resourcePolicyOf(origins: readonly string[]): 'same-origin' | 'cross-origin' {
  return origins.length === 0 ? 'same-origin' : 'cross-origin'
}

interface Options {
  readonly methods: readonly string[]
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** The response to OPTIONS. It needs no key, because the methods are not secret. */
export function optionsReply({ methods, headers }: Options): Reply {
  if (methods.length === 0) throw new CmsError('not-found', 'There is nothing at this address.')
  return empty(204, { ...headers, allow: [...methods, 'OPTIONS'].join(', ') })
}

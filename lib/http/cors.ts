// Cross-origin headers: none, unless the operator named origins.

import type { IncomingMessage } from 'node:http'
import { CmsError } from '../base/errors.ts'
import { empty, type Reply } from './reply.ts'

/** What a page may read of an answer, beyond what every page may. */
const EXPOSED = [
  'Accept-Ranges, Content-Disposition, Content-Range, ETag, Idempotency-Replayed, Link, Location',
  'Preference-Applied, Retry-After, Server-Timing, WWW-Authenticate, X-Request-Id, X-Total',
].join(', ')

/** What a page may send. */
const ALLOWED = [
  'Authorization, Cache-Control, Content-Type, Idempotency-Key, If-Match, If-Modified-Since',
  'If-None-Match, If-Range, If-Unmodified-Since, Last-Event-ID, Prefer, Range',
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

/**
 * An <img> of another origin sends no Origin, so that the answer cannot depend on the origin. A ticket or a key decides
 * who gets a download.
 */
export function resourcePolicyOf(origins: readonly string[]): 'same-origin' | 'cross-origin' {
  return origins.length === 0 ? 'same-origin' : 'cross-origin'
}

/** What an address answers to; the methods are no secret, so no key is asked for. */
export function optionsReply(methods: readonly string[]): Reply {
  if (methods.length === 0) throw new CmsError('not-found', 'There is nothing at this address.')
  return empty(204, { allow: [...methods, 'OPTIONS'].join(', ') })
}

// The target of a request (RFC 9112, 3.2). Routes use a path with a query. Clients may also send an absolute URL, or `*` for
// the server as a whole.

import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import { CmsError } from '../base/errors.ts'

export const WHOLE_SERVER = '*'

const ABSOLUTE = /^https?:\/\/([^/?#@]+)([/?][^#]*)?$/i

/**
 * Returns path and query. For an absolute URL, the host replaces the header Host, as the RFC requires; any host is accepted.
 * The message is changed to the usual form.
 */
export function readTarget(message: IncomingMessage): string {
  const { url = '/', method } = message
  // Fast path for nearly every target.
  if (url.startsWith('/') && !url.includes('#')) return url
  const [, host, rest = ''] = ABSOLUTE.exec(url) ?? []
  if (host !== undefined) {
    checkAuthority(host)
    message.headers.host = host
    message.url = rest.startsWith('/') ? rest : emptyPath(method, rest)
  }

  const target = message.url ?? '/'
  const isPath = target.startsWith('/') && !/^[^?]*#/.test(target)
  if (isPath || (target === WHOLE_SERVER && method === 'OPTIONS')) return target
  throw new CmsError(
    'bad-request',
    'The request target must be a path that begins with "/", or a URL that begins with http://, without a #.',
  )
}

function emptyPath(method: string | undefined, query: string): string {
  return method === 'OPTIONS' && query === '' ? WHOLE_SERVER : `/${query}`
}

/** Shared by all requests without a query. Must not be modified. */
const NO_QUERY = new URLSearchParams()

/** The query of a target. Invalid UTF-8 is rejected, because it would silently become U+FFFD. */
export function readQueryString(target: string): URLSearchParams {
  const mark = target.indexOf('?')
  if (mark < 0) return NO_QUERY
  const text = target.slice(mark + 1)
  if (/%[89a-f]/i.test(text)) checkEncoding(text)
  // URLSearchParams strips one leading question mark, which must not be part of a name.
  return new URLSearchParams(`?${text}`)
}

/** A % without two hex digits is a literal character, as in the URL standard. */
function checkEncoding(text: string): void {
  try {
    decodeURIComponent(text.replaceAll(/%(?![0-9a-f]{2})/gi, '%25'))
  } catch (cause) {
    const detail = 'The query string is not percent-encoded UTF-8. Check each % in it.'
    throw new CmsError('bad-request', detail, { cause })
  }
}

// The authority of a request: uri-host [ ":" port ] (RFC 9110, 7.2; RFC 3986, 3.2.2).

const LITERAL = /^\[(?<address>[^\]]*)\](?::(?<port>\d*))?$/
const NAME = /^(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+(?::(?<port>\d*))?$/i
const MAX_PORT = 65_535

/** Throws bad-request for an invalid authority. An IPv4 address has the syntax of a name. An empty host is rejected. */
export function checkAuthority(text: string): void {
  const parts = (LITERAL.exec(text) ?? NAME.exec(text))?.groups
  if (parts !== undefined && isHost(parts) && Number(parts['port'] ?? 0) <= MAX_PORT) return
  const detail = 'The host must be a name or an address, with or without a port.'
  throw new CmsError('bad-request', detail)
}

/** Rejects IPv6 zone identifiers, which are valid on one machine only. */
function isHost({ address }: Readonly<Record<string, string | undefined>>): boolean {
  return address === undefined || (isIPv6(address) && !address.includes('%'))
}

// The target of a request (RFC 9112, 3.2): what routes know is a path with a query; `*` stands for the
// server as a whole, and clients may send the whole address.

import type { IncomingMessage } from 'node:http'
import { CmsError } from '../base/errors.ts'
import { checkAuthority } from './authority.ts'

export const WHOLE_SERVER = '*'

const ABSOLUTE = /^https?:\/\/([^/?#@]+)([/?][^#]*)?$/i

/**
 * Path and query. Of a whole address the host takes the place of the header Host, as the RFC has it;
 * which host that is makes no difference here. All that follows finds the message in the usual form.
 */
export function readTarget(message: IncomingMessage): string {
  const { url = '/', method } = message
  // Nearly every target.
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
    'The target must be a path that begins with "/", or an address with http://, without a #.',
  )
}

function emptyPath(method: string | undefined, query: string): string {
  return method === 'OPTIONS' && query === '' ? WHOLE_SERVER : `/${query}`
}

/** Nobody changes the query of a request. */
const NO_QUERY = new URLSearchParams()

/** The query of a target. As in a path, what is not UTF-8 is refused: it would become U+FFFD in silence. */
export function readQueryString(target: string): URLSearchParams {
  const mark = target.indexOf('?')
  if (mark < 0) return NO_QUERY
  const text = target.slice(mark + 1)
  if (/%[89a-f]/i.test(text)) checkEncoding(text)
  // It takes one question mark off: that of the target, and none that belongs to a name.
  return new URLSearchParams(`?${text}`)
}

/** A % that begins no escape stands for itself, as in the URL standard. */
function checkEncoding(text: string): void {
  try {
    decodeURIComponent(text.replaceAll(/%(?![0-9a-f]{2})/gi, '%25'))
  } catch (cause) {
    const detail = 'The query string is not UTF-8, percent-encoded: check each % in it.'
    throw new CmsError('bad-request', detail, { cause })
  }
}

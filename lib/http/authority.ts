// The authority of a request: uri-host [ ":" port ] (RFC 9110, 7.2; RFC 3986, 3.2.2).

import { isIPv6 } from 'node:net'
import { CmsError } from '../base/errors.ts'

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

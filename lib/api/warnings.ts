// What an operator should know of a server that takes all requests. /ready tells it to everybody, so nothing of
// it is a secret: what it says, anybody can try out.

import type { DocumentAudience } from '../docs/swagger-page.ts'
import { isLoopback, type Proxies } from '../http/client-address.ts'

export interface Warning {
  readonly code: 'documents-public'
  readonly detail: string
}

/** Settings that tell who reaches the server. */
export interface Exposure {
  readonly docs: DocumentAudience
  readonly baseUrl: string | undefined
  readonly proxies: Proxies
}

const DOCUMENTS_PUBLIC: Warning = {
  code: 'documents-public',
  detail:
    'Others than this machine reach the server, and /public/api/module/swagger.json shows the names and columns of ' +
    "all modules without a key. Start it with --docs keyed where that is nobody else's business.",
}

/** `address`: where the server listens, as the system has it. */
export function findWarnings(
  exposure: Exposure,
  { address }: { readonly address: string },
): readonly Warning[] {
  return exposure.docs === 'public' && isReached(exposure, address) ? [DOCUMENTS_PUBLIC] : []
}

/** By others than this machine: where it listens on loopback, too, when a proxy passes their requests on. */
function isReached({ baseUrl, proxies }: Exposure, address: string): boolean {
  if (!isLoopback(address) || proxies !== undefined) return true
  if (baseUrl === undefined) return false
  const { hostname } = new URL(baseUrl)
  return hostname !== 'localhost' && !isLoopback(hostname.replace(/^\[|\]$/g, ''))
}

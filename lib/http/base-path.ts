// The base path of the server behind a proxy: https://www.example.org/cms. A proxy may strip the base path from a request or
// forward it, so the server strips it if present. The inner parts (routes, cached responses, fingerprints of retries, stored
// addresses) do not contain the base path; it is added to responses in one place.

import type { IncomingMessage } from 'node:http'
import type { Reply } from './reply.ts'

/** The path of the base URL; empty if the server has the whole host. */
export function basePathOf(baseUrl: string | undefined): string {
  return baseUrl === undefined ? '' : new URL(baseUrl).pathname.replace(/\/+$/, '')
}

interface Asked {
  readonly message: IncomingMessage
  /** Path and query. */
  readonly target: string
  readonly isKnown: (target: string) => boolean
}

/**
 * Strips the base path from the target and from message.url. Keeps the target if only the unstripped path is known: behind a
 * proxy that strips the base path https://www.example.org/api, a request for /api/v2/… must stay the same.
 */
export function withoutBasePath(basePath: string, { message, target, isKnown }: Asked): string {
  if (basePath === '' || !target.startsWith(basePath)) return target
  const rest = target.slice(basePath.length)
  if (!/^(?:[/?]|$)/.test(rest)) return target
  const inner = rest.startsWith('/') ? rest : `/${rest}`
  if (!isKnown(inner) && isKnown(target)) return target
  message.url = inner
  return inner
}

/** Adds the base path to the paths in response headers. */
export function withBasePath(basePath: string, headers: Reply['headers']): Reply['headers'] {
  const { location, link } = headers
  if (basePath === '' || (location === undefined && link === undefined)) return headers
  return {
    ...headers,
    ...(location !== undefined && { location: String(location).replace(/^\//, `${basePath}/`) }),
    ...(link !== undefined && { link: String(link).replaceAll('</', `<${basePath}/`) }),
  }
}

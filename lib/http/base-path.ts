// The path under which clients reach the server, where a proxy gives it a part of a host alone:
// https://www.example.org/cms. A proxy may take the path off a request or pass it on, so it is taken off here
// where it is there. What is inside (routes, kept answers, fingerprints of retries, stored addresses) knows
// nothing of it; what goes out gets it in one place.

import type { IncomingMessage } from 'node:http'
import type { Reply } from './reply.ts'

/** Of the address that clients use; empty where the server has the whole host. */
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
 * The target without the path, which all that follows finds in the message, too. As it was where that would lead
 * nowhere: under https://www.example.org/api a proxy that takes the path off sends /api/v2/… all the same.
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

/** The addresses in the head of an answer, which are paths of this server. */
export function withBasePath(basePath: string, headers: Reply['headers']): Reply['headers'] {
  const { location, link } = headers
  if (basePath === '' || (location === undefined && link === undefined)) return headers
  return {
    ...headers,
    ...(location !== undefined && { location: String(location).replace(/^\//, `${basePath}/`) }),
    ...(link !== undefined && { link: String(link).replaceAll('</', `<${basePath}/`) }),
  }
}

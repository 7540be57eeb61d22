// Finds the route of a request with find-my-way. Distinguishes 404 and 405, and answers HEAD with the GET route.

import createRouter, { type HTTPMethod } from 'find-my-way'
import { CmsError } from '../base/errors.ts'
import { WHOLE_SERVER } from './request-target.ts'

export interface Routed {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  /** False for a GET that changes something, because HEAD would change it, too. */
  readonly hasHead: boolean
}

interface Found<R> {
  readonly route: R
  readonly params: Readonly<Record<string, string>>
}

interface Place<R> {
  readonly route: R
  /** The segments of its path, including parameters. */
  readonly segments: readonly string[]
}

export interface Router<R> {
  /** Throws not-found, bad-request, method-not-allowed (with Allow) or not-implemented. */
  find(method: string, url: string): Found<R>
  /** The methods of an address, for Allow; empty if the address does not exist. */
  methods(url: string): readonly string[]
  /** The route of the first of these methods. */
  first(url: string): R | undefined
}

const NO_QUERY = Object.freeze({})

const METHODS: readonly HTTPMethod[] = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE']
const KNOWN = new Set(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS', 'PUT', 'PATCH'])

/** Returns a sentence that suggests another address. */
export type FindHint = (url: string, isKnown: (path: string) => boolean) => string | undefined

export interface RouterOptions<R> {
  /** Returns all paths of a route, if routes have more than one. */
  readonly addressesOf?: (route: R) => readonly string[]
  readonly findHint?: FindHint
}

export function buildRouter<R extends Routed>(
  routes: readonly R[],
  { addressesOf = ({ path }) => [path], findHint = () => undefined }: RouterOptions<R> = {},
): Router<R> {
  const router = createRouter({
    caseSensitive: true,
    ignoreTrailingSlash: false,
    ignoreDuplicateSlashes: false,
    // A file name of 255 bytes, percent-encoded, must reach its route.
    maxParamLength: 1_024,
    // request-target.ts parses the query when it is needed.
    querystringParser: () => NO_QUERY,
  })
  const noHandler = (): void => undefined

  for (const route of routes) {
    const { method, hasHead } = route
    for (const path of addressesOf(route)) {
      const store = { route, segments: path.split('/') }
      router.on(method, path, noHandler, store)
      if (method === 'GET' && hasHead) router.on('HEAD', path, noHandler, store)
    }
  }

  const lookup = (method: HTTPMethod, url: string) => {
    const found = router.find(method, url)
    return found === null || isLiteral(url, found.store as Place<R>) ? found : null
  }
  const methods = (url: string): readonly string[] =>
    METHODS.filter((method) => url === WHOLE_SERVER || lookup(method, url) !== null)

  return {
    methods,
    first(url) {
      for (const method of METHODS) {
        const found = lookup(method, url)
        if (found !== null) return (found.store as Place<R>).route
      }
      return undefined
    },
    find(method, url) {
      if (!KNOWN.has(method))
        throw new CmsError('not-implemented', `The method ${method} is not supported.`)

      const found = METHODS.includes(method as HTTPMethod)
        ? lookup(method as HTTPMethod, url)
        : null
      if (found !== null)
        return {
          route: (found.store as Place<R>).route,
          params: found.params as Record<string, string>,
        }

      const allowed = methods(url)
      if (allowed.length === 0)
        throw nothingAt(url, () => findHint(url, (path) => methods(path).length > 0))
      throw new CmsError(
        'method-not-allowed',
        `This address supports ${allowed.join(', ')}.${hintFor(method, allowed)}`,
        {
          headers: { allow: [...allowed, 'OPTIONS'].join(', ') },
        },
      )
    },
  }
}

/**
 * Fixed segments must not be percent-encoded, because a proxy may compare paths as sent: a proxy that blocks /metrics must
 * not let /%6detrics through.
 */
function isLiteral(url: string, { segments }: Pick<Place<unknown>, 'segments'>): boolean {
  if (!url.includes('%')) return true
  const sent = (url.split('?', 1)[0] ?? '').split('/')
  return segments.every((segment, at) => /[:*]/.test(segment) || segment === sent[at])
}

/** Hints for methods that clients of other servers use. */
function hintFor(method: string, allowed: readonly string[]): string {
  if (method !== 'PUT' && method !== 'PATCH') return ''
  if (allowed.includes('PATCH'))
    return ' To update a record, use POST or PATCH with the fields to change; other fields stay the same.'
  if (allowed.includes('POST'))
    return ' To create a record, use POST; to update one, use its own address.'
  return ''
}

/** The error for an unknown path. The router also finds nothing if it cannot decode the path. */
function nothingAt(url: string, findHint: () => string | undefined): CmsError {
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '')
  } catch (cause) {
    const detail = 'The address is not percent-encoded UTF-8. Check each % in it.'
    return new CmsError('bad-request', detail, { cause })
  }
  const found = findHint()
  const encoded = url.includes('%')
    ? ' Do not percent-encode letters and digits of an address.'
    : ''
  const hint = found === undefined ? encoded : ` ${found}`
  return new CmsError('not-found', `There is nothing at this address.${hint}`)
}

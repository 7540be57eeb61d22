// Finds the route of a request: find-my-way, with 404 and 405 told apart and HEAD taken from GET.

import createRouter, { type HTTPMethod } from 'find-my-way'
import { CmsError } from '../base/errors.ts'
import { WHOLE_SERVER } from './request-target.ts'

export interface Routed {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  /** False for a GET that changes something: HEAD would change it too. */
  readonly hasHead: boolean
}

interface Found<R> {
  readonly route: R
  readonly params: Readonly<Record<string, string>>
}

interface Place<R> {
  readonly route: R
  /** Of its path, those of parameters as well. */
  readonly segments: readonly string[]
}

export interface Router<R> {
  /** Throws not-found, bad-request, method-not-allowed (with Allow) or not-implemented. */
  find(method: string, url: string): Found<R>
  /** Methods of an address, for Allow; empty when there is none. */
  methods(url: string): readonly string[]
}

const NO_QUERY = Object.freeze({})

const METHODS: readonly HTTPMethod[] = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE']
const KNOWN = new Set(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS', 'PUT', 'PATCH'])

/** A sentence that says what to ask instead of an address where there is nothing. */
export type FindHint = (url: string, isKnown: (path: string) => boolean) => string | undefined

export interface RouterOptions<R> {
  /** All paths of a route, where it has more than one. */
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
    // Who wants the query reads it (request-target.ts), and nobody reads it twice.
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
    find(method, url) {
      if (!KNOWN.has(method))
        throw new CmsError('not-implemented', `The method ${method} is not known here.`)

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
        `This address answers ${allowed.join(', ')}.${hintFor(method, allowed)}`,
        {
          headers: { allow: [...allowed, 'OPTIONS'].join(', ') },
        },
      )
    },
  }
}

/**
 * A proxy may compare addresses as they are sent: one that closes /metrics must not let /%6detrics through to the same
 * answer. So the fixed parts of an address are taken as they are written alone.
 */
function isLiteral(url: string, { segments }: Pick<Place<unknown>, 'segments'>): boolean {
  if (!url.includes('%')) return true
  const sent = (url.split('?', 1)[0] ?? '').split('/')
  return segments.every((segment, at) => /[:*]/.test(segment) || segment === sent[at])
}

/** What many clients send where others send something else. */
function hintFor(method: string, allowed: readonly string[]): string {
  if (method !== 'PUT' && method !== 'PATCH') return ''
  if (allowed.includes('PATCH'))
    return ' A record is changed by POST or PATCH with the fields that change; what is left out stays.'
  if (allowed.includes('POST'))
    return ' A new one is made by POST; one that is there is changed at its own address.'
  return ''
}

/** The router finds nothing either where it cannot decode the path. */
function nothingAt(url: string, findHint: () => string | undefined): CmsError {
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '')
  } catch (cause) {
    const detail = 'The address is not UTF-8, percent-encoded: check each % in it.'
    return new CmsError('bad-request', detail, { cause })
  }
  const found = findHint()
  const encoded = url.includes('%')
    ? ' Letters and digits of an address are written as they are, not percent-encoded.'
    : ''
  const hint = found === undefined ? encoded : ` ${found}`
  return new CmsError('not-found', `There is nothing at this address.${hint}`)
}

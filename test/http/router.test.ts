// The router against a plain reference implementation of RFC 3986: split the path into segments first, then
// decode each segment once. The patterns are the routes of the server.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { allRoutes } from '../../lib/api/routes.ts'
import { CmsError } from '../../lib/base/errors.ts'
import { buildRouter } from '../../lib/http/router.ts'
import { ROUTE_OPTIONS } from '../helpers/route-options.ts'
import { openRandom, type Random } from '../rigs/random.ts'

// The reference implementation does not support wildcards, which match several segments.
const ROUTES = allRoutes(ROUTE_OPTIONS).filter(({ path }) => !path.includes('*'))
const ROUTER = buildRouter(ROUTES)

/** Maximum length of a decoded parameter. A longer parameter matches no route. */
const MAX_PARAMETER_LENGTH = 1_024

type Outcome =
  | { readonly kind: 'found'; readonly path: string; readonly params: object }
  | { readonly kind: 'refused'; readonly code: string }

function routed(method: string, target: string): Outcome {
  try {
    const { route, params } = ROUTER.find(method, target)
    return { kind: 'found', path: route.path, params: { ...params } }
  } catch (error) {
    assert.ok(error instanceof CmsError, String(error))
    return { kind: 'refused', code: error.code }
  }
}

/** Returns the route with the longest literal beginning, otherwise the route with a pattern. */
function read(method: string, target: string): Outcome {
  const path = target.split('?', 1)[0] ?? ''
  const segments: string[] = []
  const sent = path.split('/')
  for (const segment of sent) {
    try {
      segments.push(decodeURIComponent(segment))
    } catch {
      return { kind: 'refused', code: 'bad-request' }
    }
  }
  const fitting = ROUTES.flatMap((route) => {
    const params = fit(route.path, segments)
    return params === undefined ? [] : [{ route, params }]
  }).toSorted((left, right) => (rank(left.route.path) < rank(right.route.path) ? -1 : 1))
  const findFor = (asked: string) => {
    const first = fitting.find(({ route }) => answers(route, asked))
    return first !== undefined && isLiteral(first.route.path, sent) ? first : undefined
  }
  const found = findFor(method)
  if (found !== undefined) return { kind: 'found', path: found.route.path, params: found.params }
  const isThere = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'].some((other) => findFor(other))
  return { kind: 'refused', code: isThere ? 'method-not-allowed' : 'not-found' }
}

/** Literal segments match only in the form in which the route is written. */
function isLiteral(path: string, sent: readonly string[]): boolean {
  return path.split('/').every((segment, at) => segment.startsWith(':') || segment === sent[at])
}

function answers(route: (typeof ROUTES)[number], method: string): boolean {
  return route.method === method || (method === 'HEAD' && route.method === 'GET' && route.hasHead)
}

/** Literal segments sort before segments with a pattern, which sort before plain parameters. */
function rank(path: string): string {
  return path
    .split('/')
    .map((segment) => (!segment.startsWith(':') ? 'a' : segment.includes('(') ? 'b' : 'c'))
    .join('')
}

function fit(
  pattern: string,
  segments: readonly string[],
): Readonly<Record<string, string>> | undefined {
  const wanted = pattern.split('/')
  if (wanted.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, segment] of segments.entries()) {
    const [, name, expression] = /^:(\w+)(?:\((.*)\))?$/.exec(wanted[at] ?? '') ?? []
    if (name === undefined) {
      if (wanted[at] !== segment) return undefined
    } else {
      if (segment.length > MAX_PARAMETER_LENGTH) return undefined
      if (expression !== undefined && !new RegExp(expression).test(segment)) return undefined
      params[name] = segment
    }
  }
  return params
}

const PIECES = [
  '%2F',
  '%2f',
  '%25',
  '%252F',
  '%00',
  '%5C',
  '\\',
  ';',
  ';a=b',
  ':',
  '%3A',
  '%C3%A9',
  '%c3%a9',
  '%F0%9F%98%80',
  '%C0%AF',
  '%FF',
  '%',
  '%4',
  '%zz',
  '%23',
  '%3F',
  '%20',
  '+',
  '.',
  '..',
  '%2e%2e',
  '*',
  '(',
  '~',
  'A',
  '1',
  '01',
  'events.ics',
]
const LONG_PIECES = ['x'.repeat(1_024), '%C3%A9'.repeat(1_024), 'x'.repeat(1_025)]

/** Makes an address of a route with invalid parameters, sometimes with one segment more or less. */
function makeTarget(random: Random): string {
  const segments = random
    .pick(ROUTES)
    .path.split('/')
    .slice(1)
    .map((segment) => {
      if (segment.startsWith(':') || random.below(12) === 0) return makeSegment(random)
      if (random.below(25) === 0) return segment.toUpperCase()
      return random.below(6) === 0 ? escapeOne(random, segment) : segment
    })
  if (random.below(15) === 0) segments.push(makeSegment(random))
  if (random.below(15) === 0) segments.splice(random.below(segments.length), 1)
  const query = random.below(4) === 0 ? random.pick(['?', '?a=%2F', '?%', '?/x/%FF', '??']) : ''
  return `/${segments.join('/')}${query}`
}

function makeSegment(random: Random): string {
  if (random.below(100) === 0) return random.pick(LONG_PIECES)
  return Array.from({ length: random.below(4) }, () => random.pick(PIECES)).join('')
}

function escapeOne(random: Random, segment: string): string {
  const at = random.below(segment.length)
  const code = segment.charCodeAt(at).toString(16)
  return `${segment.slice(0, at)}%${code}${segment.slice(at + 1)}`
}

describe('an address', () => {
  test('leads to the same route and parameters as a simple reference router', () => {
    const random = openRandom(1_255_002)
    const seen = new Map<string, number>()
    for (let count = 0; count < 10_000; count += 1) {
      const target = makeTarget(random)
      const method = random.pick(['GET', 'HEAD', 'POST', 'DELETE'])
      const outcome = routed(method, target)
      assert.deepEqual(outcome, read(method, target), `${method} ${target.slice(0, 200)}`)
      const kind = outcome.kind === 'found' ? 'found' : outcome.code
      seen.set(kind, (seen.get(kind) ?? 0) + 1)
    }
    for (const kind of ['found', 'not-found', 'bad-request', 'method-not-allowed'])
      assert.ok((seen.get(kind) ?? 0) > 100, JSON.stringify([...seen]))
  })
})

describe('an address that is not found', () => {
  const publish = { method: 'POST', path: '/files/1/publish', hasHead: false } as const
  const list = { method: 'GET', path: '/files', hasHead: true } as const
  const options = {
    findHint: (_: string, isKnown: (path: string) => boolean) =>
      ['/nowhere', '/files/1/publish'].filter(isKnown).map((path) => `Did you mean ${path}?`)[0],
  }
  const router = buildRouter([publish, list], options)

  test('gets a similar address as advice, even for a single method', () => {
    assert.throws(() => router.find('POST', '/files/1/publsh'), {
      message: 'There is nothing at this address. Did you mean /files/1/publish?',
    })
  })

  test('is one with percent-encoded fixed parts, because a proxy may compare raw addresses', () => {
    const plain = buildRouter([publish, list])
    for (const url of ['/%66iles', '/files/1/%70ublish', '/files%2F1%2Fpublish'])
      assert.throws(() => plain.find('GET', url), { code: 'not-found' })
    assert.throws(() => plain.find('GET', '/%66iles'), /Do not percent-encode/)
    const file = buildRouter([{ method: 'GET', path: '/file/:id/:name', hasHead: true }])
    assert.equal(file.find('GET', '/file/1/%61%20b.html').params['name'], 'a b.html')
  })

  test('for a method gets a hint only if it helps', () => {
    const detailOf = (method: string, url: string): string => {
      try {
        router.find(method, url)
      } catch (error) {
        if (error instanceof CmsError) return error.message
      }
      return 'found'
    }
    assert.equal(detailOf('PUT', '/files'), 'This address supports GET, HEAD.')
    assert.match(
      detailOf('PUT', '/files/1/publish'),
      /supports POST\. To create a record, use POST/,
    )
    assert.equal(detailOf('DELETE', '/files/1/publish'), 'This address supports POST.')
  })
})

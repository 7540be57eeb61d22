// The base path: removed from request targets that match it and added to generated addresses. Behind a proxy:
// test/api/base-url.test.ts.

import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { describe, test } from 'node:test'
import { basePathOf, withBasePath, withoutBasePath } from '../../lib/http/base-path.ts'

const BASES: readonly (readonly [baseUrl: string | undefined, basePath: string])[] = [
  [undefined, ''],
  ['https://a.example', ''],
  ['https://a.example/', ''],
  ['https://a.example/cms', '/cms'],
  ['https://a.example/cms//', '/cms'],
  ['https://a.example/x/cms/', '/x/cms'],
]

describe('the path of', () => {
  for (const [baseUrl, basePath] of BASES)
    test(`${baseUrl} is ${JSON.stringify(basePath)}`, () =>
      assert.equal(basePathOf(baseUrl), basePath))
})

/** The known addresses are the root, /api and everything below /api. */
const isKnown = (target: string): boolean => /^\/(api(\/|$)|[?]|$)/.test(target)

const TARGETS: readonly (readonly [basePath: string, target: string, inner: string])[] = [
  ['', '/api/a', '/api/a'],
  ['/cms', '/cms/api/a?b', '/api/a?b'],
  ['/cms', '/cms', '/'],
  ['/cms', '/cms?a', '/?a'],
  ['/cms', '/cms/', '/'],
  ['/cms', '/api/a', '/api/a'],
  ['/cms', '/cmsapi', '/cmsapi'],
  ['/cms', '/x/cms/api', '/x/cms/api'],
  ['/cms', '/xyz/api', '/xyz/api'],
  // The target is unknown with and without the base path, so the error names the inner target.
  ['/cms', '/cms/nothing', '/nothing'],
  // The proxy already removed the base path.
  ['/api', '/api/a', '/api/a'],
  ['/api', '/api/api/a', '/api/a'],
  ['/api', '/api/', '/'],
]

describe('a request', () => {
  for (const [basePath, target, inner] of TARGETS)
    test(`for ${target} under ${basePath === '' ? 'the whole host' : basePath} is a request for ${inner}`, () => {
      const message = { url: target } as IncomingMessage
      assert.equal(withoutBasePath(basePath, { message, target, isKnown }), inner)
      assert.equal(message.url, inner)
    })
})

describe('an answer', () => {
  test('has the path before its addresses, and its other headers are unchanged', () => {
    const headers = {
      location: '/a/b',
      link: '</a>; rel="next", </b/c>; rel="prev"',
      etag: '"/"',
    }
    assert.deepEqual(withBasePath('/cms', headers), {
      location: '/cms/a/b',
      link: '</cms/a>; rel="next", </cms/b/c>; rel="prev"',
      etag: '"/"',
    })
    assert.equal(withBasePath('', headers), headers)
  })

  test('with only one of the two headers gets no other', () => {
    assert.deepEqual(withBasePath('/cms', { location: '/a' }), { location: '/cms/a' })
    assert.deepEqual(withBasePath('/cms', { link: '</a>' }), { link: '</cms/a>' })
    const none = { etag: '"x"' }
    assert.equal(withBasePath('/cms', none), none)
  })

  test('keeps addresses of other hosts unchanged', () => {
    const location = 'https://b.example/x'
    assert.deepEqual(withBasePath('/cms', { location }), { location })
  })
})

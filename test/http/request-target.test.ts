// The request target and its authority (RFC 9112, section 3.2; RFC 9110, section 7.2), without a server. What
// clients see: test/api/request/headers.test.ts.

import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { describe, test } from 'node:test'
import { CmsError } from '../../lib/base/errors.ts'
import { checkAuthority, readQueryString, readTarget } from '../../lib/http/request-target.ts'

const REFUSED = 'bad-request'

function outcome(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    assert.ok(error instanceof CmsError)
    return error.code
  }
}

const HOSTS: readonly (readonly [host: string, isTaken: boolean])[] = [
  ['a', true],
  ['www.example.org', true],
  ['www.example.org:8443', true],
  ['www.example.org:', true],
  ['192.0.2.1:1', true],
  ['a:65535', true],
  ['a:65536', false],
  ['a:8x', false],
  ['a:-1', false],
  ['a:1:2', false],
  ['', false],
  [':80', false],
  ['a b', false],
  [' a', false],
  ['a ', false],
  ['a/b', false],
  ['a@b', false],
  ["~_!$&'()*+,;=-", true],
  ['%C3%a9.example', true],
  ['%C3%g9', false],
  ['%4', false],
  ['é', false],
  ['[::1]', true],
  ['[2001:DB8::1]:443', true],
  ['[2001:DB8::1]:', true],
  ['[::1]x', false],
  ['x[::1]', false],
  ['[::1]:x', false],
  ['[::1]:65536', false],
  ['[::1', false],
  ['[]', false],
  ['[192.0.2.1]', false],
  ['[a]', false],
  ['[fe80::1%eth0]', false],
]

describe('the authority', () => {
  for (const [host, isTaken] of HOSTS)
    test(`${JSON.stringify(host)} is ${isTaken ? 'accepted' : 'refused'}`, () =>
      assert.equal(
        outcome(() => checkAuthority(host)),
        isTaken ? undefined : REFUSED,
      ))
})

/** The properties of a message that the parser of request targets reads. */
function messageOf(method: string, url: string | undefined): IncomingMessage {
  return { method, url, headers: { host: 'before' } } as unknown as IncomingMessage
}

const TARGETS: readonly (readonly [
  line: string,
  target: string,
  rest?: { readonly host?: string; readonly url?: string },
])[] = [
  ['GET /a?b', '/a?b'],
  ['GET //a', '//a'],
  ['GET /a?b#c', '/a?b#c'],
  ['GET /a#b', REFUSED],
  ['GET /a#b?c', REFUSED],
  ['GET a', REFUSED],
  ['GET *', REFUSED],
  ['OPTIONS *', '*'],
  ['OPTIONS /a', '/a'],
  ['GET http://a/b?c', '/b?c', { host: 'a', url: '/b?c' }],
  ['GET HTTPS://a:1/b', '/b', { host: 'a:1', url: '/b' }],
  ['GET http://a', '/', { host: 'a', url: '/' }],
  ['GET http://a?b', '/?b', { host: 'a', url: '/?b' }],
  ['OPTIONS http://a', '*', { host: 'a', url: '*' }],
  ['OPTIONS http://a?b', '/?b', { host: 'a', url: '/?b' }],
  ['OPTIONS http://a/', '/', { host: 'a', url: '/' }],
  ['GET http://a/b#c', REFUSED],
  ['GET http://', REFUSED],
  ['GET http:///b', REFUSED],
  ['GET http://u@a/b', REFUSED],
  ['GET http://a b/c', REFUSED, { host: 'before' }],
  ['GET ftp://a/b', REFUSED],
  ['GET xhttp://a/b', REFUSED],
]

describe('the target', () => {
  for (const [line, target, { host = 'before', url } = {}] of TARGETS)
    test(`of ${line} is ${target}`, () => {
      const [method = '', ...rest] = line.split(' ')
      const message = messageOf(method, rest.join(' '))
      assert.equal(
        outcome(() => readTarget(message)),
        target,
      )
      assert.equal(message.headers.host, host)
      if (url !== undefined) assert.equal(message.url, url)
    })

  test('that is missing stands for the root', () => {
    const { url: _, ...message } = messageOf('GET', undefined)
    assert.equal(readTarget(message as IncomingMessage), '/')
  })
})

const QUERIES: readonly (readonly [target: string, query: unknown])[] = [
  ['/a', []],
  ['/a?', []],
  [
    '/a?b=c&d',
    [
      ['b', 'c'],
      ['d', ''],
    ],
  ],
  ['/a??b=1', [['?b', '1']]],
  ['/a?b=%C3%A9', [['b', 'é']]],
  ['/a?b=%c3%a9%', [['b', 'é%']]],
  ['/a?b=%41%4', [['b', 'A%4']]],
  ['/a?b=100%', [['b', '100%']]],
  ['/a?b=%E9', REFUSED],
  ['/a?b=%80', REFUSED],
  ['/a?b=%ff', REFUSED],
]

describe('the query', () => {
  for (const [target, query] of QUERIES)
    test(`of ${target} is ${JSON.stringify(query)}`, () =>
      assert.deepEqual(
        outcome(() => [...readQueryString(target)]),
        query,
      ))
})

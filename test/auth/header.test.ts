// The Authorization header: exactly one, with the scheme Bearer in any case.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { ask } from '../helpers/raw.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer({ dataDir: newDataDirectory() })
})
after(async () => {
  await server.stop()
  removeDataDirectories()
})

interface Case {
  readonly what: string
  /** The text KEY is replaced by a valid secret. */
  readonly headers: readonly string[]
  readonly path?: string
  readonly status: number
  readonly challenge?: string
}

const NONE = 'Bearer realm="cms"'
const MALFORMED = 'Bearer realm="cms", error="invalid_request"'
const INVALID = 'Bearer realm="cms", error="invalid_token"'

const CASES: readonly Case[] = [
  { what: 'a valid key', headers: ['Authorization: Bearer KEY'], status: 200 },
  { what: 'the scheme in lower case', headers: ['Authorization: bearer KEY'], status: 200 },
  {
    what: 'the scheme in capitals and more spaces',
    headers: ['authorization: BEARER   KEY  '],
    status: 200,
  },
  { what: 'no header', headers: [], status: 401, challenge: NONE },
  {
    what: 'a key in the query',
    headers: [],
    path: '/api/v2/api_key?access_token=KEY',
    status: 401,
    challenge: NONE,
  },
  { what: 'a key in a cookie', headers: ['Cookie: key=KEY'], status: 401, challenge: NONE },
  {
    what: 'another scheme',
    headers: ['Authorization: Basic KEY'],
    status: 401,
    challenge: NONE,
  },
  {
    what: 'another scheme with parameters',
    headers: ['Authorization: Digest username="a", realm="b"'],
    status: 401,
    challenge: NONE,
  },
  { what: 'only a scheme', headers: ['Authorization: Bearer'], status: 400, challenge: MALFORMED },
  { what: 'only a key', headers: ['Authorization: KEY'], status: 400, challenge: MALFORMED },
  { what: 'an empty header', headers: ['Authorization:'], status: 400, challenge: MALFORMED },
  {
    what: 'two keys in one header',
    headers: ['Authorization: Bearer KEY, Bearer KEY'],
    status: 400,
    challenge: MALFORMED,
  },
  {
    what: 'two headers',
    headers: ['Authorization: Bearer KEY', 'authorization: Bearer KEY'],
    status: 400,
    challenge: MALFORMED,
  },
  {
    what: 'a key with a letter after it',
    headers: ['Authorization: Bearer KEYx'],
    status: 401,
    challenge: INVALID,
  },
  {
    what: 'another address in another case',
    headers: ['Authorization: Bearer KEY'],
    path: '/API/v2/api_key',
    status: 404,
  },
  {
    what: 'a slash at the end',
    headers: ['Authorization: Bearer KEY'],
    path: '/api/v2/api_key/',
    status: 404,
  },
]

describe('K1, K2, H7: a request with', () => {
  for (const { what, headers, path = '/api/v2/api_key', status, challenge } of CASES) {
    test(`${what} is ${status}`, async () => {
      const lines = [`GET ${path} HTTP/1.1`, 'Host: a', ...headers].map((line) =>
        line.replaceAll('KEY', server.key),
      )
      const answer = await ask(server.url, lines)

      assert.equal(answer.status, status)
      assert.equal(/^www-authenticate: (.*)$/im.exec(answer.head)?.[1]?.trim(), challenge)
      assert.ok(status === 200 || !answer.body.includes(server.key))
    })
  }
})

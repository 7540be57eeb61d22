// The origin that a client used, derived from the request and the trusted proxies. Through a server:
// test/api/base-url.test.ts.

import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { BlockList } from 'node:net'
import { describe, test } from 'node:test'
import { originHeaders, originOf } from '../../lib/http/origin.ts'

const PROXIES = new BlockList()
PROXIES.addSubnet('10.0.0.0', 8, 'ipv4')

interface Told {
  readonly host?: string
  readonly 'x-forwarded-for'?: string
  readonly 'x-forwarded-host'?: string
  readonly 'x-forwarded-proto'?: string
}

function of(
  remoteAddress: string,
  headers: Told,
  proxies: BlockList | undefined = PROXIES,
): string {
  return originOf({ socket: { remoteAddress }, headers } as unknown as IncomingMessage, proxies)
}

const FORWARDED: readonly (readonly [told: Told, origin: string])[] = [
  [{ host: 'a' }, 'http://a'],
  [{ host: 'a', 'x-forwarded-proto': 'https' }, 'https://a'],
  [{ host: 'a', 'x-forwarded-proto': 'HTTPS' }, 'https://a'],
  [{ host: 'a', 'x-forwarded-proto': ' https ' }, 'https://a'],
  [{ host: 'a', 'x-forwarded-proto': 'ftp' }, 'http://a'],
  [{ host: 'a', 'x-forwarded-host': 'b:8443' }, 'http://b:8443'],
  [{ host: 'a', 'x-forwarded-host': '' }, 'http://a'],
  [{ 'x-forwarded-host': '[2001:db8::1]:1' }, 'http://[2001:db8::1]:1'],
  // With one proxy, the last value comes from the proxy and all earlier values come from the client.
  [{ host: 'a', 'x-forwarded-host': 'evil, b' }, 'http://b'],
  [{ host: 'a', 'x-forwarded-proto': 'https, http' }, 'http://a'],
  // With two proxies, the first proxy was nearest to the client.
  [{ host: 'a', 'x-forwarded-for': '10.0.0.9', 'x-forwarded-host': 'evil, b, c' }, 'http://b'],
  [{ host: 'a', 'x-forwarded-for': '10.0.0.9', 'x-forwarded-host': 'b' }, 'http://b'],
]

describe('behind a proxy', () => {
  for (const [told, origin] of FORWARDED)
    test(`${JSON.stringify(told)} is ${origin}`, () => assert.equal(of('10.0.0.1', told), origin))
})

test('headers of untrusted peers are ignored', () => {
  const told = { host: 'a', 'x-forwarded-host': 'b', 'x-forwarded-proto': 'https' }
  assert.equal(of('192.0.2.1', told), 'http://a')
  assert.equal(
    originOf(
      { socket: { remoteAddress: '10.0.0.1' }, headers: told } as unknown as IncomingMessage,
      undefined,
    ),
    'http://a',
  )
})

test('an invalid host is refused', () => {
  for (const host of ['', 'a b', 'a/b', 'a"', 'é', 'x@y', '[::1', 'a:99999', '[fe80::1%25e]', ' a'])
    assert.throws(() => of('192.0.2.1', { host }), { code: 'bad-request' }, host)
  assert.throws(() => of('192.0.2.1', {}), { code: 'bad-request' })
})

test('Vary lists the headers that it depends on', () => {
  assert.equal(originHeaders(undefined), 'Host')
  assert.equal(originHeaders(PROXIES), 'Host, X-Forwarded-Host, X-Forwarded-Proto')
})

// The client address of a request, and which part of the address identifies one client.

import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { BlockList } from 'node:net'
import { describe, test } from 'node:test'
import {
  clientAddress,
  isLoopback,
  isShared,
  ownNetwork,
  plainAddress,
  sourceOf,
  trustedHops,
} from '../../lib/http/client-address.ts'

const PROXIES = new BlockList()
PROXIES.addSubnet('127.0.0.0', 8, 'ipv4')
PROXIES.addSubnet('10.0.0.0', 8, 'ipv4')
PROXIES.addAddress('2001:db8::7', 'ipv6')

/** The peer address, X-Forwarded-For, and the resulting client. */
const FORWARDED: readonly (readonly [string, string | undefined, string])[] = [
  ['127.0.0.1', undefined, '127.0.0.1'],
  ['127.0.0.1', '192.0.2.1', '192.0.2.1'],
  ['::ffff:127.0.0.1', '192.0.2.1', '192.0.2.1'],
  ['2001:db8::7', '192.0.2.1', '192.0.2.1'],
  ['2001:db8::8', '192.0.2.1', '2001:db8::8'],
  ['198.51.100.1', '192.0.2.1', '198.51.100.1'],
  // The client wrote the first address, the proxy of the operator appended the last.
  ['127.0.0.1', '1.1.1.1, 192.0.2.1', '192.0.2.1'],
  ['127.0.0.1', '127.0.0.1, 192.0.2.1', '192.0.2.1'],
  ['127.0.0.1', '1.1.1.1,192.0.2.1,10.0.0.1 , 10.9.9.9', '192.0.2.1'],
  ['127.0.0.1', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
  ['127.0.0.1', '::ffff:192.0.2.1', '192.0.2.1'],
  ['127.0.0.1', '192.0.2.1:4711', '192.0.2.1'],
  ['127.0.0.1', '[2001:db8::1]:4711', '2001:db8::1'],
  ['127.0.0.1', '[2001:db8::1]', '2001:db8::1'],
  ['127.0.0.1', '192.0.2.1:4711x', '127.0.0.1'],
  ['127.0.0.1', '192.0.2.1:', '127.0.0.1'],
  ['127.0.0.1', 'a[::1]', '127.0.0.1'],
  ['127.0.0.1', 'x192.0.2.1', '127.0.0.1'],
  ['127.0.0.1', '', '127.0.0.1'],
  ['127.0.0.1', 'unknown', '127.0.0.1'],
  ['127.0.0.1', '1.1.1.1, unknown', '127.0.0.1'],
  ['127.0.0.1', '1.1.1.1, unknown, 10.0.0.1', '10.0.0.1'],
  ['127.0.0.1', '192.0.2.1\u0000', '127.0.0.1'],
]

describe('K5: the client of a connection', () => {
  for (const [remoteAddress, forwarded, client] of FORWARDED) {
    test(`from ${remoteAddress} with ${JSON.stringify(forwarded)} is ${client}`, () => {
      const message = { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }
      assert.equal(clientAddress(message as unknown as IncomingMessage, PROXIES), client)
    })
  }

  test('is the peer if no proxy is trusted', () => {
    const message = {
      socket: { remoteAddress: '::ffff:127.0.0.1' },
      headers: { 'x-forwarded-for': '192.0.2.1' },
    }
    assert.equal(clientAddress(message as unknown as IncomingMessage, undefined), '127.0.0.1')
  })
})

test('the number of hops is the number of consecutive trusted proxies from the last', () => {
  const hopsOf = (remoteAddress: string, forwarded: string | undefined, proxies = PROXIES) => {
    const message = { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }
    return trustedHops(message as unknown as IncomingMessage, proxies)
  }
  assert.equal(hopsOf('192.0.2.1', '10.0.0.1'), 0)
  assert.equal(hopsOf('127.0.0.1', undefined), 1)
  assert.equal(hopsOf('127.0.0.1', '192.0.2.1'), 1)
  assert.equal(hopsOf('127.0.0.1', '10.0.0.1, unknown'), 1)
  assert.equal(hopsOf('127.0.0.1', '192.0.2.1, 10.0.0.1'), 2)
  assert.equal(hopsOf('127.0.0.1', '10.0.0.1, 192.0.2.1, 10.0.0.1'), 2)
  assert.equal(hopsOf('127.0.0.1', '10.0.0.3, 10.0.0.2'), 3)
})

test('an IPv4 address is shown as such, even through IPv6', () => {
  assert.equal(plainAddress('::ffff:192.0.2.1'), '192.0.2.1')
  assert.equal(plainAddress('::FFFF:192.0.2.1'), '192.0.2.1')
  assert.equal(plainAddress('::ffff:c000:201'), '::ffff:c000:201')
  assert.equal(plainAddress('64:ff9b::ffff:192.0.2.1'), '64:ff9b::ffff:192.0.2.1')
  assert.equal(plainAddress(undefined), '')
})

test('loopback addresses are distinguished from other addresses and from names', () => {
  for (const address of ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'])
    assert.ok(isLoopback(address), address)
  for (const address of ['128.0.0.1', '10.0.0.127', '::2', '127.example.org', 'localhost', ''])
    assert.ok(!isLoopback(address), address)
})

test('clients are distinguished if their address is not shared', () => {
  assert.equal(sourceOf('192.0.2.1', PROXIES), '192.0.2.1')
  assert.equal(sourceOf('2001:db8:1:2::6', PROXIES), '2001:db8:1:2')
  assert.equal(sourceOf('10.1.2.3', PROXIES), undefined)
  assert.equal(sourceOf('::1', undefined), undefined)
})

test('an IPv4 address is one client, and so is an IPv6 network of 64 bits', () => {
  const networks = [
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::6', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['2001:db8::3:4:5:6', '2001:db8:0:0'],
    ['2001::2:3:4:5:6', '2001:0:0:2'],
    ['::1', '0:0:0:0'],
    ['::1:2:3:4:5:6', '0:0:1:2'],
    ['fe80::', 'fe80:0:0:0'],
    ['', ''],
  ] as const
  for (const [address, network] of networks) assert.equal(ownNetwork(address), network, address)
})

test('this machine and proxies are shared', () => {
  for (const address of ['127.0.0.1', '127.8.9.1', '::1', '10.1.2.3', '2001:db8::7', ''])
    assert.ok(isShared(address, PROXIES), address)
  for (const address of ['192.0.2.1', '::2', '12.7.0.1', '2001:db8::8'])
    assert.ok(!isShared(address, PROXIES), address)
  assert.ok(!isShared('10.1.2.3', undefined))
})

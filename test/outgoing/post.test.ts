// The addresses to which the server may send requests. The server checks the address of the actual
// connection.

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { networks } from '../../lib/config/flag-values.ts'
import { openAddresses } from '../../lib/outgoing/addresses.ts'
import { openPoster, type Poster } from '../../lib/outgoing/post.ts'
import { openReceiver, type Receiver } from '../helpers/receiver.ts'

const REFUSED = [
  '0.0.0.0',
  '0.1.2.3',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  // Metadata services of clouds: Azure, Alibaba, Oracle.
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:7f00:1',
  '64:ff9b::7f00:1',
  '64:ff9b::808:808',
  '64:ff9b:1::7f00:1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '4000::1',
  'fc00::1',
  'fd00::1',
  'fe80::1',
  'fe80::1%1',
  'fec0::1',
  'ff02::1',
  'no address',
]
const PUBLIC = ['8.8.8.8', '93.184.216.34', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8']

describe('addresses', () => {
  const addresses = openAddresses(undefined)
  for (const address of REFUSED)
    test(`${address} is refused`, () => assert.equal(addresses.isAllowed(address), false))
  for (const address of PUBLIC)
    test(`${address} is public`, () => assert.equal(addresses.isAllowed(address), true))

  test('networks named by the operator are allowed in any notation, and no others', () => {
    const named = openAddresses(networks('tests')('10.0.0.0/8,fd00::/8'))
    for (const address of ['10.1.2.3', '::ffff:10.1.2.3', 'fd00::1'])
      assert.deepEqual([named.isNamed(address), named.isAllowed(address)], [true, true], address)
    for (const address of ['127.0.0.1', '11.0.0.1', 'fc00::1'])
      assert.equal(named.isNamed(address), false, address)
  })
})

describe('a request', () => {
  const opened: (Receiver | Poster)[] = []
  after(async () => {
    for (const each of opened) await each.close()
  })
  const signal = new AbortController().signal
  const sent = { headers: {}, body: '{}', signal }

  function open(named: string, addresses: readonly (string | readonly string[])[]): Poster {
    let asked = 0
    const poster = openPoster({
      addresses: openAddresses(networks('tests')(named)),
      timeoutMs: 2_000,
      maxAnswerBytes: 100,
      keptAnswerBytes: 10,
      lookup(_, __, callback) {
        const found = [addresses[Math.min(asked, addresses.length - 1)] ?? ''].flat()
        asked += 1
        callback(
          null,
          found.map((address) => ({ address, family: 4 })),
        )
      },
    })
    opened.push(poster)
    return poster
  }

  async function receivers(): Promise<readonly [Receiver, Receiver]> {
    const allowed = await openReceiver({ host: '127.0.0.2' })
    const hidden = await openReceiver({ host: '127.0.0.1', port: allowed.port })
    opened.push(allowed, hidden)
    for (const each of [allowed, hidden])
      each.answer({ status: 200, headers: { connection: 'close' }, body: 'x'.repeat(50) })
    return [allowed, hidden]
  }

  test('does not follow a name that later resolves to a private address', async () => {
    const [allowed, hidden] = await receivers()
    const { post } = open('127.0.0.2', ['127.0.0.2', '127.0.0.1'])
    const url = `http://rebinds.example:${allowed.port}/`
    assert.deepEqual(await post({ url, ...sent }), {
      status: 200,
      answer: 'x'.repeat(10),
      retryAfter: undefined,
      location: undefined,
    })
    await assert.rejects(post({ url, ...sent }), /this server does not send to rebinds\.example/)
    assert.deepEqual([allowed.received.length, hidden.received.length], [1, 0])
  })

  test('tries only the public addresses of a name', async () => {
    const [allowed, hidden] = await receivers()
    await allowed.close()
    const { post } = open('127.0.0.2', [['127.0.0.2', '127.0.0.1']])
    const url = `http://both.example:${hidden.port}/`
    await assert.rejects(post({ url, ...sent }), /connection was refused/)
    assert.equal(hidden.received.length, 0)
  })

  test('uses http only for allowed networks, and accepts a literal address only if it is allowed', async () => {
    const [allowed, hidden] = await receivers()
    const { post, faultOf } = open('127.0.0.2', ['93.184.216.34'])
    await assert.rejects(post({ url: 'http://public.example/', ...sent }), /URL uses http/)
    const url = `http://127.0.0.1:${hidden.port}/`
    await assert.rejects(post({ url, ...sent }), /does not send to 127\.0\.0\.1/)
    assert.match(faultOf(url) ?? '', /does not send to/)
    assert.equal(faultOf(allowed.url), undefined)
    assert.equal(faultOf('https://any.example/'), undefined)
    assert.deepEqual([allowed.received.length, hidden.received.length], [0, 0])
  })
})

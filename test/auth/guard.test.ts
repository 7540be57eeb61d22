// Guessing keys is rate-limited, valid keys are not affected, and each key has a limit of requests per
// second.

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openFailures } from '../../lib/auth/failure-counts.ts'
import { newSecret } from '../../lib/auth/secret.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { NO_OUTER_ADDRESS, OUTER_ADDRESS } from '../helpers/outer-address.ts'
import { eventually } from '../helpers/raw.ts'
import { type Answer, send, startTestServer, type TestOptions } from '../helpers/server.ts'
import { trustLoopback } from '../helpers/trust-loopback.ts'
import { oneNode } from '../helpers/node-pair.ts'

const MOST = 20
const FOLDERS = '/api/v2/asset_category'

const servers: { stop(): Promise<void> }[] = []
after(async () => {
  for (const server of servers) await server.stop()
  removeDataDirectories()
})

async function start(options: TestOptions = {}) {
  const server = await startTestServer({ dataDir: newDataDirectory(), ...options })
  servers.push(server)
  return {
    ...server,
    /**
     * Sends one request with the client address that a trusted proxy forwards. Without `from` the client is
     * this machine.
     */
    ask: (key: string | null, from?: string): Promise<Answer> =>
      server.call('GET', FOLDERS, {
        key,
        headers: from === undefined ? {} : { 'x-forwarded-for': from },
      }),
  }
}

type Asked = Awaited<ReturnType<typeof start>>

/** Sends as many invalid keys as one address may send. */
async function guess(server: Asked, from: string): Promise<void> {
  for (let count = 0; count < MOST; count += 1)
    assert.equal((await server.ask(newSecret(), from)).status, 401)
}

function assertTooMany({ status, headers, body }: Answer): void {
  assert.deepEqual([status, body.code], [429, 'too-many-requests'])
  assert.match(String(headers['retry-after']), /^([1-9]|[1-5]\d|60)$/)
  assert.equal(headers['www-authenticate'], undefined)
}

describe('K5: an address that sends invalid keys', async () => {
  const server = await start({ config: { proxies: trustLoopback() } })

  test(
    'gets 429 after 20 of them, and does not learn from it which key is right',
    oneNode('guessing'),
    async () => {
      await guess(server, '192.0.2.1')
      const wrong = await server.ask(newSecret(), '192.0.2.1')
      const right = await server.ask(server.key, '192.0.2.1')
      for (const answer of [wrong, right]) assertTooMany(answer)
      assert.deepEqual({ ...right.body, request_id: '' }, { ...wrong.body, request_id: '' })
      assert.equal((await server.ask(server.key, '192.0.2.2')).status, 200)
    },
  )

  test('does not lock out a key that was used from there before', oneNode('guessing'), async () => {
    assert.equal((await server.ask(server.key, '192.0.2.3')).status, 200)
    await guess(server, '192.0.2.3')
    assertTooMany(await server.ask(newSecret(), '192.0.2.3'))
    assert.equal((await server.ask(server.key, '192.0.2.3')).status, 200)
    assertTooMany(await server.ask(await server.makeKey({ name: 'new' }), '192.0.2.3'))
  })

  test(
    'does not lock out a key that worked from there before and has another secret now',
    oneNode('guessing'),
    async () => {
      const key = await server.makeKey({ name: 'rotated' })
      assert.equal((await server.ask(key, '192.0.2.6')).status, 200)
      await guess(server, '192.0.2.6')
      const { secret } = await server.command({ command: 'key.rotate', key: 'rotated' })
      assertTooMany(await server.ask(key, '192.0.2.6'))
      assert.equal((await server.ask(secret, '192.0.2.6')).status, 200)
      assertTooMany(await server.ask(server.key, '192.0.2.6'))
    },
  )

  test('is counted by the last forwarded address, not by addresses that the client wrote', async () => {
    for (let count = 0; count < MOST; count += 1)
      assert.equal((await server.ask(newSecret(), `198.51.100.${count}, 192.0.2.4`)).status, 401)
    assertTooMany(await server.ask(newSecret(), '198.51.100.99, 192.0.2.4'))
  })

  test('is counted by its network for IPv6', async () => {
    for (let count = 0; count < MOST; count += 1)
      assert.equal((await server.ask(newSecret(), `2001:db8:1:2::${count + 1}`)).status, 401)
    assertTooMany(await server.ask(newSecret(), '2001:db8:1:2:ffff::'))
    assert.equal((await server.ask(newSecret(), '2001:db8:1:3::1')).status, 401)
  })

  test('gets public pages, and 401 without a key', async () => {
    await guess(server, '192.0.2.5')
    const headers = { 'x-forwarded-for': '192.0.2.5' }
    assert.equal((await server.call('GET', '/health', { key: null, headers })).status, 200)
    assert.equal((await server.ask(null, '192.0.2.5')).status, 401)
  })

  test('may try again after the waiting time', async () => {
    const quick = await start({
      config: { proxies: trustLoopback() },
      limits: { invalidKeys: 3, invalidKeysWindowMs: 1_000 },
    })
    const isRefused = async (): Promise<boolean> =>
      (await quick.ask(newSecret(), '192.0.2.1')).status === 429
    assert.ok(await eventually(isRefused), 'was never refused')
    assert.ok(
      await eventually(async () => (await quick.ask(quick.key, '192.0.2.1')).status === 200),
    )
  })
})

describe('K5: a source of a key', () => {
  const config = { proxies: trustLoopback() }
  const from = (last: number): string => `192.0.2.${last}`

  test(
    'is known after a restart, and a key that was never used from there is refused',
    oneNode('guessing'),
    async () => {
      const dataDir = newDataDirectory()
      const first = await start({ dataDir, config })
      const other = await first.makeKey({ name: 'other' })
      assert.equal((await first.ask(first.key, from(1))).status, 200)
      assert.equal((await first.ask(first.key, '2001:db8:1:2::1')).status, 200)
      assert.equal((await first.ask(other, from(2))).status, 200)
      const { secret } = await first.command({ command: 'key.rotate', key: 'other' })
      await first.stop()

      const second = await start({ dataDir, config })
      for (const address of [from(1), from(2), '2001:db8:1:2::9']) await guess(second, address)
      assert.equal((await second.ask(first.key, from(1))).status, 200)
      assert.equal((await second.ask(first.key, '2001:db8:1:2::2')).status, 200)
      assert.equal((await second.ask(secret, from(2))).status, 200)
      assertTooMany(await second.ask(first.key, from(2)))
      assertTooMany(await second.ask(secret, from(1)))
    },
  )

  test(
    'is forgotten beyond the last addresses of the key, which are still admitted',
    oneNode('guessing'),
    async () => {
      const dataDir = newDataDirectory()
      const first = await start({ dataDir, config })
      for (let last = 1; last <= 33; last += 1)
        assert.equal((await first.ask(first.key, from(last))).status, 200)
      await first.stop()
      const second = await start({ dataDir, config })
      for (const last of [1, 2, 33]) await guess(second, from(last))
      assertTooMany(await second.ask(first.key, from(1)))
      for (const last of [2, 33])
        assert.equal((await second.ask(first.key, from(last))).status, 200)
    },
  )

  test('is not displaced by clients without a key, from any number of addresses', async () => {
    const server = await start({ config, limits: { addressTable: 4 } })
    assert.equal((await server.ask(server.key, from(1))).status, 200)
    for (let last = 2; last <= 30; last += 1) await server.ask(newSecret(), from(last))
    await guess(server, from(1))
    assertTooMany(await server.ask(newSecret(), from(1)))
    // Another node learns half a second later from which address the key was used.
    const isLetIn = async () => (await server.ask(server.key, from(1))).status === 200
    assert.ok(await eventually(isLetIn, 5_000))
  })
})

describe('K5: without a trusted proxy', () => {
  test('an address cannot hide behind others', {
    skip: NO_OUTER_ADDRESS || oneNode('guessing').skip,
  }, async () => {
    const server = await start({ config: { host: '0.0.0.0' } })
    const url = server.url.replace('0.0.0.0', OUTER_ADDRESS ?? '')
    const ask = (key: string, from: string): Promise<Answer> =>
      send(url, 'GET', FOLDERS, {
        key,
        headers: { 'x-forwarded-for': from, forwarded: `for=${from}` },
      })
    for (let count = 0; count < MOST; count += 1)
      assert.equal((await ask(newSecret(), `192.0.2.${count}`)).status, 401)
    assertTooMany(await ask(server.key, '192.0.2.99'))
    assert.equal((await server.ask(server.key)).status, 200)
  })

  test('one guesser behind a proxy on this machine does not lock out the others', async () => {
    const server = await start()
    for (let count = 0; count < MOST; count += 1) await server.ask(newSecret(), '192.0.2.1')
    assert.equal((await server.ask(server.key, '192.0.2.2')).status, 200)
    assert.equal((await server.ask(newSecret(), '192.0.2.2')).status, 401)
  })
})

test('K5: an invalid key gets 429 after 20 requests from any addresses', async () => {
  const server = await start({ config: { proxies: trustLoopback() } })
  const { body } = await server.call('POST', '/api/v2/api_key', {
    json: { name: 'asleep', status: 'inactive' },
  })
  for (let count = 0; count < MOST; count += 1)
    assert.equal((await server.ask(body.secret, `192.0.2.${count}`)).status, 401)
  assertTooMany(await server.ask(body.secret, '192.0.2.99'))
  assertTooMany(await server.ask(body.secret))
  assert.equal((await server.ask(newSecret(), '192.0.2.99')).status, 401)

  // The key exists, so its use is not a guess. It works as soon as it is active.
  const path = `/api/v2/api_key/${body.api_key_id}`
  assert.equal((await server.call('POST', path, { json: { status: 'active' } })).status, 200)
  assert.equal((await server.ask(body.secret, '192.0.2.99')).status, 200)
})

test('K5: a full table of addresses drops the oldest ones', () => {
  const failures = openFailures({ most: 2, windowMs: 3_600_000, tableSize: 100 })
  const fail = (key: string): void => {
    failures.note(key)
    failures.note(key)
  }
  fail('first')
  assert.equal(failures.waitOf('first'), 3_600)
  for (let count = 0; count < 100; count += 1) fail(String(count))
  assert.equal(failures.waitOf('first'), undefined)
  assert.equal(failures.waitOf('99'), 3_600)
})

describe('--rate-limit', () => {
  test(
    'limits the requests of a key per second independently of other keys',
    oneNode('rates'),
    async () => {
      const server = await start({ config: { rateLimit: 2 } })
      const other = await server.makeKey({ name: 'other' })
      const began = performance.now()
      const answers = await Promise.all(Array.from({ length: 30 }, () => server.ask(server.key)))
      const seconds = (performance.now() - began) / 1_000

      const refused = answers.filter(({ status }) => status !== 200)
      const most = 2 + 2 * seconds
      assert.ok(answers.length - refused.length <= most, `${30 - refused.length} in ${seconds} s`)
      assert.ok(refused.length < 30)
      for (const answer of refused) {
        assertTooMany(answer)
        assert.equal(answer.headers['retry-after'], '1')
        assert.match(answer.body.detail, /2 requests per second/)
      }
      assert.equal((await server.ask(other)).status, 200)
      assert.ok(await eventually(async () => (await server.ask(server.key)).status === 200))
    },
  )

  test('has no default', async () => {
    const server = await start()
    const answers = await Promise.all(Array.from({ length: 200 }, () => server.ask(server.key)))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  })
})

// Limits by person: up to three people with any number of keys, behind any number of addresses, hold as many streams as the
// server takes. However these are mixed, a person gets no more than the share of a user, each key and each address no more
// than theirs, nobody is refused before, and requests of everybody go on.

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { LIMITS } from '../../../lib/config/limits.ts'
import { newName } from '../../helpers/content.ts'
import { CHANGES, openStream, type TestStream } from '../../helpers/follow.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'
import { trustLoopback } from '../../helpers/trust-loopback.ts'

export interface PersonOptions {
  readonly seed: number
  readonly rounds: number
}

export interface PersonOutcome {
  readonly streams: number
  readonly refused: number
}

const CONNECTIONS = 64
const shareOf = (all: number, share: number): number => Math.ceil(all * share)
/** Of the connections that may carry streams. */
const STREAMS = CONNECTIONS * LIMITS.streamShare
const MOST = {
  user: shareOf(STREAMS, LIMITS.userShare),
  key: shareOf(STREAMS, LIMITS.keyShare),
  address: shareOf(STREAMS, LIMITS.addressShare),
}

const anyPlan = fc.record({
  people: fc.integer({ min: 1, max: 3 }),
  /** Keys of each person that the operator makes, and keys that each of those makes. */
  keys: fc.integer({ min: 1, max: 5 }),
  made: fc.integer({ min: 0, max: 2 }),
  addresses: fc.integer({ min: 1, max: 4 }),
  tries: fc.array(fc.record({ key: fc.nat(), address: fc.nat() }), {
    minLength: 20,
    maxLength: 40,
    size: 'max',
  }),
})

type Plan = typeof anyPlan extends fc.Arbitrary<infer T> ? T : never

/** All places, so that the bound of all streams together is met, too. */
const EVERYBODY: Plan = {
  ...{ people: 3, keys: 5, made: 0, addresses: 4 },
  tries: Array.from({ length: 40 }, (_, at) => ({ key: at * 5 + at, address: at })),
}

export async function runPerson({ seed, rounds }: PersonOptions): Promise<PersonOutcome> {
  const config = {
    proxies: trustLoopback(),
    maxConnections: CONNECTIONS,
    maxConnectionsPerAddress: 0,
    processes: 1,
  }
  const outcome = { streams: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(anyPlan, async (plan) => {
      // The places that streams held are free a while after they were closed, so each plan has a server of its own.
      const server = await startTestServer({ config })
      try {
        const { streams, refused } = await play(server, plan)
        outcome.streams += streams
        outcome.refused += refused
      } finally {
        await server.close()
      }
    }),
    // A plan takes a server, so none is cut down.
    { seed, numRuns: rounds, examples: [[EVERYBODY]], endOnFailure: true },
  )
  return outcome
}

async function play(server: TestServer, plan: Plan): Promise<PersonOutcome> {
  const keys = await makeKeys(server, plan)
  const held = new Map<string, number>()
  const count = (name: string): number => held.get(name) ?? 0
  const streams: TestStream[] = []
  let refused = 0
  try {
    for (const { key: at, address: place } of plan.tries) {
      const { key, user } = keys[at % keys.length] ?? { key: '', user: '' }
      const address = `192.0.2.${1 + (place % plan.addresses)}`
      const stream = await openStream(server, { key, address })
      streams.push(stream)
      const { statusCode } = stream.answer
      const isFull = count(key) >= MOST.key || count(user) >= MOST.user
      const isOver = isFull || count(address) >= MOST.address
      const isAll = streams.length - 1 - refused >= STREAMS
      const wanted = isOver ? 429 : isAll ? 503 : 200
      assert.equal(statusCode, wanted, JSON.stringify({ plan, held: [...held] }))
      if (statusCode === 200)
        for (const name of [key, user, address]) held.set(name, count(name) + 1)
      else refused += 1
    }
    // Streams are a part of what a person may run: requests go on, its own and those of others.
    const asked = await server.call('GET', '/api/v2/me', { key: keys[0]?.key ?? '' })
    assert.equal(asked.status, 200, asked.text)
    if (streams.length - refused < STREAMS) {
      const other = await openStream(server, { address: '198.51.100.1' })
      streams.push(other)
      assert.equal(other.answer.statusCode, 200)
    }
    assert.equal((await server.call('GET', `${CHANGES}?length=1`)).status, 200)
    return { streams: streams.length, refused }
  } finally {
    for (const stream of streams) stream.close()
  }
}

interface Key {
  readonly key: string
  readonly user: string
}

async function makeKeys(server: TestServer, { people, keys, made }: Plan): Promise<readonly Key[]> {
  const all: Key[] = []
  for (const user of ['anna', 'bert', 'carl'].slice(0, people)) {
    await server.command({ command: 'user.create', name: user, role: 'viewer' })
    for (let left = keys; left > 0; left -= 1) {
      const key = await server.makeKey({ name: newName('key'), user, grants: 'view' })
      all.push({ key, user })
      for (let more = made; more > 0; more -= 1) {
        const json = { name: newName('made'), grants: ['view'] }
        const { body, status, text } = await server.call('POST', '/api/v2/api_key', { json, key })
        assert.equal(status, 201, text)
        all.push({ key: body.secret, user })
      }
    }
  }
  return all
}

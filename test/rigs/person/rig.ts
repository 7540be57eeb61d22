// Limits for each user: up to three users with any number of keys and sessions, behind any number
// of addresses, occupy all slots for streams, long polls and ordinary requests. In any mix, a user
// gets at most the share of a user, and each key and address at most its own share. Nobody is
// refused earlier, and requests of the operator succeed. Then the operator sends a write that
// reaches all of them, and the rig reports how long the event loop was blocked.

import assert from 'node:assert/strict'
import { loadavg } from 'node:os'
import fc from 'fast-check'
import { LIMITS } from '../../../lib/config/limits.ts'
import { makeKey } from '../../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { CHANGES } from '../../helpers/follow.ts'
import { eventually } from '../../helpers/raw.ts'
import { send } from '../../helpers/server.ts'
import { type ProbedServer, startProbed } from '../worst/loop.ts'
import type { Stretch } from '../worst/probe.ts'
import { type Held, inProgress, type Kind, open } from './clients.ts'
import { makePeople, type Place, post } from './people.ts'

export interface PersonOptions {
  readonly seed: number
  readonly rounds: number
}

export interface PersonOutcome {
  readonly asked: Readonly<Record<Kind, number>>
  readonly refused: number
  /**
   * The number of plans that took so long that the server had to end requests with missing bodies.
   */
  readonly slow: number
  /** The longest blocking of the event loop in each plan. */
  readonly stretches: readonly Stretch[]
  /** The highest load average of the machine. */
  readonly load: number
}

const CONNECTIONS = 64
const PER_ADDRESS = 28
const ARGS = [
  ...['--max-connections', String(CONNECTIONS), '--max-connections-per-address'],
  ...[String(PER_ADDRESS), '--trust-proxy', 'loopback'],
]
/**
 * The server ends requests whose body has not arrived by its timeout; half of the timeout is safe.
 */
const SLOW_MS = LIMITS.bodyTimeoutMs / 2

interface Most {
  readonly key: number
  readonly user: number
  readonly address: number
}

const partsOf = (all: number): Most => ({
  key: Math.ceil(all * LIMITS.keyShare),
  user: Math.ceil(all * LIMITS.userShare),
  address: Math.ceil(all * LIMITS.addressShare),
})
/** The number of connections that may be streams. */
const STREAMS = CONNECTIONS * LIMITS.streamShare
const MOST = {
  running: { ...partsOf(CONNECTIONS), address: PER_ADDRESS },
  streams: partsOf(STREAMS),
}

const KINDS: readonly Kind[] = ['stream', 'poll', 'request']

const anyPlan = fc.record({
  people: fc.integer({ min: 1, max: 3 }),
  keys: fc.integer({ min: 1, max: 5 }),
  made: fc.integer({ min: 0, max: 2 }),
  sessions: fc.integer({ min: 0, max: 2 }),
  addresses: fc.integer({ min: 1, max: 4 }),
  tries: fc.array(
    fc.record({ key: fc.nat(), address: fc.nat(), kind: fc.constantFrom(...KINDS) }),
    { minLength: 30, maxLength: 52, size: 'max' },
  ),
})

type Plan = typeof anyPlan extends fc.Arbitrary<infer T> ? T : never

/** Occupies all slots for streams, to reach the limit of all streams together. */
const EVERYBODY: Plan = {
  ...{ people: 3, keys: 5, made: 0, sessions: 0, addresses: 4 },
  tries: Array.from({ length: 40 }, (_, at) => ({ key: at * 6, address: at, kind: 'stream' })),
}
/** Occupies the slots of a single user, by all keys and sessions in turn. */
const ONE: Plan = {
  ...{ people: 1, keys: 2, made: 1, sessions: 2, addresses: 4 },
  tries: Array.from({ length: 40 }, (_, at) => ({ key: at, address: at, kind: kindAt(at) })),
}

function kindAt(at: number): Kind {
  return KINDS[at % KINDS.length] ?? 'request'
}

interface Run {
  readonly server: ProbedServer
  readonly place: Place
  readonly module: string
  readonly outcome: { -readonly [Name in keyof PersonOutcome]: PersonOutcome[Name] } & {
    readonly asked: Record<Kind, number>
  }
}

export async function runPerson({ seed, rounds }: PersonOptions): Promise<PersonOutcome> {
  const dataDir = newDataDirectory()
  const server = await startProbed(dataDir, ARGS)
  try {
    const place = { url: server.url, dataDir, key: await makeKey(dataDir) }
    const table = { name: 'Told', table_schema: 'title C(40), text X' }
    const { module_url: module } = await post(place, '/api/v2/datatable', { json: table })
    // The first write of all takes several times longer, because its code is not compiled yet.
    await writeMany(place, module)
    const asked = { stream: 0, poll: 0, request: 0 }
    const outcome = { asked, refused: 0, slow: 0, stretches: [], load: 0 }
    const run: Run = { server, place, module, outcome }
    await fc.assert(
      fc.asyncProperty(anyPlan, (plan) => play(run, plan)),
      // A plan takes a while, so failing plans are not shrunk.
      { seed, numRuns: rounds, examples: [[EVERYBODY], [ONE]], endOnFailure: true },
    )
    return outcome
  } finally {
    await server.kill('SIGTERM')
    removeDataDirectories()
  }
}

async function play(run: Run, plan: Plan): Promise<void> {
  const { place, server, outcome } = run
  const people = await makePeople(place, plan)
  const { body } = await send(place.url, 'GET', CHANGES, { key: place.key })
  const since = String(body.page.next)
  await server.held()
  const held = await takePlaces(run, plan, { people, since })
  if (held === undefined) {
    outcome.slow += 1
    return
  }
  await tellAll(run, held)
  const { wall, cpu } = await server.held()
  outcome.stretches = [...outcome.stretches, { wallMs: wall.wallMs, cpuMs: cpu.cpuMs }]
  outcome.load = Math.max(outcome.load, loadavg()[0] ?? 0)
  for (const { key } of people) {
    const isFree = async (): Promise<boolean> =>
      (await send(place.url, 'GET', '/api/v2/me', { key })).status === 200
    assert.ok(await eventually(isFree), 'What has ended still counts.')
  }
}

interface Taking {
  readonly people: Awaited<ReturnType<typeof makePeople>>
  readonly since: string
}

/** Returns the clients that occupy slots at the end; undefined if this took too long. */
async function takePlaces(
  { place, outcome }: Run,
  plan: Plan,
  { people, since }: Taking,
): Promise<readonly Held[] | undefined> {
  const counts = { running: openCounts(MOST.running), streams: openCounts(MOST.streams) }
  const held: Held[] = []
  const started = performance.now()
  let streams = 0
  try {
    for (const [at, { key: number, address: from, kind }] of plan.tries.entries()) {
      const { key, keyId, userId } = people[number % people.length] ?? people[0] ?? assert.fail()
      const address = `192.0.2.${1 + (from % plan.addresses)}`
      const names = { key: keyId, user: userId, address }
      const isStream = kind === 'stream'
      const isFull = counts.running.isFull(names) || (isStream && counts.streams.isFull(names))
      const wanted = isFull ? 429 : isStream && streams >= STREAMS ? 503 : 200
      const one = await open(place, kind, { key, address, since })
      outcome.asked[kind] += 1
      if (one.status === 200) held.push(one)
      if (performance.now() - started > SLOW_MS) return await endAll(place, held)
      assert.equal(one.status, wanted, JSON.stringify({ at, kind, names, plan }))
      if (one.status !== 200) {
        outcome.refused += 1
        continue
      }
      counts.running.add(names)
      if (isStream) counts.streams.add(names)
      if (isStream) streams += 1
    }
    // The operator occupies no slot, so its request succeeds.
    assert.equal((await send(place.url, 'GET', '/api/v2/me', { key: place.key })).status, 200)
    return held
  } catch (error) {
    await endAll(place, held)
    throw error
  }
}

/**
 * Sends a write that ends all polls and reaches all streams, and waits until no request of the plan
 * is in progress.
 */
async function tellAll({ place, module }: Run, held: readonly Held[]): Promise<void> {
  await writeMany(place, module)
  for (const one of held) assert.equal(await one.finish(), 200)
  await untilNothingRuns(place)
}

/** Creates the maximum number of entries of a list. */
async function writeMany(place: Place, module: string): Promise<void> {
  const entry = { text: 'x'.repeat(500) }
  const json = Array.from({ length: LIMITS.maxBulk }, (_, at) => ({ title: `t${at}`, ...entry }))
  await post(place, module, { json })
}

async function endAll(place: Place, held: readonly Held[]): Promise<undefined> {
  await post(place, '/api/v2/asset_category', { json: { name: `end-${performance.now()}` } })
  await Promise.all(held.map((one) => one.finish()))
  await untilNothingRuns(place)
}

async function untilNothingRuns(place: Place): Promise<void> {
  for (const kind of KINDS)
    assert.ok(await eventually(async () => (await inProgress(place, kind)) === 0), kind)
}

interface Names {
  readonly key: number
  readonly user: number
  readonly address: string
}

function openCounts(most: Most) {
  const held = new Map<string, number>()
  const entries = ({ key, user, address }: Names) =>
    [
      [`key ${key}`, most.key],
      [`user ${user}`, most.user],
      [address, most.address],
    ] as const
  return {
    isFull: (names: Names): boolean =>
      entries(names).some(([name, all]) => (held.get(name) ?? 0) >= all),
    add(names: Names): void {
      for (const [name] of entries(names)) held.set(name, (held.get(name) ?? 0) + 1)
    },
  }
}

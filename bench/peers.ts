// This server beside PocketBase with the same work: a table of articles with four columns and 1.2 KB, and
// files. Both are started afresh for each scenario and take turns in all forms; the other one is idle
// meanwhile.

import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { fire, type Load, median, type Target } from './load.ts'
import { measureForms, type Subject, type Targets } from './measure.ts'
import { articleOf, type Call, openOurs, type Peer, titleOf } from './peer.ts'
import { fetchPocketBase, openPocketBase } from './pocketbase.ts'
import { type Memory, memoryOf } from './processes.ts'
import type { Pair, Result } from './report.ts'
import { scattered } from './requests.ts'
import { ADDRESSES, TABLE_SIZE } from './settings.ts'

const KIB = 1024
const STARTS = 5
const REST_MS = 3_000

interface PeerScenario {
  readonly name: string
  readonly title: string
  readonly connections: number
  readonly addresses: number
  readonly targets?: Targets
  readonly load: (peer: Peer) => Load
}

/** Scenarios that add to the table come last. */
const SCENARIOS: readonly PeerScenario[] = [
  {
    name: 'record/many',
    title: 'one of many records',
    connections: 50,
    addresses: ADDRESSES,
    targets: { warm: 8, mixed: 0.75 },
    load: (peer) => reads(peer, ADDRESSES, (index) => peer.read(idOf(peer, index))),
  },
  {
    name: 'title/many',
    title: 'one of many exact titles',
    connections: 50,
    addresses: ADDRESSES,
    targets: { mixed: 0.7 },
    load: (peer) => reads(peer, ADDRESSES, (index) => peer.title(titleOf(index % TABLE_SIZE))),
  },
  {
    name: 'list/one',
    title: 'the first 25',
    connections: 50,
    addresses: 1,
    targets: { mixed: 0.6 },
    load: (peer) => reads(peer, 1, () => peer.first),
  },
  {
    name: 'record/one',
    title: 'one record, repeated',
    connections: 50,
    addresses: 1,
    load: (peer) => reads(peer, 1, () => peer.read(idOf(peer, 0))),
  },
  {
    name: 'download-10k',
    title: 'download 10 KB',
    connections: 50,
    addresses: 1,
    load: (peer) => reads(peer, 1, () => peer.files[0] ?? ''),
  },
  {
    name: 'download-1m',
    title: 'download 1 MB',
    connections: 10,
    addresses: 1,
    targets: { warm: 1.2 },
    load: (peer) => reads(peer, 1, () => peer.files[1] ?? ''),
  },
  {
    name: 'site-10k',
    title: 'read 10 KB as a visitor, by path',
    connections: 50,
    addresses: 1,
    targets: { warm: 8 },
    load: (peer) => visits(peer, 0),
  },
  {
    name: 'site-1m',
    title: 'read 1 MB as a visitor, by path',
    connections: 10,
    addresses: 1,
    load: (peer) => visits(peer, 1),
  },
  {
    name: 'upload-100k',
    title: 'upload 100 KB',
    connections: 8,
    addresses: 1,
    targets: { cold: 1, warm: 1.5 },
    load: (peer) => calls(peer, () => peer.upload(UPLOAD)),
  },
  {
    name: 'update',
    title: 'update an article',
    connections: 50,
    addresses: ADDRESSES,
    targets: { warm: 4 },
    load: updates,
  },
  {
    name: 'create',
    title: 'create an article',
    connections: 50,
    addresses: ADDRESSES,
    targets: { warm: 4 },
    load: (peer) => calls(peer, (count) => peer.create(articleOf(TABLE_SIZE + count))),
  },
]

const UPLOAD = randomBytes(100 * KIB)

export interface PeerJob {
  readonly name: string
  readonly run: () => Promise<{
    readonly peers?: readonly Result[]
    readonly pairs?: readonly Pair[]
  }>
}

export function peerJobs(): readonly PeerJob[] {
  return [
    { name: 'peers/start', run: async () => ({ pairs: await measureStarts(await both()) }) },
    ...SCENARIOS.map((scenario) => ({
      name: `peers/${scenario.name}`,
      run: async () => ({ peers: await measureOne(scenario, await both()) }),
    })),
  ]
}

type Peers = readonly [ours: Peer, theirs: Peer]

let opened: Promise<Peers> | undefined

function both(): Promise<Peers> {
  opened ??= openBoth()
  return opened
}

async function openBoth(): Promise<Peers> {
  const program = fetchPocketBase()
  console.error('  filling …')
  return [await openOurs(), await openPocketBase(program)]
}

async function measureOne(
  scenario: PeerScenario,
  [ours, theirs]: Peers,
): Promise<readonly Result[]> {
  const { load: loadOf, ...told } = scenario
  const subject = (peer: Peer) => async (): Promise<Subject> => {
    const running = await peer.start()
    const load = loadOf(peer)
    return {
      fire: (seconds) => fire(running, { load, connections: scenario.connections, seconds }),
      memory: () => memoryOf(running.pid),
      writes: { url: running.url, load: updates(peer) },
      stop: () => running.stop(),
    }
  }
  const forms = await measureForms({ start: subject(ours), startOther: subject(theirs) })
  return forms.map((result) => ({ ...told, ...result, name: `peers/${scenario.name}` }))
}

async function measureStarts([ours, theirs]: Peers): Promise<readonly Pair[]> {
  const times: [number[], number[]] = [[], []]
  for (let count = 0; count < STARTS; count += 1) {
    for (const [at, peer] of [ours, theirs].entries()) times[at]?.push(await startMs(peer))
  }
  const [own, other] = [await idle(ours), await idle(theirs)]
  return [
    {
      name: 'start to the first answer',
      own: median(times[0]),
      other: median(times[1]),
      unit: 'ms',
      most: 300,
    },
    { name: 'memory, idle: RssAnon', own: own.anon, other: other.anon, unit: 'MiB', most: 50 },
    { name: 'memory, idle: RSS', own: own.rss, other: other.rss, unit: 'MiB' },
  ]
}

/** From the start of the process until the first answer. */
async function startMs(peer: Peer): Promise<number> {
  const began = performance.now()
  const running = await peer.start()
  const answer = await request(running.url + peer.health)
  await answer.body.dump()
  const took = performance.now() - began
  await running.stop()
  return took
}

async function idle(peer: Peer): Promise<Memory> {
  const running = await peer.start()
  await sleep(REST_MS)
  const memory = memoryOf(running.pid)
  await running.stop()
  return memory
}

function reads(peer: Peer, addresses: number, pathOf: (index: number) => string): Load {
  const target = (count: number): Target => ({ path: pathOf(scattered(count, addresses)) })
  return { method: 'GET', headers: peer.headers, addresses, target }
}

function visits({ visited: { headers, files } }: Peer, file: number): Load {
  return { method: 'GET', headers, addresses: 1, target: () => ({ path: files[file] ?? '' }) }
}

/** All requests have the method and content type of the first. */
function calls(peer: Peer, callOf: (count: number) => Call): Load {
  const { method, contentType = 'application/json' } = callOf(0)
  const headers = { ...peer.headers, 'content-type': contentType }
  const target = (count: number): Target => {
    const { path, body } = callOf(count)
    return { path, ...(body && { body }) }
  }
  return { method, headers, addresses: undefined, target }
}

function updates(peer: Peer): Load {
  const changeOf = (count: number) => ({
    author: `Author changed ${count}`,
    category: `cat${count % 7}`,
  })
  return calls(peer, (count) =>
    peer.update(idOf(peer, scattered(count, TABLE_SIZE)), changeOf(count)),
  )
}

function idOf({ ids }: Peer, index: number): number | string {
  return ids[index % ids.length] ?? 0
}

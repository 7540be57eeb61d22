// Lists of posts with expanded references, of 100,000 posts, beside PocketBase, in two ways:
//
//   25 posts with their writer and topic: each request asks for the posts from another number on, through an index, and
//     PocketBase need not count them (skipTotal)
//   the first 20 posts with their writer, and their total: the request that PocketBase's own benchmark repeats

import { join } from 'node:path'
import pMap from 'p-map'
import { articleOf } from './articles.ts'
import { fire, type Figures, type Load, middle } from './load.ts'
import { postTo, sender } from './peer.ts'
import {
  fetchPocketBase,
  freePort,
  initPocketBase,
  preparePocketBase,
  startPocketBase,
} from './pocketbase.ts'
import { makeKey, type Running, startCms } from './processes.ts'
import { fillTable } from './references.ts'
import type { Fact } from './report.ts'
import { auth, each, get, post, scattered, search } from './requests.ts'
import { scratchDir } from './scratch.ts'
import { ADDRESSES, ROUND_SECONDS, ROUNDS, WARM_UP_SECONDS } from './settings.ts'

const POSTS = 100_000
const WRITERS = 1_000
const TOPICS = 50
const CONNECTIONS = 50
const IN_FLIGHT = { concurrency: 16 }

interface Expanding {
  readonly running: Running
  /** In the order of NAMES. */
  readonly loads: readonly Load[]
}

const NAMES: readonly string[] = [
  '25 of 100,000 posts with two references expanded',
  'the first 20 of 100,000 posts with one reference expanded, repeated',
]

export async function measureExpand(): Promise<readonly Fact[]> {
  const program = fetchPocketBase()
  console.error('  filling …')
  const ours = await openOurs()
  const theirs = await openTheirs(program)
  try {
    const facts: Fact[] = []
    for (const at of NAMES.keys()) facts.push(...(await measureLoad(at, [ours, theirs])))
    return facts
  } finally {
    await Promise.all([ours.running.stop(), theirs.running.stop()])
  }
}

/** Both servers take turns. */
async function measureLoad(at: number, servers: readonly Expanding[]): Promise<readonly Fact[]> {
  const figures = servers.map((): Figures[] => [])
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [index, { running, loads }] of servers.entries()) {
      const [load, seconds] = [loads[at], round === 0 ? WARM_UP_SECONDS : ROUND_SECONDS]
      if (load === undefined) continue
      const figure = await fire(running, { load, connections: CONNECTIONS, seconds })
      if (round > 0) figures[index]?.push(figure)
    }
  }
  const [own, other] = figures.map(middle)
  const name = NAMES[at] ?? ''
  if (own === undefined || other === undefined) return []
  return [
    { name, value: own.perSecond, unit: 'per second' },
    { name: `${name}, PocketBase`, value: other.perSecond, unit: 'per second' },
    { name: `${name}, times PocketBase`, value: own.perSecond / other.perSecond, unit: '' },
    { name: `${name}, share of the processor time`, value: own.cpuUs / other.cpuUs, unit: '' },
  ]
}

function firstOf(index: number): number {
  return 1 + scattered(index, POSTS - 25)
}

function postOf(at: number, writers: readonly unknown[], topics: readonly unknown[]): object {
  const { title, body } = articleOf(at) as { readonly title: string; readonly body: string }
  return { title, body, number: at, writer: writers[at % WRITERS], topic: topics[at % TOPICS] }
}

const SCHEMA =
  'title C(250), body X, number I, writer I REFERENCES datatable 1, topic I REFERENCES datatable 2'
const TABLE = '/api/v2/module/datatable'

async function openOurs(): Promise<Expanding> {
  const data = join(scratchDir(), 'data')
  const running = await startCms(data)
  const site = { url: running.url, key: makeKey(data) }
  const tables = { writers: 'name C(100), about X', topics: 'name C(100), about X', posts: SCHEMA }
  for (const [name, table_schema] of Object.entries(tables))
    await post(site, '/api/v2/datatable', { name, table_schema })
  await fillTable(site, `${TABLE}/1/writers`, WRITERS, (at) => subjectOf('writer', at))
  await fillTable(site, `${TABLE}/2/topics`, TOPICS, (at) => subjectOf('topic', at))
  const numbers = Array.from({ length: WRITERS }, (_, at) => at + 1)
  await fillTable(site, `${TABLE}/3/posts`, POSTS, (at) => postOf(at, numbers, numbers))
  const rest = '&orderStr=number&expand=writer,topic'
  const load = each(site, ADDRESSES, (index) => {
    const path = search(`${TABLE}/3/posts`, { number: { $gte: firstOf(index) } })
    return `${path}${rest}`
  })
  const repeated = get(site, `${TABLE}/3/posts?length=20&count=exact&expand=writer`)
  return { running, loads: [load, repeated] }
}

function subjectOf(name: string, at: number): object {
  return { name: `${name} ${at}`, about: 'lorem ipsum dolor sit amet '.repeat(8) }
}

const RECORDS = '/api/collections/posts/records'

async function openTheirs(program: string): Promise<Expanding> {
  const data = join(scratchDir(), 'pb_data')
  initPocketBase(program, data)
  const running = await startPocketBase(program, data, await freePort())
  const key = await preparePocketBase(running.url, COLLECTIONS)
  const send = sender(running.url, auth({ key }))
  const make = async (name: string, body: object): Promise<unknown> => {
    const made = await send(postTo(`/api/collections/${name}/records`)(body))
    return (made as { readonly id: string }).id
  }
  const makeAll = (name: string, count: number, bodyOf: (at: number) => object) =>
    pMap(
      Array.from({ length: count }, (_, at) => bodyOf(at + 1)),
      (body) => make(name, body),
      IN_FLIGHT,
    )
  const writers = await makeAll('writers', WRITERS, (at) => subjectOf('writer', at))
  const topics = await makeAll('topics', TOPICS, (at) => subjectOf('topic', at))
  await makeAll('posts', POSTS, (at) => postOf(at, writers, topics))
  const load = each({ url: running.url, key }, ADDRESSES, (index) => {
    const filter = encodeURIComponent(`number>=${firstOf(index)}`)
    const rest = 'perPage=25&skipTotal=1&sort=number&expand=writer,topic'
    return `${RECORDS}?filter=${filter}&${rest}`
  })
  const repeated = get({ url: running.url, key }, `${RECORDS}?perPage=20&expand=writer`)
  return { running, loads: [load, repeated] }
}

const text = (name: string): object => ({ name, type: 'text', max: 10_000 })
const relation = (name: string, collectionId: string): object => ({
  name,
  type: 'relation',
  collectionId,
  maxSelect: 1,
})

/** The identifiers are given, because a relation names the one of its collection. */
const COLLECTIONS: readonly object[] = [
  { id: 'pbc_writers0001', name: 'writers', type: 'base', fields: [text('name'), text('about')] },
  { id: 'pbc_topics00001', name: 'topics', type: 'base', fields: [text('name'), text('about')] },
  {
    name: 'posts',
    type: 'base',
    indexes: ['CREATE INDEX posts_number ON posts (number)'],
    fields: [
      text('title'),
      text('body'),
      { name: 'number', type: 'number' },
      relation('writer', 'pbc_writers0001'),
      relation('topic', 'pbc_topics00001'),
    ],
  },
]

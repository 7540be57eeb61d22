// References at two sizes of a table: 25 entries with two expanded references beside the plain list, and a filter through a
// reference beside an exact title. Lists ask for many addresses, so that few responses come from a cache. Searches of the
// larger table never repeat an address: the faster search would otherwise begin its addresses again, and find its responses
// in the cache.

import { articleOf, BULK, PAGE_LENGTH, SCHEMA, titleOf } from './articles.ts'
import { prepare } from './fixtures.ts'
import { fire, type Figures, middle, type Load, type Site } from './load.ts'
import { type Running, startCms } from './processes.ts'
import { type Fact, number } from './report.ts'
import { changes, each, post, scattered, search } from './requests.ts'
import { ADDRESSES, LARGE_TABLE_SIZE, ROUND_SECONDS, ROUNDS, WARM_UP_SECONDS } from './settings.ts'

const SMALL_SIZE = 1_000
const WRITERS = 10_000
const TOPICS = 50
const CONNECTIONS = 50
/** Searches of one round: more than a server answers in it. */
const SEARCHES = 20_000 * ROUND_SECONDS

const WRITERS_TABLE = '/api/v2/module/datatable/1/writers'
const TOPICS_TABLE = '/api/v2/module/datatable/2/topics'
const POSTS_TABLE = '/api/v2/module/datatable/3/posts'
/** The columns of the posts, with numbers that refer to nothing. */
const PLAIN_TABLE = '/api/v2/module/datatable/4/plain'

export async function measureReferences(): Promise<readonly Fact[]> {
  const facts: Fact[] = []
  for (const size of [SMALL_SIZE, LARGE_TABLE_SIZE]) facts.push(...(await measureSize(size)))
  return facts
}

/** A create with two references beside one without, into tables with the same indexes. */
export async function measureCreates(): Promise<readonly Fact[]> {
  const { data, key } = await prepare({
    fill: (site) => fill(site, SMALL_SIZE),
    changes: (site) => changes(site, (count) => ({ path: postAt(count, SMALL_SIZE), body: {} })),
  })
  const cms = await startCms(data)
  const site = { url: cms.url, key }
  const made = (path: string): Load =>
    changes(site, (count) => ({ path, body: postOf(SMALL_SIZE + count) }))
  try {
    const pair = await fireBoth(cms, () => [made(PLAIN_TABLE), made(POSTS_TABLE)])
    return factsOf('create an entry', 'with two references', pair)
  } finally {
    await cms.stop()
  }
}

async function measureSize(size: number): Promise<readonly Fact[]> {
  const { data, key } = await prepare({
    fill: (site) => fill(site, size),
    changes: (site) => changes(site, (count) => ({ path: postAt(count, size), body: {} })),
  })
  const cms = await startCms(data)
  const site = { url: cms.url, key }
  try {
    const lists: Pair<Load> = [listAll(site, size, ''), listAll(site, size, '&expand=writer,topic')]
    const list = await fireBoth(cms, () => lists)
    const found = await fireBoth(cms, (round) => {
      const first = round * SEARCHES
      const finds = (qryAt: (at: number) => object): Load =>
        each(site, SEARCHES, (index) =>
          search(POSTS_TABLE, qryAt(1 + scattered(first + index, size))),
        )
      return [finds((at) => ({ title: titleOf(at) })), finds(titleByWriter)]
    })
    return [
      ...factsOf(`25 of ${number(size)} entries`, 'two references expanded', list),
      ...factsOf(`an exact title of ${number(size)}`, 'a filter through a reference', found),
    ]
  } finally {
    await cms.stop()
  }
}

function postAt(count: number, size: number): string {
  return `${POSTS_TABLE}/${1 + scattered(count, size)}`
}

/** One post, by its title and by the name of its writer. */
function titleByWriter(at: number): object {
  return { title: titleOf(at), 'writer.name': `writer ${writerOf(at)}` }
}

function writerOf(at: number): number {
  return 1 + (at % WRITERS)
}

function listAll(site: Site, size: number, further: string): Load {
  return each(site, ADDRESSES, (index) => {
    const first = 1 + scattered(index, Math.max(1, size - PAGE_LENGTH))
    const qry = { 'datatable_entry.datatable_entry_id': { $gte: first } }
    return `${search(POSTS_TABLE, qry)}${further}`
  })
}

async function fill(site: Site, size: number): Promise<void> {
  const tables = [
    ['writers', 'name C(100), town C(100), about X'],
    ['topics', 'title C(100)'],
    ['posts', `${SCHEMA}, writer I REFERENCES datatable 1, topic I REFERENCES datatable 2`],
    ['plain', `${SCHEMA}, writer I, topic I`],
  ]
  for (const [name, table_schema] of tables)
    await post(site, '/api/v2/datatable', { name, table_schema })
  const about = 'lorem ipsum dolor sit amet '.repeat(8)
  await fillTable(site, WRITERS_TABLE, WRITERS, (at) => ({
    name: `writer ${at}`,
    town: `town ${at % 90}`,
    about,
  }))
  await fillTable(site, TOPICS_TABLE, TOPICS, (at) => ({ title: `topic ${at}` }))
  await fillTable(site, POSTS_TABLE, size, postOf)
}

function postOf(at: number): object {
  return { ...articleOf(at), writer: writerOf(at), topic: 1 + (at % TOPICS) }
}

export async function fillTable(
  site: Site,
  path: string,
  size: number,
  entryOf: (at: number) => object,
): Promise<void> {
  for (let from = 1; from <= size; from += BULK) {
    const count = Math.min(BULK, size - from + 1)
    await post(
      site,
      path,
      Array.from({ length: count }, (_, index) => entryOf(from + index)),
    )
  }
}

type Pair<T> = readonly [plain: T, other: T]

/** The two loads take turns. Round 0 is the warm-up. */
async function fireBoth(
  cms: Running,
  loadsOf: (round: number) => Pair<Load>,
): Promise<Pair<Figures>> {
  const firing = { connections: CONNECTIONS, seconds: ROUND_SECONDS }
  const figures: [Figures[], Figures[]] = [[], []]
  for (const load of loadsOf(0)) await fire(cms, { ...firing, load, seconds: WARM_UP_SECONDS })
  for (let round = 1; round <= ROUNDS; round += 1) {
    const [plain, other] = loadsOf(round)
    figures[0].push(await fire(cms, { ...firing, load: plain }))
    figures[1].push(await fire(cms, { ...firing, load: other }))
  }
  return [middle(figures[0]), middle(figures[1])]
}

function factsOf(plain: string, other: string, [first, second]: Pair<Figures>): readonly Fact[] {
  return [
    { name: plain, value: first.perSecond, unit: 'per second' },
    { name: `${plain}, ${other}`, value: second.perSecond, unit: 'per second' },
    {
      name: `${plain}, ${other}: share of the rate`,
      value: second.perSecond / first.perSecond,
      unit: '',
    },
    {
      name: `${plain}, ${other}: times the processor time`,
      value: second.cpuUs / first.cpuUs,
      unit: '',
    },
  ]
}

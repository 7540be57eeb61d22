// The bounds of answers that follow references. Nothing is cut silently: beyond a bound the request is refused.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem } from '../../helpers/content.ts'
import {
  entriesOf,
  makeEntries,
  type MadeModule,
  makeTable,
  queryOf,
} from '../../helpers/modules.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'
import {
  MAX_EXPANDED_RECORDS,
  MAX_REFERENCES,
  MAX_RELATED_RECORDS,
} from '../../../lib/shared/limits.ts'

/** Records that a search sorts. */
const MAX_SORTED = 10_000

let server: TestServer
let authors: MadeModule
let posts: MadeModule

const range = (from: number, length: number): readonly number[] =>
  Array.from({ length }, (_, at) => from + at)

before(async () => {
  server = await startTestServer()
  authors = await makeTable(server, 'name C(9), rank I')
  await makeEntries(
    server,
    authors.url,
    range(1, MAX_RELATED_RECORDS + 1).map((at) => ({ rank: at > 1 ? 1 : 0 })),
  )
  posts = await makeTable(
    server,
    `author I REFERENCES datatable ${authors.id}, all I REFERENCES datatable ${authors.id} MANY`,
  )
  const lists = range(0, MAX_EXPANDED_RECORDS / MAX_REFERENCES).map((at) => ({
    all: range(1 + at * MAX_REFERENCES, MAX_REFERENCES),
  }))
  await makeEntries(server, posts.url, [...lists, { all: [MAX_RELATED_RECORDS] }])
  await makeEntries(
    server,
    posts.url,
    range(lists.length + 2, MAX_SORTED - lists.length - 1).map(() => ({ author: 1 })),
  )
})
after(() => server.close())

const ask = (query: Readonly<Record<string, unknown>>): Promise<Answer> =>
  server.call('GET', `${posts.url}?${queryOf(query)}`)

test('a list follows a bounded number of references', async () => {
  const length = MAX_EXPANDED_RECORDS / MAX_REFERENCES
  const whole = await ask({ expand: 'all', length })
  assert.equal(whole.status, 200, whole.text.slice(0, 300))
  assert.deepEqual(
    entriesOf(whole.body).map(({ expanded }) => expanded.all.length),
    Array.from({ length }, () => MAX_REFERENCES),
  )
  const { status, detail } = assertProblem(
    await ask({ expand: 'all', length: length + 1 }),
    'too-large',
  )
  assert.equal(status, 413)
  const found = `more than ${MAX_EXPANDED_RECORDS} references to follow`
  assert.equal(
    detail,
    `This response has ${found}. Request fewer entries with length, or expand fewer names.`,
  )
  // The same record counts once.
  const qry = { author: 1 }
  assert.equal((await ask({ expand: 'author', qry, length: 1_000 })).status, 200)
})

test('a condition matches a bounded number of related records', async () => {
  const found = await ask({ qry: { 'author.rank': { $gte: 1 } }, count: 'exact' })
  assert.deepEqual([found.status, found.body.page.total], [200, 0])
  const { detail } = assertProblem(await ask({ qry: { 'author.rank': { $gte: 0 } } }), 'too-large')
  assert.equal(
    detail,
    `A condition of qry on entries of datatable ${authors.id} matches more than ${MAX_RELATED_RECORDS}, or has to examine too many. Narrow it, with a column that is indexed.`,
  )
})

test('a condition on lists follows a bounded number of identifiers', async () => {
  const lists = await makeTable(server, `n I, all I REFERENCES datatable ${authors.id} MANY`)
  for (const at of range(0, MAX_RELATED_RECORDS / MAX_REFERENCES))
    await makeEntries(server, lists.url, [
      { n: at, all: range(1 + at * MAX_REFERENCES, MAX_REFERENCES) },
    ])
  await makeEntries(server, lists.url, [{ n: 99, all: [MAX_RELATED_RECORDS + 1] }])
  const found = (condition: object): Promise<Answer> => {
    const qry = { [`datatable_${lists.id}.all`]: { $some: condition } }
    return server.call('GET', `${authors.url}?${queryOf({ qry, length: 1, count: 'exact' })}`)
  }
  const most = await found({ n: { $lt: 99 } })
  assert.equal(most.status, 200, most.text)
  assert.equal(most.body.page.total, MAX_RELATED_RECORDS)
  const { detail } = assertProblem(await found({ n: { $lte: 99 } }), 'too-large')
  assert.match(detail, /through all matches more than 5000/)
})

test('an order by a referenced column sorts a bounded number of entries', async () => {
  const sorted = await ask({ orderStr: 'author.rank', orderDir: 'DESC', length: 1 })
  assert.equal(sorted.status, 200, sorted.text)
  await makeEntries(server, posts.url, [{}])
  const { detail } = assertProblem(await ask({ orderStr: 'author.rank' }), 'bad-qry')
  assert.match(detail, /more than 10000 records, which is too many to sort by author\.rank/)
  const narrowed = await ask({ orderStr: 'author.rank', qry: { author: null }, fields: 'author' })
  assert.equal(narrowed.status, 200, narrowed.text)
})

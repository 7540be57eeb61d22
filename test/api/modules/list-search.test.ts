// Searches over SET, JSON and POINT columns: lists, paths into values, and places.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fc } from '../../helpers/properties.ts'
import { assertProblem } from '../../helpers/content.ts'
import { listAll, makeCalendar, makeEntries, makeTable, queryOf } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

const SCHEMA = "tags SET('news','old','a, b'), data JSON, place POINT"

const ENTRIES: readonly object[] = [
  { tags: ['news', 'a, b'], data: { city: 'Rome', 'a.b': 1, lines: [{ price: 5 }, { price: 9 }] } },
  { tags: ['old'], data: { city: 'Zu\u0308rich', lines: [{ price: '5' }], big: true } },
  { tags: [], data: ['x', 5, null], place: [179.9, 0] },
  { tags: null, data: 'text', place: [-179.9, 0] },
  { data: 5, place: [13.4, 52.5] },
  { data: { city: null, lines: [], nested: [[{ price: 5 }]] }, place: [9.99, 53.55] },
]

let server: TestServer
let url: string

before(async () => {
  server = await startTestServer()
  url = (await makeTable(server, SCHEMA)).url
  await makeEntries(server, url, ENTRIES)
})
after(() => server.close())

const found = async (qry: object): Promise<readonly number[]> =>
  (await listAll(server, url, { qry })).map((entry) => entry.datatable_entry_id)

const SEARCHES: readonly (readonly [object, readonly number[]])[] = [
  [{ tags: 'news' }, [1]],
  [{ tags: 'a, b' }, [1]],
  [{ tags: { $in: ['old', 'news'] } }, [1, 2]],
  [{ tags: { $ne: 'old' } }, [1, 3, 4, 5, 6]],
  [{ tags: { $gt: 'news' } }, [2]],
  [{ $and: [{ tags: 'news' }, { tags: 'a, b' }] }, [1]],
  [{ tags: { $all: ['a, b', 'news'] } }, [1]],
  [{ tags: { $all: ['news', 'old'] } }, []],
  [{ tags: { $size: 1 } }, [2]],
  [{ tags: { $size: 0 } }, [3, 4, 5, 6]],
  [{ tags: { $all: ['news'], $size: { $gt: 1 } } }, [1]],
  [{ tags: null }, [3, 4, 5, 6]],
  [{ tags: { $exists: true } }, [1, 2]],
  [{ data: { '$.city': 'Rome' } }, [1]],
  [{ data: { '$.city': 'Zürich' } }, [2]],
  [{ data: { '$.city': { $startsWith: 'R' } } }, [1]],
  [{ data: { '$.city': { $contains: 'm' }, '$["a.b"]': 1 } }, [1]],
  [{ data: { '$.city': null } }, [3, 4, 5, 6]],
  [{ data: { '$.city': { $exists: false } } }, [3, 4, 5, 6]],
  [{ data: { '$.lines.price': 5 } }, [1]],
  [{ data: { '$.lines.price': '5' } }, [2]],
  [{ data: { '$.lines[1].price': { $gt: 8 } } }, [1]],
  [{ data: { '$.lines[0].price': { $in: [5, '5'] } } }, [1, 2]],
  [{ data: { '$.lines': { $exists: true } } }, [1, 2, 6]],
  [{ data: { '$.lines[0]': { $exists: true } } }, [1, 2]],
  [{ data: { '$.nested.price': 5 } }, []],
  [{ data: { '$.nested[0].price': 5 } }, [6]],
  [{ data: { '$[1]': 5 } }, [3]],
  [{ data: 5 }, [3, 5]],
  [{ data: 'text' }, [4]],
  [{ data: { $not: { '$.city': 'Rome' } } }, [2, 3, 4, 5, 6]],
  [{ data: { '$.big': true } }, [2]],
  [{ data: { '$.constructor': { $exists: true } } }, []],
  [{ place: null }, [1, 2]],
  [{ place: { $exists: true } }, [3, 4, 5, 6]],
  [{ place: { $near: { point: [13.4, 52.5], km: 0 } } }, [5]],
  // Berlin and Hamburg are about 255 km apart.
  [{ place: { $near: { point: [13.4, 52.5], km: 260 } } }, [5, 6]],
  [{ place: { $near: { point: [13.4, 52.5], km: 250 } } }, [5]],
  [{ place: { $near: { point: [180, 0], km: 12 } } }, [3, 4]],
  [{ place: { $within: [9, 50, 14, 54] } }, [5, 6]],
  [{ place: { $within: [179, -1, -179, 1] } }, [3, 4]],
  [{ place: { $within: [-179.5, -1, 179.5, 1] } }, []],
  [{ $or: [{ tags: 'old' }, { place: { $within: [13, 52, 14, 53] } }] }, [2, 5]],
]

for (const [qry, ids] of SEARCHES) {
  test(`${JSON.stringify(qry)} finds ${ids.join() || 'nothing'}`, async () => {
    assert.deepEqual(await found(qry), ids)
  })
}

const REFUSED: readonly (readonly [object, RegExp])[] = [
  [{ data: { '$.': 5 } }, /is not a path, such as \$\.address\.city/],
  [{ data: { '$["a]': 5 } }, /is not a path/],
  [{ data: { [`$${'.a'.repeat(31)}`]: 5 } }, /is not a path/],
  [{ data: { '$.a': { '$.b': 5 } } }, /is not an operator/],
  [{ data: { '$.a': { $regex: 'x' } } }, /does not work in JSON; use \$contains/],
  [{ data: { '$.a': { $gt: {} } } }, /must be a text, a number, true or false/],
  [{ tags: { '$.a': 5 } }, /is not an operator/],
  [{ tags: { $near: { point: [0, 0], km: 1 } } }, /works only on POINT columns/],
  [{ tags: { $contains: 'n' } }, /works only on strings/],
  [{ place: [13.4, 52.5] }, /must be null, \$near or \$within/],
  [{ place: { $near: { point: [0, 91], km: 1 } } }, /must be \{"point"/],
  [{ place: { $near: { point: [0, 9], km: -1 } } }, /must be \{"point"/],
  [{ place: { $within: [0, 1, 2, 0] } }, /with south at most north/],
  [{ place: { $within: [0, 1, 2] } }, /with south at most north/],
  [
    { $or: Array.from({ length: 17 }, (_, at) => ({ data: { [`$.a${at}`]: 1 } })) },
    /one path too many: a qry may have 16 paths/,
  ],
]

for (const [qry, detail] of REFUSED) {
  test(`${JSON.stringify(qry).slice(0, 60)} is refused`, async () => {
    const answer = await server.call('GET', `${url}?${queryOf({ qry })}`)
    assert.match(assertProblem(answer, 'bad-qry').detail, detail)
  })
}

test('$near finds a pole by each longitude, and the antimeridian by both of its notations', async () => {
  const { url: poles } = await makeTable(server, 'place POINT')
  const places = [
    [0, 90],
    [77, -90],
    [180, 0],
    [-180, 0],
  ]
  await makeEntries(
    server,
    poles,
    places.map((place) => ({ place })),
  )
  const near = async (point: readonly number[]) => {
    const qry = { place: { $near: { point, km: 0 } } }
    return (await listAll(server, poles, { qry })).map((entry) => entry.datatable_entry_id)
  }
  for (const longitude of [-180, -33, 0, 123]) {
    assert.deepEqual(await near([longitude, 90]), [1])
    assert.deepEqual(await near([longitude, -90]), [2])
  }
  for (const longitude of [180, -180]) assert.deepEqual(await near([longitude, 0]), [3, 4])
})

test('a list cannot be sorted by these columns, and a filter finds the texts of a SET', async () => {
  for (const orderStr of ['tags', 'data', 'place'])
    assertProblem(await server.call('GET', `${url}?${queryOf({ orderStr })}`), 'bad-qry')
  assert.equal((await listAll(server, url, { table_filter: 'A, B' })).length, 1)
})

test('a path finds the same entries as a traversal of the value', async () => {
  const { url: other } = await makeTable(server, 'data JSON')
  const values = fc.sample(
    fc
      .jsonValue({ maxDepth: 4 })
      .map((value) => JSON.parse(JSON.stringify(value)) as unknown)
      .filter(
        (value) =>
          value !== null &&
          !/"(?:__proto__|constructor|prototype)"|\d{16}|e\+/.test(JSON.stringify(value)),
      ),
    { seed: 7, numRuns: 200 },
  )
  const bodies = values.map((data) => ({ data: { a: { b: data } } }))
  await makeEntries(server, other, bodies)
  const scalars = new Set(values.filter((value) => typeof value !== 'object'))
  for (const value of [...scalars].slice(0, 20)) {
    const qry = { data: { '$.a.b': { $eq: value } } }
    const hits = (await listAll(server, other, { qry })).map((entry) => entry.data.a.b)
    const wanted = values.filter((item) => [item].flat().some((each) => each === value))
    assert.deepEqual(hits, wanted, JSON.stringify(value))
  }
})

test('public rows show these columns and are filtered by them, but not by a hidden path', async () => {
  const { url: open } = await makeTable(server, `${SCHEMA}, inner JSON`, {
    public: true,
    public_columns: ['tags', 'data', 'place'],
    public_filter: { data: { '$.live': true } },
  })
  const place = [13.4, 52.5]
  await makeEntries(server, open, [
    { tags: ['news'], data: { live: true, a: 1 }, place, inner: { a: 1 } },
    { tags: ['old'], data: { live: false, a: 1 }, place, inner: { a: 2 } },
  ])
  const ask = (qry: object) => server.call('GET', `${open}?${queryOf({ qry })}`, { key: null })
  for (const qry of [
    { data: { '$.a': 1 } },
    { tags: { $in: ['news', 'old'] } },
    { place: { $near: { point: place, km: 1 } } },
  ]) {
    const { body } = await ask(qry)
    assert.deepEqual(
      body.datatable_entry.map(({ tags, data }: any) => ({ tags, data })),
      [{ tags: ['news'], data: { live: true, a: 1 } }],
    )
  }
  assertProblem(await ask({ inner: { '$.a': 1 } }), 'bad-qry')
  assert.equal((await ask({ data: { '$.live': false } })).body.datatable_entry.length, 0)
})

test('events of a calendar have these columns', async () => {
  const { url: events } = await makeCalendar(server, { table_schema: SCHEMA })
  const event = { event_title: 'Talk', start_time: '2026-03-02T09:00:00Z' }
  const values = { tags: ['old'], data: { a: [1, { b: 'x' }] }, place: [-1, 0.5] }
  const made = await server.call('POST', events, { json: { ...event, ...values } })
  assert.equal(made.status, 201, made.text)
  const list = (qry: object) => server.call('GET', `${events}?${queryOf({ qry, fields: '*' })}`)
  for (const qry of [{ tags: 'old' }, { data: { '$.a.b': 'x' } }, { place: { $exists: true } }]) {
    const [found] = (await list(qry)).body.calendar_entry
    assert.deepEqual({ ...found, ...values }, found)
  }
  const feed = await server.call('GET', `${events}.ics`)
  assert.equal(feed.status, 200)
})

test('a body with a hostile name is refused, and a hostile value has no effect', async () => {
  const { url: other } = await makeTable(server, 'data JSON')
  const post = (body: string) =>
    server.call('POST', other, { body, headers: { 'content-type': 'application/json' } })
  for (const name of ['__proto__', 'constructor', 'prototype'])
    assertProblem(await post(`{"data":{"a":{"${name}":{"x":1}}}}`), 'bad-json')
  assertProblem(await post('{"data":{"a":1,"a":2}}'), 'bad-json')
  assertProblem(await post('{"data":[0.10000000000000000001]}'), 'invalid-content')
  assertProblem(await post(`{"data":${'['.repeat(40)}${']'.repeat(40)}}`), 'bad-json')
  const names = Array.from({ length: 15_000 }, (_, at) => [`n${at}`, at])
  const data = { ...(Object.fromEntries(names) as object), toString: 1, hasOwnProperty: [] }
  const made = await post(JSON.stringify({ data }))
  assert.equal(made.status, 201, made.text)
  const again = await server.call('PATCH', `${other}/1`, { json: { data } })
  assert.deepEqual([again.status, again.body.data], [200, data])
  const found = await listAll(server, other, { qry: { data: { '$.toString': 1 } } })
  assert.equal(found.length, 1)
  assert.deepEqual(await listAll(server, other, { qry: { data: { '$.valueOf': null } } }), found)
})

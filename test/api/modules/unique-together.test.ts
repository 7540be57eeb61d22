// UNIQUE(a, b): no two entries have the same values in all these columns.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem, make, pointersOf } from '../../helpers/content.ts'
import { changeSchema, listAll, makeEntries, makeEntry, makeTable } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const post = (url: string, json: unknown) => server.call('POST', url, { json })

const detail = (others: string, who: string) =>
  `must be unique together with ${others}, and ${who} has the same values`

test('two entries may share one of the values but not all', async () => {
  const { url } = await makeTable(server, 'room C(9), day D, price N, UNIQUE(room, day, price)')
  await makeEntry(server, url, { room: 'a', day: '2026-01-01', price: '1.50' })
  await makeEntry(server, url, { room: 'a', day: '2026-01-01', price: '1.51' })
  await makeEntry(server, url, { room: 'a', day: '2026-01-02', price: '1.50' })
  const same = { room: 'a', day: '2026-01-01', price: '1.5' }
  const refused = assertProblem(await post(url, same), 'not-unique')
  assert.deepEqual(refused.errors, [
    { pointer: '/room', detail: detail('day, price', 'datatable_entry_id 1') },
  ])
  const changed = await server.call('PATCH', `${url}/3`, { json: { day: '2026-01-01' } })
  assertProblem(changed, 'not-unique')
  await server.call('PATCH', `${url}/1`, { json: { room: 'b' } })
  await makeEntry(server, url, same)
})

test('entries without one of the values do not conflict', async () => {
  const { url } = await makeTable(server, 'a I, b I, UNIQUE(a, b)')
  await makeEntries(server, url, [{ a: 1 }, { a: 1 }, { b: 2 }, {}, {}])
})

test('all conflicts of a list are named, also those inside the list', async () => {
  const { url } = await makeTable(server, 'a I, b C(5), c I, UNIQUE(a, b), UNIQUE(b, c)')
  await makeEntry(server, url, { a: 1, b: 'x', c: 1 })
  const list = [
    { a: 1, b: 'x', c: 2 },
    { a: 2, b: 'x', c: 3 },
    { a: 3, b: 'x', c: 3 },
  ]
  assert.deepEqual(assertProblem(await post(url, list), 'not-unique').errors, [
    { pointer: '/0/a', detail: detail('b', 'datatable_entry_id 1') },
    { pointer: '/2/b', detail: detail('c', '/1 of this list') },
  ])
})

test('callers without the grant view do not learn which entry has the values', async () => {
  const { url } = await makeTable(server, 'a I, b I, UNIQUE(a, b)')
  await makeEntry(server, url, { a: 1, b: 1 })
  const key = await server.makeKey({ name: 'creator', grants: 'create' })
  const refused = await server.call('POST', url, { key, json: { a: 1, b: 1 } })
  assert.equal(
    assertProblem(refused, 'not-unique').errors[0].detail,
    detail('b', 'another datatable entry'),
  )
})

test('one of many simultaneous equal creates succeeds', async () => {
  const { url } = await makeTable(server, 'a C(2000), b C(2000), UNIQUE(a, b)')
  const json = { a: 'é'.repeat(2_000), b: 'x'.repeat(2_000) }
  const answers = await Promise.all(Array.from({ length: 30 }, () => post(url, json)))
  const created = answers.filter(({ status }) => status === 201)
  assert.equal(created.length, 1)
  assert.ok(answers.every(({ status }) => status === 201 || status === 409))
  assert.equal((await listAll(server, url, {})).length, 1)
})

test('one of many simultaneous updates to the same values succeeds', async () => {
  const { url } = await makeTable(server, 'a I, b I, UNIQUE(a, b)')
  await makeEntries(
    server,
    url,
    Array.from({ length: 20 }, (_, at) => ({ a: at, b: 0 })),
  )
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      server.call('PATCH', `${url}/${at + 1}`, { json: { a: 99 } }),
    ),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
})

test('an upsert is refused if it would make the values equal', async () => {
  const { url } = await makeTable(server, 'code C(5) UNIQUE, a I, b I, UNIQUE(a, b)')
  await makeEntries(server, url, [
    { code: 'x', a: 1, b: 1 },
    { code: 'y', a: 1, b: 2 },
  ])
  assertProblem(await post(`${url}?on_conflict=code`, { code: 'y', b: 1 }), 'not-unique')
})

test('a calendar may include the fields of an event', async () => {
  const table_schema = 'room C(9), UNIQUE(room, start_time)'
  const calendar = { name: 'Rooms', parent_category_id: 1, table_schema }
  const { module_url: url } = await make(server, 'calendar', calendar)
  const event = { event_title: 'x', start_time: '2026-01-01T10:00:00Z', room: 'a' }
  await makeEntry(server, url, event)
  assertProblem(await post(url, event), 'not-unique')
  await makeEntry(server, url, { ...event, room: 'b' })
})

test('existing entries that share values prevent the rule and are counted and named', async () => {
  const table = await makeTable(server, 'a C(5), b I')
  await makeEntries(server, table.url, [
    { a: '1', b: 1 },
    { a: '1', b: 2 },
    { a: '1', b: 1 },
    { a: '1' },
    { a: '1' },
  ])
  const json = { table_schema: 'a C(5), b I, UNIQUE(a, b)' }
  const { plan } = assertProblem(
    await changeSchema(server, table.path, json, '?confirm=drop'),
    'schema-conflict',
  )
  assert.deepEqual(plan.unique, [{ name: 'a, b', entries: 1, examples: [3] }])
  await server.call('PATCH', `${table.url}/3`, { json: { b: 3 } })
  assert.equal((await changeSchema(server, table.path, json)).status, 200)
  assertProblem(await post(table.url, { a: '1', b: 3 }), 'not-unique')

  // The rule follows the columns through a rename and another type.
  const renamed = {
    table_schema: 'n I, b F, UNIQUE(n, b)',
    columns: [{ name: 'n', renamed_from: 'a' }],
  }
  assert.equal((await changeSchema(server, table.path, renamed)).status, 200)
  assertProblem(await post(table.url, { n: 1, b: 3 }), 'not-unique')
  await changeSchema(server, table.path, { table_schema: 'n I, b F' })
  await makeEntry(server, table.url, { n: 1, b: 3 })
})

test('KEY at several columns, and UNIQUE at one column of a shared INDEX, mean the combination, as in ADOdb', async () => {
  for (const [schema, required] of [
    ['a I KEY, b I KEY', true],
    ['a I INDEX ab UNIQUE, b I INDEX AB', false],
  ] as const) {
    const { url, record } = await makeTable(server, schema)
    const flags = record.columns.map((column: any) => [column.isUnique, column.isRequired])
    assert.deepEqual(flags, [
      [false, required],
      [false, required],
    ])
    await makeEntries(server, url, [
      { a: 1, b: 1 },
      { a: 1, b: 2 },
    ])
    assertProblem(await post(url, { a: 1, b: 2 }), 'not-unique')
  }
})

test('the documents describe the rule and the response to a conflict', async () => {
  const { id, url } = await makeTable(server, 'a I, b I, unique ( A, "b" )')
  const { body } = await server.call('GET', '/public/api/module/swagger.json')
  const { description } = body.components.schemas[`datatable_${id}_entry`]
  assert.match(description, /Unique together: a, b\./)
  assert.ok(body.paths[url.replace('/api/v2', '')].post.responses[409] !== undefined)
})

const REFUSED: readonly (readonly [string, RegExp])[] = [
  ['UNIQUE(a)', /needs several columns; write UNIQUE after the column "a"/],
  ['UNIQUE(a, a)', /"a" is there twice/],
  ['UNIQUE(a, nam)', /there is no column "nam"; did you mean name\?/],
  ["t SET('x'), UNIQUE(a, t)", /"t" has no index for single values/],
  ['UNIQUE(a, body)', /"body" has no index for single values/],
  ['UNIQUE(a, name) NOTNULL', /"NOTNULL" cannot follow UNIQUE/],
  ['UNIQUE(a, name), UNIQUE(name, a)', /the same columns are unique already/],
  ['UNIQUE(a, name', /the parenthesis is never closed/],
  [
    'b I, c I, d I, UNIQUE(a,b), UNIQUE(a,c), UNIQUE(a,d), UNIQUE(b,c), UNIQUE(b,d)',
    /at most 4 groups/,
  ],
]

for (const [text, message] of REFUSED) {
  test(`${text} is refused with the correction`, async () => {
    const table_schema = `a I, name C(9), body X, ${text}`
    const answer = await post('/api/v2/datatable', {
      name: 'refused',
      parent_category_id: 1,
      table_schema,
    })
    assert.match(assertProblem(answer, 'invalid-content').detail, message)
  })
}

test('an upsert finds an entry by all columns, in any order', async () => {
  const table = await makeTable(server, 'room C(9), day D, note C(9), UNIQUE(room, day)')
  const post = (json: unknown, columns = 'room,day') =>
    server.call('POST', `${table.url}?on_conflict=${columns}`, { json })
  assert.equal((await post({ room: 'a', day: '2026-01-01', note: 'x' })).status, 201)
  assert.equal((await post({ room: 'a', day: '2026-01-01', note: 'y' }, 'day,room')).status, 200)
  const list = [
    { room: 'a', day: '2026-01-02' },
    { room: 'a', day: '2026-01-01', note: 'z' },
  ]
  assert.deepEqual((await post(list)).body.created, [true, false])
  const stored = await listAll(server, table.url)
  assert.deepEqual(
    stored.map(({ day, note }) => [day, note]),
    [
      ['2026-01-01', 'z'],
      ['2026-01-02', null],
    ],
  )
  const { errors } = assertProblem(await post([...list, list[0]]), 'not-unique')
  const detail = 'must be unique together with day, and /0 of this list has the same values'
  assert.deepEqual(errors, [{ pointer: '/2/room', detail }])
  assert.deepEqual(pointersOf(await post({ room: 'a' })), ['/day'])
  for (const columns of ['room', 'room,note', 'room,day,note', 'room,room'])
    assert.match(
      assertProblem(await post({}, columns), 'bad-request').detail,
      /this module has room,day\.$/,
    )
})

test('entries of a list may exchange unique values, and no value ends up twice', async () => {
  const schema = 'code C(9) UNIQUE, slug C(9) UNIQUE, a I, b I, UNIQUE(a, b)'
  const table = await makeTable(server, schema)
  const post = (json: unknown) => server.call('POST', `${table.url}?on_conflict=code`, { json })
  await post([
    { code: 'x', slug: 'one', a: 1, b: 1 },
    { code: 'y', slug: 'two', a: 2, b: 2 },
    { code: 'z', slug: 'three', a: 3, b: 3 },
  ])
  const swapped = await post([
    { code: 'x', slug: 'two', a: 2, b: 2 },
    { code: 'y', slug: 'one', a: 1, b: 1 },
  ])
  assert.equal(swapped.status, 200, swapped.text)
  const refused = await post([
    { code: 'x', slug: 'one' },
    { code: 'y', slug: 'three', a: 3, b: 3 },
  ])
  assert.deepEqual(assertProblem(refused, 'not-unique').errors, [
    { pointer: '/1/slug', detail: 'must be unique, and datatable_entry_id 3 has the same value' },
    {
      pointer: '/1/a',
      detail: 'must be unique together with b, and datatable_entry_id 3 has the same values',
    },
  ])
  const freed = await post([
    { code: 'x', slug: null, a: null },
    { code: 'z', slug: 'two', a: 2, b: 2 },
  ])
  assert.equal(freed.status, 200, freed.text)
  assert.deepEqual(
    (await listAll(server, table.url)).map(({ slug, a }) => [slug, a]),
    [
      [null, null],
      ['one', 1],
      ['two', 2],
    ],
  )
})

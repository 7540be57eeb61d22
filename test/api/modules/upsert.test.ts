// POST …?on_conflict=COLUMN: creates an entry, or updates the entry that has the same value in a unique column.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertProblem, pointersOf, read } from '../../helpers/content.ts'
import { ask } from '../../helpers/follow.ts'
import { changeSchema, listAll, makeCalendar, makeEntry, makeTable } from '../../helpers/modules.ts'
import { fc } from '../../helpers/properties.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

const SCHEMA = "code C(40) UNIQUE, title C(40) NOTNULL, kind C(9) DEFAULT 'new', n I"

let server: TestServer
let url: string
before(async () => {
  server = await startTestServer()
  url = (await makeTable(server, SCHEMA)).url
})
after(() => server.close())

const WHOLE = { prefer: 'return=representation' }
const upsert = (json: unknown, headers = {}, column = 'code', key?: string): Promise<Answer> =>
  server.call('POST', `${url}?on_conflict=${column}`, {
    json,
    headers,
    ...(key !== undefined && { key }),
  })

describe('one entry', () => {
  test('is created with 201, and updated with 200; columns that are left out stay the same', async () => {
    const made = await upsert({ code: 'one', title: 'First', n: 1 }, WHOLE)
    assert.equal(made.status, 201, made.text)
    const changed = await upsert({ code: 'one', n: 2 }, WHOLE)
    assert.equal(changed.status, 200, changed.text)
    const [before, now] = [made.body.datatable_entry, changed.body.datatable_entry]
    const { date_modified } = now
    assert.deepEqual(now, { ...before, n: 2, date_modified })
    assert.equal(changed.headers.location, made.headers.location)
    const stored = await read(server, `${String(changed.headers.location)}?fields=*`)
    assert.deepEqual(stored.body, now)
    // The ETag fits If-Match of the next update.
    const headers = { 'if-match': String(changed.headers.etag) }
    const next = await server.call('POST', String(changed.headers.location), {
      json: { n: 3 },
      headers,
    })
    assert.equal(next.status, 200, next.text)
  })

  test('is answered like a create by default and without a body for return=minimal', async () => {
    const json = { code: 'plain', title: 'Plain' }
    const values = { ...json, kind: 'new', n: null }
    assert.deepEqual((await upsert(json)).body, { datatable_entry: values })
    const again = await upsert({ code: 'plain', kind: 'old' })
    assert.deepEqual(again.body, { datatable_entry: { ...values, kind: 'old' } })
    assert.equal(again.headers.location, undefined)
    const minimal = { prefer: 'return=minimal' }
    const none = await upsert({ code: 'plain', n: 7 }, minimal)
    assert.equal(none.status, 204)
    assert.equal(none.headers['preference-applied'], 'return=minimal')
    assert.equal((await upsert({ code: 'plain 2', title: 'x' }, minimal)).status, 201)
  })

  test('that changes nothing keeps its ETag and date', async () => {
    const json = { code: 'same', title: 'Same' }
    const made = await upsert(json, WHOLE)
    const again = await upsert(json, WHOLE)
    assert.equal(again.status, 200)
    assert.deepEqual(again.body, made.body)
    assert.equal(again.headers.etag, made.headers.etag)
  })

  test('follows the rules of a create or of an update', async () => {
    assert.deepEqual(pointersOf(await upsert({ code: 'rules' })), ['/title'])
    await upsert({ code: 'rules', title: 'x' })
    assert.deepEqual(pointersOf(await upsert({ code: 'rules', title: null, n: 'y' })), [
      '/n',
      '/title',
    ])
    const other = await makeTable(server, 'a C(9) UNIQUE, b C(9) UNIQUE')
    const post = (json: unknown) => server.call('POST', `${other.url}?on_conflict=a`, { json })
    await post({ a: '1', b: 'x' })
    await post({ a: '2', b: 'y' })
    const { errors } = assertProblem(await post({ a: '2', b: 'x' }), 'not-unique')
    assert.deepEqual(errors, [
      { pointer: '/b', detail: 'must be unique, and datatable_entry_id 1 has the same value' },
    ])
  })

  test('needs a value in the column', async () => {
    for (const json of [{ title: 'x' }, { code: null, title: 'x' }])
      assert.match(
        assertProblem(await upsert(json), 'invalid-content').detail,
        /\/code must have a value: on_conflict=code finds the entry by it/,
      )
    assert.deepEqual(pointersOf(await upsert({ code: 5, title: 'x' })), ['/code'])
    assert.deepEqual(pointersOf(await upsert([7])), ['/0'])
  })
})

test('the column must be unique', async () => {
  for (const [column, hint] of [
    ['title', 'this module has code'],
    ['cod', 'did you mean "code"? this module has code'],
    ['constructor', 'this module has code'],
    ['datatable_entry_id', 'this module has code'],
  ] as const) {
    const { detail } = assertProblem(await upsert({ title: 'x' }, {}, column), 'bad-request')
    assert.ok(detail.includes(`"${column}" is not one; ${hint}`), detail)
  }
  const plain = await makeTable(server, 'a C(9)')
  const answer = await server.call('POST', `${plain.url}?on_conflict=a`, { json: { a: 'x' } })
  assert.match(assertProblem(answer, 'bad-request').detail, /this module has none\.$/)
})

test('the number of an AUTO column decides if it is sent, and later numbers continue after it', async () => {
  const table = await makeTable(server, 'n I AUTO, a C(9)')
  const post = (json: unknown, query = '?on_conflict=n') =>
    server.call('POST', `${table.url}${query}`, { json })
  assert.equal((await post({ n: 7, a: 'x' })).status, 201)
  assert.equal((await post({ n: 7, a: 'y' })).status, 200)
  assert.deepEqual(pointersOf(await post({ a: 'z' })), ['/n'])
  assert.equal((await post({ a: 'next' }, '')).body.datatable_entry.n, 8)
  const mixed = await post([
    { n: 20, a: 'new' },
    { n: 7, a: 'old' },
  ])
  assert.deepEqual(mixed.body.created, [true, false])
  assert.equal((await post({ a: 'next' }, '')).body.datatable_entry.n, 21)
})

test('decimals and texts are compared as the column compares them', async () => {
  const table = await makeTable(server, 'price N(9.2) UNIQUE, name C(2000) UNIQUE, a I')
  const post = (column: string, json: unknown) =>
    server.call('POST', `${table.url}?on_conflict=${column}`, { json })
  assert.equal((await post('price', { price: '1.5', a: 1 })).status, 201)
  assert.equal((await post('price', { price: '1.50', a: 2 })).status, 200)
  const long = 'x'.repeat(1_500)
  assert.equal((await post('name', { name: `${long}a` })).status, 201)
  assert.equal((await post('name', { name: `${long}b` })).status, 201)
  assert.equal((await post('name', { name: `${long}a`, a: 3 })).status, 200)
  assert.equal((await post('name', { name: `${long.toUpperCase()}a` })).status, 201)
})

describe('a list', () => {
  test('creates and updates in one commit and reports which entries are new', async () => {
    const table = await makeTable(server, SCHEMA)
    const post = (json: unknown, path = '', headers = {}) =>
      server.call('POST', `${table.url}${path}?on_conflict=code`, { json, headers })
    const first = await post([
      { code: 'a', title: 'A' },
      { code: 'b', title: 'B' },
    ])
    assert.deepEqual([first.status, first.body.created], [200, [true, true]])
    const before = await listAll(server, table.url)
    const second = await post(
      [
        { code: 'c', title: 'C' },
        { code: 'b', n: 5 },
        { code: 'a', title: 'A' },
      ],
      '/bulk',
      WHOLE,
    )
    assert.deepEqual([second.status, second.body.created], [200, [true, false, false]])
    const [c, b, a] = second.body.datatable_entry
    assert.deepEqual(a, before[0])
    assert.deepEqual(b, { ...before[1], n: 5, date_modified: b.date_modified })
    assert.deepEqual(await listAll(server, table.url), [a, b, c])
    assert.equal((await post([{ code: 'a' }], '', { prefer: 'return=minimal' })).status, 204)
    // Numbers that an upsert did not use are not lost.
    assert.equal(c.datatable_entry_id, b.datatable_entry_id + 1)
  })

  test('with a repeated value is refused with both positions', async () => {
    const before = await listAll(server, url)
    const list = ['x', 'y', 'x'].map((code) => ({ code, title: 't' }))
    const { errors } = assertProblem(await upsert(list), 'not-unique')
    const detail = 'must be unique, and /0 of this list has the same value'
    assert.deepEqual(errors, [{ pointer: '/2/code', detail }])
    await upsert(list.slice(0, 2))
    assertProblem(await upsert(list), 'not-unique')
    assert.equal((await listAll(server, url)).length, before.length + 2)
  })

  test('with one fault changes nothing, and every fault is reported with its position', async () => {
    await upsert({ code: 'kept', title: 'Kept', n: 1 })
    const before = await listAll(server, url)
    const refused = await upsert([
      { code: 'kept', n: 2 },
      { code: 'unknown' },
      { code: 'kept too', title: 5 },
      { title: 'x' },
    ])
    assert.deepEqual(pointersOf(refused), ['/1/title', '/2/title', '/3/code'])
    assert.deepEqual(await listAll(server, url), before)
    const [entry] = before
    const { errors } = assertProblem(
      await upsert([{ ...entry, date_modified: '2020-01-01T00:00:00.000Z' }]),
      'record-changed',
    )
    assert.equal(errors[0].pointer, '/0/date_modified')
  })
})

test('references are checked as in a create and an update', async () => {
  const authors = await makeTable(server, 'name C(9)')
  const { datatable_entry_id: author } = await makeEntry(server, authors.url, { name: 'Ada' })
  const table = await makeTable(
    server,
    `code C(9) UNIQUE, author I REFERENCES datatable ${authors.id}`,
  )
  const post = (json: unknown) => server.call('POST', `${table.url}?on_conflict=code`, { json })
  assert.equal((await post([{ code: 'a', author }, { code: 'b' }])).status, 200)
  const refused = await post([
    { code: 'b', author: 999 },
    { code: 'c', author: 999 },
  ])
  assert.deepEqual(pointersOf(refused), ['/0/author', '/1/author'])
  // A reference that stays the same is not checked again.
  await server.call('DELETE', `${authors.url}/${author}`)
  assert.equal((await post({ code: 'b' })).status, 200)
})

test('an event is updated by a unique column of its calendar', async () => {
  const calendar = await makeCalendar(server, { table_schema: 'code C(60) UNIQUE' })
  const post = (json: unknown) => server.call('POST', `${calendar.url}?on_conflict=code`, { json })
  const event = { code: 'a@b', event_title: 'Talk', start_time: '2026-03-02', all_day: true }
  assert.equal((await post({ ...event, end_time: '2026-03-04' })).status, 201)
  assert.deepEqual(pointersOf(await post({ code: 'a@b', end_time: '2026-03-01' })), ['/end_time'])
  const moved = await post({ code: 'a@b', start_time: '2026-03-03' })
  assert.equal(moved.status, 200, moved.text)
  assert.equal(moved.body.calendar_entry.start_time, '2026-03-03T00:00:00.000Z')
  assert.equal(moved.body.calendar_entry.end_time, '2026-03-04T00:00:00.000Z')
})

test('an upsert needs the grant modify, and without view the response has no body', async () => {
  const create = await server.makeKey({ name: 'creator', grants: 'create,view' })
  const json = { code: 'secret', title: 'Secret', n: 9 }
  assertProblem(await upsert(json, {}, 'code', create), 'grant-missing')
  const modify = await server.makeKey({ name: 'modifier', grants: 'modify' })
  const made = await upsert(json, WHOLE, 'code', modify)
  assert.deepEqual([made.status, made.text, made.headers.location], [201, '', undefined])
  const changed = await upsert({ code: 'secret', kind: 'x' }, WHOLE, 'code', modify)
  assert.deepEqual(
    [changed.status, changed.text, changed.headers.location, changed.headers.etag],
    [204, '', undefined, undefined],
  )
  assert.equal((await upsert([json, { ...json, code: 'secret 2' }], {}, 'code', modify)).text, '')
})

test('a retry with the same Idempotency-Key changes nothing and gets the same response', async () => {
  for (const [at, count] of [3, 300].entries()) {
    const list = Array.from({ length: count }, (_, row) => ({
      code: `retry ${at} ${row}`,
      title: 't'.repeat(40),
    }))
    await upsert(list.slice(0, 2))
    const headers = { ...WHOLE, 'idempotency-key': `upsert-${at}` }
    const first = await upsert(list, headers)
    const again = await upsert(list, headers)
    assert.equal(again.headers['idempotency-replayed'], 'true')
    assert.deepEqual([again.status, again.body], [first.status, first.body])
    assert.equal(first.body.created.filter(Boolean).length, count - 2)
  }
})

test('the change feed and the audit trail distinguish creates from updates', async () => {
  const table = await makeTable(server, SCHEMA)
  const post = (json: unknown) => server.call('POST', `${table.url}?on_conflict=code`, { json })
  await post({ code: 'a', title: 'A' })
  const { page } = await ask(server)
  await post({ code: 'a', n: 1 })
  await post([
    { code: 'b', title: 'B' },
    { code: 'a', n: 2 },
    { code: 'b2', title: 'B' },
  ])
  const { change: changes } = await ask(server, `since=${page.next}`)
  assert.deepEqual(
    changes.map(({ action, object_id: id, changed_fields: fields }: any) => [action, id, fields]),
    [
      ['update', 1, ['n']],
      ['update', 1, ['n']],
      ['create', 2, null],
      ['create', 3, null],
    ],
  )
  const audit = await server.call('GET', '/api/v2/audit?orderStr=audit_id&orderDir=DESC&length=2')
  assert.deepEqual(
    audit.body.audit.map(({ action, count }: any) => [action, count]),
    [
      ['create', 3],
      ['update', 1],
    ],
  )
})

test('one of many writers of a new value creates the entry, and the others update it', async () => {
  const codes = ['race 1', 'race 2', 'race 3']
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, at) =>
      at % 4 === 0
        ? upsert(codes.map((code) => ({ code, title: `by ${at}` })))
        : upsert({ code: codes[at % 3], title: `by ${at}` }),
    ),
  )
  const created = answers.flatMap(({ status, body }) => body.created ?? [status === 201])
  assert.equal(created.filter(Boolean).length, 3)
  assert.ok(answers.every(({ status }) => status === 200 || status === 201))
  const stored = (await listAll(server, url)).filter(({ code }) => codes.includes(code))
  assert.deepEqual(stored.map(({ code }) => code).toSorted(), codes)
})

test('an entry that is deleted meanwhile is created again', async () => {
  for (let round = 0; round < 20; round += 1) {
    const { datatable_entry_id: id } = await makeEntry(server, url, {
      code: `gone ${round}`,
      title: 'x',
    })
    const [removed, answer] = await Promise.all([
      server.call('DELETE', `${url}/${id}`),
      upsert([{ code: `gone ${round}`, title: 'y' }], WHOLE),
    ])
    assert.equal(removed.status, 204)
    assert.equal(answer.status, 200, answer.text)
    const left = (await listAll(server, url)).filter(({ code }) => code === `gone ${round}`)
    assert.equal(left.length, answer.body.created[0] === true ? 1 : 0)
  }
})

test('a change of columns during an upsert leaves every entry complete', async () => {
  const table = await makeTable(server, 'code C(9) UNIQUE, a I')
  const lists = Array.from({ length: 20 }, (_, at) =>
    server.call('POST', `${table.url}?on_conflict=code`, {
      json: Array.from({ length: 50 }, (__, row) => ({ code: String(row), a: at })),
    }),
  )
  const change = changeSchema(server, table.path, { table_schema: 'code C(9) UNIQUE, a I, b I' })
  for (const answer of await Promise.all(lists)) assert.equal(answer.status, 200, answer.text)
  assert.equal((await change).status, 200)
  const all = await listAll(server, table.url)
  assert.equal(all.length, 50)
  assert.ok(all.every((entry) => entry.b === null))
})

test('any sequence of upserts agrees with a plain map', async () => {
  const body = fc.record(
    { code: fc.constantFrom('a', 'b', 'c', 'd'), title: fc.constantFrom('x', 'y'), n: fc.nat(3) },
    { requiredKeys: ['code'] },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(body, { minLength: 1, maxLength: 4 })), async (lists) => {
      const table = await makeTable(server, 'code C(9) UNIQUE, title C(9) NOTNULL, n I')
      const model = new Map<string, object>()
      for (const list of lists) {
        const next = new Map(model)
        const isTwice = new Set(list.map(({ code }) => code)).size < list.length
        const isPartial = list.some((item) => !model.has(item.code) && item.title === undefined)
        for (const item of list) next.set(item.code, { n: null, ...model.get(item.code), ...item })
        const created = list.map(({ code }) => !model.has(code))
        const answer = await server.call('POST', `${table.url}?on_conflict=code`, { json: list })
        if (isPartial) assertProblem(answer, 'invalid-content')
        else if (isTwice) assertProblem(answer, 'not-unique')
        else {
          assert.deepEqual(answer.body.created, created)
          model.clear()
          for (const [code, entry] of next) model.set(code, entry)
        }
        const stored = await listAll(server, table.url, { fields: 'code,title,n' })
        assert.deepEqual(
          new Set(stored.map((entry) => JSON.stringify(Object.entries(entry).toSorted()))),
          new Set(
            [...model.values()].map((entry) => JSON.stringify(Object.entries(entry).toSorted())),
          ),
        )
      }
    }),
    { numRuns: 12 },
  )
})

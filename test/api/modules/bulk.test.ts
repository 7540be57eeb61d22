// Many entries in one request: up to 500 entries and 3,000 values, all or none, in one commit.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem, pointersOf, read } from '../../helpers/content.ts'
import { listAll, listEntries, makeCalendar, makeTable } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'
import { tamper } from '../../helpers/site.ts'
import { verifyRecords } from '../../../lib/storage/integrity/verify-records.ts'

const SCHEMA = 'title C(40) NOTNULL, a I, b C(20), c L, d D, e N(8.2), f X'

let server: TestServer
let url: string
before(async () => {
  server = await startTestServer()
  url = (await makeTable(server, SCHEMA)).url
})
after(() => server.close())

const count = async (): Promise<number> =>
  (await listEntries(server, url, { count: 'exact' })).page.total
const send = (json: unknown, headers = {}) => server.call('POST', url, { json, headers })
const rowsOf = (length: number) =>
  Array.from({ length }, (_, at) => ({
    title: `t${at}`,
    a: at,
    b: 'b',
    c: at % 2 === 0,
    d: '2026-01-31',
    e: '1.50',
    f: 'text',
  }))

test('a list of entries is created in one request, in order, and returned as a list', async () => {
  const rows = rowsOf(3)
  const answer = await send(rows)
  assert.equal(answer.status, 201, answer.text)
  assert.equal(answer.headers.location, undefined)
  assert.deepEqual(answer.body, { datatable_entry: rows })
  const stored = await listAll(server, url)
  assert.deepEqual(
    stored.slice(-3).map((entry) => entry.title),
    ['t0', 't1', 't2'],
  )
})

test('the address /bulk also creates a list, and refuses a single entry with the correct address', async () => {
  const rows = rowsOf(2)
  const bulk = (json: unknown, headers = {}) =>
    server.call('POST', `${url}/bulk`, { json, headers })
  const before = await count()
  const answer = await bulk(rows, { 'idempotency-key': 'bulk-1' })
  assert.equal(answer.status, 201, answer.text)
  assert.deepEqual(answer.body, { datatable_entry: rows })
  const again = await bulk(rows, { 'idempotency-key': 'bulk-1' })
  assert.equal(again.headers['idempotency-replayed'], 'true')
  assert.deepEqual(again.body, answer.body)
  assert.equal(await count(), before + 2)
  const { detail } = assertProblem(await bulk(rows[0]), 'invalid-content')
  assert.match(detail, /must be a list of entries\..* without \/bulk/)
  assert.equal(await count(), before + 2)
})

test('an L column accepts true and false as strings, also in a qry', async () => {
  const titles = ['true', 'false', '1', '0']
  const answer = await send(titles.map((c) => ({ title: `L ${c}`, c })))
  assert.equal(answer.status, 201, answer.text)
  const stored = answer.body.datatable_entry.map(({ c }: any) => c)
  assert.deepEqual(stored, [true, false, true, false])
  const qry = JSON.stringify({ title: { $startsWith: 'L ' }, c: 'true' })
  const page = await listEntries(server, url, { qry })
  assert.equal(page.datatable_entry.length, 2)
  assert.deepEqual(pointersOf(await send({ title: 'L', c: 'yes' })), ['/c'])
})

test('a list of one entry is a list in the response and in the pointers to faults', async () => {
  const answer = await send([{ title: 'alone' }])
  assert.equal(answer.status, 201)
  assert.deepEqual(
    answer.body.datatable_entry.map((entry: any) => entry.title),
    ['alone'],
  )
  assert.deepEqual(pointersOf(await send([{ title: 5, nope: 1 }])), ['/0/nope', '/0/title'])
  assert.deepEqual(pointersOf(await send(['text'])), ['/0'])
})

test('with Prefer: return=representation the list has whole entries, but no Location', async () => {
  const answer = await send(rowsOf(2), { prefer: 'return=representation' })
  assert.equal(answer.headers['preference-applied'], 'return=representation')
  assert.equal(answer.headers.location, undefined)
  const [first, second] = answer.body.datatable_entry
  assert.equal(second.datatable_entry_id, first.datatable_entry_id + 1)
  assert.equal(second.date_added, first.date_added)
  const path = `${url}/${second.datatable_entry_id}?fields=*`
  assert.deepEqual((await read(server, path)).body, second)
})

test('3,000 values fit one request; one more entry or an empty list is refused with the limit', async () => {
  const before = await count()
  assert.equal((await send(rowsOf(428))).status, 201)
  assert.equal(await count(), before + 428)
  for (const length of [429, 0]) {
    const { detail } = assertProblem(await send(rowsOf(length)), 'invalid-content')
    assert.match(detail, new RegExp(`1 to 428 entries here .3000 values .* ${length}\\.`))
  }
  assert.equal(await count(), before + 428)
})

test('500 entries with few columns fit one request', async () => {
  const narrow = await makeTable(server, 'a C(5), b I')
  const post = (length: number) =>
    server.call('POST', narrow.url, { json: Array.from({ length }, (_, b) => ({ b })) })
  assert.equal((await post(500)).status, 201)
  const { detail } = assertProblem(await post(501), 'invalid-content')
  assert.match(detail, /1 to 500 entries; this one has 501\./)
})

test('one fault refuses the whole list, and every fault is reported with its pointer', async () => {
  const before = await count()
  const rows: object[] = rowsOf(50)
  rows[3] = { a: 1 }
  rows[17] = { title: 'x', a: 'y', zzz: 1 }
  rows[49] = null as unknown as object
  const refused = await send(rows)
  assert.deepEqual(pointersOf(refused), ['/17/a', '/17/zzz', '/3/title', '/49'])
  assert.equal(await count(), before)
})

test('a list with faults everywhere is refused quickly, with a part of the faults', async () => {
  const wrong = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`unknown_${at}`, 1]))
  const started = performance.now()
  const { errors } = assertProblem(
    await send(Array.from({ length: 400 }, () => wrong)),
    'invalid-content',
  )
  assert.ok(errors.length >= 100 && errors.length <= 1_300, String(errors.length))
  assert.ok(performance.now() - started < 10_000)
})

test('an object with too many keys is refused, by itself or in a list', async () => {
  const keys = Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`k${at}`, 1]))
  assertProblem(await send(keys), 'invalid-content')
  assertProblem(await send([keys]), 'invalid-content')
})

test('an update accepts one object, and a list of lists is refused', async () => {
  await send([{ title: 'x' }])
  const answer = await server.call('POST', `${url}/1`, { json: [{ title: 'y' }] })
  assert.deepEqual(pointersOf(answer), [''])
  assert.deepEqual(pointersOf(await send([[{ title: 'x' }]])), ['/0'])
})

test('events can be created in lists and are checked as a whole', async () => {
  const calendar = await makeCalendar(server)
  const event = { event_title: 'a', start_time: '2026-01-02' }
  const json = [event, { ...event, end_time: '2026-01-01' }, { ...event, end_time: '2026-01-03' }]
  assert.deepEqual(pointersOf(await server.call('POST', calendar.url, { json })), ['/1/end_time'])
  assert.equal((await server.call('POST', calendar.url, { json: [json[0], json[2]] })).status, 201)
})

test('simultaneous lists are each complete, and no number is issued twice', async () => {
  const { url: own } = await makeTable(server, SCHEMA)
  const lists = Array.from({ length: 8 }, (_, list) =>
    rowsOf(100).map((row) => ({ ...row, b: `list ${list}` })),
  )
  const answers = await Promise.all(lists.map((json) => server.call('POST', own, { json })))
  assert.deepEqual(
    answers.map((answer) => answer.status),
    lists.map(() => 201),
  )
  const stored = await listAll(server, own)
  assert.equal(new Set(stored.map((entry) => entry.datatable_entry_id)).size, 800)
  for (const [list] of lists.entries()) {
    const titles = stored.filter((entry) => entry.b === `list ${list}`).map((entry) => entry.title)
    assert.deepEqual(
      titles,
      rowsOf(100).map((row) => row.title),
    )
  }
})

test('a list needs the grant create, and is refused if the module is deleted before the commit', async () => {
  const key = await server.makeKey({ name: 'v', grants: 'view,delete' })
  assertProblem(await server.call('POST', url, { json: rowsOf(2), key }), 'grant-missing')

  const table = await makeTable(server, SCHEMA)
  const writes = Array.from({ length: 10 }, () =>
    server.call('POST', table.url, { json: rowsOf(200) }),
  )
  const removed = await server.call('DELETE', table.path)
  assert.equal(removed.status, 204)
  for (const answer of await Promise.all(writes)) {
    if (answer.status !== 201) assertProblem(answer, 'not-found')
  }
  assertProblem(await server.call('GET', table.url), 'not-found')
})

test('lists are stored as they are returned and can be found by each column', async (t) => {
  const own = await startTestServer()
  t.after(() => own.close())
  const table = await makeTable(
    own,
    'at T DEFTIMESTAMP, a C(20), n I AUTO, day D DEFDATE, b C(20), e N(8.2)',
  )
  const headers = { prefer: 'return=representation' }
  const answered: any[] = []
  for (const length of [3, 350, 2]) {
    const json = Array.from({ length }, (_, at) => ({
      a: `é${answered.length + at}\0`,
      b: '\ud83d\ude00',
      ...(at % 2 === 1 && {
        at: '2020-01-01T00:00:00.000Z',
        n: 10_000 * (answered.length + 1) + at,
      }),
      e: '1.50',
    }))
    const { status, body } = await own.call('POST', table.url, { json, headers })
    assert.equal(status, 201)
    answered.push(...body.datatable_entry)
  }

  assert.deepEqual(await listAll(own, table.url), answered)
  for (const entry of [answered[0], answered[1], answered[2], answered[300], answered[353]])
    for (const name of ['at', 'a', 'n', 'day', 'date_added', 'date_modified', 'owner']) {
      const qry = encodeURIComponent(JSON.stringify({ [name]: entry[name], n: entry.n }))
      const { body } = await own.call('GET', `${table.url}?qry=${qry}`)
      assert.deepEqual(body.datatable_entry, [entry], name)
    }
  await own.stop()
  await tamper(own.dataDir, async (kv) => {
    assert.deepEqual(verifyRecords(kv).faults, [])
  })
})

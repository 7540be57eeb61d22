// AUTO: the number that an entry gets if its create request has none.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRanOnce } from '../../helpers/audit.ts'
import { assertProblem, pointersOf } from '../../helpers/content.ts'
import { changeSchema, listAll, makeEntries, makeEntry, makeTable } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'
import { tamper } from '../../helpers/site.ts'
import { moduleNumbers } from '../../../lib/schema/module.ts'
import { verifyRecords } from '../../../lib/storage/integrity/verify-records.ts'

let server: TestServer
before(async () => {
  server = await startTestServer({ config: { trashDays: 0 } })
})
after(() => server.close())

const post = (url: string, json: unknown) => server.call('POST', url, { json })
const numbersOf = async (url: string): Promise<readonly unknown[]> =>
  (await listAll(server, url)).map((entry) => entry.n)
/** Creates an entry and returns its number. */
const next = async (url: string): Promise<unknown> => (await makeEntry(server, url, {})).n

test('entries are numbered from 1, and the column is shown as AUTO', async () => {
  const { url, record } = await makeTable(server, 'n I AUTO, a C(9)')
  const [column] = record.columns
  assert.deepEqual([column.isAuto, column.isUnique, column.isRequired], [true, true, true])
  assert.deepEqual((await post(url, { a: 'x' })).body, { datatable_entry: { n: 1, a: 'x' } })
  assert.equal(await next(url), 2)
  assert.equal((await makeEntry(server, url, { n: null })).n, 3)
})

test('a number is never reused, even after the entry with the highest number was deleted', async () => {
  const { url } = await makeTable(server, 'n R AUTOINCREMENT KEY')
  for (const number of [1, 2, 3]) assert.equal(await next(url), number)
  for (const id of [3, 2]) await server.call('DELETE', `${url}/${id}`)
  assert.equal(await next(url), 4)
  await server.call('DELETE', `${url}/4`)
  await server.call('DELETE', `${url}/1`)
  assert.equal(await next(url), 5)
})

test('a number in the body is accepted, and the next number is above it', async () => {
  const { url } = await makeTable(server, 'n I AUTO, a I')
  assert.equal((await makeEntry(server, url, { n: 10 })).n, 10)
  assert.equal(await next(url), 11)
  assert.equal((await makeEntry(server, url, { n: 5 })).n, 5)
  assert.equal((await makeEntry(server, url, { n: -3 })).n, -3)
  assert.equal(await next(url), 12)
  const refused = assertProblem(await post(url, { n: 11 }), 'not-unique')
  assert.deepEqual(
    refused.errors.map((fault: any) => fault.pointer),
    ['/n'],
  )
})

test('an update can set a higher number and cannot remove it', async () => {
  const { url } = await makeTable(server, 'n I AUTO, a I')
  await makeEntry(server, url, {})
  await makeEntry(server, url, {})
  assert.equal((await post(`${url}/1`, { n: 40, a: 1 })).status, 200)
  assert.equal(await next(url), 41)
  assertProblem(await post(`${url}/2`, { n: 41 }), 'not-unique')
  assert.deepEqual(pointersOf(await post(`${url}/2`, { n: null })), ['/n'])
  assert.equal((await post(`${url}/2`, { a: 5 })).body.n, 2)
  assert.equal((await post(`${url}/1`, { n: 3 })).status, 200)
  assert.equal(await next(url), 42)
})

test('numbers in the bodies of a list count first, and a refused list uses no number', async () => {
  const { url } = await makeTable(server, 'n I AUTO, a C(2)')
  assert.equal((await post(url, [{ a: 'x' }, { n: 1 }, {}, { n: 7 }])).status, 201)
  assert.deepEqual(await numbersOf(url), [8, 1, 9, 7])
  assertProblem(await post(url, [{}, {}, { n: 9 }]), 'not-unique')
  assertProblem(await post(url, [{}, { a: 'too long' }]), 'invalid-content')
  assert.equal(await next(url), 10)
})

test('entries that are created concurrently get distinct numbers without a gap', async () => {
  const { url } = await makeTable(server, 'n I AUTO')
  const rows = [{}, {}, {}]
  const answers = await Promise.all(Array.from({ length: 10 }, () => post(url, rows)))
  for (const answer of answers) assert.equal(answer.status, 201)
  const numbers = (await numbersOf(url)).toSorted((left, right) => Number(left) - Number(right))
  assert.deepEqual(
    numbers,
    Array.from({ length: 30 }, (_, at) => at + 1),
  )
})

test('a type without a higher number refuses the create, and a wider type continues', async () => {
  const { url, path } = await makeTable(server, 'n I1 AUTO, a I')
  await makeEntry(server, url, { n: 126 })
  const refused = await post(url, [{ a: 1 }, { a: 2 }, { n: 3 }])
  assert.deepEqual(pointersOf(refused), ['/1/n'])
  assert.match(refused.body.detail, /after 127; .*I8/)
  assert.equal(await next(url), 127)
  assert.equal((await post(url, { a: 1 })).status, 422)
  assert.equal((await changeSchema(server, path, { table_schema: 'n I2 AUTO, a I' })).status, 200)
  assert.equal(await next(url), 128)
})

test('numbers beyond 2^53 continue exactly', async () => {
  const { url } = await makeTable(server, 'n I8 AUTO')
  await makeEntry(server, url, { n: '9007199254740993' })
  assert.equal(await next(url), '9007199254740994')
  assert.equal(await next(url), '9007199254740995')
})

test('each AUTO column has its own numbers', async () => {
  const { url } = await makeTable(server, 'n I AUTO, m R AUTO KEY')
  await makeEntry(server, url, { m: 100 })
  const { n, m } = await makeEntry(server, url, {})
  assert.deepEqual([n, m], [2, 101])
})

test('R without AUTO is an ordinary whole number', async () => {
  const { url } = await makeTable(server, 'n R')
  assert.equal(await next(url), null)
})

test('a column with entries can become AUTO if its numbers are unique, and continues after them', async () => {
  const { url, path } = await makeTable(server, 'a I, m I')
  await makeEntries(server, url, [{ a: 1, m: 4 }, { a: 2, m: 90 }, { a: 3 }])
  const change = (table_schema: string, more: object = {}) =>
    changeSchema(server, path, { table_schema, ...more })
  const added = await change('a I, m I, n I AUTO')
  assert.match(assertProblem(added, 'invalid-content').detail, /3 entries without a number.*AUTO/)
  assertProblem(await change('a I, m I AUTO'), 'schema-conflict')

  await post(`${url}/3`, { m: 5 })
  const columns = [{ name: 'n', renamed_from: 'm' }]
  assert.equal((await change('a I, n I AUTO', { columns })).status, 200)
  await server.call('DELETE', `${url}/2`)
  assert.equal(await next(url), 91)

  // The next number follows the maximum of the earlier counter and the numbers given while the column was not
  // AUTO.
  assert.equal((await change('a I, n I')).status, 200)
  assert.equal((await post(`${url}/4`, { n: 200 })).status, 200)
  assert.equal((await change('a I, n I AUTO')).status, 200)
  await server.call('DELETE', `${url}/4`)
  assert.equal(await next(url), 201)
})

test('existing numbers beyond 2^53 are counted exactly when a column becomes AUTO', async () => {
  const { url, path } = await makeTable(server, 'n I8')
  const all = ['9007199254740994', '9007199254740993', '9007199254740992']
  await makeEntries(
    server,
    url,
    all.map((n) => ({ n })),
  )
  assert.equal((await changeSchema(server, path, { table_schema: 'n I8 AUTO' })).status, 200)
  assert.equal(await next(url), '9007199254740995')
})

test('numbers continue after a restart, and a deleted table leaves none behind', async () => {
  const { url } = await makeTable(server, 'n I AUTO')
  const gone = await makeTable(server, 'n I AUTO')
  for (const each of [url, url, gone.url]) await makeEntry(server, each, {})
  await server.call('DELETE', `${url}/2`)
  assert.equal((await server.call('DELETE', gone.path)).status, 204)
  await server.stop()

  await tamper(server.dataDir, async (kv, records) => {
    assert.deepEqual(verifyRecords(kv).faults, [])
    assert.equal(records.get(moduleNumbers, 'datatable', gone.id), undefined)
  })
  server = await startTestServer({ dataDir: server.dataDir, config: { trashDays: 0 } })
  assert.equal(await next(url), 3)
})

test('a refused create does not affect other creates in the same commit', async () => {
  const { url } = await makeTable(server, 'n I AUTO, a C(9) UNIQUE')
  await makeEntry(server, url, { a: 'taken' })
  const asked = Array.from({ length: 40 }, (_, at) => (at % 4 === 1 ? 'taken' : `a${at}`))
  const answers = await Promise.all(asked.map((a) => post(url, { a })))
  assert.deepEqual(
    answers.map(({ status }) => status),
    asked.map((a) => (a === 'taken' ? 409 : 201)),
  )
  await assertRanOnce(server, 30)
})

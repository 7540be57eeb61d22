// The accepted forms of dates and numbers, and the form in answers: in bodies, in qry, in the base fields of
// calendars, in windows, and in the documents.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem, pointersOf, read } from '../../helpers/content.ts'
import {
  entriesOf,
  listEntries,
  makeCalendar,
  makeEntries,
  makeEntry,
  makeTable,
  type MadeModule,
  queryOf,
} from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
let calendar: MadeModule
before(async () => {
  server = await startTestServer()
  calendar = await makeCalendar(server)
})
after(() => server.close())

const TIMES: readonly (readonly [unknown, string])[] = [
  ['20240229', '2024-02-29T00:00:00.000Z'],
  ['20240229123456', '2024-02-29T12:34:56.000Z'],
  ['1709164800', '2024-02-29T00:00:00.000Z'],
  [1709164800, '2024-02-29T00:00:00.000Z'],
  ['157766400', '1975-01-01T00:00:00.000Z'],
  [86_400, '1970-01-02T00:00:00.000Z'],
  ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59.000Z'],
]

for (const [given, answered] of TIMES) {
  test(`${JSON.stringify(given)} is ${answered} in every date field`, async () => {
    const event = { event_title: 'x', start_time: given, end_time: given }
    const entry = await makeEntry(server, calendar.url, event)
    assert.deepEqual([entry.start_time, entry.end_time], [answered, answered])
    const changed = await server.call('POST', `${calendar.url}/${entry.calendar_entry_id}`, {
      json: { start_time: given },
    })
    assert.deepEqual([changed.status, changed.body.start_time], [200, answered])
    for (const qry of [{ start_time: given }, { start_time: { $gte: given, $lte: given } }]) {
      const found = entriesOf(await listEntries(server, calendar.url, { qry }))
      assert.ok(found.length > 0 && found.every((item) => item.start_time === answered))
    }
    const window = await server.call('GET', `${calendar.url}?from=${String(given)}&to=20280101`)
    if (typeof given === 'string' && answered > '2024')
      assert.equal(window.status, 200, window.text)
  })
}

test('the expiry of a key accepts the same forms', async () => {
  for (const [expires, answered] of [
    ['20991231', '2099-12-31T00:00:00.000Z'],
    ['4102358400', '2099-12-31T00:00:00.000Z'],
  ]) {
    const json = { name: `key ${expires}`, date_expires: expires }
    const answer = await server.call('POST', '/api/v2/api_key', { json })
    assert.deepEqual([answer.status, answer.body.date_expires], [201, answered], answer.text)
  }
  const json = { name: 'never', date_expires: '2099-12-31T24:00:00Z' }
  assert.deepEqual(pointersOf(await server.call('POST', '/api/v2/api_key', { json })), [
    '/date_expires',
  ])
})

/** Invalid times with the expected error. */
const NO_TIMES: readonly (readonly [unknown, RegExp])[] = [
  ['2024-02-29T24:00:00Z', /hours go from 00 to 23: the end of a day is 00:00:00 of the next day/],
  ['2024022', /digits must be a day \(YYYYMMDD\), a time \(YYYYMMDDhhmmss\), or nine to eleven/],
  ['12345678901234567', /digits must be a day/],
  ['20241301', /digits must be a day/],
  ['20240229240000', /digits must be a day/],
  ['5', /digits must be a day/],
  ['123456789012', /digits must be a day/],
  [20240229, /20240229 may be a day or seconds since 1970: send the day as "2024-02-29"/],
]

for (const [given, hint] of NO_TIMES) {
  test(`${JSON.stringify(given)} is not a date, and the error says why`, async () => {
    const json = { event_title: 'x', start_time: given }
    const refused = await server.call('POST', calendar.url, { json })
    assert.deepEqual(pointersOf(refused), ['/start_time'])
    assert.match(refused.body.detail, hint)
    const qry = queryOf({ qry: { start_time: { $gte: given } } })
    const search = await server.call('GET', `${calendar.url}?${qry}`)
    assert.match(assertProblem(search, 'bad-qry').detail, hint)
    const { url } = await makeTable(server, 'a D')
    const day = await server.call('POST', url, { json: { a: given } })
    assert.deepEqual(pointersOf(day), ['/a'])
    assert.match(day.body.detail, hint)
    if (typeof given === 'number') return
    const window = await server.call('GET', `${calendar.url}?from=${given}&to=2025-01-01`)
    assert.match(assertProblem(window, 'bad-request').detail, hint)
  })
}

test('a decimal is a string in every response and is compared as a number', async () => {
  const { url } = await makeTable(server, 'n N(10.2) DEFAULT 1.5, m N')
  const headers = { prefer: 'return=representation' }
  for (const [given, answered] of [
    [1.5, '1.5'],
    ['1.50', '1.50'],
    [3, '3'],
    [-0, '0'],
    ['+07', '7'],
  ] as const) {
    const answer = await server.call('POST', url, { json: { n: given, m: given } })
    assert.deepEqual(
      [answer.body.datatable_entry.n, answer.body.datatable_entry.m],
      [answered, answered],
    )
    const whole = await server.call('POST', url, { json: { n: given }, headers })
    const { n, datatable_entry_id: id } = whole.body.datatable_entry
    assert.equal(n, answered)
    assert.equal((await read(server, `${url}/${id}?fields=n`)).body.n, answered)
    const updated = await server.call('POST', `${url}/${id}`, { json: { n: given } })
    assert.equal(updated.body.n, answered)
  }
  assert.equal((await makeEntry(server, url, {})).n, '1.5')
  const all = entriesOf(await listEntries(server, url))
  assert.ok(all.every(({ n }) => typeof n === 'string'))
  for (const n of [1.5, '1.5', '1.50', '.15e1', '01.500'])
    assert.equal(entriesOf(await listEntries(server, url, { qry: { n } })).length, 5)
})

test('the documents describe the form of a decimal', async () => {
  const { id, url } = await makeTable(server, 'n N(10.2) NOTNULL, m N')
  const { body } = await server.call('GET', '/public/api/module/swagger.json')
  const { properties } = body.components.schemas[`datatable_${id}_entry`]
  assert.equal(properties.n.type, 'string')
  assert.deepEqual(properties.m.type, ['string', 'null'])
  assert.match((await makeEntry(server, url, { n: 12.5 })).n, new RegExp(properties.n.pattern))
})

test('every numeric column and qry accept a string with an exact number', async () => {
  const types = ['I', 'I1', 'I2', 'I4', 'I8', 'R', 'I UNSIGNED', 'F', 'N', 'N(5.2)']
  const names = types.map((_, at) => `c${at}`)
  const schema = types.map((type, at) => `c${at} ${type}`).join(', ')
  const { url } = await makeTable(server, schema)
  for (const text of ['5', '+5', '05', '5.', '5.00', '.5e1', '0.5E+1', '50e-1']) {
    const entry = await makeEntry(
      server,
      url,
      Object.fromEntries(names.map((name) => [name, text])),
    )
    for (const name of names) {
      assert.equal(Number(entry[name]), 5)
      const found = entriesOf(await listEntries(server, url, { qry: { [name]: text } }))
      assert.ok(found.length > 0, name)
    }
  }
  for (const text of ['', ' 5', '5 ', '5x', '0x5', '1_0', '٥', 'e5', '.', '--5', 'Infinity']) {
    const json = Object.fromEntries(names.map((name) => [name, text]))
    const refused = await server.call('POST', url, { json })
    assert.deepEqual(
      pointersOf(refused),
      names.map((name) => `/${name}`),
      text,
    )
  }
})

test('a UNIQUE column distinguishes case and Unicode forms, as the documents say', async () => {
  const { id, url } = await makeTable(server, 'a C(9) UNIQUE')
  await makeEntries(server, url, [{ a: 'abc' }, { a: 'ABC' }, { a: '\u00e9' }, { a: 'e\u0301' }])
  const { body } = await server.call('GET', '/public/api/module/swagger.json')
  const { description } = body.components.schemas[`datatable_${id}_entry`].properties.a
  assert.match(description, /abc differs from ABC.*NFC.*NFD/)
})

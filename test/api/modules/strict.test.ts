// Values that are stored in a different form than sent: accepted as documented, and refused if the client
// sends Prefer: handling=strict.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pointersOf, read } from '../../helpers/content.ts'
import { makeCalendar, makeTable } from '../../helpers/modules.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
let url: string
before(async () => {
  server = await startTestServer()
  url = (await makeTable(server, 't T, d D, f F, n N(30.20), c C(20)')).url
})
after(() => server.close())

const STRICT = { prefer: 'return=representation, handling=strict' }

const post = (
  path: string,
  json: unknown,
  headers: Readonly<Record<string, string>> = STRICT,
): Promise<Answer> => server.call('POST', path, { json, headers })

const LOSSES: readonly (readonly [field: string, sent: string, stored: unknown])[] = [
  ['t', '"2026-01-31T12:00:00.123456Z"', '2026-01-31T12:00:00.123Z'],
  ['t', '"2026-01-31T12:00:00.000000001+01:00"', '2026-01-31T11:00:00.000Z'],
  ['t', '1769860800.1234', '2026-01-31T12:00:00.123Z'],
  ['d', '"2026-01-31T12:00:00+01:00"', '2026-01-31'],
  ['d', '"2026-01-31 10:00:00"', '2026-01-31'],
  ['d', '1769860801', '2026-01-31'],
  ['f', '0.10000000000000001', 0.1],
  ['f', '"12345678901234567890"', 12345678901234567000],
]

for (const [field, sent, stored] of LOSSES) {
  test(`${sent} in ${field} becomes ${stored}, and is refused by a strict request`, async () => {
    const body = `{"${field}":${sent}}`
    const headers = { 'content-type': 'application/json' }
    const plain = await server.call('POST', url, { body, headers })
    assert.equal(plain.status, 201, plain.text)
    assert.equal(plain.body.datatable_entry[field], stored)
    for (const [path, text, pointer] of [
      [url, body, `/${field}`],
      [url, `[{"c":"a"},${body}]`, `/1/${field}`],
      [`${url}/1`, body, `/${field}`],
    ] as const) {
      const before = (await read(server, `${url}/1?fields=*`)).body
      const refused = await server.call('POST', path, {
        body: text,
        headers: { ...headers, ...STRICT },
      })
      assert.equal(refused.status, 422, refused.text)
      assert.deepEqual(pointersOf(refused), [pointer])
      assert.match(refused.body.errors[0].detail, /would be stored/)
      assert.deepEqual((await read(server, `${url}/1?fields=*`)).body, before)
    }
  })
}

test('a strict request accepts values that are stored as sent', async () => {
  const rows = [
    { t: '2026-01-31T12:00:00.123000Z', d: '2026-01-31', f: 0.1, n: '0.10000000000000001', c: 'é' },
    { t: '2026-01-31T13:00:00+01:00', d: '2026-01-31T00:00:00+02:00', f: '1.50', c: 'e\u0301' },
    { t: 1769860800.001, d: 1769817600, f: 1e20, n: 5 },
    { t: null, d: '20260131', f: '.5' },
  ]
  const answer = await post(url, rows)
  assert.equal(answer.status, 201, answer.text)
  assert.equal(answer.body.datatable_entry[2].t, '2026-01-31T12:00:00.001Z')
  assert.equal(answer.body.datatable_entry[1].c, 'e\u0301')
  // A value that is never accepted has its own error.
  assert.deepEqual(pointersOf(await post(url, { t: 'soon' })), ['/t'])
})

test('a strict request of an all-day event must send days', async () => {
  const calendar = await makeCalendar(server)
  const event = { event_title: 'a', all_day: true, start_time: '2026-03-29T00:00:00+01:00' }
  assert.equal((await post(calendar.url, { ...event, end_time: '2026-03-30' })).status, 201)
  const timed = { ...event, start_time: '2026-03-29T08:00:00Z' }
  assert.deepEqual(pointersOf(await post(calendar.url, timed)), ['/start_time'])
  const change = { end_time: '2026-03-30T08:00:00Z' }
  assert.deepEqual(pointersOf(await post(`${calendar.url}/1`, change)), ['/end_time'])
  assert.equal((await post(`${calendar.url}/1`, { ...change, all_day: false })).status, 200)
})

test('a strict request refuses an expiry of a key that would be rounded', async () => {
  const json = { name: 'a', date_expires: '2099-01-01T00:00:00.0001Z' }
  assert.deepEqual(pointersOf(await post('/api/v2/api_key', json)), ['/date_expires'])
  const made = await post('/api/v2/api_key', json, {})
  assert.equal(made.status, 201, made.text)
  const path = `/api/v2/api_key/${made.body.api_key_id}`
  assert.deepEqual(pointersOf(await post(path, json)), ['/date_expires'])
})

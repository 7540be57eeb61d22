// A column of days (D) stores the day as written, whatever its offset: in JSON, DEFAULT, CSV and qry.

import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { importEntries } from '../../../lib/client/import-entries.ts'
import { pointersOf, read } from '../../helpers/content.ts'
import { entriesOf, listEntries, makeEntry, makeTable } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const DAYS: readonly (readonly [given: string | number, day: string])[] = [
  ['2026-07-01T00:00:00+02:00', '2026-07-01'],
  ['2026-06-30T23:59:59-11:00', '2026-06-30'],
  ['2026-01-31 00:00:00', '2026-01-31'],
  ['2026-01-31T23:59', '2026-01-31'],
  ['2026-01-31T12:00:00.5Z', '2026-01-31'],
  ['9999-12-31T23:59:59-01:00', '9999-12-31'],
  ['0000-01-01T00:00:00+01:00', '0000-01-01'],
  ['20260131235959', '2026-01-31'],
  ['20260131', '2026-01-31'],
  // A number of seconds names no day, so the day is the one in UTC.
  [1_769_903_999, '2026-01-31'],
  ['1769904000', '2026-02-01'],
]

const NO_DAYS: readonly string[] = [
  ...['2026-02-30T00:00:00+02:00', '2026-01-31T12:60', '2026-01-31T12:00:00+24:60', '2026-01-31T'],
  ...['2026-01-31T24:00:00Z', '2026-01-31T12', '2026-01-31T12:00:00 Europe/Berlin', 'T12:00:00Z'],
]

test('JSON and qry', async () => {
  const { url } = await makeTable(server, 'd D')
  for (const [given, day] of DAYS) {
    const { d, datatable_entry_id: id } = await makeEntry(server, url, { d: given })
    assert.equal(d, day, String(given))
    assert.equal((await read(server, `${url}/${id}?fields=*`)).body.d, day)
    for (const qry of [
      { d: given },
      { d: { $gte: given, $lte: given } },
      { d: { $in: [given] } },
    ]) {
      const found = entriesOf(await listEntries(server, url, { qry }))
      assert.ok(found.length > 0, `${JSON.stringify(qry)} finds nothing`)
      assert.ok(found.every((entry) => entry.d === day))
    }
  }
})

test('an invalid day is refused in both', async () => {
  const { url } = await makeTable(server, 'd D')
  for (const given of NO_DAYS) {
    const answer = await server.call('POST', url, { json: { d: given } })
    assert.deepEqual(pointersOf(answer), ['/d'], given)
    assert.doesNotMatch(answer.body.detail, /offset/)
    const qry = encodeURIComponent(JSON.stringify({ d: given }))
    assert.equal((await server.call('GET', `${url}?qry=${qry}`)).body.code, 'bad-qry', given)
  }
})

test('DEFAULT', async () => {
  for (const [given, day] of DAYS) {
    const { url } = await makeTable(server, `d D DEFAULT '${given}', a C(1)`)
    assert.equal((await makeEntry(server, url, { a: 'x' })).d, day, String(given))
  }
})

test('a conversion of a text column to days', async () => {
  const { url, path } = await makeTable(server, 'd C(40)')
  const { datatable_entry_id: id } = await makeEntry(server, url, {
    d: '2026-07-01T00:00:00+02:00',
  })
  const json = { table_schema: 'd D' }
  assert.equal((await server.call('POST', `${path}?confirm=drop`, { json })).status, 200)
  assert.equal((await read(server, `${url}/${id}?fields=*`)).body.d, '2026-07-01')
})

test('CSV', async (t) => {
  const { url } = await makeTable(server, 'd D')
  const directory = await mkdtemp(join(tmpdir(), 'cms-days-'))
  t.after(() => rm(directory, { recursive: true }))
  const source = join(directory, 'days.csv')
  await writeFile(source, ['d', ...DAYS.map(([given]) => given)].join('\n'))
  const { created } = await importEntries({ url: server.url, key: server.key, module: url, source })
  assert.equal(created, DAYS.length)
  const stored = entriesOf(await listEntries(server, url, { orderStr: 'datatable_entry_id' }))
  assert.deepEqual(
    stored.map((entry) => entry.d),
    DAYS.map(([, day]) => day),
  )
})

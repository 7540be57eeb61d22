// Days in calendars. The days of all-day events do not depend on a time zone, and the days of windows begin
// in the time zone of the calendar.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { entryTypeName } from '../../../lib/schema/entry.ts'
import { assertProblem, read } from '../../helpers/content.ts'
import { newDataDirectory } from '../../helpers/data-directory.ts'
import {
  entriesOf,
  listEntries,
  type MadeModule,
  makeCalendar,
  makeEntry,
} from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'
import { tamper } from '../../helpers/site.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const BERLIN = { time_zone: 'Europe/Berlin' }

async function changeZone(target: TestServer, path: string, time_zone: string): Promise<void> {
  const answer = await target.call('POST', path, { json: { time_zone } })
  assert.equal(answer.status, 200, answer.text)
}

/** Returns the days of all-day events in the feed. */
async function feedDays(target: TestServer, url: string): Promise<readonly string[]> {
  const { text } = await target.call('GET', `${url}.ics`)
  return [...text.matchAll(/(?:DTSTART|DTEND);VALUE=DATE:(\d{8})/g)].map(([, day = '']) => day)
}

const daysOf = async (target: TestServer, url: string): Promise<unknown> => {
  const { start_time, end_time } = (await read(target, `${url}/1`)).body
  return [start_time, end_time]
}

const midnight = (day: string): string => `${day}T00:00:00.000Z`

const WRITTEN: readonly (readonly [object, string, string | null])[] = [
  [{ start_time: '2026-03-29T00:00:00+01:00' }, '2026-03-29', null],
  [{ start_time: '2026-03-29T00:00:00-07:00' }, '2026-03-29', null],
  [{ start_time: '2026-03-28T23:30:00Z' }, '2026-03-28', null],
  [{ start_time: '20260329' }, '2026-03-29', null],
  [{ start_time: 1774742400 }, '2026-03-29', null],
  [{ start_time: '2026-03-29', end_time: '2026-03-31' }, '2026-03-29', '2026-03-31'],
  [
    { start_time: '2026-03-29T00:00:00+01:00', end_time: '2026-03-30T00:00:00+02:00' },
    '2026-03-29',
    '2026-03-30',
  ],
  [
    { start_time: '2026-03-29T08:00:00+02:00', end_time: '2026-03-29T23:59:59+02:00' },
    '2026-03-29',
    '2026-03-30',
  ],
]

for (const [times, start, end] of WRITTEN) {
  test(`an all-day event with ${JSON.stringify(times)} keeps its day in every zone`, async () => {
    const { url, path } = await makeCalendar(server, BERLIN)
    await makeEntry(server, url, { event_title: 'a', all_day: true, ...times })
    const compact = [start, end ?? []].flat().map((day) => day.replaceAll('-', ''))
    for (const zone of ['Europe/Berlin', 'America/Los_Angeles', 'Pacific/Kiritimati']) {
      await changeZone(server, path, zone)
      assert.deepEqual(await daysOf(server, url), [midnight(start), end && midnight(end)])
      assert.deepEqual(await feedDays(server, url), compact, zone)
      const window = { from: start, to: end ?? '2026-03-30' }
      const [found] = entriesOf(await listEntries(server, url, { ...window, expand: 'true' }))
      assert.equal(found?.event_title, 'a', zone)
    }
  })
}

test('an update stores days too, and an event can be sent back as it was read', async () => {
  const { url } = await makeCalendar(server, BERLIN)
  const entry = { event_title: 'a', start_time: '2026-03-01T23:30:00Z' }
  await makeEntry(server, url, { ...entry, rrule: 'FREQ=DAILY;UNTIL=20260304T230000Z' })
  const change = async (json: object): Promise<unknown> => {
    const { status, body, text } = await server.call('POST', `${url}/1`, { json })
    assert.equal(status, 200, text)
    return [body.start_time, body.end_time, body.rrule]
  }
  // 00:30 on 2 March in Berlin.
  const rrule = 'FREQ=DAILY;UNTIL=20260305'
  assert.deepEqual(await change({ all_day: true }), [midnight('2026-03-02'), null, rrule])
  const { date_added: _, owner: __, ...whole } = (await read(server, `${url}/1?fields=*`)).body
  assert.deepEqual(await change(whole), [midnight('2026-03-02'), null, rrule])
  const moved = { start_time: '2026-03-03T20:00:00-08:00', end_time: '2026-03-04T12:00:00-08:00' }
  const days = [midnight('2026-03-03'), midnight('2026-03-05'), rrule]
  assert.deepEqual(await change(moved), days)
})

test('an all-day event that ends on a day before its first is refused', async () => {
  const { url } = await makeCalendar(server)
  const json = {
    event_title: 'a',
    all_day: true,
    start_time: '2026-03-31T00:00:00+14:00',
    end_time: '2026-03-30T00:00:00-12:00',
  }
  const { status, body } = await server.call('POST', url, { json })
  assert.deepEqual([status, body.errors?.[0]?.pointer], [422, '/end_time'])
})

test('entries that an earlier version stored as instants keep their days', async () => {
  const dataDir = newDataDirectory()
  const first = await startTestServer({ dataDir })
  const { id, url, path } = await makeCalendar(first, BERLIN)
  const days = { all_day: true, start_time: '2026-03-29', end_time: '2026-03-30' }
  await makeEntry(first, url, { event_title: 'a', ...days })
  await first.stop()
  await tamper(dataDir, (_, records) =>
    records.commit((unit) => {
      const type = { name: entryTypeName('calendar', id), indexes: [] }
      const times = {
        start_time: '2026-03-28T23:00:00.000Z',
        end_time: '2026-03-29T22:00:00.000Z',
        rrule: 'FREQ=DAILY;UNTIL=20260330T220000Z',
      }
      unit.put(type, [1], { ...unit.get(type, 1)?.value, ...times })
    }),
  )
  const server = await startTestServer({ dataDir })
  const call: TestServer['call'] = (method, address, given) =>
    server.call(method, address, { key: first.key, ...given })
  const own = { ...server, call }
  try {
    assert.deepEqual(await feedDays(own, url), ['20260329', '20260330'])
    await changeZone(own, path, 'America/New_York')
    assert.deepEqual(await feedDays(own, url), ['20260329', '20260330'])
    assert.deepEqual(await daysOf(own, url), [midnight('2026-03-29'), midnight('2026-03-30')])
    const { rrule } = (await read(own, `${url}/1`)).body
    assert.equal(rrule, 'FREQ=DAILY;UNTIL=20260331')
  } finally {
    await server.close()
  }
})

/** A calendar with two events that an earlier version stored as instants of one day. */
async function withInstants(table_schema: string): Promise<[TestServer, MadeModule]> {
  const dataDir = newDataDirectory()
  const first = await startTestServer({ dataDir })
  const made = await makeCalendar(first, { ...BERLIN, table_schema })
  const day = { event_title: 'a', all_day: true, start_time: '2026-03-29' }
  await makeEntry(first, made.url, { ...day, start_time: '2026-03-27' })
  await makeEntry(first, made.url, { ...day, start_time: '2026-03-28' })
  await first.stop()
  await tamper(dataDir, (_, records) =>
    records.commit((unit) => {
      const type = { name: entryTypeName('calendar', made.id), indexes: [] }
      for (const [id, start_time] of [
        [1, '2026-03-28T23:00:00.000Z'],
        [2, '2026-03-28T23:30:00.000Z'],
      ] as const)
        unit.put(type, [id], { ...unit.get(type, id)?.value, start_time })
    }),
  )
  const server = await startTestServer({ dataDir })
  const call: TestServer['call'] = (method, address, given) =>
    server.call(method, address, { key: first.key, ...given })
  return [{ ...server, call }, made]
}

test('the days of entries from an earlier version have their own rows in the audit trail', async () => {
  const [own, { id, url, path }] = await withInstants('kind C(9)')
  try {
    await changeZone(own, path, 'America/New_York')
    const { audit } = (await own.call('GET', '/api/v2/audit?orderDir=DESC&length=2')).body
    const rows = audit.map((row: any) => [row.object, row.object_id, row.changed_fields])
    assert.deepEqual(rows, [
      ['calendar', id, ['time_zone']],
      ['calendar_entry', 1, ['start_time']],
    ])
    const { history } = (await own.call('GET', `${url}/2/history`)).body
    assert.deepEqual(
      history[0].changes.map(({ name, from, to }: any) => [name, from, to]),
      [['start_time', '2026-03-28T23:30:00.000Z', midnight('2026-03-29')]],
    )
  } finally {
    await own.close()
  }
})

test('days of entries from an earlier version must keep the rules of the entries', async () => {
  const rules = [
    ['kind C(9), UNIQUE(event_title, start_time)', 'not-unique'],
    ["kind C(9), CHECK(start_time < '2026-03-28T23:45:00Z')", 'invalid-content'],
  ] as const
  for (const [schema, code] of rules) {
    const [own, { path, url }] = await withInstants(schema)
    try {
      const json = { time_zone: 'America/New_York' }
      const { detail } = assertProblem(await own.call('POST', path, { json }), code)
      assert.match(detail, /calendar_entry_id [12]/)
      assert.equal((await read(own, path)).body.time_zone, 'Europe/Berlin')
      assert.equal((await read(own, `${url}/2`)).body.start_time, '2026-03-28T23:30:00.000Z')
    } finally {
      await own.close()
    }
  }
})

test('a day in from and to begins in the zone of the calendar', async () => {
  const { url } = await makeCalendar(server, { time_zone: 'America/New_York' })
  // 23:00 on 1 March and 01:00 on 2 March in New York.
  await makeEntry(server, url, { event_title: 'late', start_time: '2026-03-02T04:00:00Z' })
  await makeEntry(server, url, { event_title: 'early', start_time: '2026-03-02T06:00:00Z' })
  for (const expand of ['true', 'false'])
    for (const [from, to, title] of [
      ['2026-03-01', '2026-03-02', 'late'],
      ['20260302', '20260303', 'early'],
      ['2026-03-02T04:30:00Z', '2026-03-03', 'early'],
    ]) {
      const found = entriesOf(await listEntries(server, url, { from, to, expand }))
      assert.deepEqual([title, ...found.map((entry) => entry.event_title)], [title, title])
    }
})

// Events at the limits of time: no event breaks the feed or the occurrences of other events.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import ICAL from 'ical.js'
import { buildEntryType } from '../../../lib/schema/entry.ts'
import { EMPTY_LAYOUT } from '../../../lib/schema/layout.ts'
import type { JsonObject } from '../../../lib/schema/values.ts'
import { newDataDirectory } from '../../helpers/data-directory.ts'
import { entriesOf, listEntries, makeCalendar, makeEntry } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'
import { tamper } from '../../helpers/site.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const EVENT = { event_title: 'a', start_time: '2026-03-01T09:00:00Z' }

const REFUSED: readonly (readonly [object, string])[] = [
  [{ end_time: '9999-12-31T23:59:59Z' }, '/end_time'],
  [{ start_time: '9999-12-31T00:00:00Z' }, '/start_time'],
  [{ start_time: '0000-06-01T00:00:00Z' }, '/start_time'],
  [{ start_time: '0001-01-01', all_day: true }, '/start_time'],
  [{ end_time: '9999-12-31T12:00:00Z', all_day: true }, '/end_time'],
]

for (const [fields, pointer] of REFUSED) {
  test(`an event with ${JSON.stringify(fields)} is refused at ${pointer}`, async () => {
    const { url } = await makeCalendar(server)
    const json = { ...EVENT, ...fields }
    for (const body of [json, [json]]) {
      const { status, body: problem } = await server.call('POST', url, { json: body })
      assert.equal(status, 422)
      const [fault] = problem.errors
      assert.ok(fault.pointer.endsWith(pointer), fault.pointer)
      assert.match(fault.detail, /0001-01-02 to 9999-12-31/)
    }
    await makeEntry(server, url, EVENT)
    assert.equal((await server.call('POST', `${url}/1`, { json: fields })).status, 422)
  })
}

/** Reads the feed and checks that calendar programs can read every date and time. */
async function requireFeed(target: TestServer, url: string): Promise<readonly string[]> {
  const { status, text } = await target.call('GET', `${url}.ics`)
  assert.equal(status, 200, text)
  const values = [...text.matchAll(/^(?:DTSTART|DTEND|RECURRENCE-ID|EXDATE)[^:]*:(.*)\r$/gm)]
  for (const [line, value = ''] of values) assert.match(value, /^(?!0000)\d{8}(?:T\d{6}Z?)?$/, line)
  const untils = [...text.matchAll(/UNTIL=([^;\r]*)/g)]
  for (const [line, value = ''] of untils) assert.match(value, /^\d{8}(?:T\d{6}Z)?$/, line)
  const calendar = new ICAL.Component(ICAL.parse(text))
  return calendar
    .getAllSubcomponents('vevent')
    .map((event) => String(event.getFirstPropertyValue('summary')))
}

for (const time_zone of ['America/New_York', 'Pacific/Kiritimati', 'Africa/Casablanca']) {
  test(`events at both ends of the years are in the feed in ${time_zone}`, async () => {
    const { url } = await makeCalendar(server, { time_zone })
    const far = '9999-12-30T23:59:59Z'
    const events = [
      { ...EVENT, event_title: 'until', rrule: 'FREQ=YEARLY;UNTIL=99991231' },
      {
        ...EVENT,
        event_title: 'last',
        start_time: far,
        end_time: '9999-12-31',
        rrule: 'FREQ=DAILY',
      },
      { ...EVENT, event_title: 'first', start_time: '0001-01-02' },
      { ...EVENT, event_title: 'day', start_time: '9999-12-30', all_day: true },
    ]
    for (const event of events) await makeEntry(server, url, event)
    const titles = ['until', 'last', 'first', 'day']
    assert.deepEqual(await requireFeed(server, url), titles)
    const window = { from: '9999-12-20', to: '9999-12-31T23:59:59Z', expand: 'true' }
    const found = entriesOf(await listEntries(server, url, window))
    for (const { start_time, end_time } of found)
      assert.match(`${start_time} ${end_time}`, /^\d{4}-\S+ (?:\d{4}-\S+|null)$/)
    assert.ok(found.some((event) => event.event_title === 'last'))
    assert.ok(found.some((event) => event.event_title === 'day'))
    const plain = entriesOf(await listEntries(server, url, { ...window, expand: 'false' }))
    assert.deepEqual(plain.map((event) => event.event_title).toSorted(), ['day', 'last'])
  })
}

const STORED: readonly JsonObject[] = [
  { event_title: 'endless', end_time: '9999-12-31T23:59:59.000Z' },
  { event_title: 'year 0', start_time: '0000-01-01T00:00:00.000Z' },
  { event_title: 'day 0', start_time: '0000-01-01T00:00:00.000Z', all_day: true },
  { event_title: 'last day', start_time: '9999-12-31T00:00:00.000Z', all_day: true },
  { event_title: 'years', all_day: true, end_time: '9999-12-31T23:59:59.000Z' },
]

test('stored events in extreme years break neither the feed nor the reads of other events', async () => {
  const dataDir = newDataDirectory()
  const first = await startTestServer({ dataDir })
  const { id, url } = await makeCalendar(first, { time_zone: 'Europe/Berlin' })
  await makeEntry(first, url, EVENT)
  for (const { event_title } of STORED) await makeEntry(first, url, { ...EVENT, event_title })
  await first.stop()
  await tamper(dataDir, (_, records) =>
    records.commit((unit) => {
      const type = buildEntryType('calendar', id, EMPTY_LAYOUT).object.recordType
      for (const [at, fields] of STORED.entries())
        unit.put(type, [at + 2], { ...unit.get(type, at + 2)?.value, ...fields })
    }),
  )
  const server = await startTestServer({ dataDir })
  const call: TestServer['call'] = (method, address, given) =>
    server.call(method, address, { key: first.key, ...given })
  const own = { ...server, call }
  try {
    assert.deepEqual(await requireFeed(own, url), ['a', 'endless', 'years'])
    for (const [from, to] of [
      ['2026-03-01', '2026-03-02'],
      ['0000-01-01', '0000-01-03'],
      ['9999-12-30', '9999-12-31T12:00:00Z'],
    ])
      for (const expand of ['true', 'false'])
        assert.notDeepEqual(entriesOf(await listEntries(own, url, { from, to, expand })), [])
    // The other fields of such an event can be changed.
    const json = { event_title: 'renamed' }
    assert.equal((await own.call('POST', `${url}/2`, { json })).status, 200)
  } finally {
    await server.close()
  }
})

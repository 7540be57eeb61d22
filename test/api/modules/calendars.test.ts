// Calendars and their entries: the base fields of an event, additional columns, and the same forms of
// requests as datatables.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem, pointersOf, read } from '../../helpers/content.ts'
import {
  changeSchema,
  entriesOf,
  listEntries,
  makeCalendar,
  makeEntry,
} from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const EVENT = { event_title: 'Talk', start_time: '2026-03-01T18:00:00Z' }

test('a calendar can be created with only a name and is live at once', async () => {
  const answer = await server.call('POST', '/api/v2/calendar', { json: { name: 'My Days' } })
  assert.equal(answer.status, 201, answer.text)
  const { body } = answer
  assert.equal(answer.headers.location, `/api/v2/calendar/${body.calendar_id}`)
  const expected = {
    name: 'My Days',
    display_type: 'Calendar',
    time_zone: 'UTC',
    parent_category_id: 12,
    table_schema: null,
    title_field: null,
    columns: [],
    entry_count: 0,
    module_name: 'my-days',
    module_url: `/api/v2/module/calendar/${body.calendar_id}/my-days`,
  }
  assert.deepEqual({ ...body, ...expected }, body)
  assert.deepEqual(entriesOf(await listEntries(server, body.module_url)), [])
})

test('every display type and time zone is accepted', async () => {
  for (const display_type of ['Calendar', 'News', 'Forum', 'Photos', 'Landing Page', 'Other']) {
    const { record } = await makeCalendar(server, { display_type, time_zone: 'Europe/Berlin' })
    assert.deepEqual([record.display_type, record.time_zone], [display_type, 'Europe/Berlin'])
  }
})

const REFUSED: readonly (readonly [object, readonly string[]])[] = [
  [{}, ['/name']],
  [{ name: 'a', time_zone: 'Mars/Base' }, ['/time_zone']],
  [{ name: 'a', display_type: 'Data', title: 5 }, ['/display_type', '/title']],
  [{ name: 'a', table_schema: 'start_time T' }, ['/table_schema']],
  [{ name: 'a', table_schema: 'Event_Title C(5)' }, ['/table_schema']],
  [{ name: 'a', title_field: 'speaker' }, ['/title_field']],
  [{ name: 'a', datatable_type: 'Data' }, ['/datatable_type']],
]

for (const [json, pointers] of REFUSED) {
  test(`the calendar ${JSON.stringify(json)} is refused at ${pointers.join(' ')}`, async () => {
    const answer = await server.call('POST', '/api/v2/calendar', { json })
    assert.deepEqual(pointersOf(answer), pointers)
  })
}

test('an event has its base fields and the columns of the calendar', async () => {
  const { url, id } = await makeCalendar(server, { table_schema: 'speaker C(50) NOTNULL, seats I' })
  const given = {
    ...EVENT,
    end_time: '2026-03-01T21:00:00+02:00',
    all_day: 0,
    location: 'Hall 1',
    description: 'A talk',
    rrule: 'FREQ=WEEKLY;COUNT=4',
    speaker: 'Ada',
    seats: 20,
  }
  const stored = {
    ...given,
    exdates: [],
    rdates: [],
    recurrence_of: null,
    recurrence_id: null,
    uid: null,
    start_time: '2026-03-01T18:00:00.000Z',
    end_time: '2026-03-01T19:00:00.000Z',
    all_day: false,
  }
  const created = await server.call('POST', url, { json: given })
  assert.equal(created.status, 201, created.text)
  assert.deepEqual(created.body, { calendar_entry: stored })
  const base = (await read(server, `${url}/1`)).body
  assert.deepEqual(
    { ...base, ...stored, speaker: undefined, seats: undefined },
    {
      ...base,
      speaker: undefined,
      seats: undefined,
    },
  )
  assert.equal('speaker' in base, false)
  const all = (await read(server, `${url}/1?fields=*`)).body
  assert.deepEqual(all, { ...base, speaker: 'Ada', seats: 20 })
  assert.equal(id > 0 && all.calendar_entry_id, 1)
})

test('a read of one event returns the base fields of the contract', async () => {
  const { url } = await makeCalendar(server, { table_schema: 'speaker C(50)' })
  await makeEntry(server, url, EVENT)
  assert.deepEqual(Object.keys((await read(server, `${url}/1`)).body).sort(), [
    'all_day',
    'calendar_entry_id',
    'date_added',
    'date_modified',
    'description',
    'end_time',
    'event_title',
    'exdates',
    'location',
    'owner',
    'rdates',
    'recurrence_id',
    'recurrence_of',
    'rrule',
    'start_time',
    'uid',
  ])
})

const BAD_EVENTS: readonly (readonly [object, readonly string[]])[] = [
  [{}, ['/event_title', '/start_time']],
  [{ ...EVENT, start_time: 'soon', all_day: 'yes' }, ['/all_day', '/start_time']],
  [{ ...EVENT, end_time: '2026-03-01T17:59:59Z' }, ['/end_time']],
  [{ ...EVENT, seats: 1.5, nope: 1 }, ['/nope', '/seats']],
  [{ ...EVENT, end_time: 5, nope: 1 }, ['/end_time', '/nope']],
  [{ ...EVENT, end_time: 'soon', start_time: 7 }, ['/end_time']],
  [{ ...EVENT, event_title: '' }, ['/event_title']],
  [{ ...EVENT, calendar_entry_id: 5 }, ['/calendar_entry_id']],
  [{ ...EVENT, rrule: 'FREQ=MONTHLY;BYDAY=6MO' }, ['/rrule']],
  [{ ...EVENT, rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }, ['/rrule']],
  [{ ...EVENT, rrule: 'FREQ=DAILY;UNTIL=20260301T175959Z' }, ['/rrule']],
  [{ ...EVENT, rrule: 'FREQ=DAILY;UNTIL=20260228' }, ['/rrule']],
  [{ ...EVENT, all_day: true, rrule: 'FREQ=DAILY;UNTIL=20260228' }, ['/rrule']],
]

for (const [json, pointers] of BAD_EVENTS) {
  test(`the event ${JSON.stringify(json)} is refused at ${pointers.join(' ')}`, async () => {
    const { url } = await makeCalendar(server, { table_schema: 'seats I' })
    assert.deepEqual(pointersOf(await server.call('POST', url, { json })), pointers)
    assert.deepEqual(entriesOf(await listEntries(server, url)), [])
  })
}

test('an update cannot make an event end before it begins', async () => {
  const { url } = await makeCalendar(server)
  await makeEntry(server, url, { ...EVENT, end_time: '2026-03-01T19:00:00Z' })
  for (const json of [{ end_time: '2026-03-01' }, { start_time: '2026-03-02' }]) {
    assert.deepEqual(pointersOf(await server.call('POST', `${url}/1`, { json })), ['/end_time'])
  }
  const both = { start_time: '2026-03-02', end_time: '2026-03-02' }
  assert.equal((await server.call('POST', `${url}/1`, { json: both })).status, 200)
})

test('a calendar widget finds the events of a month by Unix time', async () => {
  const { url, id } = await makeCalendar(server)
  for (const start_time of ['2020-01-20', '2020-01-25', '2020-02-10', '2020-03-01'])
    await makeEntry(server, url, { event_title: start_time, start_time, end_time: start_time })
  const bounds = { $gte: 1579636261, $lte: 1582228261 }
  const inside = { $or: [{ start_time: bounds }, { end_time: bounds }] }
  const titles = async (qry: object) =>
    entriesOf(await listEntries(server, url, { qry })).map((entry) => entry.event_title)
  assert.deepEqual(await titles({ $and: [{ calendar_id: id }, inside] }), [
    '2020-01-25',
    '2020-02-10',
  ])
  assert.deepEqual(await titles({ $and: [{ calendar_id: id + 1 }, inside] }), [])
})

test('a search by the bare name of the identifier finds an event', async () => {
  const { url } = await makeCalendar(server)
  await makeEntry(server, url, EVENT)
  await makeEntry(server, url, EVENT)
  const answer = await server.call('GET', `${url}?qry={"calendar_entry_id":2}`)
  assert.deepEqual(
    answer.body.calendar_entry.map((entry: any) => entry.calendar_entry_id),
    [2],
  )
})

test('a calendar and an event can be sent back as they were read', async () => {
  const { url, path } = await makeCalendar(server, { table_schema: 'seats I' })
  await makeEntry(server, url, { ...EVENT, seats: 3 })
  for (const address of [path, `${url}/1`]) {
    const before = await read(server, `${address}?fields=*`)
    const answer = await server.call('POST', address, { json: before.body })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.body, before.body)
  }
})

test('columns of a calendar can be added and dropped, and its events keep their base fields', async () => {
  const { url, path } = await makeCalendar(server, { table_schema: 'seats I' })
  const event = await makeEntry(server, url, { ...EVENT, seats: 3 })
  const renamed = await changeSchema(server, path, {
    table_schema: 'places I, room C(20) DEFAULT A',
    columns: [{ name: 'places', renamed_from: 'seats' }],
  })
  assert.equal(renamed.status, 200, renamed.text)
  const { seats, ...base } = event
  const [found] = entriesOf(await listEntries(server, url, { qry: { places: 3, room: 'A' } }))
  assert.deepEqual(found, { ...base, places: seats, room: 'A' })
  const none = await changeSchema(server, path, { table_schema: null }, '?confirm=drop')
  assert.equal(none.status, 200, none.text)
  assert.deepEqual(entriesOf(await listEntries(server, url)), [base])
})

test('a deleted calendar is not found, and a renamed calendar has a new address', async () => {
  const { url, path } = await makeCalendar(server, { name: 'first' })
  await makeEntry(server, url, EVENT)
  const renamed = await server.call('POST', path, { json: { name: 'second' } })
  assert.equal((await server.call('GET', url)).headers.location, renamed.body.module_url)
  assert.equal(entriesOf(await listEntries(server, renamed.body.module_url)).length, 1)
  assert.equal((await server.call('DELETE', path)).status, 204)
  assertProblem(await server.call('GET', renamed.body.module_url), 'not-found')
})

test('UNTIL must not be before the start in the zone of the calendar, whichever of them changes', async () => {
  const { url } = await makeCalendar(server, { time_zone: 'Pacific/Auckland' })
  const event = { ...EVENT, rrule: 'FREQ=DAILY;UNTIL=20260301' }
  const refused = await server.call('POST', url, { json: event })
  assert.deepEqual(pointersOf(refused), ['/rrule'], 'in Auckland it is the second of March')
  await makeEntry(server, url, { ...event, rrule: 'FREQ=DAILY;UNTIL=20260302' })
  for (const json of [{ rrule: 'FREQ=DAILY;UNTIL=20260301' }, { start_time: '2026-03-05' }])
    assert.deepEqual(pointersOf(await server.call('POST', `${url}/1`, { json })), ['/rrule'])
  const both = { rrule: 'FREQ=DAILY;UNTIL=20260306', start_time: '2026-03-05' }
  assert.equal((await server.call('POST', `${url}/1`, { json: both })).status, 200)
})

// Exceptions of series: excluded and further occurrences, and entries that replace one occurrence. Lists, the feed and
// the trash agree about them.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import ICAL from 'ical.js'
import { assertProblem, pointersOf } from '../../helpers/content.ts'
import { entriesOf, listEntries, makeCalendar, makeEntry } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const SERIES = {
  event_title: 'Course',
  start_time: '2026-03-02T18:00:00+01:00',
  end_time: '2026-03-02T20:00:00+01:00',
  rrule: 'FREQ=WEEKLY;COUNT=5',
}
const MARCH = { from: '2026-03-01', to: '2026-05-01' }

interface Series {
  readonly url: string
  readonly id: number
}

async function makeSeries(fields: object = {}, calendar: object = {}): Promise<Series> {
  const { url } = await makeCalendar(server, { time_zone: 'Europe/Berlin', ...calendar })
  const { calendar_entry_id: id } = await makeEntry(server, url, { ...SERIES, ...fields })
  return { url, id }
}

async function titles(url: string, query: object = {}): Promise<readonly string[]> {
  const found = entriesOf(await listEntries(server, url, { ...MARCH, expand: 'true', ...query }))
  return found.map((entry) => `${entry.start_time.slice(0, 16)} ${entry.event_title}`)
}

const REST = [
  '2026-03-02T17:00 Course',
  '2026-03-16T17:00 Course',
  '2026-03-23T17:00 Course',
  '2026-03-30T16:00 Course',
]

test('exdates take occurrences away and rdates add some, in any form and order', async () => {
  const { url, id } = await makeSeries({
    exdates: ['2026-03-09T18:00:00+01:00', '2026-03-02T17:00:00Z', '2026-03-02T17:00:00Z'],
    rdates: ['2026-03-11T18:00:00+01:00'],
  })
  const { body } = await server.call('GET', `${url}/${id}`)
  assert.deepEqual(body.exdates, ['2026-03-02T17:00:00.000Z', '2026-03-09T17:00:00.000Z'])
  const expected = ['2026-03-11T17:00 Course', ...REST.slice(1)]
  assert.deepEqual(await titles(url), expected)

  // The days of a series without occurrences have no entry.
  const day = { from: '2026-03-09', to: '2026-03-10' }
  assert.deepEqual(entriesOf(await listEntries(server, url, day)), [])
  const changed = await server.call('PATCH', `${url}/${id}`, { json: { exdates: [], rdates: [] } })
  assert.equal(changed.status, 200, changed.text)
  assert.equal((await titles(url)).length, 5)
})

test('days of an all-day series are days in every form', async () => {
  const times = { start_time: '2026-03-02', end_time: null, all_day: true }
  const exdates = ['2026-03-09', '2026-03-15T23:00:00Z', '2026-03-23T00:00:00+01:00']
  const { url, id } = await makeSeries({ ...times, exdates, rdates: ['2026-03-25'] })
  const { body } = await server.call('GET', `${url}/${id}`)
  const days = ['2026-03-09', '2026-03-16', '2026-03-23']
  assert.deepEqual(
    body.exdates,
    days.map((day) => `${day}T00:00:00.000Z`),
  )
  assert.deepEqual(
    (await titles(url)).map((text) => text.slice(0, 10)),
    ['2026-03-01', '2026-03-24', '2026-03-29'],
  )
})

test('an entry replaces one occurrence, and its deletion restores the occurrence', async () => {
  const { url, id } = await makeSeries({}, { table_schema: 'room C(20)' })
  const own = {
    event_title: 'Course elsewhere',
    start_time: '2026-03-10T19:00:00Z',
    recurrence_of: id,
    recurrence_id: '2026-03-09T17:00:00Z',
    room: 'Hall',
  }
  const { calendar_entry_id: other } = await makeEntry(server, url, own)
  const replaced = [REST[0], '2026-03-10T19:00 Course elsewhere', ...REST.slice(1)]
  assert.deepEqual(await titles(url), replaced)
  // A search that does not select the entry does not bring the occurrence back.
  assert.deepEqual(await titles(url, { qry: { 'calendar_entry.room': null } }), REST)
  const day = { from: '2026-03-09', to: '2026-03-10' }
  assert.deepEqual(entriesOf(await listEntries(server, url, day)), [])

  const again = await server.call('POST', url, { json: own })
  assert.deepEqual(pointersOf(again), ['/recurrence_id'])
  assert.equal((await server.call('DELETE', `${url}/${other}`)).status, 204)
  assert.equal((await titles(url)).length, 5)
})

test('a deleted series takes its replaced occurrences with it, and restores them', async () => {
  const { url, id } = await makeSeries()
  const own = { recurrence_of: id, recurrence_id: '2026-03-09T17:00:00Z' }
  await makeEntry(server, url, { event_title: 'Moved', start_time: '2026-03-10T19:00:00Z', ...own })
  const before = await titles(url)
  assert.equal((await server.call('DELETE', `${url}/${id}`)).status, 204)
  assert.deepEqual(await titles(url), [])
  const { body } = await server.call(
    'GET',
    '/api/v2/trash?orderStr=trash_id&orderDir=desc&length=1',
  )
  const trashId = body.trash[0].trash_id
  const restored = await server.call('POST', `/api/v2/trash/${trashId}/restore`)
  assert.equal(restored.status, 200, restored.text)
  assert.deepEqual(await titles(url), before)
})

test('readers without a key see the occurrence that a hidden entry replaces', async () => {
  const { url, id } = await makeSeries(
    { status: 'live' },
    {
      table_schema: 'status C(9)',
      public: true,
      public_filter: { status: 'live' },
    },
  )
  const own = { recurrence_of: id, recurrence_id: '2026-03-09T17:00:00Z', status: 'draft' }
  await makeEntry(server, url, { event_title: 'Moved', start_time: '2026-03-10T19:00:00Z', ...own })
  const query = new URLSearchParams({ ...MARCH, expand: 'true' })
  const { body } = await server.call('GET', `${url}?${query}`, { key: null })
  assert.deepEqual(
    entriesOf(body).map((entry) => entry.event_title),
    Array.from({ length: 5 }, () => 'Course'),
  )
  const feed = await server.call('GET', `${url}.ics`, { key: null })
  assert.doesNotMatch(feed.text, /EXDATE|RECURRENCE-ID|Moved/)
})

test('a subscriber reads exceptions and replaced occurrences from the feed', async () => {
  const { url, id } = await makeSeries({
    exdates: ['2026-03-23T17:00:00Z'],
    uid: 'course@school.test',
  })
  const own = { recurrence_of: id, recurrence_id: '2026-03-09T17:00:00Z' }
  await makeEntry(server, url, { event_title: 'Moved', start_time: '2026-03-10T19:00:00Z', ...own })
  const { text } = await server.call('GET', `${url}.ics`)
  const events = new ICAL.Component(ICAL.parse(text))
    .getAllSubcomponents('vevent')
    .map((component) => new ICAL.Event(component))
  assert.deepEqual(
    events.map(({ uid }) => uid),
    ['course@school.test', 'course@school.test'],
  )
  const [series, moved] = events
  assert.ok(series !== undefined && moved !== undefined)
  series.relateException(moved)
  const times = series.iterator()
  const found: string[] = []
  for (let time = times.next(); time !== null && time !== undefined; time = times.next()) {
    const { item, startDate } = series.getOccurrenceDetails(time)
    found.push(`${startDate.toJSDate().toISOString().slice(0, 16)} ${item.summary}`)
  }
  assert.deepEqual(found, await titles(url))
})

const OTHER = { event_title: 'Moved', start_time: '2026-03-10T19:00:00Z' }

const REFUSED: readonly (readonly [string, object, string])[] = [
  ['further dates without a rule', { ...OTHER, rdates: ['2026-04-01'] }, '/rdates'],
  [
    'further dates before the start',
    { ...OTHER, rrule: 'FREQ=DAILY', rdates: ['2026-03-01'] },
    '/rdates',
  ],
  ['a date that is none', { ...OTHER, exdates: ['2026-03-01', 'soon'] }, '/exdates'],
  ['no list', { ...OTHER, exdates: '2026-03-01' }, '/exdates'],
  ['more dates than the limit', { ...OTHER, exdates: Array(1_001).fill('2026-03-01') }, '/exdates'],
  ['an occurrence without its series', { ...OTHER, recurrence_id: '2026-03-09' }, '/recurrence_of'],
  ['a series without the occurrence', { ...OTHER, recurrence_of: 1 }, '/recurrence_id'],
  [
    'a rule in a replaced occurrence',
    { ...OTHER, recurrence_of: 1, recurrence_id: '2026-03-09', rrule: 'FREQ=DAILY' },
    '/rrule',
  ],
  [
    'an entry that does not exist',
    { ...OTHER, recurrence_of: 99, recurrence_id: '2026-03-09' },
    '/recurrence_of',
  ],
  [
    'an entry that is no series',
    { ...OTHER, recurrence_of: 2, recurrence_id: '2026-03-09' },
    '/recurrence_of',
  ],
]

test('fields of series that contradict each other are refused', async () => {
  const { url } = await makeSeries()
  await makeEntry(server, url, OTHER)
  for (const [name, json, pointer] of REFUSED)
    assert.deepEqual(pointersOf(await server.call('POST', url, { json })), [pointer], name)
})

test('a uid is unique in its calendar, and finds the entry of an update', async () => {
  const { url, id } = await makeSeries({ uid: 'a@b' })
  assertProblem(await server.call('POST', url, { json: { ...OTHER, uid: 'a@b' } }), 'not-unique')
  const json = [
    { ...OTHER, end_time: null, uid: 'a@b' },
    { ...OTHER, uid: 'c@d' },
  ]
  const answer = await server.call('POST', `${url}?on_conflict=uid`, { json })
  assert.equal(answer.status, 200, answer.text)
  const { body } = await server.call('GET', `${url}/${id}`)
  assert.equal(body.event_title, 'Moved')
})

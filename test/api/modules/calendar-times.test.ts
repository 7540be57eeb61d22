// Recurrence, windows and feeds of calendars, through the Module API.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import ICAL from 'ical.js'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
let address: string

before(async () => {
  server = await startTestServer()
  const json = { name: 'Termine', time_zone: 'Europe/Berlin', table_schema: 'room C(20)' }
  address = (await server.call('POST', '/api/v2/calendar', { json })).body.module_url
  const entries = [
    {
      event_title: 'Jour fixe',
      start_time: '2026-03-02T08:00:00Z',
      end_time: '2026-03-02T09:00:00Z',
      rrule: 'FREQ=WEEKLY;BYDAY=MO',
      room: 'A1',
    },
    {
      event_title: 'Einmal, mit; Zeichen\\',
      start_time: '2026-03-24T18:00:00Z',
      description: 'Zeile 1\nZeile 2',
    },
    {
      event_title: 'Lange Messe',
      start_time: '2026-03-18T08:00:00Z',
      end_time: '2026-03-21T16:00:00Z',
    },
    { event_title: 'Vorbei', start_time: '2026-01-05T08:00:00Z', end_time: '2026-01-05T09:00:00Z' },
  ]
  const created = await server.call('POST', address, { json: entries })
  assert.equal(created.status, 201)
})

after(() => server.close())

test('occurrences keep their local time across daylight saving changes and are in chronological order', async () => {
  const answer = await list(
    'from=2026-03-20&to=2026-04-10&expand=true&fields=event_title,start_time,end_time',
  )
  assert.deepEqual(answer.body.calendar_entry, [
    {
      event_title: 'Lange Messe',
      start_time: '2026-03-18T08:00:00.000Z',
      end_time: '2026-03-21T16:00:00.000Z',
    },
    {
      event_title: 'Jour fixe',
      start_time: '2026-03-23T08:00:00.000Z',
      end_time: '2026-03-23T09:00:00.000Z',
    },
    {
      event_title: 'Einmal, mit; Zeichen\\',
      start_time: '2026-03-24T18:00:00.000Z',
      end_time: null,
    },
    {
      event_title: 'Jour fixe',
      start_time: '2026-03-30T07:00:00.000Z',
      end_time: '2026-03-30T08:00:00.000Z',
    },
    {
      event_title: 'Jour fixe',
      start_time: '2026-04-06T07:00:00.000Z',
      end_time: '2026-04-06T08:00:00.000Z',
    },
  ])
  assert.deepEqual(answer.body.page, { start: 1, length: 100, total: 5, next: null })
})

test('a window without expand lists each entry with an occurrence in it once', async () => {
  const answer = await list('from=2026-03-20&to=2026-04-10&fields=event_title')
  const titles = answer.body.calendar_entry.map(
    (entry: { event_title: string }) => entry.event_title,
  )
  assert.deepEqual(titles.sort(), ['Einmal, mit; Zeichen\\', 'Jour fixe', 'Lange Messe'])
})

test('qry filters the occurrences, and length returns the earliest', async () => {
  const qry = encodeURIComponent('{"room":"A1"}')
  const answer = await list(
    `from=2026-03-01&to=2027-03-01&expand=true&length=2&fields=start_time&qry=${qry}`,
  )
  assert.deepEqual(
    answer.body.calendar_entry.map((entry: { start_time: string }) => entry.start_time),
    ['2026-03-02T08:00:00.000Z', '2026-03-09T08:00:00.000Z'],
  )
  assert.equal(answer.body.page.total, null)
})

for (const [query, reason] of [
  ['expand=true', 'no window'],
  ['from=2026-01-01&expand=true', 'no end'],
  ['from=2026-02-01&to=2026-01-01', 'an end before the start'],
  ['from=2020-01-01&to=2025-01-04T00:00:00.001Z&expand=true', 'more than five years'],
  ['from=tomorrow&to=2030-01-01', 'no date'],
  ['from=2026-01-01&to=2026-02-01&expand=true&orderStr=room', 'an order of its own'],
  ['from=2026-01-01&to=2026-02-01&expand=true&orderDir=DESC', 'a direction of its own'],
  ['from=2026-01-01&to=2026-02-01&expand=true&count=exact', 'a count'],
  ['from=2026-01-01&to=2026-02-01&expand=true&start=2', 'the number of a page'],
  ['from=2026-01-01&to=2026-02-01&expand=true&cursor=abc', 'a cursor of another search'],
] as const) {
  test(`a window with ${reason} is refused`, async () => {
    assert.equal((await list(query)).status, 400)
  })
}

test('a window of five years of 366 days is accepted', async () => {
  assert.equal((await list('from=2020-01-01&to=2025-01-04&expand=true')).status, 200)
})

test('a datatable refuses a window', async () => {
  const table = await server.call('POST', '/api/v2/datatable', {
    json: { name: 't', table_schema: 'a C(5)' },
  })
  const answer = await server.call('GET', `${table.body.module_url}?from=2026-01-01&to=2026-02-01`)
  assert.equal(answer.status, 400)
})

test('a rule is checked when the entry is saved', async () => {
  const json = { event_title: 'x', start_time: '2026-03-02T08:00:00Z', rrule: 'FREQ=SECONDLY' }
  const answer = await server.call('POST', address, { json })
  assert.equal(answer.status, 422)
  assert.equal(answer.body.errors[0].pointer, '/rrule')
})

test('another parser reads the same events from the feed, and an unchanged feed gets 304', async () => {
  const feed = await server.call('GET', `${address}.ics`)
  assert.equal(feed.headers['content-type'], 'text/calendar; charset=utf-8')
  const events = new ICAL.Component(ICAL.parse(feed.text)).getAllSubcomponents('vevent')
  const read = events.map((event) => new ICAL.Event(event))
  const titles = read.map((event) => event.summary)
  assert.deepEqual(titles, ['Jour fixe', 'Einmal, mit; Zeichen\\', 'Lange Messe', 'Vorbei'])
  assert.equal(read[1]?.description, 'Zeile 1\nZeile 2')
  assert.equal(read[0]?.startDate.toJSDate().toISOString(), '2026-03-02T08:00:00.000Z')

  const again = await server.call('GET', `${address}.ics`, {
    headers: { 'if-none-match': String(feed.headers.etag) },
  })
  assert.equal(again.status, 304)
  // A client with a cached feed applies these headers to the feed.
  for (const name of ['etag', 'cache-control', 'vary'])
    assert.equal(again.headers[name], feed.headers[name], name)
})

test('a feed is refused under another name or without a key', async () => {
  assert.equal(
    (await server.call('GET', address.replace('termine', 'andere') + '.ics')).status,
    404,
  )
  assert.equal((await server.call('GET', `${address}.ics`, { key: null })).status, 401)
})

function list(query: string): ReturnType<TestServer['call']> {
  return server.call('GET', `${address}?${query}`)
}

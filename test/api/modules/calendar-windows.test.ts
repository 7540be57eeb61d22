// The contents of a calendar window: the entries, or their occurrences page by page.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { entriesOf, listEntries, makeCalendar, makeEntries } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const ENTRIES = [
  { event_title: 'talk', start_time: '2026-03-02T09:00:00Z', end_time: '2026-03-02T10:00:00Z' },
  { event_title: 'moment', start_time: '2026-03-02T10:00:00Z' },
  { event_title: 'day', start_time: '2026-03-02', all_day: true },
  { event_title: 'days', start_time: '2026-03-01', end_time: '2026-03-03', all_day: true },
  { event_title: 'monday', start_time: '2026-01-05T12:00:00Z', rrule: 'FREQ=WEEKLY;BYDAY=MO' },
  { event_title: 'over', start_time: '2026-01-05T12:00:00Z', rrule: 'FREQ=DAILY;COUNT=5' },
  { event_title: 'yearly', start_time: '2020-03-02', all_day: true, rrule: 'FREQ=YEARLY' },
]

const WINDOWS: readonly (readonly [string, string, string, readonly string[]])[] = [
  ['UTC', '2026-03-02', '2026-03-03', ['day', 'days', 'moment', 'monday', 'talk', 'yearly']],
  ['UTC', '2026-03-02T10:00:00Z', '2026-03-02T11:00:00Z', ['day', 'days', 'moment', 'yearly']],
  ['UTC', '2026-03-03', '2026-03-04', []],
  ['UTC', '2026-03-01', '2026-03-02', ['days']],
  ['UTC', '2026-01-09', '2026-01-10', ['over']],
  ['UTC', '2026-01-10', '2026-01-11', []],
  ['America/New_York', '2026-03-02T00:00:00Z', '2026-03-02T05:00:00Z', ['days']],
  ['America/New_York', '2026-03-03T00:00:00Z', '2026-03-03T05:00:00Z', ['day', 'days', 'yearly']],
  ['Asia/Tokyo', '2026-03-01T15:00:00Z', '2026-03-01T16:00:00Z', ['day', 'days', 'yearly']],
  ['Asia/Tokyo', '2026-03-02T15:00:00Z', '2026-03-02T16:00:00Z', []],
]

for (const [time_zone, from, to, expected] of WINDOWS) {
  test(`in ${time_zone} from ${from} to ${to} there is ${expected.join(', ') || 'nothing'}`, async () => {
    const { url } = await makeCalendar(server, { time_zone })
    await makeEntries(server, url, ENTRIES)
    const happens = async (query: Readonly<Record<string, unknown>>): Promise<unknown> => {
      const found = entriesOf(await listEntries(server, url, { from, to, ...query }))
      return found.map((entry) => entry.event_title).toSorted()
    }
    assert.deepEqual(await happens({ expand: 'true' }), expected)
    assert.deepEqual(await happens({}), expected)
    const counted = await listEntries(server, url, { from, to, count: 'exact', length: 1 })
    assert.equal(counted.page.total, expected.length)
  })
}

test('a window is paged and sorted like every list', async () => {
  const { url } = await makeCalendar(server)
  await makeEntries(server, url, ENTRIES)
  const query = { from: '2026-03-02', to: '2026-03-03', orderStr: 'event_title', length: 4 }
  const first = await listEntries(server, url, query)
  const second = await listEntries(server, url, { ...query, cursor: first.page.next })
  const titles = [first, second].map((body) =>
    entriesOf(body).map((entry) => String(entry.event_title)),
  )
  assert.deepEqual(titles, [
    ['day', 'days', 'moment', 'monday'],
    ['talk', 'yearly'],
  ])
})

test('pages of occurrences stay consistent during writes', async () => {
  const { url } = await makeCalendar(server)
  const daily = { start_time: '2026-03-01T09:00:00Z', rrule: 'FREQ=DAILY;COUNT=4' }
  await makeEntries(server, url, [
    { event_title: 'a', ...daily },
    { event_title: 'b', ...daily },
    { event_title: 'c', ...daily, start_time: '2026-03-01T08:00:00Z' },
  ])
  const query = 'from=2026-03-01&to=2026-03-10&expand=true&length=5&fields=event_title,start_time'
  const pages: string[][] = []
  for (let path: string | undefined = `${url}?${query}`; path !== undefined; ) {
    const answer = await server.call('GET', path)
    assert.equal(answer.status, 200, answer.text)
    pages.push(
      entriesOf(answer.body).map(
        ({ event_title: title, start_time: start }) => `${title}${start.slice(9, 10)}`,
      ),
    )
    assert.match(String(answer.headers['server-timing']), /scanned/)
    const [, next] = /^<(.+)>; rel="next"$/.exec(String(answer.headers['link'])) ?? []
    assert.equal(next === undefined, answer.body.page.next === null)
    path = next
    // Neither change shifts the following pages, because both lie before the position of the cursor.
    if (pages.length === 1) {
      await makeEntries(server, url, [{ event_title: 'd', start_time: '2026-03-01T10:00:00Z' }])
      await server.call('DELETE', `${url}/3`)
    }
  }
  assert.deepEqual(pages, [
    ['c1', 'a1', 'b1', 'c2', 'a2'],
    ['b2', 'a3', 'b3', 'a4', 'b4'],
  ])
})

test('parameters that do not work with expand=true are refused by name', async () => {
  const { url } = await makeCalendar(server)
  for (const [name, value] of [
    ['start', '1'],
    ['orderStr', 'event_title'],
    ['orderDir', 'ASC'],
    ['count', 'exact'],
  ]) {
    const window = 'from=2026-03-01&to=2026-03-10&expand=true'
    const answer = await server.call('GET', `${url}?${window}&${name}=${value}`)
    assert.equal(answer.status, 400)
    assert.match(answer.body.detail, new RegExp(`^${name} cannot be used with expand=true`))
  }
})

test('a cursor of occurrences is valid only for its time zone', async () => {
  const { url, path } = await makeCalendar(server, { time_zone: 'Europe/Berlin' })
  const daily = { start_time: '2026-03-01T09:00:00Z', rrule: 'FREQ=DAILY;COUNT=4' }
  await makeEntries(server, url, [{ event_title: 'a', ...daily }])
  const window = { from: '2026-03-01T00:00:00Z', to: '2026-03-10T00:00:00Z' }
  const query = { ...window, expand: 'true', length: 2 }
  const { next: cursor } = (await listEntries(server, url, query)).page
  const page = `${url}?from=${window.from}&to=${window.to}&expand=true&length=2&cursor=${cursor}`
  assert.equal((await server.call('GET', page)).status, 200)
  const change = await server.call('POST', path, { json: { time_zone: 'Asia/Tokyo' } })
  assert.equal(change.status, 200, change.text)
  const refused = await server.call('GET', page)
  assert.equal(refused.status, 400)
  assert.match(refused.body.detail, /time_zone of the calendar has changed.*Start again/)
  await server.call('POST', path, { json: { time_zone: 'Europe/Berlin' } })
  assert.equal((await server.call('GET', page)).status, 200)
})

// The import of iCalendar files into a calendar: POST to the address of its feed.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import ICAL from 'ical.js'
import { calendarFile, vevent, vtimezone } from '../../calendar/files.ts'
import { entriesOf, listEntries, makeCalendar } from '../../helpers/modules.ts'
import { type Call, startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer({ limits: { calendarFileBytes: 1_000_000 } })
})
after(() => server.close())

const BERLIN = { time_zone: 'Europe/Berlin' }

function send(
  url: string,
  file: string | Uint8Array,
  { query = '', ...call }: Call & { query?: string } = {},
) {
  const headers = { 'content-type': 'text/calendar; charset=utf-8', ...call.headers }
  return server.call('POST', `${url}.ics${query}`, { body: file, ...call, headers })
}

async function numbers(url: string, file: string, query = ''): Promise<readonly number[]> {
  const { status, body, text } = await send(url, file, { query })
  assert.equal(status, 200, text)
  return [body.created, body.updated, body.unchanged, body.refused_count]
}

const ZONE = vtimezone('W. Europe Standard Time', { winter: '+0100', summer: '+0200' })
const SERIES = vevent(
  'UID:course@example.org',
  'SUMMARY:Course',
  'LOCATION:Room 1\\, first floor',
  'DTSTART;TZID=W. Europe Standard Time:20260302T180000',
  'DTEND;TZID=W. Europe Standard Time:20260302T200000',
  'RRULE:FREQ=WEEKLY;COUNT=5',
  'EXDATE;TZID=W. Europe Standard Time:20260316T180000',
)
const MOVED = vevent(
  'UID:course@example.org',
  'SUMMARY:Course moved',
  'RECURRENCE-ID;TZID=W. Europe Standard Time:20260309T180000',
  'DTSTART:20260310T180000Z',
  'DURATION:PT1H',
)
const DAYS = vevent(
  'UID:days',
  'SUMMARY:Fair',
  'DTSTART;VALUE=DATE:20260328',
  'DTEND;VALUE=DATE:20260331',
)
const FILE = calendarFile(ZONE, MOVED, SERIES, DAYS)

test('a file creates events, and a second import changes nothing', async () => {
  const { url } = await makeCalendar(server, BERLIN)
  assert.deepEqual(await numbers(url, FILE, '?dry_run=true'), [3, 0, 0, 0])
  assert.deepEqual(entriesOf(await listEntries(server, url)), [])
  assert.deepEqual(await numbers(url, FILE), [3, 0, 0, 0])
  const march = { from: '2026-03-01', to: '2026-05-01', expand: 'true' }
  const found = entriesOf(await listEntries(server, url, march))
  assert.deepEqual(
    found.map(({ event_title, start_time, end_time }) =>
      [event_title, start_time, end_time].join(' '),
    ),
    [
      'Course 2026-03-02T17:00:00.000Z 2026-03-02T19:00:00.000Z',
      'Course moved 2026-03-10T18:00:00.000Z 2026-03-10T19:00:00.000Z',
      'Course 2026-03-23T17:00:00.000Z 2026-03-23T19:00:00.000Z',
      'Fair 2026-03-27T23:00:00.000Z 2026-03-30T22:00:00.000Z',
      'Course 2026-03-30T16:00:00.000Z 2026-03-30T18:00:00.000Z',
    ],
  )
  assert.equal(found[0]?.location, 'Room 1, first floor')

  const changes = async () => (await server.call('GET', '/api/v2/change?since=0')).body.change
  const earlier = await changes()
  assert.deepEqual(await numbers(url, FILE), [0, 0, 3, 0])
  assert.deepEqual(await changes(), earlier)
  const changed = FILE.replace('SUMMARY:Fair', 'SUMMARY:Book fair')
  assert.deepEqual(await numbers(url, changed, '?dry_run=true'), [0, 1, 2, 0])
  assert.deepEqual(await numbers(url, changed), [0, 1, 2, 0])
})

test('the feed of imported events can be read by another library and imported again', async () => {
  const { url } = await makeCalendar(server, BERLIN)
  const { url: copy } = await makeCalendar(server, BERLIN)
  await numbers(url, FILE)
  const { text } = await server.call('GET', `${url}.ics`)
  const parsed = new ICAL.Component(ICAL.parse(text))
  for (const zone of parsed.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone)
  const events = parsed.getAllSubcomponents('vevent').map((each) => new ICAL.Event(each))
  const series = events.find(({ component }) => component.hasProperty('rrule'))
  const starts = series?.iterator()
  const shown = Array.from({ length: 4 }, () => starts?.next()?.toJSDate().toISOString())
  assert.deepEqual(shown, [
    '2026-03-02T17:00:00.000Z',
    '2026-03-09T17:00:00.000Z',
    '2026-03-23T17:00:00.000Z',
    '2026-03-30T16:00:00.000Z',
  ])
  assert.deepEqual(await numbers(copy, text), [3, 0, 0, 0])
  const bare = (feed: string): string =>
    feed.replace(/^(?:DTSTAMP|CREATED|LAST-MODIFIED|NAME|X-WR-CALNAME|UID).*\r\n(?: .*\r\n)*/gm, '')
  assert.equal(bare((await server.call('GET', `${copy}.ics`)).text), bare(text))
})

test('refused events are listed with line, property and reason, and the others are imported', async () => {
  const { url } = await makeCalendar(server, {
    ...BERLIN,
    table_schema: "room C(5) NOTNULL DEFAULT 'x'",
  })
  const file = calendarFile(
    vevent('UID:1', 'SUMMARY:One', 'DTSTART:20260302T180000Z'),
    vevent(
      'UID:2',
      `SUMMARY:${'t'.repeat(256)}`,
      'DTSTART:20260302T180000Z',
      'RRULE:FREQ=DAILY;COUNT=2',
    ),
    vevent('UID:2', 'SUMMARY:Two', 'RECURRENCE-ID:20260302T180000Z', 'DTSTART:20260303T180000Z'),
    vevent('UID:3', 'SUMMARY:Three', 'DTSTART;TZID=Nowhere:20260302T180000'),
    vevent('UID:4', 'SUMMARY:Four', 'DTSTART:20260302T180000', 'RRULE:FREQ=DAILY;UNTIL=20250101'),
    vevent('UID:5', 'SUMMARY:Five', 'DTSTART:20260305T180000Z', 'ATTENDEE:mailto:a@example.org'),
  )
  for (const query of ['?dry_run=true', '']) {
    const { body } = await send(url, file, { query })
    assert.deepEqual(
      body.refused.map(({ line, property, uid, code }: any) => [line, property, uid, code]),
      [
        [9, 'SUMMARY', '2', 'entry'],
        [15, 'RECURRENCE-ID', '2#2026-03-02T18:00:00.000Z', 'series'],
        [24, 'DTSTART', '3', 'zone'],
        [26, 'RRULE', '4', 'entry'],
      ],
    )
    assert.match(body.refused[0].detail, /^event_title may have at most 255 characters/)
    assert.deepEqual(body.ignored, [{ name: 'ATTENDEE', count: 1 }])
    assert.deepEqual([body.created, body.refused_count], [2, 4])
  }
})

test('a file may have more events than one commit', async () => {
  const { url } = await makeCalendar(server, BERLIN)
  const events = Array.from({ length: 450 }, (_, at) =>
    vevent(
      `UID:${at}`,
      `SUMMARY:Event ${at}`,
      'DTSTART:20260302T180000Z',
      `DESCRIPTION:${'d'.repeat(at === 7 ? 0 : 100)}`,
    ),
  )
  assert.deepEqual(await numbers(url, calendarFile(...events)), [450, 0, 0, 0])
  assert.deepEqual(await numbers(url, calendarFile(...events)), [0, 0, 450, 0])
})

test('events whose texts are too long for one commit are written in smaller ones', async () => {
  const small = await startTestServer({ limits: { entryBytes: 20_000 } })
  const { url } = await makeCalendar(small, BERLIN)
  const event = (at: number, size: number): string =>
    vevent(
      `UID:${at}`,
      `SUMMARY:${at}`,
      'DTSTART:20260302T180000Z',
      `DESCRIPTION:${'d'.repeat(size)}`,
    )
  const body = calendarFile(
    ...[3_000, 9_000, 30_000, 9_000, 9_000].map((size, at) => event(at, size)),
  )
  const answer = await small.call('POST', `${url}.ics`, {
    body,
    headers: { 'content-type': 'text/calendar' },
  })
  await small.close()
  assert.equal(answer.body.created, 4, answer.text)
  assert.deepEqual(
    answer.body.refused.map(({ uid, code }: any) => [uid, code]),
    [['2', 'entry']],
  )
})

test('other bodies and parameters are refused', async () => {
  const { url } = await makeCalendar(server, BERLIN)
  const cases: readonly [string | Uint8Array, Call & { query?: string }, number, RegExp][] = [
    [
      FILE,
      { headers: { 'content-type': 'application/json' } },
      415,
      /"Content-Type: text\/calendar"/,
    ],
    [FILE, { headers: { 'content-type': 'text/calendar; charset=iso-8859-1' } }, 415, /in UTF-8/],
    [FILE, { headers: { 'content-encoding': 'gzip' } }, 415, /without Content-Encoding/],
    [FILE, { query: '?dryrun=true' }, 400, /did you mean "dry_run"/],
    [FILE, { query: '?dry_run=1' }, 400, /must be true or false/],
    [FILE, { headers: { 'if-match': '"r1"' } }, 400, /If-Match/],
    ['no calendar', {}, 422, /line 1 is not a property/],
    [
      Buffer.alloc(1_000_001, 'a'),
      {},
      413,
      /An iCalendar file may have at most 1000000 bytes here/,
    ],
  ]
  for (const [file, call, status, detail] of cases) {
    const answer = await send(url, file, call)
    assert.equal(answer.status, status, answer.text)
    assert.match(answer.body.detail, detail)
  }
  assert.equal((await send(`${url}-other`, FILE)).status, 404)
})

test('an import needs the grants modify and view', async () => {
  const { url } = await makeCalendar(server, BERLIN)
  for (const grants of ['create', 'modify', 'create,view', 'view']) {
    const key = await server.makeKey({ name: 'part', grants })
    assert.equal((await send(url, FILE, { key })).status, 403, grants)
  }
  const key = await server.makeKey({ name: 'whole', grants: 'modify,view' })
  assert.equal((await send(url, FILE, { key })).body.created, 3)
  assert.equal((await send(url, FILE, { key: null })).status, 401)
})

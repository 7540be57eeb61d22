// The cost of recurrence rules. The work for rules is bounded, ends when its client disconnects, and does not
// block other work.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { assertProblem, fileOf, makeFile, newName } from '../../helpers/content.ts'
import { makeCalendar, makeEntries } from '../../helpers/modules.ts'
import { eventually, openSocket } from '../../helpers/raw.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'
import { oneNode } from '../../helpers/node-pair.ts'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour).join()
/** The rule makes the server count all times of ten thousand years. */
const HEAVY = `FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=${HOURS};BYSETPOS=-366;COUNT=10000`
const WINDOW = 'from=9990-01-01&to=9994-01-01'
const event = (more: object): object => ({
  event_title: 'x',
  start_time: '0001-01-02T00:30:00Z',
  ...more,
})

test('rules that need too much work are refused, and the most expensive entry is named', async () => {
  const server = await startTestServer({ limits: { maxCalendarSteps: 100_000 } })
  try {
    const { url } = await makeCalendar(server, { time_zone: 'Europe/Berlin' })
    await makeEntries(server, url, [event({ rrule: 'FREQ=YEARLY' }), event({ rrule: HEAVY })])
    for (const more of ['', '&expand=true']) {
      const refused = await server.call('GET', `${url}?${WINDOW}${more}`)
      const { detail } = assertProblem(refused, 'too-large')
      assert.match(detail, /^The rrule of entry 2 takes most of the work/)
      assert.equal(refused.body.calendar_entry_id, 2)
      const again = await server.call('GET', `${url}?${WINDOW}${more}`)
      assert.equal(again.body.detail, detail, 'the same request gets the same answer')
      const without = `${WINDOW}${more}&qry={"calendar_entry_id":1}`
      assert.equal((await server.call('GET', `${url}?${without}`)).status, 200)
    }
  } finally {
    await server.close()
  }
})

test('rules that need too much work only together are refused without naming an entry', async () => {
  const server = await startTestServer({ limits: { maxCalendarSteps: 1_000 } })
  try {
    const { url } = await makeCalendar(server)
    await makeEntries(
      server,
      url,
      Array.from({ length: 100 }, () => event({ rrule: 'FREQ=YEARLY' })),
    )
    const refused = await server.call('GET', `${url}?${WINDOW}&expand=true`)
    assert.match(
      assertProblem(refused, 'too-large').detail,
      /^Expanding the rules of these entries/,
    )
  } finally {
    await server.close()
  }
})

let server: TestServer
let url: string
before(async () => {
  const limits = { maxCalendarSteps: Number.MAX_SAFE_INTEGER }
  server = await startTestServer({ config: { workers: 4 }, limits })
  url = (await makeCalendar(server)).url
  await makeEntries(
    server,
    url,
    Array.from({ length: 400 }, () => event({ rrule: HEAVY })),
  )
})
after(() => server.close())

async function tasks(): Promise<{ readonly running: number; readonly waiting: number }> {
  const { text } = await server.call('GET', '/metrics')
  const read = (name: string): number => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
  return { running: read('cms_tasks_running'), waiting: read('cms_tasks_waiting') }
}

/** Sends a request that takes many minutes. */
async function askLong(query: string): Promise<() => Promise<unknown>> {
  const socket = await openSocket(server.url)
  const headers = `Host: x\r\nAuthorization: Bearer ${server.key}`
  socket.write(`GET ${url}?${WINDOW}${query} HTTP/1.1\r\n${headers}\r\n\r\n`)
  return () => {
    const closed = once(socket, 'close')
    socket.destroy()
    return closed
  }
}

test(
  'endless rules use at most half of the workers, do not block other requests, and end with their clients',
  oneNode('counts'),
  async () => {
    // Each request has its own address, because equal requests share one calculation.
    const asked = ['', '&expand=true', '&length=1', '&length=2', '&length=3'].map(askLong)
    const leaves = await Promise.all(asked)
    const isFull = async (): Promise<boolean> => (await tasks()).waiting === 3
    assert.ok(await eventually(isFull), 'two of five run')
    assert.deepEqual(await tasks(), { running: 2, waiting: 3 })

    const bytes = Buffer.alloc(3 * 1024 * 1024, 'x')
    const upload = [{ name: 'asset_category_id', value: '1' }, fileOf(bytes, newName('txt'))]
    assert.equal((await server.upload(upload)).status, 201, 'a large upload')
    // A large body and the page made from the body.
    await makeFile(server, { pageContent: 'y'.repeat(1_000_000) })
    assert.deepEqual(await tasks(), { running: 2, waiting: 3 }, 'while all of it is still at work')

    await Promise.all(leaves.map((leave) => leave()))
    const isOver = async (): Promise<boolean> => {
      const { running, waiting } = await tasks()
      return running + waiting === 0
    }
    assert.ok(await eventually(isOver), 'all work has ended')
    const short = await server.call(
      'GET',
      `${url}?from=0001-01-02&to=0001-01-03&expand=true&length=1`,
    )
    assert.equal(short.status, 200)
  },
)

test('a client that half-closes its connection gets the response', async () => {
  const socket = await openSocket(server.url)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  const closed = once(socket, 'close')
  const window = 'from=0001-01-02&to=0001-01-03&expand=true&length=1'
  const headers = `Host: x\r\nConnection: close\r\nAuthorization: Bearer ${server.key}`
  socket.end(`GET ${url}?${window} HTTP/1.1\r\n${headers}\r\n\r\n`)
  await closed
  const text = Buffer.concat(chunks).toString()
  assert.match(text, /^(?:HTTP\/1\.1 102 Processing\r\n\r\n)*HTTP\/1\.1 200 OK\r\n/)
  assert.match(text, /"calendar_entry":\[\{/)
})

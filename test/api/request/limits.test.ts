// Every limit of the interface: the exact limit is accepted, and one more is refused.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { LIMITS } from '../../../lib/config/limits.ts'
import { assertProblem, fileOf, makeFile, makeFolder, newName } from '../../helpers/content.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { makeCalendar, makeEntries, makeEntry } from '../../helpers/modules.ts'
import { type Answer, buildForm, startTestServer, type TestServer } from '../../helpers/server.ts'
import { OTHER_LIMITS } from './other-limits.ts'

const MIB = 1024 * 1024
const FOLDER = '/api/v2/asset_category'
const FILE = '/api/v2/asset_file'
const SORTED = ['name', 'title', 'owner', 'date_added', 'date_modified']

let server: TestServer
let entries: string
/** A table with one column. */
let narrow: string
/** Settings that are small enough for tests to reach. */
const SMALL = {
  maxCalendarEntries: 3,
  maxCalendarBytes: 20_000,
  maxIdempotencyRows: 3,
  keysPerUser: 3,
  webhooks: 3,
  listPageBytes: 50_000,
}
const TO_ROOT = { name: 'asset_category_id', value: '1' }

before(async () => {
  server = await startTestServer({
    dataDir: newDataDirectory(),
    config: { maxUploadBytes: 2 * MIB },
    limits: SMALL,
  })
  const columns = Array.from({ length: 250 }, (_, index) => `c${index} C(10)`).join(', ')
  const table = await post('/api/v2/datatable', {
    name: 'wide',
    parent_category_id: 12,
    table_schema: columns,
  })
  entries = table.body.module_url
  const one = { name: 'narrow', parent_category_id: 12, table_schema: 'c0 C(10)' }
  narrow = (await post('/api/v2/datatable', one)).body.module_url
})
after(async () => {
  await server.stop()
  removeDataDirectories()
})

const post = (path: string, json: unknown): Promise<Answer> => server.call('POST', path, { json })
const postText = (path: string, body: string): Promise<Answer> =>
  server.call('POST', path, { body, headers: { 'content-type': 'application/json' } })
const get = (path: string): Promise<Answer> => server.call('GET', path)

/** Returns JSON with exactly this many bytes. */
function padded(json: object, bytes: number): string {
  const text = JSON.stringify(json)
  return text + ' '.repeat(bytes - text.length)
}

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const EVENT = { event_title: 'x', start_time: '2026-01-01', description: '' }

/** Requests the feed of a calendar with this many entries. */
async function feed(count: number, description = ''): Promise<Answer> {
  const { id, url } = await makeCalendar(server)
  await makeEntries(
    server,
    url,
    Array.from({ length: count }, () => ({ ...EVENT, description })),
  )
  return get(`/api/v2/module/calendar/${id}/${url.split('/').at(-1)}.ics`)
}

/**
 * Requests the feed of one entry with this many stored bytes: the record as it is read, and its layout
 * number.
 */
async function feedOf(bytes: number): Promise<Answer> {
  const { url } = await makeCalendar(server)
  const entry = await makeEntry(server, url, EVENT)
  const others = Buffer.byteLength(JSON.stringify(entry)) + ',"$layout":1'.length
  return feed(1, 'x'.repeat(bytes - others))
}

/** Creates folders with one new key, each under a different Idempotency-Key, and returns the last answer. */
async function postOnce(count: number): Promise<Answer> {
  const { body } = await post('/api/v2/api_key', { name: newName('key') })
  for (let at = 1; ; at += 1) {
    const headers = { 'idempotency-key': String(at) }
    const json = { name: newName('folder') }
    const answer = await server.call('POST', FOLDER, { key: body.secret, headers, json })
    if (at === count) return answer
  }
}

/** Treats a well-formed body with invalid content as accepted. */
async function asRead(request: Promise<Answer>): Promise<Answer> {
  const answer = await request
  return answer.status === 422 && answer.body.code === 'invalid-content'
    ? { ...answer, status: 200 }
    : answer
}

interface Limit {
  readonly name: keyof typeof LIMITS | 'maxUploadBytes'
  readonly value: number
  /** Sends a request with this amount. An accepted request has a status below 400. */
  readonly send: (amount: number) => Promise<Answer>
  readonly code: Parameters<typeof assertProblem>[1]
}

const TABLE: readonly Limit[] = [
  {
    name: 'jsonBytes',
    value: MIB,
    send: (bytes) => postText(FOLDER, padded({ name: newName() }, bytes)),
    code: 'too-large',
  },
  {
    name: 'searchBytes',
    value: 64 * 1024,
    send: (bytes) => postText(`${FOLDER}/search`, padded({ length: 1 }, bytes)),
    code: 'too-large',
  },
  {
    name: 'savedViewsBytes',
    value: 64 * 1024,
    send: (bytes) => postText('/api/v2/me/views', padded({ views: [] }, bytes)),
    code: 'too-large',
  },
  {
    name: 'searchKeys',
    value: 500,
    send: (count) => {
      const $or = Array.from({ length: count - 2 }, (_, at) => ({ name: `n${at}` }))
      return post(`${FOLDER}/search`, { qry: { $or } })
    },
    code: 'bad-json',
  },
  {
    name: 'pageBytes',
    value: 16 * MIB,
    send: (bytes) =>
      post(FILE, {
        name: newName(),
        type: 'txt',
        parent_category_id: 1,
        pageContent: 'x'.repeat(bytes),
      }),
    code: 'too-large',
  },
  {
    name: 'jsonDepth',
    value: 32,
    // The body is the first level and its list the second. No field accepts such a list, but the parser reads
    // it.
    send: (depth) => asRead(postText(FOLDER, `{"name":"x","title":${nested(depth - 1)}}`)),
    code: 'bad-json',
  },
  {
    name: 'jsonKeys',
    value: 1_000,
    send: (count) => {
      const keys = Array.from({ length: count - 1 }, (_, index) => [`k${index}`, 1])
      return asRead(post(FOLDER, { name: 'x', ...Object.fromEntries(keys) }))
    },
    code: 'bad-json',
  },
  {
    name: 'credentialBytes',
    value: 8 * 1024,
    send: (bytes) => {
      // The body is read and then refused for its missing fields.
      const text = padded({ name: 'a' }, bytes)
      return asRead(postText('/api/v2/session', text))
    },
    code: 'too-large',
  },
  {
    name: 'nestedKeys',
    value: 8_000,
    send: (count) => {
      const keys = Array.from({ length: count - 1 }, (_, index) => [`k${index}`, 1])
      return asRead(post('/api/v2/user', { name: 'x', ...Object.fromEntries(keys) }))
    },
    code: 'bad-json',
  },
  {
    name: 'bulkKeys',
    value: 100_000,
    send: (count) => {
      const keys = Array.from({ length: count }, (_, index) => `"k${index}":1`)
      return asRead(postText(entries, `[{${keys.join(',')}}]`))
    },
    code: 'bad-json',
  },
  {
    name: 'maxBulk',
    value: 500,
    send: (count) =>
      post(
        narrow,
        Array.from({ length: count }, () => ({ c0: 'x' })),
      ),
    code: 'invalid-content',
  },
  {
    name: 'maxBulkValues',
    value: 3_000,
    // The table has 250 columns, so one more value requires one more entry.
    send: (values) =>
      post(
        entries,
        Array.from({ length: Math.ceil(values / 250) }, () => ({ c0: 'x' })),
      ),
    code: 'invalid-content',
  },
  {
    name: 'entryBytes',
    value: 2 * MIB,
    send: (bytes) => postText(entries, padded([{ c0: 'x' }], bytes)),
    code: 'too-large',
  },
  {
    name: 'maxNewFiles',
    value: 50,
    send: (count) =>
      post(
        FILE,
        Array.from({ length: count }, () => ({
          name: newName('txt'),
          type: 'txt',
          parent_category_id: 1,
        })),
      ),
    code: 'invalid-content',
  },
  {
    name: 'maxListLength',
    value: 1_000,
    send: (length) => get(`${FOLDER}?length=${length}`),
    code: 'bad-qry',
  },
  {
    name: 'maxOrderFields',
    value: 4,
    send: (count) => get(`${FOLDER}?orderStr=${SORTED.slice(0, count).join()}`),
    code: 'bad-qry',
  },
  {
    name: 'uriBytes',
    value: 8 * 1024,
    send: (bytes) => {
      const path = `${FOLDER}?table_filter=`
      return get(`${path}${'x'.repeat(bytes - path.length)}`)
    },
    code: 'uri-too-long',
  },
  {
    name: 'headerCount',
    value: 100,
    // The count includes Host, Authorization and Connection.
    send: (count) => {
      const lines = Array.from({ length: count - 3 }, (_, index) => [`x${index}`, 'x'])
      return server.call('GET', FOLDER, { headers: Object.fromEntries(lines) })
    },
    code: 'headers-too-large',
  },
  {
    name: 'headerBytes',
    // Node counts the address, the names and the values, and refuses a request whose bytes reach the limit.
    value: 16 * 1024 - 1,
    send: (bytes) => {
      const others = `/healthHost${new URL(server.url).host}Connectioncloseu`
      const headers = { u: 'x'.repeat(bytes - others.length) }
      return server.call('GET', '/health', { key: null, headers })
    },
    code: 'headers-too-large',
  },
  {
    name: 'formFieldBytes',
    value: 4 * 1024,
    send: (bytes) => {
      const title = { name: 'title', value: 'x'.repeat(bytes) }
      return asRead(server.upload([TO_ROOT, title, fileOf('x', newName())]))
    },
    code: 'bad-multipart',
  },
  {
    name: 'maxUploadBytes',
    value: 2 * MIB,
    send: (bytes) => server.upload([TO_ROOT, fileOf('x'.repeat(bytes), newName())]),
    code: 'too-large',
  },
  {
    name: 'formBytes',
    value: 64 * 1024,
    // Bytes after the end of a form belong to the body.
    send: (bytes) => {
      const { contentType, body } = buildForm([TO_ROOT, fileOf('x'.repeat(2 * MIB), newName())])
      const headers = { 'content-type': contentType }
      const whole = Buffer.concat([body, Buffer.alloc(2 * MIB + bytes - body.length)])
      return server.call('POST', '/upload', { body: whole, headers })
    },
    code: 'too-large',
  },
  { name: 'maxCalendarEntries', value: 3, send: (count) => feed(count), code: 'too-large' },
  {
    name: 'maxCalendarBytes',
    value: 20_000,
    send: feedOf,
    code: 'too-large',
  },
  {
    name: 'listPageBytes',
    value: 50_000,
    send: async (bytes) => {
      const { asset_category_id: id } = await makeFolder(server)
      for (const size of [20_000, bytes - 20_000])
        await makeFile(server, { parent_category_id: id, pageContent: 'x'.repeat(size) })
      return get(`${FILE}?qry={"parent_category_id":${id}}&fields=pageContent`)
    },
    code: 'too-large',
  },
  {
    name: 'keysPerUser',
    value: 3,
    send: async (count) => {
      const { body: user } = await server.call('POST', '/api/v2/user', {
        json: { name: newName(), role: 'viewer' },
      })
      const send = () =>
        server.call('POST', '/api/v2/api_key', { json: { name: 'k', user_id: user.user_id } })
      for (let made = 1; made < count; made += 1) await send()
      return send()
    },
    code: 'invalid-content',
  },
  {
    name: 'webhooks',
    value: 3,
    send: async (count) => {
      const json = { name: 'hook', url: 'https://a.invalid', status: 'paused' }
      const { body } = await get('/api/v2/webhook')
      for (let made = body.webhook.length; made < count - 1; made += 1)
        await post('/api/v2/webhook', json)
      return post('/api/v2/webhook', json)
    },
    code: 'invalid-content',
  },
  { name: 'maxIdempotencyRows', value: 3, send: postOnce, code: 'too-many-requests' },
]

test('every limit of the interface has a test', () => {
  const names = [...TABLE.map(({ name }) => name).filter((name) => name in LIMITS), ...OTHER_LIMITS]
  assert.deepEqual(names.toSorted(), Object.keys(LIMITS).toSorted())
})

describe('each limit of limits.ts', () => {
  for (const { name, value, send, code } of TABLE) {
    test(`${name} accepts ${value} and no more`, async () => {
      const taken = await send(value)
      assert.ok(taken.status < 400, taken.text)
      assertProblem(await send(value + 1), code)
    })
  }
})

test('a window of a calendar uses at most maxCalendarEntries, expanded or not', async () => {
  const daily = { ...EVENT, rrule: 'FREQ=DAILY' }
  const { url } = await makeCalendar(server)
  await makeEntries(server, url, [daily, daily, daily])
  const windows = ['', '&expand=true'].map((more) => `${url}?from=2026-01-01&to=2026-01-02${more}`)
  for (const path of windows) assert.equal((await get(path)).status, 200)
  await makeEntries(server, url, [daily])
  for (const path of windows) assertProblem(await get(path), 'too-large')
})

test('a record contains a text of up to pageBytes, and null for a larger text', async () => {
  const small = await startTestServer({ dataDir: newDataDirectory(), limits: { pageBytes: 1_000 } })
  try {
    for (const [bytes, pageContent] of [
      [1_000, 'x'.repeat(1_000)],
      [1_001, null],
    ] as const) {
      const { body } = await small.upload([TO_ROOT, fileOf('x'.repeat(bytes), newName('txt'))])
      const path = `${FILE}/${body.asset_file_id}`
      assert.equal((await small.call('GET', path)).body.pageContent, pageContent)
    }
  } finally {
    await small.stop()
  }
})

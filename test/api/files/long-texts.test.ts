// Entries with long texts: a page has as many entries as one answer may hold, and following the pages finds
// all entries.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import {
  entriesOf,
  listAll,
  listEntries,
  type MadeModule,
  makeCalendar,
  makeEntry,
  makeTable,
  queryOf,
} from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

const MIB = 1024 * 1024
const COUNT = 5
const ALL = Array.from({ length: COUNT }, (_, at) => at + 1)

let server: TestServer
let table: MadeModule
before(async () => {
  // The size that entries could have before the limit existed.
  server = await startTestServer({ limits: { entryBytes: 24 * MIB } })
  table = await makeTable(server, 't C(20), body X')
  for (const id of ALL) {
    const json = { t: `t${id}`, body: `${id}${'x'.repeat(6 * MIB)}` }
    assert.equal((await server.call('POST', table.url, { json })).status, 201)
  }
})
after(async () => {
  await server.close()
  removeDataDirectories()
})

const LISTS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['by identifier', {}],
  ['with selected fields', { fields: 't' }],
  ['in the order of an index', { orderStr: 't', fields: 't,datatable_entry_id' }],
  ['backwards', { orderDir: 'DESC', fields: 'datatable_entry_id' }],
  ['of a text search', { qry: { body: { $contains: 'xx' } } }],
]

for (const [name, query] of LISTS) {
  test(`B15: a list ${name} ends its page early if its entries are large, with a link to the next page`, async () => {
    const page = await server.call('GET', `${table.url}?${queryOf(query)}`)
    assert.equal(page.status, 200)
    assert.ok(page.bytes.length < 17 * MIB, `${page.bytes.length} bytes`)
    assert.equal(entriesOf(page.body).length, 2)
    assert.equal(page.body.page.length, 100)
    assert.match(String(page.headers['link']), /cursor=.*rel="next"/)
    assert.equal((await listAll(server, table.url, query)).length, COUNT)
  })
}

test('an entry larger than a page is a page of its own', async () => {
  const big = await makeTable(server, 'body X, more X')
  for (const size of [1, 10, 1]) {
    const text = 'x'.repeat(size * MIB)
    const at = await server.call('POST', big.url, { json: { body: text } })
    assert.equal(at.status, 201)
    const id = Number((await server.call('GET', big.url)).body.page.total)
    const more = await server.call('POST', `${big.url}/${id}`, { json: { more: text } })
    assert.equal(more.status, 200)
  }

  const pages: number[] = []
  let query = ''
  for (;;) {
    const { body } = await server.call('GET', `${big.url}?${query}`)
    pages.push(entriesOf(body).length)
    if (body.page.next === null) break
    query = `cursor=${body.page.next}`
  }
  assert.deepEqual(pages, [1, 1, 1])
})

test('B15: a page has entries or occurrences up to exactly its limit of bytes', async () => {
  const dataDir = newDataDirectory()
  const first = await startTestServer({ dataDir })
  const { url: words } = await makeTable(first, 'word C(9)')
  const { url: days } = await makeCalendar(first)
  for (const word of ['a', 'b', 'c']) await makeEntry(first, words, { word })
  const entry = (await listEntries(first, words)).datatable_entry[0]
  const daily = { event_title: 'x', start_time: '2026-01-01', rrule: 'FREQ=DAILY' }
  const event = await makeEntry(first, days, daily)
  await first.stop()

  const window = { from: '2026-01-01', to: '2026-02-01', expand: 'true' }
  for (const [url, query, record] of [
    [words, {}, entry],
    [days, window, event],
  ] as const) {
    // Stored bytes: the record as it is read, and its layout number.
    const bytes = JSON.stringify(record).length + ',"$layout":1'.length
    for (const [listBytes, count] of [
      [2 * bytes, 2],
      [2 * bytes - 1, 1],
    ] as const) {
      const small = await startTestServer({ dataDir, limits: { listBytes } })
      const page = await listEntries(small, url, query)
      await small.stop()
      assert.equal(entriesOf(page).length, count, `${url} with ${listBytes}`)
    }
  }
})

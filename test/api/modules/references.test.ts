// Columns with references: their values are checked inside the commit, and a hidden record is answered like none.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem, makeFile, makeFolder, read } from '../../helpers/content.ts'
import {
  entriesOf,
  listEntries,
  makeCalendar,
  makeEntry,
  makeTable,
  queryOf,
} from '../../helpers/modules.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const post = (url: string, json: unknown, key?: string) =>
  server.call('POST', url, { json, ...(key !== undefined && { key }) })

const faultsOf = (answer: Answer): readonly unknown[] =>
  assertProblem(answer, 'invalid-content').errors.map(({ pointer, detail }: any) => [
    pointer,
    detail,
  ])

const missing = (id: number, table: number) =>
  `refers to entry ${id} of datatable ${table}, which does not exist, or which the key may not see`

test('a column shows to which records its values refer', async () => {
  const authors = await makeTable(server, 'name C(80)')
  const { record } = await makeTable(
    server,
    `author I REFERENCES datatable ${authors.id} ON DELETE CASCADE, next I REFERENCES SELF MANY, photo FILE('image/*')`,
  )
  const shown = record.columns.map(({ name, type, references }: any) => [name, type, references])
  const rest = { isMany: false, onDelete: 'restrict', accept: null }
  assert.deepEqual(shown, [
    ['author', 'I', { object: 'datatable', module_id: authors.id, ...rest, onDelete: 'cascade' }],
    ['next', 'I', { object: 'datatable', module_id: record.datatable_id, ...rest, isMany: true }],
    ['photo', 'I', { object: 'asset_file', module_id: null, ...rest, accept: ['image/*'] }],
  ])
  const again = await post(`/api/v2/datatable/${record.datatable_id}`, record)
  assert.equal(again.status, 200, again.text)
})

test('an entry refers only to entries that exist, in a create, a list and an update', async () => {
  const authors = await makeTable(server, 'name C(80)')
  const ada = (await makeEntry(server, authors.url, { name: 'Ada' })).datatable_entry_id
  const bob = (await makeEntry(server, authors.url, { name: 'Bob' })).datatable_entry_id
  const gone = ada + 1_000
  const books = await makeTable(
    server,
    `author I REFERENCES datatable ${authors.id}, helpers I REFERENCES datatable ${authors.id} MANY`,
  )
  assert.deepEqual(faultsOf(await post(books.url, { author: gone, helpers: [ada, gone] })), [
    ['/author', missing(gone, authors.id)],
    ['/helpers', missing(gone, authors.id)],
  ])
  const list = await post(books.url, [{ author: ada }, { author: gone }])
  assert.deepEqual(faultsOf(list), [['/1/author', missing(gone, authors.id)]])

  const book = await makeEntry(server, books.url, { author: ada, helpers: [bob, ada] })
  assert.deepEqual([book.author, book.helpers], [ada, [bob, ada]])
  const plain = await makeEntry(server, books.url, {})
  assert.deepEqual([plain.author, plain.helpers], [null, []])
  const url = `${books.url}/${book.datatable_entry_id}`
  assert.deepEqual(faultsOf(await post(url, { helpers: [gone, bob] })), [
    ['/helpers', missing(gone, authors.id)],
  ])
  const changed = await post(url, { helpers: [ada], author: null })
  assert.deepEqual([changed.body.helpers, changed.body.author], [[ada], null])
  const cleared = await post(url, { helpers: null })
  assert.deepEqual(cleared.body.helpers, [])
})

test('a list is found by each of its elements, and an empty list by $exists', async () => {
  const { url } = await makeTable(server, 'next I REFERENCES SELF MANY')
  const first = (await makeEntry(server, url, {})).datatable_entry_id
  const second = (await makeEntry(server, url, { next: [first] })).datatable_entry_id
  const third = (await makeEntry(server, url, { next: `${second} ${first}` })).datatable_entry_id
  const idsBy = async (qry: object): Promise<readonly number[]> => {
    const entries = entriesOf(await listEntries(server, url, { qry }))
    return entries.map((entry) => entry.datatable_entry_id)
  }
  assert.deepEqual(await idsBy({ next: first }), [second, third])
  assert.deepEqual(await idsBy({ next: second }), [third])
  assert.deepEqual(await idsBy({ next: { $exists: false } }), [first])
  const sorted = await server.call('GET', `${url}?${queryOf({ orderStr: 'next' })}`)
  assert.equal(sorted.status, 400, sorted.text)
})

test('files are checked with their live type, and events of calendars like entries', async () => {
  const calendar = await makeCalendar(server)
  const event = await makeEntry(server, calendar.url, {
    event_title: 'Talk',
    start_time: '2026-01-01',
  })
  const { url } = await makeTable(
    server,
    `photo FILE('text/html', 'image/*'), all FILES, event I REFERENCES calendar ${calendar.id}`,
  )
  const page = (await makeFile(server)).asset_file_id
  const text = (await makeFile(server, { type: 'txt', name: 'a.txt' })).asset_file_id
  const entry = await makeEntry(server, url, {
    photo: page,
    all: [text, page],
    event: event.calendar_entry_id,
  })
  assert.deepEqual([entry.photo, entry.all], [page, [text, page]])
  assert.deepEqual(faultsOf(await post(url, { photo: text, event: 999 })), [
    [
      '/photo',
      `refers to asset file ${text} of the type text/plain; accepted types: text/html, image/*`,
    ],
    [
      '/event',
      `refers to entry 999 of calendar ${calendar.id}, which does not exist, or which the key may not see`,
    ],
  ])
})

test('a hidden table, entry or file gets the same response as a missing one', async () => {
  const [open, hidden] = [await makeFolder(server), await makeFolder(server)]
  const inOpen = { parent_category_id: open.asset_category_id }
  const inHidden = { parent_category_id: hidden.asset_category_id }
  const secrets = await makeTable(server, 'name C(80)', inHidden)
  const secret = await makeEntry(server, secrets.url, { name: 'x' })
  const file = await makeFile(server, inHidden)
  const columns = `a I REFERENCES datatable ${secrets.id} MANY, b FILE`
  const table = await makeTable(server, columns, inOpen)
  const key = await server.makeKey({ category: open.asset_category_id })

  const withKey = (json: object) => post(table.url, json, key)
  const seen = await withKey({ a: [secret.datatable_entry_id], b: file.asset_file_id })
  const none = await withKey({ a: [999_999], b: 999_998 })
  const plain = (text: string) => text.replaceAll(/ \d+/g, ' N')
  assert.deepEqual(
    faultsOf(seen).map((fault) => plain(String(fault))),
    faultsOf(none).map((fault) => plain(String(fault))),
  )

  // References that the entry has already may stay, because the caller reads their numbers.
  const entry = await makeEntry(server, table.url, { a: [secret.datatable_entry_id] })
  const kept = await post(`${table.url}/${entry.datatable_entry_id}`, { a: entry.a, b: null }, key)
  assert.equal(kept.status, 200, kept.text)

  const refused = await post(
    '/api/v2/datatable',
    { name: 'own', table_schema: columns, ...inOpen },
    key,
  )
  assert.deepEqual(faultsOf(refused), [
    [
      '/table_schema',
      `column "a": REFERENCES names datatable ${secrets.id}, which does not exist, or which the key may not see`,
    ],
  ])
})

test('a table cannot be deleted while other tables refer to it', async () => {
  const target = await makeTable(server, 'name C(80), next I REFERENCES SELF')
  const other = await makeTable(server, `a I REFERENCES datatable ${target.id}`)
  const refused = await server.call('DELETE', target.path)
  assert.equal(
    assertProblem(refused, 'in-use').detail,
    `The columns a of datatable ${other.id} refer to datatable ${target.id}. Remove REFERENCES there, or drop the columns, before you delete it.`,
  )
  const changed = await post(other.path, { table_schema: 'a I' })
  assert.equal(changed.status, 200, changed.text)
  assert.equal((await server.call('DELETE', target.path)).status, 204)
  assert.equal((await read(server, other.path)).body.columns[0].references, null)
})

test('a change that adds a reference lists the dangling values and keeps the others', async () => {
  const authors = await makeTable(server, 'name C(80)')
  const ada = (await makeEntry(server, authors.url, { name: 'Ada' })).datatable_entry_id
  const books = await makeTable(server, 'author I, n I')
  const good = (await makeEntry(server, books.url, { author: ada, n: 1 })).datatable_entry_id
  const bad = (await makeEntry(server, books.url, { author: 999, n: 2 })).datatable_entry_id
  await makeEntry(server, books.url, { n: 3 })

  const table_schema = `writers I REFERENCES datatable ${authors.id} MANY, n I`
  const json = { table_schema, columns: [{ name: 'writers', renamed_from: 'author' }] }
  const planned = await server.call('POST', `${books.path}?dry_run=true`, { json })
  assert.deepEqual(planned.body.plan.references, [{ name: 'writers', entries: 1, examples: [bad] }])
  const refused = assertProblem(await post(books.path, json), 'schema-conflict')
  assert.match(
    refused.detail,
    /^1 entry in column writers would refer to records that do not exist/,
  )
  await post(`${books.url}/${bad}`, { author: null })
  const changed = await post(books.path, json)
  assert.equal(changed.status, 200, changed.text)
  const entries = entriesOf(await listEntries(server, books.url))
  assert.deepEqual(
    entries.map(({ writers, n }) => [writers, n]),
    [
      [[ada], 1],
      [[], 2],
      [[], 3],
    ],
  )
  const removed = await server.call('DELETE', `${authors.url}/${ada}`)
  assert.equal(assertProblem(removed, 'in-use').references[0].entry_id, good)

  const back = await post(books.path, { table_schema: 'writers I, n I' })
  assert.equal(back.status, 200, back.text)
  const plain = entriesOf(await listEntries(server, books.url))
  assert.deepEqual(
    plain.map(({ writers }) => writers),
    [ada, null, null],
  )
  assert.equal((await server.call('DELETE', `${authors.url}/${ada}`)).status, 204)
})

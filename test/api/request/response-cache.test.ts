// Invalidation of cached answers, tested on the cache with an in-memory engine.

import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { openKeptAnswers } from '../../../lib/api/request/response-cache.ts'
import type { Reply } from '../../../lib/http/reply.ts'
import type { Context } from '../../../lib/operations/context.ts'
import type { Records } from '../../../lib/storage/port.ts'
import { openRecords } from '../../../lib/storage/records/records.ts'
import { book, makeBook, qry, searchable } from '../../helpers/book.ts'
import { openMemoryKv } from '../../helpers/memory-kv.ts'

let records: Records
let context: Context
let read: (url: string, make: (context: Context) => Promise<Reply>) => Promise<Reply>
let made = 0

beforeEach(async () => {
  records = openRecords(openMemoryKv())
  await put(1, { title: 'Emma', pages: 1 })
  await put(2, { title: 'Persuasion', pages: 2 })
  context = contextOf(1)
  made = 0
  const kept = openKeptAnswers()
  read = async (url, make) =>
    kept.read({ url, headers: {} }, context, (traced) => {
      made += 1
      return make(traced)
    })
})

/** The part of a context that the cache reads. A different caller has different answers. */
function contextOf(api_key_id: number): Context {
  return { records, caller: { key: { api_key_id } }, purging: new Set() } as unknown as Context
}

function put(id: number, values: object): Promise<unknown> {
  return records.commit((unit) => unit.put(book, [id], makeBook(id, values as never)))
}

const one = async (traced: Context): Promise<Reply> => ({
  status: 200,
  headers: {},
  body: traced.records.get(book, 1)?.text ?? '',
})

const found =
  (value: object, query: object = {}) =>
  async (traced: Context): Promise<Reply> => {
    const asked = { match: qry(value), length: 10, ...query }
    const { records: books } = await traced.records.search(book, searchable, asked)
    return { status: 200, headers: {}, body: books.map(({ text }) => text).join() }
  }

test('a change of the record invalidates its response, and no other change does', async () => {
  await read('/1', one)
  await put(2, { title: 'Sanditon', pages: 2 })
  await put(3, { title: 'Lady Susan', pages: 3 })
  await read('/1', one)
  assert.equal(made, 1)

  await put(1, { title: 'Emma', pages: 11 })
  assert.match(String((await read('/1', one)).body), /"pages":11/)
  assert.equal(made, 2)
})

test('the creation of a record invalidates the response to a missing record', async () => {
  const missing = async (traced: Context): Promise<Reply> => ({
    status: 200,
    headers: {},
    body: String(traced.records.get(book, 9)?.text),
  })
  await read('/9', missing)
  await put(1, { title: 'Emma', pages: 3 })
  await read('/9', missing)
  assert.equal(made, 1)
  await put(9, { title: 'Sanditon' })
  assert.match(String((await read('/9', missing)).body), /Sanditon/)
})

test('a search by value is invalidated when a record gets or loses the value, or a result changes', async () => {
  const emma = found({ title: 'Emma' })
  await read('/emma', emma)
  await put(2, { title: 'Persuasion', pages: 99 })
  await put(3, { title: 'Sanditon' })
  await read('/emma', emma)
  assert.equal(made, 1)

  for (const [id, values, count] of [
    [3, { title: 'Emma' }, 2],
    [1, { title: 'Emma', pages: 7 }, 2],
    [3, { title: 'Sanditon' }, 1],
  ] as const) {
    await put(id, values)
    const before: number = made
    const { body } = await read('/emma', emma)
    assert.equal(String(body).split('},{').length, count)
    assert.equal(made, before + 1)
  }
  await records.commit((unit) => unit.remove(book, 1))
  assert.equal(String((await read('/emma', emma)).body), '')
})

test('a search for an identifier is invalidated when this record is created or changed', async () => {
  for (const [url, value] of [
    ['/id', { book_id: 7 }],
    ['/in', { book_id: { $in: [7] } }],
  ] as const) {
    await records.commit((unit) => unit.remove(book, 7))
    const seventh = found(value)
    assert.equal(String((await read(url, seventh)).body), '')
    const before: number = made
    await put(2, { title: 'Persuasion', pages: before })
    await read(url, seventh)
    assert.equal(made, before)
    await put(7, { title: 'Sanditon' })
    assert.match(String((await read(url, seventh)).body), /Sanditon/)
    await put(7, { title: 'Emma' })
    assert.match(String((await read(url, seventh)).body), /Emma/)
  }
})

test('every change of the type invalidates a search by range', async () => {
  const thick = found({ pages: { $gte: 2 } })
  await read('/thick', thick)
  await put(1, { title: 'Emma', pages: 3 })
  assert.equal(String((await read('/thick', thick)).body).split('},{').length, 2)
  assert.equal(made, 2)
})

test('a running or failed commit invalidates nothing', async () => {
  await read('/1', one)
  let isOver = false
  const commit = put(1, { title: 'Emma', pages: 5 }).finally(() => (isOver = true))
  const refused = records.commit((unit) => {
    unit.put(book, [1], makeBook(1, { title: 'never' }))
    throw new Error('refused')
  })
  await assert.rejects(refused, /refused/)
  await commit
  assert.ok(isOver)
  await read('/1', one)
  const second = made
  await assert.rejects(
    records.commit((unit) => {
      unit.put(book, [1], makeBook(1, { title: 'never' }))
      throw new Error('refused')
    }),
  )
  assert.match(String((await read('/1', one)).body), /"pages":5/)
  assert.equal(made, second)
})

test('concurrent requests share one read, unless a source changed since the read began', async () => {
  const slow = async (traced: Context): Promise<Reply> => {
    const { text = '' } = traced.records.get(book, 1) ?? {}
    await new Promise((resolve) => setTimeout(resolve, 20))
    return { status: 200, headers: {}, body: text }
  }
  const first = read('/slow', slow)
  const second = read('/slow', slow)
  assert.equal(made, 1)
  await put(1, { title: 'Emma', pages: 8 })
  const third = read('/slow', slow)
  assert.equal(made, 2)
  const bodies = (await Promise.all([first, second, third])).map(({ body }) => String(body))
  assert.match(bodies[1] ?? '', /"pages":1/)
  assert.match(bodies[2] ?? '', /"pages":8/)
  assert.match(String((await read('/slow', slow)).body), /"pages":8/)
})

test('a request that waits for a failed or private read runs its own read', async () => {
  let isFirst = true
  const failing = async (): Promise<Reply> => {
    const fails = isFirst
    isFirst = false
    await new Promise((resolve) => setTimeout(resolve, 10))
    if (fails) throw new Error('the client has gone')
    return { status: 200, headers: {}, body: 'mine' }
  }
  const first = read('/gone', failing)
  const second = read('/gone', failing)
  await assert.rejects(first, /gone/)
  assert.equal(String((await second).body), 'mine')
  assert.equal(made, 2)
})

test('another caller gets its own response', async () => {
  await read('/1', one)
  context = contextOf(1)
  await read('/1', one)
  assert.equal(made, 2)
  context = contextOf(2)
  await read('/1', one)
  assert.equal(made, 3)
})

test('a response counts with the size of its sources', async () => {
  const many = async (traced: Context): Promise<Reply> => {
    for (let id = 1; id <= 1_000; id += 1) traced.records.get(book, id)
    return { status: 200, headers: {}, body: '' }
  }
  for (let at = 0; at < 800; at += 1) await read(`/many/${at}`, many)
  assert.equal(made, 800)
  for (let at = 0; at < 800; at += 1) await read(`/many/${at}`, many)
  // Each answer has about 25 KB, and the cache has 16 MiB. The cached answers are chosen at random
  // (cache-admission.ts).
  const kept = 1_600 - made
  assert.ok(kept > 400 && kept < 680, `${kept}`)
})

test('concurrent requests share one read even if the response is not cached', async () => {
  for (let at = 0; at < 18_000; at += 1) await read(`/fill/${at}`, one)
  const before = made
  for (let at = 0; at < 20; at += 1) {
    const asked = [1, 2, 3].map(() => read(`/new/${at}`, one))
    await Promise.all(asked)
  }
  assert.equal(made - before, 20)
})

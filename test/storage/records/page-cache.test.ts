// The page cache: which pages are kept, for which queries, and when they are invalidated.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nameOfText, openChanges } from '../../../lib/storage/records/change-tracker.ts'
import { encodeRecord } from '../../../lib/storage/records/record-bytes.ts'
import { openPageCache, type PageCache } from '../../../lib/storage/records/page-cache.ts'
import type { JsonObject, Stored } from '../../../lib/schema/values.ts'
import type { Page, Query } from '../../../lib/storage/port.ts'
import { book, qry } from '../../helpers/book.ts'

const make = (note: string): Stored<JsonObject> => encodeRecord<JsonObject>({ note }, 1).stored
const other = { ...book, name: 'other' }
const SMALL = make('x')
const BYTES = SMALL.bytes.length
const pageOf = (...records: readonly Stored<JsonObject>[]): Page => ({
  records,
  ids: records.map((_, at) => at + 1),
  total: undefined,
  next: undefined,
  scanned: 0,
})

interface Reading {
  readonly type?: typeof book
  readonly query?: Query
  readonly page?: Page
}

/** Whether the cache did not have the page, so that it was searched for. */
async function isFound(
  cache: PageCache,
  { type = book, query = { length: 1 }, page = pageOf(SMALL) }: Reading = {},
): Promise<boolean> {
  let isRead = false
  await cache.read(type, query, async (trace) => {
    trace.add(nameOfText(type.name))
    isRead = true
    return page
  })
  return isRead
}

async function isKept(cache: PageCache, reading: Reading): Promise<boolean> {
  assert.equal(await isFound(cache, reading), true)
  return !(await isFound(cache, reading))
}

let changes = openChanges(0)

function open(): PageCache {
  changes = openChanges(0)
  return openPageCache(changes, 10_000)
}

describe('a page is kept', () => {
  test('only for the same query', async () => {
    const cache = open()
    const queries: readonly Query[] = [
      { length: 1 },
      { length: 2 },
      { length: 1, start: 2 },
      { length: 1, cursor: 'x' },
      { length: 1, count: true },
      { length: 1, onlyIds: true },
      { length: 1, descending: true },
      { length: 1, orderBy: null },
      { length: 1, orderBy: 'title' },
      { length: 1, orderBy: 'title', thenBy: [{ orderBy: 'pages' }] },
      { length: 1, match: qry({ pages: 1 }) },
      { length: 1, match: qry({ pages: 2 }) },
      { length: 1, reckonedBytes: () => 0 },
    ]
    for (const query of queries) assert.equal(await isKept(cache, { query }), true)
    for (const query of queries) assert.equal(await isFound(cache, { query }), false)
    assert.equal(await isFound(cache, { type: other }), true)
  })

  test('only for the same type definition', async () => {
    const cache = open()
    await isFound(cache)
    assert.equal(await isFound(cache, { type: { ...book } }), true)
  })

  test('only for callers who see all records and filter none', async () => {
    for (const query of [
      { length: 1, isVisible: () => true },
      { length: 1, isWanted: () => true },
    ])
      assert.equal(await isKept(open(), { query }), false)
  })

  test('up to a size, with 512 bytes of overhead for the page and each record', async () => {
    // The name of the type takes another 24 bytes, and the identifier of the record eight.
    const most = 256 * 1024 - 1_024 - 24 - 8 - Buffer.byteLength('{"note":""}')
    assert.equal(await isKept(open(), { page: pageOf(make('x'.repeat(most))) }), true)
    assert.equal(await isKept(open(), { page: pageOf(make('x'.repeat(most + 1))) }), false)
  })

  test('with as many other pages as fit', async () => {
    const cache = open()
    const page = pageOf(make('x'.repeat(250 * 1024)))
    for (let length = 1; length <= 100; length += 1)
      await isFound(cache, { query: { length }, page })
    let kept = 0
    for (let length = 100; length > 0; length -= 1)
      if (!(await isFound(cache, { query: { length }, page }))) kept += 1
    // 65 pages have room; chance decides which pages are kept (cache-admission.ts).
    assert.ok(kept > 40 && kept <= 65, `${kept}`)
  })
})

describe('a page is recomputed', () => {
  test('after a change of its records and of nothing else', async () => {
    const cache = open()
    await isFound(cache)
    await isFound(cache, { type: other })
    changes.note([nameOfText('other')], changes.now() + 1)
    changes.note([nameOfText(`book\0${1}`)], changes.now() + 1)
    assert.equal(await isFound(cache), false)
    assert.equal(await isFound(cache, { type: other }), true)
    changes.note([nameOfText('book')], changes.now() + 1)
    assert.deepEqual([await isFound(cache), await isFound(cache)], [true, false])
  })

  test('after a change during the search', async () => {
    const cache = open()
    await cache.read(book, { length: 1 }, async (trace) => {
      trace.add(nameOfText('book'))
      changes.note([nameOfText('book')], changes.now() + 1)
      return pageOf(SMALL)
    })
    assert.equal(await isFound(cache), true)
  })

  test('after the cache was cleared', async () => {
    const cache = open()
    await isFound(cache)
    cache.clear()
    assert.equal(await isFound(cache), true)
  })

  test('if its estimated size grew over the limit of a page, unless it has one record', async () => {
    let more = 0
    const query = { length: 2, reckonedBytes: () => more }
    for (const [count, grown, isAgain] of [
      [2, 5_000 - BYTES, false],
      [2, 5_001 - BYTES, true],
      [1, 20_000, false],
    ] as const) {
      more = 0
      const cache = open()
      const page = pageOf(...Array.from({ length: count }, () => SMALL))
      await isFound(cache, { query, page })
      more = grown
      assert.equal(await isFound(cache, { query, page }), isAgain, `${count} and ${grown}`)
    }
  })
})

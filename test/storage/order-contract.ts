// The contract of Query.thenBy for every engine: an order by several fields, each in its own
// direction.

import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { JsonObject } from '../../lib/schema/values.ts'
import type { Query, Records } from '../../lib/storage/port.ts'
import { type Book, book, makeBook, qry } from '../helpers/book.ts'
import { openFor, type OpenStore } from '../helpers/open-store.ts'
import { idsOf, putBooks, readAll, search } from '../helpers/search-books.ts'

const SHELF: readonly Book[] = [
  makeBook(1, { title: 'b', pages: 2, sold: true }),
  makeBook(2, { title: 'a', pages: 1, sold: false }),
  makeBook(3, { title: 'b', pages: 1, sold: true }),
  makeBook(4, { title: 'a', pages: 1, sold: true }),
  makeBook(5, { title: 'b', pages: null, sold: true }),
  makeBook(6, { title: null, pages: 3 }),
  makeBook(7, { title: 'b', pages: 1, sold: false }),
  makeBook(8, { title: null, pages: null }),
]

type Order = Pick<Query, 'orderBy' | 'descending' | 'thenBy'>

/** "-a" is descending; "id" is the identifier. */
function order(...names: readonly string[]): Order {
  const [first, ...thenBy] = names.map((text) => {
    const name = text.replace('-', '')
    return { orderBy: name === 'id' ? null : name, descending: text.startsWith('-') }
  })
  return { ...first, thenBy }
}

const ORDERS: readonly (readonly [readonly string[], readonly number[]])[] = [
  [
    ['title', 'pages'],
    [8, 6, 2, 4, 5, 3, 7, 1],
  ],
  [
    ['-title', '-pages'],
    [1, 7, 3, 5, 4, 2, 6, 8],
  ],
  [
    ['-title', 'pages'],
    [5, 3, 7, 1, 2, 4, 8, 6],
  ],
  [
    ['title', '-pages'],
    [6, 8, 4, 2, 1, 7, 3, 5],
  ],
  [
    ['title', 'pages', '-id'],
    [8, 6, 4, 2, 5, 7, 3, 1],
  ],
  [
    ['title', '-id'],
    [8, 6, 4, 2, 7, 5, 3, 1],
  ],
  [
    ['-title', 'id'],
    [1, 3, 5, 7, 2, 4, 6, 8],
  ],
  [
    ['title', 'id', 'pages'],
    [6, 8, 2, 4, 1, 3, 5, 7],
  ],
  [
    ['id', 'title'],
    [1, 2, 3, 4, 5, 6, 7, 8],
  ],
  [
    ['-id', 'title'],
    [8, 7, 6, 5, 4, 3, 2, 1],
  ],
  [
    ['sold', 'title', '-pages'],
    [6, 8, 2, 7, 4, 1, 3, 5],
  ],
  [
    ['title', 'title'],
    [6, 8, 2, 4, 1, 3, 5, 7],
  ],
]

export function severalFieldsContract(open: OpenStore): void {
  test('records are sorted by several fields, each in its direction, by every access path', async (t) => {
    const records = await openShelf(t, open)
    const matches = [
      undefined,
      qry({ book_id: { $gt: 0 } }),
      qry({ $or: [{ title: null }, { title: { $exists: true } }] }),
      qry({ title: { $gte: 'a' } }),
      qry({ title: 'b' }),
      qry({ sold: true }),
    ]
    for (const [names, ids] of ORDERS) {
      for (const match of matches) {
        const query = { ...order(...names), match, length: 10 }
        const all = new Set(idsOf(await search(records, { match, length: 10 })))
        const expected = ids.filter((id) => all.has(id))
        const what = names.join()
        assert.deepEqual(idsOf(await search(records, query)), expected, what)
        assert.deepEqual(await readAll(records, { ...query, length: 1 }), expected, what)
        assert.deepEqual(await readAll(records, { ...query, length: 3 }), expected, what)
        const page = await search(records, { ...query, start: 2, length: 3 })
        assert.deepEqual(idsOf(page), expected.slice(3, 6), what)
      }
    }
  })

  test('long texts and values longer than a key sort as in the index', async (t) => {
    const { records } = await openFor(t, open)
    const long = 'x\0'.repeat(500)
    const titles = [`${long}b`, long.slice(0, 400), `${long}a`, 'x']
    await putBooks(
      records,
      titles.flatMap((title, at) => [
        makeBook(at + 1, { title, sold: true, price: '12345678901234567890.2' }),
        makeBook(at + 11, { title, sold: true, price: '12345678901234567890.1' }),
      ]),
    )
    const byTitle = await readAll(records, { orderBy: 'title', length: 3 })
    const further = { ...order('sold', 'price', 'title'), length: 3 }
    assert.deepEqual(await readAll(records, further), byTitle)
    const first = { ...order('title', 'price', 'sold'), length: 3 }
    assert.deepEqual(await readAll(records, first), byTitle)
  })

  test('writes between pages of several fields neither hide nor repeat existing records', async (t) => {
    for (const names of [
      ['sold', 'pages'],
      ['-sold', 'pages'],
      ['sold', '-pages'],
    ]) {
      const { records } = await openFor(t, open)
      const lasting = Array.from({ length: 20 }, (_, at) => 10 + at)
      await putBooks(
        records,
        lasting.map((id) => makeBook(id, { sold: id % 2 === 0, pages: (id * 7) % 5 })),
      )
      const query = { ...order(...names), length: 3 }
      const [first = '', second = ''] = names
      const [one, other] = [first.startsWith('-'), second.startsWith('-')].map((is) =>
        is ? -1 : 1,
      )
      const expected = lasting.toSorted((left, right) => {
        const bySold = (Number(left % 2 === 0) - Number(right % 2 === 0)) * (one ?? 1)
        const byPages = ((left * 7) % 5) - ((right * 7) % 5) || left - right
        return bySold || byPages * (other ?? 1)
      })
      let at = 100
      const gone = new Set<number>()
      const seen = await readAll(records, query, async (page) => {
        // The record at the cursor is removed, and new records are inserted everywhere.
        const last = idsOf(page).at(-1) ?? 0
        gone.add(last)
        await records.commit((unit) => unit.remove(book, last))
        const values = [0, 1, 2, 3, 4].map((pages) => ({ sold: at % 2 === 0, pages }))
        if (at < 120)
          await putBooks(
            records,
            values.map((item) => makeBook(at++, item)),
          )
      })
      assert.deepEqual(
        seen.filter((id) => id < 100),
        expected,
        names.join(),
      )
      assert.ok(gone.size > 3)
    }
  })

  test('a further field that cannot be sorted by is refused with the list of sortable fields', async (t) => {
    const records = await openShelf(t, open)
    for (const name of ['note', 'tags', 'nonsense', '__proto__']) {
      const query = { ...order('title', name), length: 5 }
      await assert.rejects(search(records, query), { code: 'bad-qry', message: /book_id, title/ })
    }
  })

  test('a cursor of another order of several fields is refused', async (t) => {
    const records = await openShelf(t, open)
    const own = order('title', 'pages')
    const cursor = (await search(records, { ...own, length: 2 })).next ?? ''
    const others = [
      order('title'),
      order('title', '-pages'),
      order('-title', 'pages'),
      order('title', 'sold'),
      order('title', 'pages', 'sold'),
      order('pages', 'title'),
    ]
    for (const other of others)
      await assert.rejects(search(records, { ...other, length: 2, cursor }), { code: 'bad-qry' })
    const short = { ...own, length: 2, cursor: cursor.slice(0, -6) }
    await assert.rejects(search(records, short), { code: 'bad-qry' })
  })

  test('more than 10,000 records of one value are refused, and the page before them is not', async (t) => {
    const { records } = await openFor(t, open)
    for (let from = 0; from < 10_001; from += 1_000) {
      const ids = Array.from({ length: Math.min(1_000, 10_001 - from) }, (_, at) => from + at + 1)
      await putBooks(
        records,
        ids.map((id) => makeBook(id, { sold: true, pages: id % 7 })),
      )
    }
    const few = Array.from({ length: 3 }, (_, at) => makeBook(20_000 + at, { sold: false }))
    await putBooks(records, few)

    const query = { ...order('sold', 'pages'), length: 2 }
    const refusal = {
      code: 'bad-qry',
      message: /More than 10000 records .* the same sold.* by sold alone/,
    }
    const first = await search(records, query)
    const second = await search(records, { ...query, cursor: first.next })
    assert.deepEqual([...idsOf(first), ...idsOf(second)], [20_000, 20_001, 20_002])
    await assert.rejects(search(records, { ...query, cursor: second.next }), refusal)
    await assert.rejects(search(records, { ...query, start: 3 }), refusal)

    // The limit does not apply if a record is hidden from the caller, or if a search finds fewer
    // records.
    const isVisible = (record: JsonObject): boolean => record['book_id'] !== 77
    const seen = await search(records, { ...query, isVisible, descending: true, length: 1_000 })
    assert.equal(seen.records.length, 1_000)
    const fewer = { ...query, match: qry({ pages: { $lte: 5 } }), length: 4 }
    assert.equal((await search(records, { ...fewer, descending: true })).records.length, 4)
  })
}

async function openShelf(t: TestContext, open: OpenStore): Promise<Records> {
  const { records } = await openFor(t, open)
  await putBooks(records, SHELF)
  return records
}

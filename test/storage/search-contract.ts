// The contract of Records.search for every engine.

import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import type { Query, Records } from '../../lib/storage/port.ts'
import { type Book, book, makeBook, qry } from '../helpers/book.ts'
import { openFor, type OpenStore } from '../helpers/open-store.ts'
import { idOf, idsOf, putBooks, readAll, search } from '../helpers/search-books.ts'
import { longRangeContract } from './long-range-contract.ts'
import { severalFieldsContract } from './order-contract.ts'

const SHELF: readonly Book[] = [
  makeBook(1, {
    title: 'Emma',
    pages: 474,
    price: '9.50',
    sold: true,
    added: '2026-01-02T00:00:00.000Z',
    tags: [1, 2],
  }),
  makeBook(2, {
    title: 'Emil',
    pages: 160,
    price: '12.00',
    sold: false,
    added: '2026-01-01T00:00:00.000Z',
    tags: [2],
  }),
  makeBook(3, {
    title: 'emma',
    pages: 5,
    weight: 0.5,
    printed: '1815-12-23',
    note: 'a (small) one',
  }),
  makeBook(4, { title: 'Zazie', pages: 160, weight: 1.5, price: '9.5', sold: true, tags: [9] }),
  makeBook(5),
]

const FOUND: readonly (readonly [unknown, readonly number[]])[] = [
  [{}, [1, 2, 3, 4, 5]],
  [{ title: 'Emma' }, [1]],
  [{ 'book.title': 'Emma' }, [1]],
  [{ pages: '160' }, [2, 4]],
  [{ pages: 160, sold: 1 }, [4]],
  [{ title: null }, [5]],
  [{ price: 9.5 }, [1, 4]],
  [{ sold: { $ne: true } }, [2, 3, 5]],
  [{ tags: 2 }, [1, 2]],
  [{ tags: null }, [3, 5]],
  [{ tags: { $gt: 1, $lt: 9 } }, [1, 2]],
  [{ book_id: { $gte: 2, $lt: 4 } }, [2, 3]],
  [{ book_id: { $in: [5, 1, 77] } }, [1, 5]],
  [{ pages: { $gt: 5, $lte: 160 } }, [2, 4]],
  [{ weight: { $gte: 0.5 } }, [3, 4]],
  [{ price: { $lt: '10' } }, [1, 4]],
  [{ price: { $gt: 9.5 } }, [2]],
  [{ printed: '1815-12-23' }, [3]],
  [{ added: { $lt: '2026-01-02' } }, [2]],
  [{ added: { $gte: 1767312000 } }, [1]],
  [{ title: { $in: ['Emil', 'emma', null] } }, [2, 3, 5]],
  [{ title: { $nin: ['Emil', 'emma', null] } }, [1, 4]],
  [{ pages: { $in: [] } }, []],
  [{ note: { $exists: true } }, [3]],
  [{ title: { $exists: false } }, [5]],
  [{ title: { $startsWith: 'Em' } }, [1, 2]],
  [{ title: { $contains: 'm' } }, [1, 2, 3]],
  [{ note: { $regex: '\\(small\\)' } }, [3]],
  [{ title: { $regex: '^Em' } }, [1, 2]],
  [{ title: { $regex: '^Emm?' } }, [1, 2]],
  [{ title: { $regex: '^Em|^Za' } }, [1, 2, 4]],
  [{ title: { $regex: '^em', $options: 'i' } }, [1, 2, 3]],
  [{ title: '/^EM/i' }, [1, 2, 3]],
  [{ pages: { $not: { $gt: 100 } } }, [3, 5]],
  [{ $not: { pages: 160 } }, [1, 3, 5]],
  [{ $or: [{ title: 'Emma' }, { pages: 160, sold: true }] }, [1, 4]],
  [{ $or: [{ title: 'Emma' }, { note: { $exists: true } }] }, [1, 3]],
  [{ $and: [{ pages: { $gte: 100 } }, { $or: [{ sold: false }, { tags: 1 }] }] }, [1, 2]],
]

export function searchContract(name: string, open: OpenStore): void {
  describe(`search on ${name}`, () => {
    matchContract(open)
    orderContract(open)
    severalFieldsContract(open)
    longRangeContract(open)
    pageContract(open)
    totalContract(open)
  })
}

function matchContract(open: OpenStore): void {
  test('every operator finds its records, by identifier and in every order', async (t) => {
    const records = await openShelf(t, open)
    for (const [text, ids] of FOUND) {
      const query = { match: qry(text), length: 10 }
      const what = JSON.stringify(text)
      assert.deepEqual(idsOf(await search(records, query)), ids, what)
      assert.deepEqual(
        idsOf(await search(records, { ...query, orderBy: 'pages' })).toSorted(
          (left, right) => left - right,
        ),
        ids,
        what,
      )
      assert.deepEqual(
        idsOf(await search(records, { ...query, orderBy: 'title', descending: true })).toSorted(
          (left, right) => left - right,
        ),
        ids,
        what,
      )
    }
  })

  test('a page of identifiers alone has those of the records', async (t) => {
    const records = await openShelf(t, open)
    for (const [text] of FOUND) {
      let cursor: string | undefined
      do {
        const query = { match: qry(text), orderBy: null, length: 2, cursor }
        const { records: found, ids, ...rest } = await search(records, query)
        const { records: _, ...page } = await search(records, { ...query, onlyIds: true })
        assert.deepEqual(ids, found.map(idOf), JSON.stringify(text))
        assert.deepEqual(page, { ids, ...rest }, JSON.stringify(text))
        cursor = rest.next
      } while (cursor !== undefined)
    }
  })

  test('hidden records are omitted from records, pages and totals', async (t) => {
    const records = await openShelf(t, open)
    const isVisible = (record: { readonly [name: string]: unknown }) => record['book_id'] !== 2

    const all = await search(records, { isVisible, length: 2, count: true })
    assert.deepEqual([idsOf(all), all.total], [[1, 3], 4])
    const exact = await search(records, { isVisible, match: qry({ pages: 160 }), length: 5 })
    assert.deepEqual([idsOf(exact), exact.total], [[4], 1])
  })

  test('records are returned as stored bytes', async (t) => {
    const records = await openShelf(t, open)
    const page = await search(records, { match: qry({ title: 'Emma' }), length: 1 })
    assert.deepEqual(page.records, [records.get(book, 1)])
  })
}

function orderContract(open: OpenStore): void {
  const orders = [
    [undefined, [1, 2, 3, 4, 5]],
    ['book_id', [1, 2, 3, 4, 5]],
    ['title', [5, 2, 1, 4, 3]],
    ['pages', [5, 3, 2, 4, 1]],
    ['price', [3, 5, 1, 4, 2]],
    ['sold', [3, 5, 2, 1, 4]],
  ] as const

  test('records are sorted by value and then by identifier, null first; descending is the reverse', async (t) => {
    const records = await openShelf(t, open)
    for (const [orderBy, ids] of orders) {
      // The second match matches every record and selects the path that sorts candidates.
      for (const match of [
        undefined,
        qry({ $or: [{ title: null }, { title: { $exists: true } }] }),
      ]) {
        const query = { orderBy, match, length: 10 }
        assert.deepEqual(idsOf(await search(records, query)), ids, orderBy)
        assert.deepEqual(
          idsOf(await search(records, { ...query, descending: true })),
          ids.toReversed(),
          orderBy,
        )
      }
    }
  })

  test('a field that cannot be sorted by is refused with the list of sortable fields', async (t) => {
    const records = await openShelf(t, open)
    for (const orderBy of ['note', 'tags', 'nonsense', '__proto__']) {
      await assert.rejects(
        search(records, { orderBy, length: 5 }),
        (error: Error & { code?: string }) => {
          assert.equal(error.code, 'bad-qry')
          assert.match(
            error.message,
            /book_id, title, pages, weight, price, sold, printed, added\./,
          )
          return true
        },
      )
    }
  })
}

function pageContract(open: OpenStore): void {
  test('start numbers the pages, and next is undefined on the last one', async (t) => {
    const records = await openShelf(t, open)
    for (const query of [{}, { orderBy: 'title' }, { match: qry({ book_id: { $gt: 0 } }) }]) {
      const pages = await Promise.all(
        [1, 2, 3, 4].map((start) => search(records, { ...query, start, length: 2 })),
      )
      assert.deepEqual(
        pages.map((page) => page.records.length),
        [2, 2, 1, 0],
      )
      assert.deepEqual(
        pages.map((page) => page.next === undefined),
        [false, false, true, true],
      )
      assert.deepEqual(new Set(pages.flatMap(idsOf)).size, 5)
    }
    const whole = await search(records, { start: 1, length: 5 })
    assert.equal(whole.next, undefined)
  })

  test('a cursor continues where the page ended, in every order and by every access path', async (t) => {
    const records = await openShelf(t, open)
    const matches = [
      undefined,
      qry({ pages: { $gte: 0 } }),
      qry({ pages: 160 }),
      qry({ $or: [{ pages: 160 }, { sold: true }] }),
    ]
    for (const match of matches) {
      for (const orderBy of [undefined, 'title', 'pages', 'sold']) {
        for (const descending of [false, true]) {
          const query = { match, orderBy, descending }
          const whole = idsOf(await search(records, { ...query, length: 10 }))
          assert.deepEqual(await readAll(records, { ...query, length: 1 }), whole)
          assert.deepEqual(await readAll(records, { ...query, length: 2 }), whole)
        }
      }
    }
  })

  test('writes between two pages neither hide nor repeat an existing record', async (t) => {
    for (const orderBy of [undefined, 'pages']) {
      for (const descending of [false, true]) {
        const { records } = await openFor(t, open)
        await putBooks(
          records,
          Array.from({ length: 20 }, (_, at) => makeBook(10 + at, { pages: 10 + at })),
        )
        const query = { orderBy, descending, length: 3 }
        const seen = await readAll(records, query, async (page) => {
          // Adds a record before the cursor and a record after it, and removes the record at the
          // cursor.
          await putBooks(records, [makeBook(1, { pages: 1 }), makeBook(40, { pages: 40 })])
          await records.commit((unit) => unit.remove(book, idsOf(page).at(-1) ?? 0))
        })
        const lasting = seen.filter((id) => id >= 10 && id < 30)
        const ordered = Array.from({ length: 20 }, (_, at) => (descending ? 29 - at : 10 + at))
        assert.deepEqual(lasting, ordered)
      }
    }
  })

  test('a repeated search shows every acknowledged change and no refused one', async (t) => {
    const records = await openShelf(t, open)
    const query = { match: qry({ pages: 160 }), length: 10 }
    const found = async () => idsOf(await search(records, query))
    assert.deepEqual(
      [await found(), await found()],
      [
        [2, 4],
        [2, 4],
      ],
    )

    await putBooks(records, [makeBook(9, { pages: 160 })])
    assert.deepEqual(await found(), [2, 4, 9])
    await records.commit((unit) => unit.remove(book, 2))
    assert.deepEqual(await found(), [4, 9])
    const refused = records.commit((unit) => {
      unit.remove(book, 4)
      throw new Error('the plan gives up')
    })
    await Promise.all([assert.rejects(refused), found()])
    assert.deepEqual(await found(), [4, 9])
    await putBooks(records, [makeBook(4, { pages: 161 })])
    assert.deepEqual(await found(), [9])
  })

  test('a record that becomes the first is on the first page once its change is acknowledged', async (t) => {
    const { records } = await openFor(t, open)
    const shelf = Array.from({ length: 30 }, (_, at) =>
      makeBook(at + 1, { pages: 7, title: `t${10 + at}`, note: 'n' }),
    )
    await putBooks(records, shelf)
    for (const [query, first] of [
      [{ match: qry({ pages: 7 }), orderBy: 'title', length: 2 }, [1, 2]],
      [{ match: qry({ pages: 7 }), orderBy: 'title', descending: true, length: 2 }, [30, 29]],
      [{ match: qry({ pages: 7, note: 'm' }), length: 2 }, []],
      [{ match: qry({ note: 'm' }), length: 2 }, []],
      [{ orderBy: 'title', length: 2 }, [1, 2]],
    ] as const) {
      const found = async () => idsOf(await search(records, query))
      assert.deepEqual([await found(), await found()], [first, first])
      await putBooks(records, [makeBook(20, { pages: 7, title: 't1', note: 'm' })])
      const other = 'descending' in query ? first : [20, ...first].slice(0, 2)
      assert.deepEqual(await found(), other)
      await putBooks(records, [makeBook(20, { pages: 7, title: 't99', note: 'n' })])
      assert.deepEqual(await found(), 'descending' in query ? [20, 30] : first)
      await putBooks(records, [makeBook(20, { pages: 7, title: 't29', note: 'n' })])
    }
  })

  test('a cursor of another search, an invalid cursor, and a cursor with start are refused', async (t) => {
    const records = await openShelf(t, open)
    const cursor = (await search(records, { orderBy: 'title', length: 2 })).next ?? ''
    assert.equal((await search(records, { orderBy: 'title', length: 4, cursor })).records.length, 3)

    const wrong: readonly Query[] = [
      { orderBy: 'pages', length: 2, cursor },
      { length: 2, cursor },
      { orderBy: 'title', descending: true, length: 2, cursor },
      { orderBy: 'title', match: qry({ pages: 5 }), length: 2, cursor },
      { orderBy: 'title', length: 2, cursor: cursor.slice(0, -6) },
      { orderBy: 'title', length: 2, cursor: `${cursor}!` },
      { orderBy: 'title', length: 2, cursor: '' },
      { orderBy: 'title', length: 2, cursor, start: 1 },
    ]
    for (const query of wrong) await assert.rejects(search(records, query), { code: 'bad-qry' })
  })
}

function totalContract(open: OpenStore): void {
  test('the total is returned if it costs nothing, and otherwise on request', async (t) => {
    const records = await openShelf(t, open)
    const total = async (query: Partial<Query>) =>
      (await search(records, { length: 1, ...query })).total

    assert.equal(await total({}), 5)
    assert.equal(await total({ orderBy: 'title', start: 3 }), 5)
    assert.equal(await total({ match: qry({ pages: 160 }), length: 2 }), 2)
    assert.equal(await total({ match: qry({ pages: 160 }), length: 2, start: 9 }), 2)
    assert.equal(await total({ match: qry({ pages: 160 }) }), undefined)
    for (const match of [
      qry({ pages: 160 }),
      qry({ title: { $contains: 'a' }, pages: { $gt: 5 } }),
      qry({ tags: { $gte: 1, $lt: 9 } }),
    ]) {
      assert.equal(await total({ match, count: true }), 2)
    }
    assert.equal(
      await total({ match: qry({ pages: 160 }), orderBy: 'title' }),
      2,
      'candidates that were sorted',
    )

    const { next } = await search(records, { match: qry({ title: { $exists: true } }), length: 3 })
    assert.equal(await total({ match: qry({ title: { $exists: true } }), cursor: next }), undefined)
  })

  test('the number of scanned records is returned', async (t) => {
    const records = await openShelf(t, open)
    assert.equal((await search(records, { match: qry({ title: 'Emma' }), length: 3 })).scanned, 1)
    assert.equal(
      (await search(records, { match: qry({ note: { $exists: true } }), length: 3 })).scanned,
      5,
    )
  })

  test('a rare value among many records is found without a scan of the others', async (t) => {
    const { records } = await openFor(t, open)
    const many = Array.from({ length: 1_500 }, (_, at) =>
      makeBook(at + 1, { sold: true, pages: at, title: `t${at}` }),
    )
    await putBooks(records, many)

    const queries = [
      { pages: 700 },
      { sold: true, pages: 700 },
      { pages: { $gt: 699, $lt: 701 } },
      { sold: true, title: { $startsWith: 't70', $ne: 't70' }, pages: 700 },
      { $or: [{ pages: 700 }, { title: 't700' }] },
    ]
    for (const query of queries) {
      for (const orderBy of [undefined, 'title', 'pages']) {
        const page = await search(records, { match: qry(query), orderBy, length: 25 })
        assert.deepEqual([idsOf(page), page.scanned], [[701], 1], JSON.stringify(query))
      }
    }
  })
}

async function openShelf(t: TestContext, open: OpenStore): Promise<Records> {
  const { records } = await openFor(t, open)
  await putBooks(records, SHELF)
  return records
}

// The order of a range that finds many records, for every engine.

import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Query, Records } from '../../lib/storage/port.ts'
import { type Book, book, makeBook, qry } from '../helpers/book.ts'
import { openFor, type OpenStore } from '../helpers/open-store.ts'
import { idsOf, putBooks, readAll, search } from '../helpers/search-books.ts'

/**
 * A range with this many records is read in the order of its field, not in the order of
 * identifiers.
 */
const LONG = 1_200

export function longRangeContract(open: OpenStore): void {
  const longRanges: readonly (readonly [unknown, string])[] = [
    [{ pages: { $gte: 0 } }, 'pages'],
    [{ title: { $startsWith: 't' } }, 'title'],
  ]
  const everyId = Array.from({ length: LONG }, (_, at) => at + 1)

  test('a long range is returned in the order of its field unless another order is requested', async (t) => {
    const records = await openLong(t, open)
    for (const [text, field] of longRanges) {
      for (const descending of [false, true]) {
        const query = { match: qry(text), descending, length: 500 }
        const byField = await readAll(records, { ...query, orderBy: field })
        assert.notDeepEqual(byField, descending ? everyId.toReversed() : everyId)
        assert.deepEqual(await readAll(records, query), byField, field)

        const byId = await readAll(records, { ...query, orderBy: 'book_id' })
        assert.deepEqual(byId, descending ? everyId.toReversed() : everyId, field)
      }
    }
  })

  test('a short range is returned by identifier', async (t) => {
    const records = await openLong(t, open)
    const page = await search(records, { match: qry({ pages: { $lt: 3 } }), length: 10 })
    const ids = idsOf(page)
    assert.equal(ids.length, 3)
    assert.deepEqual(
      ids,
      ids.toSorted((left, right) => left - right),
    )
  })

  test('the pages of a range keep the order of the first one when the range grows or shrinks', async (t) => {
    const records = await openLong(t, open)
    const query = { match: qry({ pages: { $gte: 0 } }), length: 400 }
    const byField = await readAll(records, { ...query, orderBy: 'pages' })
    const first = await search(records, query)
    // The remaining records would be too few for the order of the field if the query were new.
    await records.commit((unit) => {
      for (const id of idsOf(first)) unit.remove(book, id)
    })
    const rest = await readAll(records, { ...query, cursor: first.next })
    assert.deepEqual([...idsOf(first), ...rest], byField)

    const small = await search(records, { ...query, length: 5 })
    await putBooks(records, longShelf())
    const next = idsOf(await search(records, { ...query, length: 5, cursor: small.next }))
    assert.ok(next.every((id, at) => at === 0 || id > (next[at - 1] ?? 0)))
    assert.ok((next[0] ?? 0) > (idsOf(small).at(-1) ?? 0))
  })

  test('a distant page equals the page after all earlier ones and has the total', async (t) => {
    const { records } = await openFor(t, open)
    // The skipped records take more than one step.
    const ids = Array.from({ length: 9_000 }, (_, at) => at + 1)
    await putBooks(
      records,
      ids.map((id) => makeBook(id, { pages: 7, title: 'one' })),
    )
    const queries: readonly Partial<Query>[] = [
      {},
      { match: qry({ title: 'one' }) },
      { orderBy: 'pages' },
    ]
    for (const query of queries.flatMap((item) => [item, { ...item, descending: true }])) {
      const inOrder = query.descending === true ? ids.toReversed() : ids
      const pageAt = (start: number) => search(records, { length: 4, start, ...query })
      assert.deepEqual(idsOf(await pageAt(2_101)), inOrder.slice(8_400, 8_404))
      const last = await pageAt(2_250)
      assert.deepEqual(idsOf(last), inOrder.slice(8_996))
      const behind = await pageAt(2_251)
      for (const page of [last, behind])
        assert.deepEqual([page.total, page.next], [9_000, undefined])
      assert.deepEqual([behind.records, behind.scanned], [[], 0])
    }
  })
}

/** The identifiers run opposite to both fields. */
function longShelf(): readonly Book[] {
  return Array.from({ length: LONG }, (_, at) =>
    makeBook(at + 1, { pages: LONG - at - 1, title: `t${String(LONG - at).padStart(5, '0')}` }),
  )
}

async function openLong(t: TestContext, open: OpenStore): Promise<Records> {
  const { records } = await openFor(t, open)
  await putBooks(records, longShelf())
  return records
}

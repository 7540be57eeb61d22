// A long search runs in time slices: other work runs between slices, and records may change
// meanwhile.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Query } from '../../../lib/storage/port.ts'
import { openRecords } from '../../../lib/storage/records/records.ts'
import { book, makeBook, qry } from '../../helpers/book.ts'
import { openMemoryKv } from '../../helpers/memory-kv.ts'
import { idsOf, putBooks, search } from '../../helpers/search-books.ts'

/** A query for each access path. */
const LONG: readonly Partial<Query>[] = [
  {},
  { orderBy: 'title' },
  { orderBy: 'title', thenBy: [{ orderBy: 'added' }] },
  { match: qry({ pages: 1 }), orderBy: 'title' },
  { match: qry({ note: 'x' }), count: true },
]

test('B15: a long search lets other work run in between', async () => {
  const records = openRecords(openMemoryKv())
  await putBooks(
    records,
    Array.from({ length: 1_000 }, (_, at) => makeBook(at + 1, { pages: 1 })),
  )
  let turns = 0
  const timer = setInterval(() => (turns += 1), 1)

  // Slow enough for several slices on any machine.
  const isVisible = () => {
    const end = performance.now() + 0.05
    while (performance.now() < end);
    return false
  }
  for (const query of LONG) {
    turns = 0
    await search(records, { isVisible, length: 1, ...query })
    assert.ok(turns >= 2, `${turns} turns: ${JSON.stringify(query)}`)
  }
  clearInterval(timer)
})

test('index rows that were read before a pause are checked again after it', async () => {
  const kv = openMemoryKv()
  const records = openRecords({
    ...kv,
    keys(range) {
      const found = kv.keys(range)
      // Takes longer than a slice, so that other work runs before the records are read.
      const end = performance.now() + 15
      while (performance.now() < end);
      return found
    },
  })
  await putBooks(
    records,
    [1, 2, 3].map((id) => makeBook(id, { pages: 5 })),
  )

  const query = { match: qry({ pages: { $gte: 5 } }), length: 5 }
  const searching = search(records, query)
  await records.commit((unit) => {
    unit.put(book, [1], makeBook(1, { pages: 4 }))
    unit.remove(book, 2)
  })
  assert.deepEqual(idsOf(await searching), [3])
})

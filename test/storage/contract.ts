// The contract of Records for every engine. The test of an engine calls recordsContract with a
// function that opens an empty store.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { parseRecord } from '../../lib/storage/records/format.ts'
import type { JsonObject, Stored } from '../../lib/schema/values.ts'
import { book, chapter, makeBook } from '../helpers/book.ts'
import { openFor, type OpenStore } from '../helpers/open-store.ts'
import { hiddenRecordsContract } from './hidden-records-contract.ts'
import { searchContract } from './search-contract.ts'

export function recordsContract(name: string, open: OpenStore): void {
  describe(`records on ${name}`, () => {
    commitContract(open)
    readContract(open)
    indexContract(open)
    counterContract(open)
    reopenContract(open)
  })
  searchContract(name, open)
  hiddenRecordsContract(open)
}

function commitContract(open: OpenStore): void {
  test('a commit resolves with the value of its plan, after its changes are visible', async (t) => {
    const { records } = await openFor(t, open)
    const { revision } = await records.commit((unit) =>
      unit.put(book, [1], makeBook(1, { title: 'Emma' })),
    )

    assert.equal(revision, 1)
    assert.deepEqual(recordOf(records.get(book, 1)), makeBook(1, { title: 'Emma' }))
  })

  test('cached values are never older than earlier reads during commits', async (t) => {
    const { records } = await openFor(t, open)
    await records.commit((unit) => unit.put(book, [1], makeBook(1, { pages: 0 })))
    let newer = 0
    for (let pages = 1; pages <= 400; pages += 1) {
      let isOver = false
      const commit = records
        .commit((unit) => unit.put(book, [1], makeBook(1, { pages })))
        .finally(() => (isOver = true))
      while (!isOver) {
        const traced = records.trace()
        const kept = recordOf(traced.records.get(book, 1))?.['pages']
        const isCurrent = traced.close()
        // A lookup bypasses all caches.
        const [found] = records.lookup(book, 'pages', [pages])
        const isNew = found !== undefined
        if (isNew) {
          newer += 1
          assert.equal(recordOf(records.get(book, 1))?.['pages'], pages)
          assert.equal(isCurrent(), kept === pages)
        }
        await setImmediate()
      }
      await commit
      assert.equal(recordOf(records.get(book, 1))?.['pages'], pages)
    }
    t.diagnostic(`${newer} times a state was read before it was acknowledged`)
  })

  test('a plan that throws changes nothing and rejects with the same error', async (t) => {
    const { records } = await openFor(t, open)
    await records.commit((unit) => unit.put(book, [1], makeBook(1, { title: 'Emma' })))
    const failure = new Error('the plan gives up')

    const attempt = records.commit((unit) => {
      unit.put(book, [1], makeBook(1, { title: 'Persuasion' }))
      unit.put(book, [2], makeBook(2))
      unit.remove(book, 1)
      throw failure
    })

    await assert.rejects(attempt, (error) => error === failure)
    assert.equal(recordOf(records.get(book, 1))?.['title'], 'Emma')
    assert.equal(records.get(book, 2), undefined)
    assert.equal(records.count(book), 1)
    assert.deepEqual(records.lookup(book, 'title', ['Emma']), [[1]])
    const before = { index: 'title', values: ['Emma'], before: 1, length: 9 }
    assert.deepEqual(records.newest(book, before), [])
    assert.deepEqual(records.lookup(book, 'title', ['Persuasion']), [])
  })

  test('a plan sees its own changes in every kind of read', async (t) => {
    const { records } = await openFor(t, open)
    await records.commit((unit) => unit.put(book, [1], makeBook(1, { title: 'Emma' })))

    await records.commit((unit) => {
      assert.equal(unit.get(book, 2), undefined)
      unit.put(book, [2], makeBook(2, { title: 'Emma' }))
      assert.equal(recordOf(unit.get(book, 2))?.['title'], 'Emma')
      assert.deepEqual(unit.lookup(book, 'title', ['Emma']), [[1], [2]])
      assert.deepEqual(unit.newest(book, { index: 'title', values: ['Emma'], length: 1 }), [2])
      assert.deepEqual(unit.list(book, []), [[1], [2]])
      assert.equal(unit.count(book), 2)

      unit.remove(book, 1)
      assert.equal(unit.get(book, 1), undefined)
      assert.deepEqual(unit.lookup(book, 'title', ['Emma']), [[2]])
      assert.deepEqual(unit.list(book, []), [[2]])
      assert.equal(unit.count(book), 1)
    })
  })

  test('the highest identifier includes every commit and stays after the removal of its record', async (t) => {
    const { records } = await openFor(t, open)
    assert.equal(records.highestId(book), 0)
    await records.commit((unit) => {
      unit.put(book, [7], makeBook(7))
      assert.equal(unit.highestId(book), 7)
    })
    const refused = records.commit((unit) => {
      unit.put(book, [9], makeBook(9))
      throw new Error('the plan gives up')
    })
    await assert.rejects(refused)
    await records.commit((unit) => unit.remove(book, 7))
    assert.equal(records.highestId(book), 7)
  })

  test("concurrent commits see each other's changes", async (t) => {
    const { records } = await openFor(t, open)
    await records.commit((unit) => unit.put(book, [1], makeBook(1, { pages: 0 })))
    const raise = () =>
      records.commit((unit) => {
        const pages = Number(recordOf(unit.get(book, 1))?.['pages'])
        return unit.put(book, [1], makeBook(1, { pages: pages + 1 }))
      })

    const revisions = await Promise.all(Array.from({ length: 20 }, raise))

    assert.equal(recordOf(records.get(book, 1))?.['pages'], 20)
    assert.deepEqual(
      revisions.map(({ revision }) => revision).toSorted((left, right) => left - right),
      Array.from({ length: 20 }, (_, at) => at + 2),
    )
  })

  test('a cached record shows a change once it is acknowledged and never a refused one', async (t) => {
    const { records } = await openFor(t, open)
    const titleNow = () => recordOf(records.get(book, 1))?.['title']
    await records.commit((unit) => unit.put(book, [1], makeBook(1, { title: 'Emma' })))
    assert.equal(titleNow(), 'Emma')

    const refused = records.commit((unit) => {
      unit.put(book, [1], makeBook(1, { title: 'Persuasion' }))
      assert.equal(unit.get(book, 1)?.value['title'], 'Persuasion')
      throw new Error('the plan gives up')
    })
    assert.equal(titleNow(), 'Emma')
    await assert.rejects(refused, /gives up/)
    assert.equal(titleNow(), 'Emma')

    await records.commit((unit) => unit.put(book, [1], makeBook(1, { title: 'Sanditon' })))
    assert.equal(titleNow(), 'Sanditon')
    await records.commit((unit) => unit.remove(book, 1))
    assert.equal(titleNow(), undefined)
  })

  test('a revision counts the changes of a record and restarts after a removal', async (t) => {
    const { records } = await openFor(t, open)
    await records.commit((unit) => {
      assert.equal(unit.put(book, [1], makeBook(1)).revision, 1)
      assert.equal(unit.put(book, [1], makeBook(1)).revision, 2)
      assert.equal(unit.put(book, [2], makeBook(2)).revision, 1)
    })
    assert.equal(records.get(book, 1)?.revision, 2)

    await records.commit((unit) => unit.remove(book, 1))
    const stored = await records.commit((unit) => unit.put(book, [1], makeBook(1)))
    assert.equal(stored.revision, 1)
  })
}

function readContract(open: OpenStore): void {
  test('a missing record is undefined, and its removal is not an error', async (t) => {
    const { records } = await openFor(t, open)
    await records.commit((unit) => unit.remove(book, 7))

    assert.equal(records.get(book, 7), undefined)
    assert.equal(records.count(book), 0)
    assert.deepEqual(records.list(book, []), [])
    assert.deepEqual(records.lookup(book, 'title', ['Emma']), [])
  })

  test('identifiers are listed in natural order, by prefix and up to a limit', async (t) => {
    const { records } = await openFor(t, open)
    await records.commit((unit) => {
      for (const [file, version] of [
        [10, 1],
        [2, 10],
        [2, 9],
        [2, 1],
        [20, 1],
      ] as const) {
        unit.put(chapter, [file, version], { heading: 'x' })
      }
    })

    assert.deepEqual(records.list(chapter, [2]), [
      [2, 1],
      [2, 9],
      [2, 10],
    ])
    assert.deepEqual(records.list(chapter, [2], 2), [
      [2, 1],
      [2, 9],
    ])
    assert.deepEqual(records.list(chapter, []), [
      [2, 1],
      [2, 9],
      [2, 10],
      [10, 1],
      [20, 1],
    ])
    assert.deepEqual(records.lookup(chapter, 'heading', ['x'], 3), [
      [2, 1],
      [2, 9],
      [2, 10],
    ])
  })

  test('the highest value of an index is null if no record has a value', async (t) => {
    const { records } = await openFor(t, open)
    assert.equal(records.highest(book, 'pages'), undefined)
    await records.commit((unit) => {
      unit.put(book, [1], makeBook(1))
      assert.equal(unit.highest(book, 'pages'), null)
      unit.put(book, [2], makeBook(2, { pages: -5 }))
      assert.equal(unit.highest(book, 'pages'), -5)
      unit.put(book, [3], makeBook(3, { pages: 300, title: 'Emma' }))
      unit.put(book, [4], makeBook(4, { pages: 20, title: 'Persuasion' }))
    })

    assert.equal(records.highest(book, 'pages'), 300)
    assert.equal(records.highest(book, 'title'), 'Persuasion')
    await records.commit((unit) => {
      unit.remove(book, 3)
      assert.equal(unit.highest(book, 'pages'), 20)
    })
    assert.equal(records.highest(book, 'pages'), 20)
  })

  test('identifiers may be strings', async (t) => {
    const { records } = await openFor(t, open)
    const poem = { ...chapter, name: 'poem', idCount: 1 }
    await records.commit((unit) => {
      for (const id of ['b', 'a', 'ab', '']) unit.put(poem, [id], { heading: id })
    })

    assert.deepEqual(records.list(poem, []), [[''], ['a'], ['ab'], ['b']])
    assert.deepEqual(records.lookup(poem, 'heading', ['ab']), [['ab']])
    assert.deepEqual(records.lookup(poem, 'heading', ['']), [['']])
  })

  test('record types with a common prefix in their names are separate', async (t) => {
    const { records } = await openFor(t, open)
    const books = { ...book, name: 'books' }
    await records.commit((unit) => unit.put(books, [1], makeBook(1, { title: 'Emma' })))

    assert.equal(records.get(book, 1), undefined)
    assert.equal(records.count(book), 0)
    assert.deepEqual(records.list(book, []), [])
    assert.deepEqual(records.lookup(book, 'title', ['Emma']), [])
  })

  test('a record keeps its JSON byte by byte', async (t) => {
    const { records } = await openFor(t, open)
    const title = 'ä\0"\\\u{1f600}\ud800'
    await records.commit((unit) => unit.put(book, [1], makeBook(1, { title })))

    assert.equal(String(records.get(book, 1)?.bytes), JSON.stringify(makeBook(1, { title })))
  })
}

function indexContract(open: OpenStore): void {
  test('an index finds a record only under its present values', async (t) => {
    const { records } = await openFor(t, open)
    await records.commit((unit) => unit.put(book, [1], makeBook(1, { title: 'Emma', pages: 5 })))
    await records.commit((unit) =>
      unit.put(book, [1], makeBook(1, { title: 'Persuasion', pages: 5 })),
    )

    assert.deepEqual(records.lookup(book, 'title', ['Emma']), [])
    assert.deepEqual(records.lookup(book, 'title', ['Persuasion']), [[1]])
    assert.deepEqual(records.lookup(book, 'pages', [5]), [[1]])

    await records.commit((unit) => unit.remove(book, 1))
    assert.deepEqual(records.lookup(book, 'title', ['Persuasion']), [])
    assert.deepEqual(records.lookup(book, 'pages', [5]), [])
  })

  test('a list field has one row for each element', async (t) => {
    const { records } = await openFor(t, open)
    await records.commit((unit) => {
      unit.put(book, [1], makeBook(1, { tags: [3, 5, 5] }))
      unit.put(book, [2], makeBook(2, { tags: [5] }))
    })
    assert.deepEqual(records.lookup(book, 'tags', [5]), [[1], [2]])

    await records.commit((unit) => unit.put(book, [1], makeBook(1, { tags: [3, 4] })))
    assert.deepEqual(records.lookup(book, 'tags', [5]), [[2]])
    assert.deepEqual(records.lookup(book, 'tags', [4]), [[1]])
    assert.deepEqual(records.lookup(book, 'tags', [3]), [[1]])
  })

  test('a prefix of an index row returns its records in the order of the remaining values', async (t) => {
    const { records } = await openFor(t, open)
    await records.commit((unit) => {
      unit.put(book, [1], makeBook(1, { shelf: 7, title: 'c' }))
      unit.put(book, [2], makeBook(2, { shelf: 7, title: 'a' }))
      unit.put(book, [3], makeBook(3, { shelf: 8, title: 'b' }))
      unit.put(book, [4], makeBook(4, { title: 'b' }))
    })

    assert.deepEqual(records.lookup(book, 'by_shelf', [7]), [[2], [1]])
    assert.deepEqual(records.lookup(book, 'by_shelf', [7], 1), [[2]])
    assert.deepEqual(records.lookup(book, 'by_shelf', [7, 'c']), [[1]])
    assert.deepEqual(records.lookup(book, 'by_shelf', [null]), [[4]])
  })

  test('long texts that differ only at their end are distinguished', async (t) => {
    const { records } = await openFor(t, open)
    const long = 'x'.repeat(3_000)
    await records.commit((unit) => {
      unit.put(book, [1], makeBook(1, { title: `${long}a` }))
      unit.put(book, [2], makeBook(2, { title: `${long}b` }))
    })

    assert.deepEqual(records.lookup(book, 'title', [`${long}b`]), [[2]])
  })
}

function counterContract(open: OpenStore): void {
  test('the count follows every put and remove in a commit', async (t) => {
    const { records } = await openFor(t, open)
    await records.commit((unit) => {
      for (let id = 1; id <= 5; id++) unit.put(book, [id], makeBook(id))
      unit.put(book, [3], makeBook(3))
      unit.remove(book, 5)
      unit.remove(book, 5)
      unit.put(book, [5], makeBook(5))
      unit.remove(book, 1)
    })
    assert.equal(records.count(book), 4)
    assert.equal(records.count(chapter), 0)
  })

  test('an identifier is issued once and never reused', async (t) => {
    const { records } = await openFor(t, open)
    assert.deepEqual(
      [records.nextId(book), records.nextId(book), records.nextId(chapter)],
      [1, 2, 1],
    )

    await records.commit((unit) => unit.put(book, [12], makeBook(12)))
    await records.commit((unit) => unit.put(book, [5], makeBook(5)))
    assert.equal(records.nextId(book), 13)

    await records.commit((unit) => unit.remove(book, 12))
    assert.equal(records.nextId(book), 14)
  })
}

function reopenContract(open: OpenStore): void {
  test('records, counts and used identifiers survive a restart', async (t) => {
    const store = await openFor(t, open)
    if (store.reopen === undefined) return t.skip('this engine cannot be opened again')
    await store.records.commit((unit) => {
      for (let id = 1; id <= 3; id++) unit.put(book, [id], makeBook(id, { title: 'Emma' }))
    })
    await store.records.commit((unit) => unit.remove(book, 3))

    const records = await store.reopen()

    assert.equal(records.nextId(book), 4)
    assert.equal(records.count(book), 2)
    assert.deepEqual(records.lookup(book, 'title', ['Emma']), [[1], [2]])
    assert.deepEqual(recordOf(records.get(book, 2)), makeBook(2, { title: 'Emma' }))
  })

  test('storing a lower identifier does not free higher ones', async (t) => {
    const store = await openFor(t, open)
    if (store.reopen === undefined) return t.skip('this engine cannot be opened again')
    await store.records.commit((unit) => unit.put(book, [7], makeBook(7)))

    const records = await store.reopen()

    await records.commit((unit) => unit.put(book, [2], makeBook(2)))
    assert.equal(records.nextId(book), 8)
  })
}

function recordOf(stored: Stored | undefined): JsonObject | undefined {
  return stored && parseRecord(book, stored)
}

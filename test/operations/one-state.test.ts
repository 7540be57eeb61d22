// Reads of several records from one state, while the records change during the pauses of the read.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Context } from '../../lib/operations/context.ts'
import { fromOneState } from '../../lib/operations/one-state.ts'
import { END_OF_SLICE, inSlices, type Pause } from '../../lib/schema/time-slicing.ts'
import type { Records } from '../../lib/storage/port.ts'
import { openRecords } from '../../lib/storage/records/records.ts'
import { book, makeBook } from '../helpers/book.ts'
import { openMemoryKv } from '../helpers/memory-kv.ts'
import { putBooks, search } from '../helpers/search-books.ts'

async function openShelf(): Promise<Records> {
  const records = openRecords(openMemoryKv())
  await rename(records, 'first')
  return records
}

/** Gives both books the same title. */
const rename = (records: Records, title: string): Promise<void> =>
  putBooks(records, [makeBook(1, { title }), makeBook(2, { title })])

const titleOf = (records: Records, id: number): unknown => records.get(book, id)?.value['title']

/** The titles of both books, read on both sides of a pause. `pause` gets the number of the read. */
async function readTitles(
  records: Records,
  pause: (read: number) => Pause,
): Promise<{ readonly titles: readonly unknown[]; readonly reads: number }> {
  let reads = 0
  const titles = await fromOneState({ records } as Context, (reading) => {
    reads += 1
    return inSlices(
      (function* (): Generator<Pause, readonly unknown[]> {
        const title = titleOf(reading.records, 1)
        yield pause(reads)
        return [title, titleOf(reading.records, 2)]
      })(),
    )
  })
  return { titles, reads }
}

describe('a read of several records', () => {
  test('is repeated without a pause if a record changes during a pause', async () => {
    const records = await openShelf()
    const pause = (read: number): Pause => (read === 1 ? rename(records, 'second') : END_OF_SLICE)
    assert.deepEqual(await readTitles(records, pause), { titles: ['second', 'second'], reads: 2 })
  })

  test('is not repeated if other records change', async () => {
    const records = await openShelf()
    const pause = (): Pause => putBooks(records, [makeBook(3, { title: 'third' })])
    assert.deepEqual(await readTitles(records, pause), { titles: ['first', 'first'], reads: 1 })
  })

  test('ends if its records change in every pause', async () => {
    const records = await openShelf()
    const pause = (read: number): Pause => rename(records, `title ${read}`)
    assert.equal((await readTitles(records, pause)).reads, 3)
  })
})

describe('a trace within a trace', () => {
  test('belongs to both', async () => {
    const records = await openShelf()
    const reads: readonly ((inner: Records) => unknown)[] = [
      (inner) => inner.get(book, 1),
      (inner) => search(inner, { length: 2 }),
    ]
    for (const read of reads) {
      const outer = records.trace()
      const inner = outer.records.trace()
      await read(inner.records)
      const isCurrent = [inner.close(), outer.close()]
      const told = (): readonly boolean[] => isCurrent.map((each) => each())
      assert.deepEqual(told(), [true, true])
      await rename(records, 'another')
      assert.deepEqual(told(), [false, false])
    }
  })
})

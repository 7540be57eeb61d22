// Metadata of records: change detection, and the names of counters. test/storage/contract.ts tests
// the stored values on every engine.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  nameOfBytes,
  nameOfText,
  openChanges,
} from '../../../lib/storage/records/change-tracker.ts'
import { openRecords } from '../../../lib/storage/records/records.ts'
import type { Records } from '../../../lib/storage/port.ts'
import { book, chapter, makeBook, searchable } from '../../helpers/book.ts'
import { openMemoryKv } from '../../helpers/memory-kv.ts'

test('a cached read is invalidated by a change of its records and by no other change', async () => {
  const records = openRecords(openMemoryKv())
  for (const id of [1, 2]) await records.commit((unit) => unit.put(book, [id], makeBook(id)))
  const reads: readonly ((records: Records) => unknown)[] = [
    ({ get }) => get(book, 1),
    ({ get }) => get(book, 9),
    ({ list }) => list(book, []),
    ({ lookup }) => lookup(book, 'title', ['new']),
    ({ lookup }) => lookup(book, 'by_shelf', [null]),
    ({ highest }) => highest(book, 'pages'),
    ({ count }) => count(book),
    ({ search }) => search(book, searchable, { length: 5 }),
  ]
  for (const read of reads) {
    const traced = records.trace()
    await read(traced.records)
    const isCurrent = traced.close()
    assert.equal(traced.isNewest(), true)

    await records.commit((unit) => unit.put(chapter, [1, 1], { heading: 'x' }))
    assert.deepEqual([traced.isNewest(), isCurrent()], [false, true])
    await assert.rejects(
      records.commit((unit) => {
        unit.put(book, [1], makeBook(1, { title: 'never' }))
        throw new Error('no')
      }),
      /no/,
    )
    assert.equal(isCurrent(), true)
    await records.commit((unit) => {
      for (const id of [1, 9]) unit.put(book, [id], makeBook(id, { title: 'new' }))
    })
    assert.deepEqual([isCurrent(), isCurrent()], [false, false])
    await records.commit((unit) => unit.remove(book, 9))
  }
})

test('an uncached read shows each commit, and belongs to no trace', async () => {
  const records = openRecords(openMemoryKv())
  const { records: traced, close } = records.trace()
  const uncached = traced.uncached()
  for (const title of ['first', 'second']) {
    await records.commit((unit) => unit.put(book, [1], makeBook(1, { title })))
    const page = await uncached.search(book, searchable, { length: 5 })
    assert.deepEqual(page.records, [uncached.get(book, 1)])
    assert.deepEqual(uncached.lookup(book, 'title', [title]), [[1]])
    assert.equal(uncached.get(book, 1)?.value['title'], title)
  }
  assert.equal(close()(), true)
})

test('a lookup of complete rows is current until a row with these values changes', async () => {
  const records = openRecords(openMemoryKv())
  const put = (id: number, title: string, shelf = 1) =>
    records.commit((unit) => unit.put(book, [id], makeBook(id, { title, shelf })))
  const watch = (read: (traced: Records) => unknown): (() => boolean) => {
    const traced = records.trace()
    read(traced.records)
    return traced.close()
  }
  // Before the first row of an index, its key is unknown, so every record counts.
  const beforeFirst = watch(({ lookup }) => lookup(book, 'title', ['Emma']))
  await put(1, 'Persuasion')
  assert.equal(beforeFirst(), false)

  const isTitleCurrent = watch(({ lookup }) => lookup(book, 'title', ['Emma']))
  const isPlaceCurrent = watch(({ lookup }) => lookup(book, 'by_shelf', [1, 'Emma']))
  const isShelfCurrent = watch(({ lookup }) => lookup(book, 'by_shelf', [1]))
  await put(2, 'Sanditon')
  assert.deepEqual([isTitleCurrent(), isPlaceCurrent(), isShelfCurrent()], [true, true, false])
  await put(3, 'Emma', 2)
  assert.deepEqual([isTitleCurrent(), isPlaceCurrent()], [false, true])

  for (const change of [
    () => put(3, 'Emma', 1),
    () => put(3, 'Lady Susan', 1),
    () => put(3, 'Emma', 1),
    () => records.commit((unit) => unit.remove(book, 3)),
  ]) {
    const isCurrent = watch(({ lookup }) => lookup(book, 'by_shelf', [1, 'Emma']))
    await change()
    assert.equal(isCurrent(), false)
  }
})

test('names in one slot are invalidated together, and names in other slots stay valid', () => {
  const changes = openChanges(5)
  const mine = nameOfText('mine')
  const trace = changes.trace()
  trace.add(mine)
  const isCurrent = trace.close()

  // Three times as many names as places, so that some names share each place.
  const texts = Array.from({ length: 3 * 2 ** 20 }, (_, at) => `book\0${at}`)
  const twin = texts.find((text) => nameOfText(text) === mine)
  const others = texts.filter((text) => nameOfText(text) !== mine)
  for (const [at, text] of others.entries()) changes.note([nameOfText(text)], 6 + at)
  assert.equal(changes.now(), 5 + others.length)
  assert.equal(isCurrent(), true)
  assert.ok(twin !== undefined)
  changes.note([nameOfText(twin)], 6 + others.length)
  assert.equal(isCurrent(), false)
})

test('names are spread over all slots, even names with consecutive numbers', () => {
  const places = new Set(Array.from({ length: 2 ** 20 }, (_, at) => nameOfText(`entry\0${at}`)))
  // Random names would use 63 % of the places.
  assert.ok(places.size > 0.6 * 2 ** 20, `${places.size}`)
  assert.equal(nameOfBytes(Buffer.from('entry\x007')), nameOfText('entry\x007'))
})

test('the keys of counters are part of the format, so that later releases reuse no identifier', async () => {
  const kv = openMemoryKv()
  const records = openRecords(kv)
  await records.commit((unit) => {
    for (const id of [3, 7]) unit.put(book, [id], makeBook(id))
    unit.remove(book, 7)
  })
  // The type is the first type of this store, so its number is 1.
  const counterOf = (kind: string): string | undefined =>
    kv.get(Buffer.concat([Buffer.from(kind), Buffer.of(1)]))?.toString('hex')
  assert.deepEqual([counterOf('n'), counterOf('c')], ['000000000001', '000000000007'])
  assert.equal(openRecords(kv).nextId(book), 8)
})

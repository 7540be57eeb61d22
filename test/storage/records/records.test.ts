// What records tell besides themselves: whether anything has changed, and the names of their counters. What they keep,
// on every engine: test/storage/contract.ts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeKey } from '../../../lib/storage/records/keys.ts'
import { openChanges } from '../../../lib/storage/records/changes.ts'
import { openRecords } from '../../../lib/storage/records/records.ts'
import type { Records } from '../../../lib/storage/port.ts'
import { book, chapter, makeBook, searchable } from '../../helpers/book.ts'
import { openMemoryKv } from '../../helpers/memory-kv.ts'

/** As many names of 104 bytes, 96 of them overhead, as are remembered. */
const MANY = Math.floor((4 * 1024 * 1024) / 104)
const nameOf = (number: number): string => String(number).padStart(8, '0')

test('what was read is no more after a change of it, and is as it was after every other', async () => {
  const records = openRecords(openMemoryKv())
  for (const id of [1, 2]) await records.commit((unit) => unit.put(book, [id], makeBook(id)))
  const reads: readonly ((records: Records) => unknown)[] = [
    ({ get }) => get(book, 1),
    ({ get }) => get(book, 9),
    ({ list }) => list(book, []),
    ({ lookup }) => lookup(book, 'title', ['x']),
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

test('what changed so long ago that nobody knows counts as changed', async () => {
  const changes = openChanges(5)
  const trace = changes.trace()
  trace.add('mine')
  const isCurrent = trace.close()
  for (let number = 6; number < 6 + MANY; number += 1) changes.note([nameOf(number)], number)
  assert.equal(isCurrent(), true)
  changes.note([nameOf(6)], 6 + MANY)
  changes.note([nameOf(7)], 7 + MANY)
  assert.equal(isCurrent(), true)
  assert.equal(changes.now(), 7 + MANY)

  const old = openChanges(5)
  const late = old.trace()
  late.add('mine')
  const isLateCurrent = late.close()
  for (let number = 6; number < 8 + MANY; number += 1) old.note([nameOf(number)], number)
  assert.equal(isLateCurrent(), false)
})

test('the counters of a type are where they were, so that no number is given twice by a later release', async () => {
  const kv = openMemoryKv()
  const records = openRecords(kv)
  await records.commit((unit) => {
    for (const id of [3, 7]) unit.put(book, [id], makeBook(id))
    unit.remove(book, 7)
  })
  const counterOf = (kind: string): string | undefined =>
    kv.get(encodeKey([kind, 'book']))?.toString('hex')
  assert.deepEqual([counterOf('n'), counterOf('c')], ['000000000001', '000000000007'])
  assert.equal(openRecords(kv).nextId(book), 8)
})

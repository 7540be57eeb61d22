// The record cache: which records are kept, and when they are read again.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openChanges } from '../../../lib/storage/records/change-tracker.ts'
import { encodeRecord } from '../../../lib/storage/records/record-bytes.ts'
import {
  MAX_RECORD_SIZE,
  openRecordCache,
  type RecordCache,
  recordLabel,
  recordName,
} from '../../../lib/storage/records/record-cache.ts'
import type { Id, Stored } from '../../../lib/schema/values.ts'
import { book, chapter } from '../../helpers/book.ts'

const make = (title: string): Stored<object> => encodeRecord({ title }, 1).stored
const one = make('one')
const other = make('other')

/** Whether the record had to be read. */
function isFound(cache: RecordCache, ...ids: readonly Id[]): boolean {
  let isRead = false
  cache.read(book, ids, () => {
    isRead = true
    return one
  })
  return isRead
}

test('a record is looked up once, and a missing record each time', () => {
  const cache = openRecordCache(openChanges(0))
  assert.equal(
    cache.read(book, [1], () => one),
    one,
  )
  assert.equal(
    cache.read(book, [1], () => other),
    one,
  )
  assert.equal(
    cache.read(book, [2], () => undefined),
    undefined,
  )
  assert.equal(
    cache.read(book, [2], () => other),
    other,
  )
  cache.clear()
  assert.equal(isFound(cache, 1), true)
})

test('plans bypass the cache for records that running commits touch', () => {
  const changes = openChanges(0)
  const cache = openRecordCache(changes)
  for (const id of [1, 2]) isFound(cache, id)
  const isFoundInPlan = (id: number): boolean => {
    let isRead = false
    cache.readNewest(book, [id], () => {
      isRead = true
      return one
    })
    return isRead
  }
  const [first, second] = [cache.begin(), cache.begin()]
  for (const change of [first, first, second]) change.touch(recordLabel(book, [1]))
  assert.deepEqual([isFoundInPlan(1), isFoundInPlan(1), isFoundInPlan(2)], [true, true, false])
  // The cache keeps the state that other readers see until a commit ends.
  assert.equal(isFound(cache, 1), false)

  first.end()
  first.end()
  assert.equal(isFoundInPlan(1), true)
  second.end()
  assert.equal(isFoundInPlan(1), false)
  changes.note([recordName(book, [1])], 1)
  assert.deepEqual([isFound(cache, 1), isFound(cache, 1), isFound(cache, 2)], [true, false, false])
})

test('a record of exactly the maximum size is cached, and a larger one is not', () => {
  // Each record counts for 256 bytes more than its text, which is between {"title":" and "}.
  const most = MAX_RECORD_SIZE - 256 - Buffer.byteLength('{"title":""}')
  for (const [size, isKept] of [
    [most, true],
    [most + 1, false],
  ] as const) {
    const cache = openRecordCache(openChanges(0))
    cache.read(book, [1], () => make('x'.repeat(size)))
    assert.equal(isFound(cache, 1), !isKept)
  }
})

test('a record is looked up again after its change, and after everything may have changed', () => {
  const changes = openChanges(7)
  const cache = openRecordCache(changes)
  for (const id of [1, 2]) isFound(cache, id)
  changes.note([recordName(book, [2])], 8)
  assert.deepEqual([isFound(cache, 1), isFound(cache, 2), isFound(cache, 2)], [false, true, false])
  changes.forget(20)
  assert.equal(changes.now(), 20)
  assert.deepEqual([isFound(cache, 1), isFound(cache, 1)], [true, false])
  // A removed record does not return after a later read that finds nothing.
  changes.note([recordName(book, [1])], 21)
  assert.equal(
    cache.read(book, [1], () => undefined),
    undefined,
  )
  assert.equal(isFound(cache, 1), true)
})

test('records have distinct labels', () => {
  const names = [
    recordLabel(book, [1]),
    recordLabel(book, [11]),
    recordLabel(chapter, [1]),
    recordLabel(chapter, [1, 1]),
    recordLabel(chapter, [11]),
    recordLabel({ ...book, name: 'book1' }, []),
  ]
  assert.equal(new Set(names).size, names.length)
})

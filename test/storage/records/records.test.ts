// What records tell besides themselves: whether anything has changed, and the names of their counters. What they keep,
// on every engine: test/storage/contract.ts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeKey } from '../../../lib/storage/records/keys.ts'
import { openRecords } from '../../../lib/storage/records/records.ts'
import type { Records } from '../../../lib/storage/port.ts'
import { book, makeBook } from '../../helpers/book.ts'
import { openMemoryKv } from '../../helpers/memory-kv.ts'

test('the state is another one after every change, failed ones too, and none while one is under way', async () => {
  const records = openRecords(openMemoryKv())
  const seen = [records.state()]
  const changes: readonly ((records: Records) => Promise<unknown>)[] = [
    ({ commit }) => commit((unit) => unit.put(book, [1], makeBook(1))),
    ({ commit }) =>
      assert.rejects(
        commit(() => {
          throw new Error('no')
        }),
        /no/,
      ),
    ({ commit }) => Promise.all([commit(() => 1), commit(() => 2)]),
    ({ dropType }) => dropType('book', new AbortController().signal),
  ]
  for (const change of changes) {
    const changing = change(records)
    await changing
    seen.push(records.state())
  }
  assert.equal(new Set(seen).size, changes.length + 1)
  assert.deepEqual(
    seen.map(Number),
    seen.map(Number).toSorted((left, right) => left - right),
  )

  const first = records.commit(() => 1)
  const second = records.commit(() => 2)
  assert.equal(records.state(), undefined)
  await Promise.all([first, second])
  assert.notEqual(records.state(), undefined)
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

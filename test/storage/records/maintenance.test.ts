// Long maintenance of the rows of a type is complete at its end and uses commits of a bounded size.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  countKey,
  highestIdKey,
  indexRange,
  recordRange,
  rowRange,
} from '../../../lib/storage/records/format.ts'
import type { Kv } from '../../../lib/storage/records/kv.ts'
import { openRecords } from '../../../lib/storage/records/records.ts'
import type { RecordType } from '../../../lib/schema/values.ts'
import type { Records } from '../../../lib/storage/port.ts'
import { openMemoryKv } from '../../helpers/memory-kv.ts'

const ROWS = 5
const MAX_ROWS = 512
const MIB = 1024 * 1024

/** An index with ROWS rows for each record, and an index with a single row. */
const item: RecordType = {
  name: 'item',
  indexes: [
    { name: 'many', rows: () => Array.from({ length: ROWS }, (_, at) => [at]) },
    { name: 'one', rows: () => [[1]] },
  ],
}
const bare: RecordType = { ...item, indexes: [] }
const neighbor: RecordType = { name: 'items', indexes: item.indexes }
const signal = new AbortController().signal

interface Counted {
  readonly kv: Kv
  readonly records: Records
  /** The number of rows that each commit has put or removed. */
  readonly commits: number[]
}

function openCounted(): Counted {
  const kv = openMemoryKv()
  const commits: number[] = []
  const counting: Kv = {
    ...kv,
    commit: (plan) =>
      kv.commit((writer) => {
        const at = commits.push(0) - 1
        const count = (): number => (commits[at] = (commits[at] ?? 0) + 1)
        return plan({
          ...writer,
          put: (key, value) => (count(), writer.put(key, value)),
          remove: (key) => (count(), writer.remove(key)),
        })
      }),
  }
  return { kv, records: openRecords(counting), commits }
}

async function putItems(records: Records, type: RecordType, count: number): Promise<void> {
  await records.commit((unit) => {
    for (let id = 1; id <= count; id += 1) unit.put(type, [id], { id })
  })
}

const rowsOf = (kv: Kv, name: string, index: string): number =>
  kv.count(rowRange(kv, { name }, { index }))

/** The numbers of remaining records, index rows and counters. */
function leftOf(kv: Kv, name: string): readonly number[] {
  const type = { name, indexes: [] }
  const counters = [countKey(kv, type), highestIdKey(kv, type)].map((key) => kv.get(key))
  const found = counters.filter((value) => value !== undefined)
  return [kv.count(recordRange(kv, type)), kv.count(indexRange(kv, type)), found.length]
}

test('an index is built for all records, and no other index is changed', async () => {
  const { kv, records, commits } = openCounted()
  await putItems(records, bare, 700)
  commits.length = 0
  await records.buildIndexes(item, ['many'], signal)
  assert.deepEqual([rowsOf(kv, 'item', 'many'), rowsOf(kv, 'item', 'one')], [700 * ROWS, 0])
  assert.equal(records.lookup(item, 'many', [ROWS - 1]).length, 700)
  for (const rows of commits) assert.ok(rows > 0 && rows < MAX_ROWS + ROWS, `${rows} rows`)
})

test('large records are spread over several commits, and all of them are indexed', async () => {
  const { records, commits } = openCounted()
  const text = 'x'.repeat(MIB / 4)
  await records.commit((unit) => {
    for (let id = 1; id <= 10; id += 1) unit.put(bare, [id], { text })
  })
  commits.length = 0
  await records.buildIndexes(item, ['one'], signal)
  // The first commit also assigns a number to the index.
  assert.deepEqual(commits, [4 + 1, 4, 2])
})

test('a drop removes every row of the index and no neighboring rows', async () => {
  const { kv, records, commits } = openCounted()
  await putItems(records, item, 300)
  await putItems(records, neighbor, 1)
  commits.length = 0
  await records.dropIndex('item', 'many', signal)
  assert.deepEqual([rowsOf(kv, 'item', 'many'), rowsOf(kv, 'item', 'one')], [0, 300])
  for (const rows of commits) assert.ok(rows <= MAX_ROWS, `${rows} rows`)

  const before = records.trace()
  before.records.get(item, 2)
  const isCurrent = before.close()
  assert.ok(records.get(item, 1) !== undefined)
  await records.dropType('item', signal)
  assert.equal(isCurrent(), false, 'what was read before is no more')
  assert.deepEqual([records.get(item, 1), records.count(item)], [undefined, 0])
  assert.deepEqual(leftOf(kv, 'item'), [0, 0, 0])
  assert.deepEqual(leftOf(kv, 'items'), [1, ROWS + 1, 2])
})

test('exactly as many rows as one commit accepts are all removed', async () => {
  const { kv, records } = openCounted()
  for (const count of [MAX_ROWS - 1, MAX_ROWS, MAX_ROWS + 1]) {
    await putItems(records, item, count)
    await records.dropIndex('item', 'one', signal)
    assert.equal(rowsOf(kv, 'item', 'one'), 0, `${count} rows`)
    await records.dropType('item', signal)
  }
})

test('long work ends when it is aborted', async () => {
  const { records } = openCounted()
  await putItems(records, bare, 1)
  const ended = AbortSignal.abort(new Error('enough'))
  for (const work of [
    () => records.buildIndexes(item, ['one'], ended),
    () => records.dropIndex('item', 'one', ended),
    () => records.dropType('item', ended),
  ])
    await assert.rejects(work, /enough/)
  assert.equal(records.count(item), 1)
})

// Records that a process reads while another process writes them: two instances over one store.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CHANGED_SLOTS, lastCommitKey } from '../../../lib/storage/records/format.ts'
import { openKnown } from '../../../lib/storage/records/known-keys.ts'
import type { Kv } from '../../../lib/storage/records/kv.ts'
import { openRecords } from '../../../lib/storage/records/records.ts'
import type { JsonValue } from '../../../lib/schema/values.ts'
import type { Records } from '../../../lib/storage/port.ts'
import { book, makeBook, searchable } from '../../helpers/book.ts'
import { openMemoryKv } from '../../helpers/memory-kv.ts'

interface Both {
  readonly writing: Records
  readonly reading: Records
  put(id: number, title: string): Promise<void>
}

function openBoth(): Both {
  const kv = openMemoryKv()
  const writing = openRecords(kv, { sharing: 'writes' })
  return {
    writing,
    // A separate process has no knowledge of its own about the records of the writer.
    reading: openRecords({ ...kv, known: openKnown() }, { sharing: 'reads' }),
    put: (id, title) =>
      writing.commit((unit) => void unit.put(book, [id], makeBook(id, { title }))),
  }
}

function titleOf(records: Records, id: number): JsonValue | undefined {
  return records.get(book, id)?.value['title']
}

test('a reader sees a change after its next renewal and keeps unchanged cache entries', async () => {
  const { reading, put } = openBoth()
  for (const id of [1, 2]) await put(id, 'old')
  void reading.renew()
  const [first, second] = [reading.get(book, 1), reading.get(book, 2)]
  const trace = reading.trace()
  trace.records.get(book, 2)
  const isCurrent = trace.close()

  await put(1, 'new')
  void reading.renew()
  assert.equal(titleOf(reading, 1), 'new')
  assert.notEqual(reading.get(book, 1), first)
  assert.equal(reading.get(book, 2), second)
  assert.equal(isCurrent(), true)
  await put(2, 'new')
  void reading.renew()
  assert.equal(isCurrent(), false)
})

test('a cached search page is rebuilt after a change of its type', async () => {
  const { reading, put } = openBoth()
  await put(1, 'one')
  void reading.renew()
  const count = async (): Promise<number> =>
    (await reading.search(book, searchable, { length: 10 })).records.length
  assert.equal(await count(), 1)
  await put(2, 'two')
  void reading.renew()
  assert.equal(await count(), 2)
})

test('a rolled-back commit is skipped and invalidates nothing', async () => {
  const { writing, reading, put } = openBoth()
  await put(1, 'old')
  void reading.renew()
  const kept = reading.get(book, 1)
  const fails = writing.commit((unit) => {
    unit.put(book, [1], makeBook(1, { title: 'never' }))
    throw new Error('no')
  })
  await assert.rejects(fails, /no/)
  await put(2, 'two')
  void reading.renew()
  assert.equal(reading.get(book, 1), kept)
  assert.equal(titleOf(reading, 2), 'two')
})

for (const [behind, many] of [
  ['behind by as many commits as are stored', CHANGED_SLOTS - 1],
  ['behind by more commits than are stored', CHANGED_SLOTS + 3],
] as const)
  test(`a reader that is ${behind} sees the newest state`, async () => {
    const { reading, put } = openBoth()
    for (const id of [1, 2]) await put(id, 'old')
    void reading.renew()
    for (const id of [1, 2]) assert.equal(titleOf(reading, id), 'old')
    await put(1, 'new')
    for (let times = 1; times < many; times += 1) await put(3, `${times}`)
    void reading.renew()
    assert.deepEqual([titleOf(reading, 1), titleOf(reading, 2)], ['new', 'old'])
  })

test('a commit with very many changes invalidates every cache entry', async () => {
  const { writing, reading, put } = openBoth()
  await put(1, 'old')
  void reading.renew()
  const trace = reading.trace()
  trace.records.get(book, 1)
  const isCurrent = trace.close()
  await writing.commit((unit) => {
    for (let id = 2; id < 2_100; id += 1) unit.put(book, [id], makeBook(id, { title: 'many' }))
  })
  void reading.renew()
  assert.equal(isCurrent(), false)
  assert.equal(titleOf(reading, 2_099), 'many')
})

test('a dropped type is gone for readers', async () => {
  const { writing, reading, put } = openBoth()
  await put(1, 'old')
  void reading.renew()
  assert.equal(titleOf(reading, 1), 'old')
  await writing.dropType('book', new AbortController().signal)
  void reading.renew()
  assert.equal(titleOf(reading, 1), undefined)
})

test('a rebuilt index is a new index for readers', async () => {
  const { writing, reading, put } = openBoth()
  await put(1, 'one')
  void reading.renew()
  const found = (): readonly unknown[] => reading.lookup(book, 'title', ['one'])
  assert.equal(found().length, 1)
  const { signal } = new AbortController()
  await writing.dropIndex('book', 'title', signal)
  await writing.buildIndexes(book, ['title'], signal)
  void reading.renew()
  assert.deepEqual(found(), [[1]])
})

test('a single process writes no changed names', async () => {
  const kv = openMemoryKv()
  const records = openRecords(kv)
  await records.commit((unit) => void unit.put(book, [1], makeBook(1)))
  const start = lastCommitKey()
  const rows = [...kv.keys({ start, end: Buffer.of((start[0] ?? 0) + 1) })]
  assert.deepEqual(rows, [start])
})

/** Like LMDB: calls the listener before the first read of a state, although the commit is not acknowledged yet. */
function openLateKv(): Kv {
  const kv = openMemoryKv()
  const listeners: (() => void)[] = []
  const reading = <T extends (...given: any[]) => unknown>(read: T): T =>
    ((...given) => {
      for (const listener of listeners.splice(0)) {
        listener()
        listeners.push(listener)
      }
      return read(...given)
    }) as T
  return {
    ...kv,
    get: reading(kv.get),
    peek: reading(kv.peek),
    onNewer: (listener) => void listeners.push(listener),
  }
}

for (const sharing of ['alone', 'writes'] as const)
  test(`values read without a wait belong to one state, cached or not (${sharing})`, async () => {
    const records = openRecords(openLateKv(), { sharing })
    const put = (title: string): Promise<void> =>
      records.commit((unit) => void unit.put(book, [1], makeBook(1, { title })))
    await put('old')
    assert.equal(titleOf(records, 1), 'old')

    const acknowledged = put('new')
    await Promise.resolve()
    const first = titleOf(records, 1)
    assert.equal(records.get(book, 2), undefined)
    assert.equal(titleOf(records, 1), first)
    await acknowledged
    assert.equal(titleOf(records, 1), 'new')
  })

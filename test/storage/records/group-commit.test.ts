// Group commit: plans that wait at the same time share a commit, and the outcome of each plan is
// independent of the others.

import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { describe, test } from 'node:test'
import { openLmdb } from '../../../lib/storage/embedded/lmdb-kv.ts'
import type { Unit } from '../../../lib/storage/port.ts'
import type { Kv } from '../../../lib/storage/records/kv.ts'
import { openRecords } from '../../../lib/storage/records/records.ts'
import { book, makeBook } from '../../helpers/book.ts'
import { openMemoryKv } from '../../helpers/memory-kv.ts'
import { temporaryDirectory } from '../../helpers/server.ts'

const openDisk = (): Kv & { readonly remove: () => void } => {
  const path = temporaryDirectory()
  const kv = openLmdb({
    path,
    onFailure: (cause) => {
      throw cause
    },
  })
  return { ...kv, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Delays commits until the gate opens, and counts them. */
function gated(kv: Kv) {
  const counted = { commits: 0, open: (): void => undefined }
  const opened = new Promise<void>((resolve) => {
    counted.open = resolve
  })
  const slow: Kv = {
    ...kv,
    commit: async (plan) => {
      counted.commits += 1
      await opened
      return kv.commit(plan)
    },
  }
  return { kv: slow, counted }
}

const putBook =
  (id: number) =>
  (unit: Unit): number => {
    unit.put(book, [id], makeBook(id, { title: 'the same' }))
    return unit.count(book)
  }
const refuse = (): never => {
  throw new Error('refused')
}
const putAndRefuse = (unit: Unit): never => {
  putBook(99)(unit)
  return refuse()
}
const IDS = Array.from({ length: 20 }, (_, at) => at + 1)

for (const [engine, openKv] of [
  ['memory', () => ({ ...openMemoryKv(), remove: () => undefined })],
  ['LMDB', openDisk],
] as const) {
  describe(`waiting plans, over ${engine}`, () => {
    async function withRecords(
      use: (
        records: ReturnType<typeof openRecords>,
        counted: ReturnType<typeof gated>['counted'],
      ) => Promise<void>,
      stretchMs = Number.POSITIVE_INFINITY,
    ): Promise<void> {
      const kv = openKv()
      const { kv: slow, counted } = gated(kv)
      try {
        await use(openRecords(slow, { stretchMs }), counted)
      } finally {
        await kv.close()
        kv.remove()
      }
    }

    test('share one commit, in order, and each plan sees the earlier plans', async () => {
      await withRecords(async (records, counted) => {
        const all = IDS.map((id) => records.commit(putBook(id)))
        counted.open()
        assert.deepEqual(await Promise.all(all), IDS)
        assert.equal(counted.commits, 1)
        assert.equal(records.count(book), IDS.length)
        assert.equal(records.lookup(book, 'title', ['the same']).length, IDS.length)
        assert.equal(records.nextId(book), IDS.length + 1)
      })
    })

    test('a plan that is rejected before it writes does not affect the others', async () => {
      await withRecords(async (records, counted) => {
        const refused = [assert.rejects(records.commit(refuse), /refused/)]
        const all = IDS.map((id) => records.commit(putBook(id)))
        refused.push(assert.rejects(records.commit(refuse), /refused/))
        counted.open()
        assert.deepEqual(await Promise.all(all), IDS)
        await Promise.all(refused)
        assert.equal(counted.commits, 1)
      })
    })

    test('a plan that is rejected after it wrote leaves no changes, and the others commit', async () => {
      await withRecords(async (records, counted) => {
        const refused = [assert.rejects(records.commit(putAndRefuse), /refused/)]
        const all = IDS.map((id) => {
          if (id % 7 === 0) refused.push(assert.rejects(records.commit(putAndRefuse), /refused/))
          return records.commit(putBook(id))
        })
        refused.push(assert.rejects(records.commit(putAndRefuse), /refused/))
        counted.open()
        assert.deepEqual(await Promise.all(all), IDS)
        await Promise.all(refused)
        assert.equal(records.get(book, 99), undefined)
        assert.equal(records.count(book), IDS.length)
        assert.equal(records.lookup(book, 'title', ['the same']).length, IDS.length)
        assert.equal(await records.commit(putBook(99)), IDS.length + 1)
      })
    })

    test('a record that was put, removed and put again in one commit has the last value', async () => {
      await withRecords(async (records, counted) => {
        const made = records.commit(putBook(3))
        const gone = records.commit((unit) => unit.remove(book, 3))
        const again = records.commit((unit) => unit.put(book, [3], makeBook(3, { pages: 7 })))
        counted.open()
        await Promise.all([made, gone, again])
        assert.equal(counted.commits, 1)
        assert.equal(records.get(book, 3)?.value['pages'], 7)
        assert.deepEqual(records.lookup(book, 'title', ['the same']), [])
        assert.equal(records.count(book), 1)
      })
    })

    test('a queue that would block the event loop continues in another commit', async () => {
      await withRecords(async (records, counted) => {
        const all = IDS.map((id) => records.commit(putBook(id)))
        counted.open()
        assert.deepEqual(await Promise.all(all), IDS)
        assert.equal(counted.commits, IDS.length)
      }, 0)
    })
  })
}

test('a failed engine rejects all waiting plans, and rejected plans keep their own error', async () => {
  const kv = openMemoryKv()
  let isBroken = true
  const records = openRecords({
    ...kv,
    commit: async (plan) => {
      await kv.commit(() => undefined)
      if (!isBroken) return kv.commit(plan)
      await kv.commit((writer) => {
        plan(writer)
        throw new Error('the disk is full')
      })
      throw new Error('unreachable')
    },
  })
  const told = await Promise.allSettled([putBook(1), refuse, putBook(2)].map(records.commit))
  assert.deepEqual(
    told.map((item) => item.status === 'rejected' && (item.reason as Error).message),
    ['the disk is full', 'refused', 'the disk is full'],
  )
  isBroken = false
  assert.deepEqual(await Promise.all([putBook(1), putBook(2)].map(records.commit)), [1, 2])
})

test('an engine that accepts no commit leaves no plan waiting', async () => {
  const kv = openMemoryKv()
  const records = openRecords({ ...kv, commit: async () => refuse() })
  for (let round = 0; round < 2; round += 1) {
    const told = await Promise.allSettled([putBook(1), putBook(2)].map(records.commit))
    assert.deepEqual(
      told.map(({ status }) => status),
      ['rejected', 'rejected'],
    )
  }
})

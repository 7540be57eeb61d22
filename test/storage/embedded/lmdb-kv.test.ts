import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { describe, test } from 'node:test'
import { open } from 'lmdb'
import { type LmdbKv, openLmdb } from '../../../lib/storage/embedded/lmdb-kv.ts'
import { openRecords } from '../../../lib/storage/records/records.ts'
import { temporaryDirectory } from '../../helpers/server.ts'
import { recordsContract } from '../contract.ts'

recordsContract('LMDB', async () => {
  const path = temporaryDirectory()
  let kv = openLmdb({ path, onFailure: failed })
  return {
    records: openRecords(kv),
    async close() {
      await kv.close()
      rmSync(path, { recursive: true, force: true })
    },
    async reopen() {
      await kv.close()
      kv = openLmdb({ path, onFailure: failed })
      return openRecords(kv)
    },
  }
})

describe('a commit', () => {
  const key = Buffer.from('key')
  const value = Buffer.from('value')

  async function withKv(use: (kv: LmdbKv, failures: unknown[]) => Promise<void>): Promise<void> {
    const path = temporaryDirectory()
    const failures: unknown[] = []
    const kv = openLmdb({ path, onFailure: (cause) => failures.push(cause) })
    try {
      await use(kv, failures)
    } finally {
      await kv.close()
      rmSync(path, { recursive: true, force: true })
    }
  }

  test('copies the values that it stores and lends stored values without a copy', async () => {
    await withKv(async (kv) => {
      const sizes = [1, 100, 5_000, 40_000, 0]
      const shared = Buffer.alloc(40_000)
      const sizeOf = (value: Uint8Array): number => value.length
      await kv.commit((writer) => {
        for (const [at, size] of sizes.entries()) {
          writer.put(Buffer.from([at + 1]), shared.fill(at, 0, size).subarray(0, size))
          assert.equal(writer.peek(Buffer.from([at + 1]), sizeOf), size)
        }
      })
      for (const [at, size] of sizes.entries()) {
        const lent = kv.peek(Buffer.from([at + 1]), (bytes) => Buffer.from(bytes))
        assert.deepEqual(lent, Buffer.alloc(size, at))
      }
      assert.equal(kv.peek(Buffer.from('none'), sizeOf), undefined)
    })
  })

  test('returns values that are read together, of any size', async () => {
    await withKv(async (kv) => {
      const sizes = [1, 5_000, 0, 70_000, 200_000, 3]
      const pairs = sizes.map((size, at) => ({
        key: Buffer.from([at + 1]),
        value: Buffer.alloc(size, at),
      }))
      await kv.commit((writer) => {
        for (const { key, value } of pairs) writer.put(key, value)
      })
      const most = Number.POSITIVE_INFINITY
      const keys = pairs.map(({ key }) => key)
      const values = pairs.map(({ value }) => value)
      assert.deepEqual(kv.getAll([Buffer.from('none'), ...keys], most), [undefined, ...values])
      assert.deepEqual(kv.getAll(keys, 5_002), values.slice(0, 4))
      const range = { start: Buffer.from([1]), end: Buffer.from([9]) }
      assert.deepEqual(kv.pairsTogether(range, most), pairs)
      assert.deepEqual(kv.pairsTogether(range, 5_002), pairs.slice(0, 4))
      assert.deepEqual(kv.pairsTogether({ ...range, reverse: true, limit: 2 }, most), [
        pairs[5],
        pairs[4],
      ])
      // A returned value stays unchanged while other values are read.
      const [given] = kv.getAll(keys.slice(1), 1)
      const [{ value: alone } = {}] = kv.pairs({ ...range, limit: 1 })
      const [together] = kv.pairsTogether({ ...range, limit: 1 }, most)
      kv.getAll(keys.toReversed(), most)
      assert.deepEqual([given, alone, together], [values[1], values[0], pairs[0]])
    })
  })

  test('that the fence refuses changes nothing, fails, and is the last commit', async () => {
    await withKv(async (kv, failures) => {
      const lost = new Error('another process took the directory')
      kv.fence = () => lost
      await assert.rejects(
        kv.commit((writer) => writer.put(key, value)),
        { code: 'outcome-unknown' },
      )
      kv.fence = () => undefined
      await assert.rejects(
        kv.commit((writer) => writer.put(key, value)),
        { code: 'outcome-unknown' },
      )

      assert.deepEqual(failures, [lost])
      assert.equal(kv.hasFailed(), true)
      assert.equal(kv.get(key), undefined)
    })
  })

  test('that succeeded beside a failed commit is not acknowledged', async () => {
    await withKv(async (kv, failures) => {
      let isFirst = true
      kv.fence = () => {
        if (!isFirst) return undefined
        isFirst = false
        return new Error('the first one fails')
      }
      const outcomes = await Promise.allSettled(
        [1, 2].map(() => kv.commit((writer) => writer.put(key, value))),
      )
      const codes = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code)
      assert.deepEqual(codes, ['outcome-unknown', 'outcome-unknown'])
      assert.equal(failures.length, 1)
    })
  })

  test('that fails prevents the acknowledgement of the commit before it and is reported once', async () => {
    await withKv(async (kv, failures) => {
      let commits = 0
      // The error has the number of "disk full", to prove that a refusal by the fence is never
      // mistaken for a lack of space.
      kv.fence = () =>
        (commits += 1) === 1 ? undefined : Object.assign(new Error('lost'), { code: 27 })
      const outcomes = await Promise.allSettled(
        [1, 2, 3].map(() => kv.commit((writer) => writer.put(key, value))),
      )
      const codes = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code)
      assert.deepEqual(codes, ['outcome-unknown', 'outcome-unknown', 'outcome-unknown'])
      assert.deepEqual([failures.length, kv.hasFailed(), kv.isReadOnly()], [1, true, false])
    })
  })

  test('that is refused does not stop commits that began beside it', async () => {
    await withKv(async (kv, failures) => {
      const refusal = new Error('no')
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, index) =>
          kv.commit((writer) => {
            writer.put(Buffer.from(`key ${index}`), value)
            if (index % 2 === 1) throw refusal
          }),
        ),
      )

      assert.equal(
        outcomes.filter((outcome) => outcome.status === 'rejected' && outcome.reason === refusal)
          .length,
        10,
      )
      assert.equal(kv.count({ start: Buffer.from('key'), end: Buffer.from('kez') }), 10)
      for (const [limit, count] of [
        [0, 0],
        [1, 1],
        [9, 9],
        [10, 10],
        [11, 10],
      ] as const)
        assert.equal(kv.count({ start: Buffer.from('key'), end: Buffer.from('kez'), limit }), count)
      assert.deepEqual(failures, [])
    })
  })

  test('is visible to another reader of the file once it is acknowledged', async () => {
    const path = temporaryDirectory()
    const writer = openLmdb({ path, onFailure: failed })
    await writer.commit((unit) => unit.put(key, value))
    const reader = openLmdb({ path, onFailure: failed, readOnly: true })
    try {
      assert.deepEqual(reader.get(key), value)
    } finally {
      await reader.close()
      await writer.close()
      rmSync(path, { recursive: true, force: true })
    }
  })
})

test('a file without any commit is read as empty', async () => {
  const path = temporaryDirectory()
  await open({ path }).close()
  const kv = openLmdb({ path, onFailure: failed, readOnly: true })
  try {
    const all = { start: Buffer.alloc(0), end: Buffer.from([255]) }
    const key = Buffer.from('key')
    assert.deepEqual([kv.get(key), kv.peek(key, () => 1), kv.count(all)], [undefined, undefined, 0])
    assert.deepEqual([[...kv.keys(all)], [...kv.pairs(all)]], [[], []])
  } finally {
    await kv.close()
    rmSync(path, { recursive: true, force: true })
  }
})

function failed(cause: unknown): never {
  throw new Error('the storage failed', { cause })
}

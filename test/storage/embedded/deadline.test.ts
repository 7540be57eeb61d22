// The outcome of a commit that the disk does not finish in time. The test controls when the disk
// answers.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withDeadline } from '../../../lib/storage/embedded/commit-deadline.ts'
import type { Kv } from '../../../lib/storage/records/kv.ts'
import { openRecords } from '../../../lib/storage/records/records.ts'
import { book, makeBook } from '../../helpers/book.ts'
import { openMemoryKv } from '../../helpers/memory-kv.ts'

interface Gate {
  readonly opened: Promise<void>
  open(): void
}

function openGate(): Gate {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

const SOON_MS = 20
const put = (unit: { put(type: typeof book, ids: [number], record: object): unknown }): string => {
  unit.put(book, [1], makeBook(1))
  return 'made'
}

const timers = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

test('a commit in time returns the result of its plan and leaves no timer', async () => {
  const before = timers()
  const records = withDeadline(openRecords(openMemoryKv()), 60_000)
  assert.equal(await records.commit(put), 'made')
  assert.equal(records.count(book), 1)
  assert.equal(timers(), before)
})

test('a commit that did not start in time is canceled and never made', async () => {
  const disk = openGate()
  const kv = openMemoryKv()
  const slow: Kv = {
    ...kv,
    commit: async (plan) => {
      await disk.opened
      return kv.commit(plan)
    },
  }
  const inner = openRecords(slow)
  await assert.rejects(withDeadline(inner, SOON_MS).commit(put), {
    code: 'unavailable',
    message: 'The disk does not respond. Nothing was changed: try again.',
    facts: { headers: { 'retry-after': '10' } },
  })
  disk.open()
  await inner.commit(() => undefined)
  assert.equal(inner.count(book), 0)
})

test('the outcome of a commit that started and does not end is reported as unknown', async () => {
  const disk = openGate()
  const kv = openMemoryKv()
  const slow: Kv = {
    ...kv,
    commit: async (plan) => {
      const result = await kv.commit(plan)
      await disk.opened
      return result
    },
  }
  const records = withDeadline(openRecords(slow), SOON_MS)
  await assert.rejects(records.commit(put), { code: 'outcome-unknown' })
  assert.equal(records.count(book), 1)
  disk.open()
})

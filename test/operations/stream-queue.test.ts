// Events queued for clients that do not read are bounded for each stream and for all streams of a
// user.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStreamShares } from '../../lib/http/memory-budget.ts'
import { openCounts } from '../../lib/http/quota.ts'
import { LIMITS } from '../../lib/config/limits.ts'
import { openStreamQueue, type StreamQueue } from '../../lib/operations/following/stream-queue.ts'

const EVENT = Buffer.alloc(1_000, 'x')

const holderOf = (api_key_id: number, user_id: number, source?: string) => ({
  party: { api_key_id, user_id },
  source,
})

/** Fills the queue and returns the number of accepted events. */
function fill(queue: StreamQueue): number {
  for (let count = 0; ; count += 1) if (!queue.push(EVENT)) return count
}

function openAll() {
  const { queued } = openStreamShares(
    { ...LIMITS, streamMemoryBytes: 80_000, maxConnections: 32 },
    openCounts(100),
  )
  return (holder: ReturnType<typeof holderOf>, mostBytes = 1_000_000): StreamQueue =>
    openStreamQueue({ holder, shares: queued, mostBytes })
}

test('a queue accepts as much as its stream may hold and returns it in order', () => {
  const queue = openAll()(holderOf(1, 1), 3_500)
  const events = ['first', 'second', 'third'].map((word) => Buffer.from(word.padEnd(1_000)))
  for (const event of events) assert.ok(queue.push(event))
  assert.equal(queue.push(EVENT), false)
  assert.deepEqual(queue.next(), Buffer.concat(events))
  // Events count until the socket has taken them.
  assert.equal(queue.push(EVENT), false)
  queue.taken()
  assert.ok(queue.isEmpty())
  assert.ok(queue.push(EVENT))
})

test('streams of sibling keys share the quota of their user', () => {
  const open = openAll()
  // Only the first stream is filled, so that only its own bound applies.
  const first = open(holderOf(1, 1), 15_000)
  assert.equal(fill(first), 15)
  // A key may hold 20,000 bytes and its user 30,000, in addition to the first event of a stream.
  const siblings = [1, 2, 3, 4].map((id) => open(holderOf(id, 1)))
  const counts = siblings.map(fill)
  assert.deepEqual(counts, [5, 10, 0, 0])
  assert.ok(fill(open(holderOf(9, 2))) > 0)
  first.close()
  for (const queue of siblings) queue.close()
  assert.equal(fill(open(holderOf(4, 1), 15_000)), 15)
})

test('streams of one address share its quota, whichever keys opened them', () => {
  const open = openAll()
  const counts = [1, 2, 3, 4].map((id) => fill(open(holderOf(id, id, '192.0.2.1'), 15_000)))
  assert.deepEqual(counts, [15, 15, 10, 0])
  assert.equal(fill(open(holderOf(9, 9, '192.0.2.2'), 15_000)), 15)
})

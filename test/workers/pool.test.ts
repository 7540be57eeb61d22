// Worker threads that die and queues that are full, with real tasks in real threads that have less
// memory.

import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { afterEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPool, type Pool, type PoolOptions } from '../../lib/workers/pool.ts'

const LIMITS = { maxDepth: 32, maxKeys: 1e9 }

let pool: Pool | undefined
afterEach(() => pool?.close())

function open(options: PoolOptions): Pool {
  pool = openPool(1, options)
  return pool
}

function parse({ run }: Pool, text: string): Promise<unknown> {
  return run('parseBody', { bytes: Buffer.from(text), limits: LIMITS })
}

/** JSON of 3 MB that takes many times as much memory when it is parsed. */
const HUGE = `{"list":[${'[[],[]],'.repeat(400_000)}0]}`

function isBusy(error: any): boolean {
  assert.deepEqual([error.code, error.status], ['unavailable', 503])
  assert.equal(error.facts.headers['retry-after'], '1')
  return true
}

describe('a thread that exceeds its memory limit', () => {
  test('S33: fails its own task with 503, and the next one gets a new thread', async () => {
    const small = open({ heapMb: 24 })
    await assert.rejects(parse(small, HUGE), isBusy)
    assert.deepEqual(await parse(small, '{"a":1}'), { a: 1 })
    assert.deepEqual(small.status(), { waiting: 0, running: 0 })
  })

  test('S35: does not fail other tasks, even those waiting for it', async () => {
    const small = open({ heapMb: 24 })
    const failing = assert.rejects(parse(small, HUGE), isBusy)
    const others = Array.from({ length: 20 }, (_, index) => parse(small, `{"a":${index}}`))
    const values = await Promise.all(others)
    assert.deepEqual(
      values,
      values.map((_, index) => ({ a: index })),
    )
    await failing
  })
})

test('S34: a full queue refuses with 503 and Retry-After, and empties', async () => {
  const short = open({ maxQueue: 2 })
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, (_, index) => parse(short, `{"a":${index}}`)),
  )
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  assert.ok(refused.length >= 7 && refused.length < 10, `${refused.length} were refused`)
  for (const { reason } of refused) isBusy(reason)
  assert.deepEqual(await parse(short, '{}'), {})
  assert.deepEqual(short.status(), { waiting: 0, running: 0 })
})

/** The threads of this process as Linux counts them. */
function countThreads(): number {
  return readdirSync('/proc/self/task').length
}

test('extra threads of a burst exit when idle, except one', async () => {
  pool = openPool(4, { idleMs: 10 })
  const busy = pool
  await parse(busy, '{}')
  const atRest = countThreads()
  const burst = Array.from({ length: 8 }, () => parse(busy, HUGE))
  // The count of Linux includes a new thread at once.
  const inBurst = countThreads()
  await Promise.all(burst)
  assert.ok(inBurst > atRest, `${inBurst} of ${atRest}`)

  const deadline = performance.now() + 30_000
  while (countThreads() > atRest && performance.now() < deadline) await sleep(10)
  assert.ok(countThreads() <= atRest)
  assert.deepEqual(await parse(busy, '{"a":1}'), { a: 1 })
})

// Limits that use the monotonic clock: failures in a window and requests per second. The clock stands still
// here unless a test moves it. What clients see of both limits: guard.test.ts.

import assert from 'node:assert/strict'
import { after, beforeEach, describe, mock, test } from 'node:test'
import { openFailures } from '../../lib/auth/failure-counts.ts'
import { openRequestRate } from '../../lib/auth/guard.ts'

let nowMs = 0
const clock = mock.method(performance, 'now', () => nowMs)
beforeEach(() => {
  nowMs = 5_000
})
after(() => clock.mock.restore())

describe('failures', () => {
  const open = () => openFailures({ most: 3, windowMs: 10_000, tableSize: 3 })

  test('block after the last admitted failure until the window ends', () => {
    const failures = open()
    assert.equal(failures.waitOf('a'), undefined)
    failures.note('a')
    failures.note('a')
    assert.equal(failures.waitOf('a'), undefined)
    nowMs += 3_999
    failures.note('a')
    assert.equal(failures.waitOf('a'), 7)
    nowMs += 1
    assert.equal(failures.waitOf('a'), 6)
    failures.note('a')
    assert.equal(failures.waitOf('b'), undefined)
    nowMs += 5_001
    assert.equal(failures.waitOf('a'), 1)
    nowMs += 998
    assert.equal(failures.waitOf('a'), 1)
    nowMs += 1
    assert.equal(failures.waitOf('a'), undefined)
  })

  test('of an earlier window do not count in the next window', () => {
    const failures = open()
    for (let count = 0; count < 2; count += 1) failures.note('a')
    nowMs += 10_000
    for (let count = 0; count < 2; count += 1) failures.note('a')
    assert.equal(failures.waitOf('a'), undefined)
    failures.note('a')
    assert.equal(failures.waitOf('a'), 10)
  })
})

const keyOf = (id: number, userId = id) => ({ api_key_id: id, user_id: userId })

test('the requests of all keys of a user have a common limit', () => {
  const rate = openRequestRate({ ofKey: 4, ofUser: 6 }, 10)
  const waits = Array.from({ length: 8 }, (_, at) => rate.take(keyOf(at, 1)))
  assert.deepEqual(
    waits.map((wait) => wait === undefined),
    [true, true, true, true, true, true, false, false],
  )
  assert.equal(rate.take(keyOf(9, 2)), undefined)
  nowMs += 1_000
  assert.equal(rate.take(keyOf(7, 1)), undefined)
})

describe('the requests of a key', () => {
  test('may use the rate of a second at once, and then one request per step', () => {
    const rate = openRequestRate({ ofKey: 4, ofUser: 6 }, 10)
    const take = (count: number) => Array.from({ length: count }, () => rate.take(keyOf(1)))
    assert.deepEqual(take(6), [undefined, undefined, undefined, undefined, 1, 1])
    assert.equal(rate.take(keyOf(2)), undefined)
    nowMs += 249
    assert.equal(rate.take(keyOf(1)), 1)
    nowMs += 1
    assert.deepEqual(take(2), [undefined, 1])
    nowMs += 500
    assert.deepEqual(take(3), [undefined, undefined, 1])
  })

  test('may use the full rate again after an idle second, and no more after an idle hour', () => {
    const rate = openRequestRate({ ofKey: 3, ofUser: 5 }, 10)
    const take = () => Array.from({ length: 4 }, () => rate.take(keyOf(1)))
    assert.deepEqual(take(), [undefined, undefined, undefined, 1])
    nowMs += 1_000
    assert.deepEqual(take(), [undefined, undefined, undefined, 1])
    nowMs += 3_600_000
    assert.deepEqual(take(), [undefined, undefined, undefined, 1])
  })

  test('get a Retry-After in whole seconds', () => {
    const rate = openRequestRate({ ofKey: 1, ofUser: 2 }, 10)
    assert.deepEqual([rate.take(keyOf(1)), rate.take(keyOf(1))], [undefined, 1])
    nowMs += 999
    assert.equal(rate.take(keyOf(1)), 1)
    nowMs += 1
    assert.equal(rate.take(keyOf(1)), undefined)
  })
})

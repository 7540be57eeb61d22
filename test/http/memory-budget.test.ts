// The exact memory budget of requests: next to other requests, when a body grows, and after the answer. What
// clients see: test/api/request/memory-budget.test.ts and quotas.test.ts.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Allowance, openAllowance } from '../../lib/http/memory-budget.ts'
import { openRunning } from '../../lib/http/concurrency-limits.ts'
import { type Holder, openCounts } from '../../lib/http/quota.ts'
import { CmsError } from '../../lib/base/errors.ts'

/** 60 bytes for large bodies. A key may hold 30 of them, a user 45, an address 54. */
function open(counts = openCounts(100)): Allowance {
  const limits = {
    bodyMemoryBytes: 100,
    smallBodyMemoryBytes: 40,
    smallBodyBytes: 10,
    answerMemoryBytes: 100,
    inlineJsonBytes: 5,
    maxUploads: 4,
    keyShare: 0.5,
    userShare: 0.75,
    addressShare: 0.9,
  }
  return openAllowance(limits, counts)
}

const holder = (key: number, user = key, source?: string): Holder => ({
  party: { api_key_id: key, user_id: user },
  source,
})
const NOBODY: Holder = { party: undefined, source: undefined }

/** Returns `taken` or the reason of the refusal. */
function outcome(take: () => void): string {
  try {
    take()
    return 'taken'
  } catch (error) {
    assert.ok(error instanceof CmsError)
    return `${error.code} ${/this (\w+)/.exec(error.message)?.[1] ?? ''}`.trim()
  }
}

describe('a large body', () => {
  test('may use the memory up to the last byte, and one byte more is unavailable', () => {
    const budget = open()
    budget.takeBody({}, NOBODY, 49)
    assert.equal(
      outcome(() => budget.takeBody({}, NOBODY, 12)),
      'unavailable',
    )
    assert.equal(
      outcome(() => budget.takeBody({}, NOBODY, 11)),
      'taken',
    )
    assert.equal(
      outcome(() => budget.takeBody({}, NOBODY, 11)),
      'unavailable',
    )
  })

  test('may use the quota of its key up to the last byte, together with another body of the key', () => {
    const budget = open()
    budget.takeBody({}, holder(1), 15)
    assert.equal(
      outcome(() => budget.takeBody({}, holder(1), 16)),
      'too-many-requests key',
    )
    assert.equal(
      outcome(() => budget.takeBody({}, holder(1), 15)),
      'taken',
    )
    assert.equal(
      outcome(() => budget.takeBody({}, holder(2), 15)),
      'taken',
    )
  })

  test('may exceed the quota if its key holds nothing else', () => {
    assert.equal(
      outcome(() => open().takeBody({}, holder(1, 1, 'a'), 60)),
      'taken',
    )
  })

  test('is counted for the user of several keys, and for the address of several users', () => {
    const ofUser = open()
    ofUser.takeBody({}, holder(1, 9), 30)
    assert.equal(
      outcome(() => ofUser.takeBody({}, holder(2, 9), 16)),
      'too-many-requests user',
    )
    assert.equal(
      outcome(() => ofUser.takeBody({}, holder(2, 9), 15)),
      'taken',
    )
    const ofAddress = open()
    ofAddress.takeBody({}, holder(1, 1, 'a'), 30)
    assert.equal(
      outcome(() => ofAddress.takeBody({}, holder(2, 2, 'a'), 25)),
      'too-many-requests address',
    )
    assert.equal(
      outcome(() => ofAddress.takeBody({}, holder(2, 2, 'a'), 24)),
      'taken',
    )
  })

  test('that grows needs memory only for the additional bytes', () => {
    const budget = open()
    const request = {}
    budget.takeBody(request, holder(1), 28)
    assert.equal(
      outcome(() => budget.takeBody(request, holder(1), 4)),
      'taken',
    )
    assert.equal(
      outcome(() => budget.takeBody({}, NOBODY, 29)),
      'unavailable',
    )
    assert.equal(
      outcome(() => budget.takeBody({}, NOBODY, 28)),
      'taken',
    )
  })

  test('is released once', () => {
    const budget = open()
    const request = {}
    budget.takeBody(request, holder(1), 40)
    budget.takeBody(request, holder(1), 20)
    budget.release(request)
    budget.release(request)
    budget.release({})
    assert.equal(
      outcome(() => budget.takeBody({}, holder(1), 61)),
      'unavailable',
    )
    assert.equal(
      outcome(() => budget.takeBody({}, holder(1), 60)),
      'taken',
    )
  })
})

describe('a small body', () => {
  test('has reserved memory up to the last byte, and then the memory of large bodies', () => {
    const budget = open()
    budget.takeBody({}, NOBODY, 60)
    for (const sizeBytes of [10, 10, 10, 9])
      assert.equal(
        outcome(() => budget.takeBody({}, NOBODY, sizeBytes)),
        'taken',
      )
    assert.equal(
      outcome(() => budget.takeBody({}, NOBODY, 2)),
      'unavailable',
    )
    assert.equal(
      outcome(() => budget.takeBody({}, NOBODY, 1)),
      'taken',
    )
  })

  test('that grows large releases the reserved memory', () => {
    const budget = open()
    for (let count = 0; count < 4; count += 1) {
      const request = {}
      budget.takeBody(request, NOBODY, 6)
      budget.takeBody(request, NOBODY, 4)
      budget.takeBody(request, NOBODY, 5)
    }
    // All 60 bytes for large bodies are in use, and the budget for small bodies is untouched.
    for (let count = 0; count < 4; count += 1)
      assert.equal(
        outcome(() => budget.takeBody({}, NOBODY, 10)),
        'taken',
      )
    assert.equal(
      outcome(() => budget.takeBody({}, NOBODY, 1)),
      'unavailable',
    )
  })

  test('stays a large body', () => {
    const budget = open()
    const request = {}
    budget.takeBody(request, NOBODY, 11)
    budget.takeBody(request, NOBODY, 0)
    assert.equal(
      outcome(() => budget.takeBody({}, NOBODY, 50)),
      'unavailable',
    )
    assert.equal(
      outcome(() => budget.takeBody({}, NOBODY, 49)),
      'taken',
    )
  })

  test('is released', () => {
    const budget = open()
    budget.takeBody({}, NOBODY, 60)
    for (let count = 0; count < 9; count += 1) {
      const request = {}
      assert.equal(
        outcome(() => budget.takeBody(request, NOBODY, 10)),
        'taken',
      )
      budget.release(request)
    }
  })
})

describe('a response', () => {
  test('counts if it is large', () => {
    const budget = open()
    budget.addAnswer({}, NOBODY, 100)
    assert.equal(
      outcome(() => budget.takeAnswer({}, NOBODY, 5)),
      'taken',
    )
    assert.equal(
      outcome(() => budget.takeAnswer({}, NOBODY, 6)),
      'unavailable',
    )
    assert.equal(budget.tryAnswer({}, NOBODY, 5), true)
    assert.equal(budget.tryAnswer({}, NOBODY, 6), false)
    const other = open()
    other.addAnswer({}, NOBODY, 5)
    assert.equal(other.tryAnswer({}, NOBODY, 100), true)
  })

  test('that grows counts with its present size, whichever function reserved it', () => {
    const ways = ['takeAnswer', 'tryAnswer', 'addAnswer'] as const
    for (const first of ways)
      for (const second of ways) {
        const budget = open()
        const request = {}
        budget[first](request, holder(1), 40)
        budget[second](request, holder(1), 60)
        assert.equal(budget.tryAnswer({}, NOBODY, 41), false, `${first}, ${second}`)
        assert.equal(budget.tryAnswer({}, NOBODY, 40), true, `${first}, ${second}`)
      }
  })

  test('that must not be rejected may exceed the memory, and is released', () => {
    const budget = open()
    const request = {}
    budget.addAnswer(request, holder(1), 200)
    assert.equal(budget.tryAnswer({}, NOBODY, 6), false)
    budget.release(request)
    assert.equal(budget.tryAnswer({}, holder(1), 100), true)
  })

  test('that was rejected holds no memory', () => {
    const budget = open()
    const request = {}
    const [wide, other] = [{}, {}]
    assert.equal(budget.tryAnswer(wide, holder(2), 60), true)
    assert.equal(budget.tryAnswer(request, holder(1), 50), false)
    assert.equal(
      outcome(() => budget.takeAnswer(request, holder(1), 50)),
      'unavailable',
    )
    assert.equal(budget.tryAnswer(other, holder(1), 40), true)
  })
})

test('uploads are counted in total and for each holder', () => {
  const budget = open()
  const [first, second] = [{}, {}]
  for (const request of [first, second]) budget.takeUpload(request, holder(1, 9))
  assert.equal(
    outcome(() => budget.takeUpload({}, holder(1, 9))),
    'too-many-requests key',
  )
  assert.equal(
    outcome(() => budget.takeUpload({}, holder(2, 9))),
    'taken',
  )
  assert.equal(
    outcome(() => budget.takeUpload({}, holder(3, 9))),
    'too-many-requests user',
  )
  assert.equal(
    outcome(() => budget.takeUpload({}, NOBODY)),
    'taken',
  )
  assert.equal(
    outcome(() => budget.takeUpload({}, NOBODY)),
    'unavailable',
  )
  budget.release(first)
  assert.equal(
    outcome(() => budget.takeUpload({}, holder(1, 9))),
    'taken',
  )
})

describe('the table of counts', () => {
  test('keeps what a key without a running request holds, and forgets empty counts', () => {
    const running = openRunning({ ofKey: 1, ofUser: 1, ofAddress: 1, tableSize: 2 })
    const { counts } = running
    const budget = open(counts)
    budget.takeBody({}, holder(1), 30)
    for (let key = 2; key < 9; key += 1) {
      const request = {}
      const count = running.beginAs({ api_key_id: key, user_id: key })
      assert.ok(!(count instanceof Promise))
      budget.takeBody(request, holder(key), 20)
      budget.release(request)
      running.end(count)
    }
    assert.equal(counts.find('key', 2), undefined)
    assert.equal(
      outcome(() => budget.takeBody({}, holder(1), 11)),
      'too-many-requests key',
    )
  })
})

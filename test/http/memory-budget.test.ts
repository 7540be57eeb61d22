// The exact memory budget of requests: beside other requests, when a body grows, and after the answer. What
// clients see: test/api/request/allowance.test.ts and shares.test.ts.

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
  test('finds room up to the last byte of all, and one byte more is unavailable', () => {
    const allowance = open()
    allowance.takeBody({}, NOBODY, 49)
    assert.equal(
      outcome(() => allowance.takeBody({}, NOBODY, 12)),
      'unavailable',
    )
    assert.equal(
      outcome(() => allowance.takeBody({}, NOBODY, 11)),
      'taken',
    )
    assert.equal(
      outcome(() => allowance.takeBody({}, NOBODY, 11)),
      'unavailable',
    )
  })

  test('finds room in the share of its key up to the last byte, beside another one of it', () => {
    const allowance = open()
    allowance.takeBody({}, holder(1), 15)
    assert.equal(
      outcome(() => allowance.takeBody({}, holder(1), 16)),
      'too-many-requests key',
    )
    assert.equal(
      outcome(() => allowance.takeBody({}, holder(1), 15)),
      'taken',
    )
    assert.equal(
      outcome(() => allowance.takeBody({}, holder(2), 15)),
      'taken',
    )
  })

  test('may be larger than a share where its key holds nothing else', () => {
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

  test('that grows needs room for what is more, and is not in its own way', () => {
    const allowance = open()
    const request = {}
    allowance.takeBody(request, holder(1), 28)
    assert.equal(
      outcome(() => allowance.takeBody(request, holder(1), 4)),
      'taken',
    )
    assert.equal(
      outcome(() => allowance.takeBody({}, NOBODY, 29)),
      'unavailable',
    )
    assert.equal(
      outcome(() => allowance.takeBody({}, NOBODY, 28)),
      'taken',
    )
  })

  test('is given back once, whole', () => {
    const allowance = open()
    const request = {}
    allowance.takeBody(request, holder(1), 40)
    allowance.takeBody(request, holder(1), 20)
    allowance.release(request)
    allowance.release(request)
    allowance.release({})
    assert.equal(
      outcome(() => allowance.takeBody({}, holder(1), 61)),
      'unavailable',
    )
    assert.equal(
      outcome(() => allowance.takeBody({}, holder(1), 60)),
      'taken',
    )
  })
})

describe('a small body', () => {
  test('has memory of its own, up to the last byte, and that of large ones behind it', () => {
    const allowance = open()
    allowance.takeBody({}, NOBODY, 60)
    for (const sizeBytes of [10, 10, 10, 9])
      assert.equal(
        outcome(() => allowance.takeBody({}, NOBODY, sizeBytes)),
        'taken',
      )
    assert.equal(
      outcome(() => allowance.takeBody({}, NOBODY, 2)),
      'unavailable',
    )
    assert.equal(
      outcome(() => allowance.takeBody({}, NOBODY, 1)),
      'taken',
    )
  })

  test('that grows large gives back what it had of the other memory', () => {
    const allowance = open()
    for (let count = 0; count < 4; count += 1) {
      const request = {}
      allowance.takeBody(request, NOBODY, 6)
      allowance.takeBody(request, NOBODY, 4)
      allowance.takeBody(request, NOBODY, 5)
    }
    // All 60 bytes for large bodies are in use, and the budget for small bodies is untouched.
    for (let count = 0; count < 4; count += 1)
      assert.equal(
        outcome(() => allowance.takeBody({}, NOBODY, 10)),
        'taken',
      )
    assert.equal(
      outcome(() => allowance.takeBody({}, NOBODY, 1)),
      'unavailable',
    )
  })

  test('goes on as a large one once it was one', () => {
    const allowance = open()
    const request = {}
    allowance.takeBody(request, NOBODY, 11)
    allowance.takeBody(request, NOBODY, 0)
    assert.equal(
      outcome(() => allowance.takeBody({}, NOBODY, 50)),
      'unavailable',
    )
    assert.equal(
      outcome(() => allowance.takeBody({}, NOBODY, 49)),
      'taken',
    )
  })

  test('is given back, too', () => {
    const allowance = open()
    allowance.takeBody({}, NOBODY, 60)
    for (let count = 0; count < 9; count += 1) {
      const request = {}
      assert.equal(
        outcome(() => allowance.takeBody(request, NOBODY, 10)),
        'taken',
      )
      allowance.release(request)
    }
  })
})

describe('an answer', () => {
  test('counts when it is larger than those that are not counted', () => {
    const allowance = open()
    allowance.addAnswer({}, NOBODY, 100)
    assert.equal(
      outcome(() => allowance.takeAnswer({}, NOBODY, 5)),
      'taken',
    )
    assert.equal(
      outcome(() => allowance.takeAnswer({}, NOBODY, 6)),
      'unavailable',
    )
    assert.equal(allowance.tryAnswer({}, NOBODY, 5), true)
    assert.equal(allowance.tryAnswer({}, NOBODY, 6), false)
    const other = open()
    other.addAnswer({}, NOBODY, 5)
    assert.equal(other.tryAnswer({}, NOBODY, 100), true)
  })

  test('that grows counts as what it has become, whichever way it was taken', () => {
    const ways = ['takeAnswer', 'tryAnswer', 'addAnswer'] as const
    for (const first of ways)
      for (const second of ways) {
        const allowance = open()
        const request = {}
        allowance[first](request, holder(1), 40)
        allowance[second](request, holder(1), 60)
        assert.equal(allowance.tryAnswer({}, NOBODY, 41), false, `${first}, ${second}`)
        assert.equal(allowance.tryAnswer({}, NOBODY, 40), true, `${first}, ${second}`)
      }
  })

  test('that must not be refused is counted over all there is, and given back', () => {
    const allowance = open()
    const request = {}
    allowance.addAnswer(request, holder(1), 200)
    assert.equal(allowance.tryAnswer({}, NOBODY, 6), false)
    allowance.release(request)
    assert.equal(allowance.tryAnswer({}, holder(1), 100), true)
  })

  test('for which there was no room holds none', () => {
    const allowance = open()
    const request = {}
    const [wide, other] = [{}, {}]
    assert.equal(allowance.tryAnswer(wide, holder(2), 60), true)
    assert.equal(allowance.tryAnswer(request, holder(1), 50), false)
    assert.equal(
      outcome(() => allowance.takeAnswer(request, holder(1), 50)),
      'unavailable',
    )
    assert.equal(allowance.tryAnswer(other, holder(1), 40), true)
  })
})

test('uploads are counted one by one, for all and for each', () => {
  const allowance = open()
  const [first, second] = [{}, {}]
  for (const request of [first, second]) allowance.takeUpload(request, holder(1, 9))
  assert.equal(
    outcome(() => allowance.takeUpload({}, holder(1, 9))),
    'too-many-requests key',
  )
  assert.equal(
    outcome(() => allowance.takeUpload({}, holder(2, 9))),
    'taken',
  )
  assert.equal(
    outcome(() => allowance.takeUpload({}, holder(3, 9))),
    'too-many-requests user',
  )
  assert.equal(
    outcome(() => allowance.takeUpload({}, NOBODY)),
    'taken',
  )
  assert.equal(
    outcome(() => allowance.takeUpload({}, NOBODY)),
    'unavailable',
  )
  allowance.release(first)
  assert.equal(
    outcome(() => allowance.takeUpload({}, holder(1, 9))),
    'taken',
  )
})

describe('the table of counts', () => {
  test('keeps what a key without a running request holds, and forgets empty counts', () => {
    const running = openRunning({ ofKey: 1, ofUser: 1, ofAddress: 1, tableSize: 2 })
    const { counts } = running
    const allowance = open(counts)
    allowance.takeBody({}, holder(1), 30)
    for (let key = 2; key < 9; key += 1) {
      const request = {}
      const count = running.beginAs({ api_key_id: key, user_id: key })
      assert.ok(!(count instanceof Promise))
      allowance.takeBody(request, holder(key), 20)
      allowance.release(request)
      running.end(count)
    }
    assert.equal(counts.find('key', 2), undefined)
    assert.equal(
      outcome(() => allowance.takeBody({}, holder(1), 11)),
      'too-many-requests key',
    )
  })
})

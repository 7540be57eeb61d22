import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coalesceRequests } from '../../../lib/cluster/request-coalescing.ts'

interface Ask {
  readonly answer: () => void
  readonly fail: (error: Error) => void
}

/** Records the requests; the test answers each of them. */
function openAsks() {
  const asked: Ask[] = []
  const ask = coalesceRequests(
    () => new Promise((resolve, reject) => asked.push({ answer: resolve, fail: reject })),
  )
  return { asked, ask }
}

test('requests during a running query share the next query', async () => {
  const { asked, ask } = openAsks()
  const told: string[] = []
  const first = ask().then(() => told.push('first'))
  const later = [ask(), ask()].map((asking) => asking.then(() => told.push('later')))
  assert.equal(asked.length, 1)

  asked[0]?.answer()
  await first
  assert.deepEqual(told, ['first'])
  assert.equal(asked.length, 2)
  asked[1]?.answer()
  await Promise.all(later)
  assert.deepEqual(told, ['first', 'later', 'later'])
  void ask()
  assert.equal(asked.length, 3)
})

test('a failed query fails only its own requests', async () => {
  const { asked, ask } = openAsks()
  const [first, later] = [ask(), ask()]
  asked[0]?.fail(new Error('no answer'))
  await assert.rejects(first, /no answer/)
  asked[1]?.answer()
  await later
})

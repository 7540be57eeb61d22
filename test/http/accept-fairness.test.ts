// Requests wait while the server accepts new connections, and no longer.

import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { openAcceptFairness } from '../../lib/http/accept-fairness.ts'

async function turns(count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) await setImmediate()
}

test('without a new connection, requests do not wait', () => {
  assert.equal(openAcceptFairness().held(), undefined)
})

test('after a connection, requests wait for the iterations in which others could arrive', async () => {
  const arrivals = openAcceptFairness()
  arrivals.note()
  assert.notEqual(arrivals.held(), undefined)
  await turns(1)
  assert.notEqual(arrivals.held(), undefined)
  await turns(4)
  assert.equal(arrivals.held(), undefined)
})

test('each connection during the wait extends it', async () => {
  // The clock stands still, because on a busy machine three turns take longer than the wait may last.
  const clock = mock.method(performance, 'now', () => 0)
  const arrivals = openAcceptFairness()
  arrivals.note()
  const held = arrivals.held()
  await turns(1)
  arrivals.note()
  await turns(2)
  assert.equal(arrivals.held(), held)
  clock.mock.restore()
  await held
  assert.equal(arrivals.held(), undefined)
})

test('a request is served however many connections arrive', async () => {
  const arrivals = openAcceptFairness(() => true)
  arrivals.note()
  await arrivals.held()
  assert.equal(arrivals.held(), undefined)
})

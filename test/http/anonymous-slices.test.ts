// How much requests without a key run in one iteration of the event loop.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { openAnonymousSlices } from '../../lib/http/anonymous-slices.ts'

function open() {
  let nowMs = 1
  const ran: number[] = []
  const { turn } = openAnonymousSlices(() => nowMs)
  return {
    ran,
    /** Each request works for a number of milliseconds. */
    async request(name: number, ms: number): Promise<void> {
      const waits = turn()
      if (waits !== undefined) await waits
      ran.push(name)
      nowMs += ms
    },
  }
}

test('requests run at once until the slice of the iteration is over', async () => {
  const { ran, request } = open()
  for (let name = 0; name < 10; name += 1) void request(name, 2)
  assert.deepEqual(ran, [0, 1, 2])
  await setImmediate()
  assert.deepEqual(ran, [0, 1, 2, 3, 4, 5])
  await setImmediate()
  assert.deepEqual(ran, [0, 1, 2, 3, 4, 5, 6, 7, 8])
})

test('a request waits behind earlier requests, and runs at once when none is left', async () => {
  const { ran, request } = open()
  for (let name = 0; name < 3; name += 1) void request(name, 5)
  await setImmediate()
  void request(3, 1)
  assert.deepEqual(ran, [0, 1])
  await setImmediate()
  await setImmediate()
  assert.deepEqual(ran, [0, 1, 2, 3])
  await setImmediate()
  void request(4, 1)
  assert.deepEqual(ran, [0, 1, 2, 3, 4])
})

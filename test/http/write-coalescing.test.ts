// When a response is written: at the end of its iteration of the event loop, or earlier if the iteration is
// long.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { openWriteCoalescing } from '../../lib/http/write-coalescing.ts'

function open() {
  let nowMs = 0
  const left: string[] = []
  const { schedule } = openWriteCoalescing(() => nowMs)
  return {
    left,
    answer(name: string, sizeBytes = 0): void {
      const body = Buffer.alloc(sizeBytes)
      schedule({ status: 200, headers: {}, body }, () => void left.push(name))
    },
    pass: (ms: number): void => void (nowMs += ms),
  }
}

/** Runs the pending microtasks before the event loop continues. */
const soon = async (): Promise<void> => {
  for (let at = 0; at < 5; at += 1) await Promise.resolve()
}

test('responses of one iteration are written together at its end, in order', async () => {
  const { answer, left } = open()
  answer('first')
  await soon()
  answer('second')
  await soon()
  assert.deepEqual(left, [])
  await setImmediate()
  assert.deepEqual(left, ['first', 'second'])
})

test('responses of the next iteration wait for its end', async () => {
  const { answer, left } = open()
  answer('first')
  await setImmediate()
  answer('second')
  await soon()
  assert.deepEqual(left, ['first'])
  await setImmediate()
  assert.deepEqual(left, ['first', 'second'])
})

test('in a long iteration all waiting responses are written with the next one', async () => {
  const { answer, left, pass } = open()
  answer('first')
  pass(0.5)
  answer('second')
  await soon()
  assert.deepEqual(left, [])
  pass(1)
  answer('third')
  await soon()
  assert.deepEqual(left, ['first', 'second', 'third'])
})

test('responses after an early write are written together in a write of their own', async () => {
  const { answer, left, pass } = open()
  answer('first')
  pass(2)
  answer('second')
  await soon()
  answer('third')
  pass(0.5)
  answer('fourth')
  await soon()
  assert.deepEqual(left, ['first', 'second'])
  await setImmediate()
  assert.deepEqual(left, ['first', 'second', 'third', 'fourth'])
})

test('a large response is written at once', async () => {
  const { answer, left } = open()
  answer('small', 64 * 1024 - 1)
  answer('large', 64 * 1024)
  await soon()
  assert.deepEqual(left, ['large'])
})

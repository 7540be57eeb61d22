// Admission policy for full caches.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LRUCache } from 'lru-cache'
import { admits } from '../lib/base/cache-admission.ts'

const SIZE = 1_000

/**
 * A cache with this admission policy. The function returns whether the cache already held the name.
 */
function open() {
  const known = new LRUCache<string, object>({ maxSize: SIZE, sizeCalculation: () => 1 })
  return (name: string): boolean => {
    if (known.get(name) !== undefined) return true
    if (admits(known, name)) known.set(name, {})
    return false
  }
}

const names = (prefix: string, count = SIZE): string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}${at}`)

test('admits everything while there is room', () => {
  const ask = open()
  const few = names('few', SIZE * 0.8)
  for (const name of few) ask(name)
  assert.ok(few.every(ask))
})

test('keeps its entries during many one-time requests', () => {
  const ask = open()
  const held = names('held', SIZE * 0.9)
  for (const name of held) ask(name)
  for (const name of names('once')) ask(name)
  // The cache admits each of a thousand names with a probability of an eighth, and a tenth of the cache is
  // empty.
  const kept = held.filter(ask).length
  assert.ok(kept > held.length / 2, `${kept} of ${held.length}`)
})

test('admits an entry that is requested repeatedly', () => {
  const ask = open()
  for (const name of names('held')) ask(name)
  // The probability that all 400 attempts fail is 10 to the power of -23.
  const asked = Array.from({ length: 400 }, () => ask('often'))
  assert.ok(asked.at(-1))
})

test('a cached entry is always admitted again', () => {
  const known = new LRUCache<string, object>({ maxSize: SIZE, sizeCalculation: () => 1 })
  for (const name of names('held')) known.set(name, {})
  assert.ok(names('held').every((name) => admits(known, name)))
})

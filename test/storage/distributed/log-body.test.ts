import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeWrites, encodeWrites, putOffsets } from '../../../lib/cluster/log-body.ts'

test('a commit is decoded from the log as it was written', () => {
  const writes = [
    { key: Buffer.of(0), value: Buffer.alloc(0) },
    { key: Buffer.alloc(1_900, 7), value: undefined },
    { key: Buffer.from('key'), value: Buffer.alloc(70_000, 1) },
  ]
  assert.deepEqual(decodeWrites(encodeWrites(writes)), writes)
  assert.deepEqual(decodeWrites(encodeWrites([])), [])
})

test('the keys and values of puts lie at their offsets', () => {
  const writes = [
    { key: Buffer.from('a'), value: Buffer.from('one') },
    { key: Buffer.from('gone'), value: undefined },
    { key: Buffer.from('bc'), value: Buffer.alloc(0) },
  ]
  const body = encodeWrites(writes).toString()
  const { keys, keyLengths, values, valueLengths } = putOffsets(writes)
  const textAt = (at: readonly number[], lengths: readonly number[]): readonly string[] =>
    at.map((begin, index) => body.slice(begin - 1, begin - 1 + (lengths[index] ?? 0)))
  assert.deepEqual(textAt(keys, keyLengths), ['a', 'bc'])
  assert.deepEqual(textAt(values, valueLengths), ['one', ''])
})

test('a truncated commit is refused', () => {
  const body = encodeWrites([{ key: Buffer.from('key'), value: Buffer.from('value') }])
  for (let length = 1; length < body.length; length += 1)
    assert.throws(() => decodeWrites(body.subarray(0, length)), RangeError)
})

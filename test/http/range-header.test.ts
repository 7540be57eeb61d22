import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../helpers/properties.ts'
import { readRange } from '../../lib/http/range-header.ts'

const TABLE: readonly (readonly [header: string | undefined, size: number, range: unknown])[] = [
  [undefined, 10, undefined],
  ['bytes=0-0', 10, { start: 0, end: 0 }],
  ['bytes=2-5', 10, { start: 2, end: 5 }],
  ['BYTES=2-5', 10, { start: 2, end: 5 }],
  ['bytes=2-', 10, { start: 2, end: 9 }],
  ['bytes=9-9', 10, { start: 9, end: 9 }],
  ['bytes=5-99', 10, { start: 5, end: 9 }],
  ['bytes=0-99999999999999999999999', 10, { start: 0, end: 9 }],
  [`bytes=0-${'9'.repeat(400)}`, 10, { start: 0, end: 9 }],
  ['bytes=-1', 10, { start: 9, end: 9 }],
  ['bytes=-10', 10, { start: 0, end: 9 }],
  ['bytes=-999', 10, { start: 0, end: 9 }],
  ['bytes=10-', 10, 'unsatisfiable'],
  ['bytes=10-20', 10, 'unsatisfiable'],
  [`bytes=${'9'.repeat(400)}-`, 10, 'unsatisfiable'],
  ['bytes=-0', 10, 'unsatisfiable'],
  ['bytes=0-', 0, undefined],
  ['bytes=0-9', 0, undefined],
  ['bytes=1-', 0, 'unsatisfiable'],
  ['bytes=-5', 0, undefined],
  ['bytes=5-2', 10, undefined],
  ['bytes=99-20', 10, undefined],
  ['bytes=0-1,3-4', 10, undefined],
  [`bytes=${'0-0,'.repeat(10_000)}1-1`, 10, undefined],
  ['lines=0-1', 10, undefined],
  ['bytes=-', 10, undefined],
  ['bytes=', 10, undefined],
  ['bytes', 10, undefined],
  ['', 10, undefined],
  ['bytes=a-b', 10, undefined],
  ['bytes=0x1-5', 10, undefined],
  ['bytes=1.5-5', 10, undefined],
  ['bytes=+1-5', 10, undefined],
  ['bytes=--5', 10, undefined],
  ['bytes=0-1-2', 10, undefined],
  ['bytes=٣-٥', 10, undefined],
]

test('a single range is clamped to the file, everything else is ignored or unsatisfiable', () => {
  for (const [header, size, range] of TABLE) {
    assert.deepEqual(readRange(header, size), range, `${header?.slice(0, 40)} of ${size}`)
  }
})

test('E3: the bytes of a range are the requested slice', () => {
  const content = fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes))
  const position = fc.nat(60)

  fc.assert(
    fc.property(content, position, fc.option(position), (body, first, last) => {
      const range = readRange(`bytes=${first}-${last ?? ''}`, body.length)
      if (last !== null && last < first) return assert.equal(range, undefined)
      if (first === 0 && body.length === 0) return assert.equal(range, undefined)
      if (first >= body.length) return assert.equal(range, 'unsatisfiable')

      assert.ok(typeof range === 'object')
      const expected = body.subarray(first, last === null ? undefined : last + 1)
      assert.deepEqual(body.subarray(range.start, range.end + 1), expected)
      assert.ok(range.end < body.length)
    }),
  )
})

test('the bytes of a suffix range are the end of the file', () => {
  const content = fc.uint8Array({ minLength: 1, maxLength: 50 }).map((bytes) => Buffer.from(bytes))

  fc.assert(
    fc.property(content, fc.integer({ min: 1, max: 60 }), (body, length) => {
      const range = readRange(`bytes=-${length}`, body.length)

      assert.ok(typeof range === 'object')
      assert.deepEqual(body.subarray(range.start, range.end + 1), body.subarray(-length))
    }),
  )
})

test('E3: any header gives a range inside the file, or none', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(), (text, size) => {
      const range = readRange(`bytes=${text}`, size)
      if (typeof range !== 'object') return

      assert.ok(range.start >= 0 && range.start <= range.end && range.end < size)
    }),
  )
})

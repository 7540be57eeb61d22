import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../helpers/properties.ts'
import {
  beforeLastNumber,
  decodeKey,
  encodeKey,
  isExact,
  lastNumber,
  MAX_KEY_BYTES,
  prefixRange,
  type Range,
  textRange,
  valueRange,
} from '../../../lib/storage/records/keys.ts'
import { readUnsigned, unsigned } from '../../../lib/storage/records/key-numbers.ts'
import type { KeyPart } from '../../../lib/schema/values.ts'

const shortText = fc.string({ unit: 'binary', maxLength: 12 })
const text = fc.oneof(
  shortText,
  fc.constantFrom('', '\0', 'a\0', 'a\0b', '\u{1f600}', '\ufffe', 'a'.repeat(400)),
)
const number = fc.oneof(
  fc.double({ noNaN: true }).filter((value) => !Object.is(value, -0)),
  fc.integer(),
  fc.constantFrom(0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.MIN_VALUE, 2 ** 53),
)
const part: fc.Arbitrary<KeyPart> = fc.oneof(fc.constantFrom(null, false, true), number, text)
const parts = fc.array(part, { maxLength: 4 })

test('keys sort like their parts', () => {
  fc.assert(
    fc.property(parts, parts, (left, right) => {
      const bytes = Math.sign(Buffer.compare(encodeKey(left), encodeKey(right)))
      assert.equal(bytes, compareParts(left, right))
    }),
    { numRuns: 2_000 },
  )
})

test('decoding returns the parts', () => {
  fc.assert(
    fc.property(parts, (value) => assert.deepEqual(decodeKey(encodeKey(value)), value)),
    { numRuns: 1_000 },
  )
})

test('the range of a prefix holds exactly the keys that begin with it', () => {
  fc.assert(
    fc.property(parts, parts, (prefix, other) => {
      const begins =
        prefix.every((value, at) => value === other[at]) && other.length >= prefix.length
      assert.equal(isIn(prefixRange(NONE, prefix), other), begins)
      assert.ok(isIn(prefixRange(NONE, prefix), [...prefix, ...other]))
    }),
    { numRuns: 1_000 },
  )
})

test('the range of bounds holds exactly the values within them, and never null', () => {
  fc.assert(
    fc.property(number, number, part, (bound, other, id) => {
      const base = ['i', 'type', 'field']
      assert.equal(
        isIn(valueRange(encodeKey(base), { gt: bound }), [...base, other, id]),
        other > bound,
      )
      assert.equal(
        isIn(valueRange(encodeKey(base), { gte: bound }), [...base, other, id]),
        other >= bound,
      )
      assert.equal(
        isIn(valueRange(encodeKey(base), { lt: bound }), [...base, other, id]),
        other < bound,
      )
      assert.equal(
        isIn(valueRange(encodeKey(base), { lte: bound }), [...base, other, id]),
        other <= bound,
      )
      assert.ok(!isIn(valueRange(encodeKey(base), {}), [...base, null, id]))
      assert.ok(!isIn(valueRange(encodeKey(base), { lte: bound }), [...base, null, id]))
    }),
  )
})

test('the range of a text holds exactly the strings that begin with it', () => {
  fc.assert(
    fc.property(shortText, shortText, (start, other) => {
      assert.equal(
        isIn(textRange(encodeKey(['i']), start), ['i', other, 7]),
        other.startsWith(start),
      )
      assert.ok(isIn(textRange(encodeKey(['i']), start), ['i', start + other, 7]))
    }),
    { numRuns: 1_000 },
  )
})

test('text over 400 bytes is distinguished by its hash and sorts by its prefix', () => {
  const long = 'ä'.repeat(200)
  const keys = [long, `${long}a`, `${long}b`].map((value) => encodeKey([value]).toString('hex'))

  assert.equal(new Set(keys).size, 3)
  assert.ok(Buffer.compare(encodeKey([`${long}a`]), encodeKey([long])) > 0)
  assert.ok(Buffer.compare(encodeKey([`${'ä'.repeat(199)}b`]), encodeKey([`${long}zzz`])) < 0)
  assert.ok(isExact(long))
  assert.ok(!isExact(`${long}a`))
})

test('bounds and prefixes of truncated text include every value that they must contain', () => {
  const long = 'x'.repeat(400)
  for (const other of [`${long}a`, `${long}b`, `${long}${'z'.repeat(90)}`]) {
    assert.ok(isIn(valueRange(encodeKey(['i']), { gt: `${long}b` }), ['i', other]))
    assert.ok(isIn(valueRange(encodeKey(['i']), { lt: `${long}b` }), ['i', other]))
    assert.ok(isIn(textRange(encodeKey(['i']), `${long}b`), ['i', other]))
    assert.ok(isIn(valueRange(encodeKey(['i']), { gt: long }), ['i', other]))
  }
  assert.ok(!isIn(valueRange(encodeKey(['i']), { gte: `${long}b` }), ['i', 'a']))
})

test('a lone surrogate has no distinct key', () => {
  assert.deepEqual(encodeKey(['\ud800']), encodeKey(['\ufffd']))
  assert.ok(!isExact('\ud800'))
  assert.ok(!isExact('\ufffd'))
  assert.ok(isExact(5) && isExact(null))
})

test('-0 is 0, and NaN is refused', () => {
  assert.deepEqual(encodeKey([-0]), encodeKey([0]))
  assert.throws(() => encodeKey([Number.NaN]), { code: 'internal' })
})

test('a truncated text decodes to its prefix, and the parts after it are complete', () => {
  const decoded = decodeKey(encodeKey(['i', 'x'.repeat(900), 12]))
  assert.deepEqual(decoded, ['i', 'x'.repeat(400), 12])
})

test('the last number is read without the parts before it', () => {
  fc.assert(
    fc.property(parts, fc.nat({ max: Number.MAX_SAFE_INTEGER }), (before, id) => {
      const key = encodeKey([...before, id])
      assert.equal(lastNumber(key), id)
      assert.deepEqual(beforeLastNumber(key), encodeKey(before))
    }),
  )
})

test('whole numbers need few bytes', () => {
  const sizes = [0, 1, 500, 65_536, 100_000, 16_000_001, 2 ** 48].map(
    (id) => encodeKey([id]).length,
  )
  assert.deepEqual(sizes, [2, 3, 4, 3, 5, 6, 3])
  for (let id = 0; id < 70_000; id += 1) assert.ok(encodeKey([id]).length <= 5, `${id}`)
})

test('small numbers without a part have the order of their bytes, and begin below FF', () => {
  const edges = [0, 1, 240, 241, 2_287, 2_288, 67_823, 67_824, 0xff_ff_ff]
  for (const [at, value] of edges.entries()) {
    const key = unsigned(value)
    assert.ok(key.readUInt8(0) < 0xff)
    assert.deepEqual(readUnsigned(key, 0), { value, next: key.length })
    assert.ok(at === 0 || Buffer.compare(unsigned(edges[at - 1] ?? 0), key) < 0, `${value}`)
  }
  assert.throws(() => unsigned(0x1_00_00_00), { code: 'internal' })
  assert.throws(() => readUnsigned(Buffer.of(0xff), 0), { code: 'record-damaged' })
})

test('two truncated texts full of NUL still make a key that engines accept', () => {
  const nul = '\0'.repeat(5_000)
  assert.ok(encodeKey(['i', 'type', nul, nul, 1]).length <= MAX_KEY_BYTES)
  assert.throws(() => encodeKey([nul, nul, nul]), { code: 'internal' })
})

test('bytes that are not a key are refused', () => {
  for (const hex of ['ff', '05', '06', '0681', `06${'81'.repeat(10)}`, '0761', '076100', '00']) {
    assert.throws(() => decodeKey(Buffer.from(hex, 'hex')), { code: 'record-damaged' }, hex)
  }
})

const NONE = Buffer.alloc(0)

function isIn({ start, end }: Range, value: readonly KeyPart[]): boolean {
  const key = encodeKey(value)
  return Buffer.compare(key, start) >= 0 && Buffer.compare(key, end) < 0
}

function compareParts(left: readonly KeyPart[], right: readonly KeyPart[]): number {
  for (const [at, value] of left.entries()) {
    const other = right[at]
    if (other === undefined) return 1
    const difference = rank(value) - rank(other) || compareSame(value, other)
    if (difference !== 0) return Math.sign(difference)
  }
  return left.length === right.length ? 0 : -1
}

function rank(value: KeyPart): number {
  return ['null', 'false', 'true', 'number', 'string'].indexOf(
    value === null || typeof value === 'boolean' ? String(value) : typeof value,
  )
}

function compareSame(left: KeyPart, right: KeyPart): number {
  if (typeof left === 'number' && typeof right === 'number')
    return left === right ? 0 : left < right ? -1 : 1
  return Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)))
}

// The canonical form of a value of each kind: from clients, in storage, and in the key of an index.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fc } from '../helpers/properties.ts'
import {
  acceptedValue,
  compareScalars,
  isExactKind,
  parseScalar,
  readScalar,
  type Scalar,
  toKeyPart,
  writeDecimal,
} from '../../lib/schema/field-value.ts'
import type { FieldKind, JsonValue } from '../../lib/schema/values.ts'

const NINES = '9'.repeat(400)

/** Kind, given value, and canonical form; undefined if the value is invalid. */
const GIVEN: readonly (readonly [FieldKind, Scalar, Scalar | undefined])[] = [
  ['string', 'a', 'a'],
  ['string', 5, '5'],
  ['string', true, undefined],
  ['integer', 5, 5],
  ['integer', -0, 0],
  ['integer', '-0', 0],
  ['integer', 5.5, undefined],
  ['integer', '5.5', undefined],
  ['integer', '5.0', 5],
  ['integer', '1e3', 1000],
  ['integer', 2 ** 53, undefined],
  ['integer', '9007199254740991', 9_007_199_254_740_991],
  ['integer', '9007199254740992', '9007199254740992'],
  ['integer', '+09007199254740992.0', '9007199254740992'],
  ['integer', true, undefined],
  ['integer', 'x', undefined],
  ['integers', '7', 7],
  ['number', 1.5, 1.5],
  ['number', -0, 0],
  ['number', '-0', 0],
  ['number', '1e3', 1000],
  ['number', '0x10', undefined],
  ['number', '', undefined],
  ['number', '1e999', undefined],
  ['number', Number.POSITIVE_INFINITY, undefined],
  ['number', false, undefined],
  ['decimal', '+012.50', '12.5'],
  ['decimal', '1.0', '1'],
  ['decimal', '100', '100'],
  ['decimal', 1e-7, '0.0000001'],
  ['decimal', '-0.00', '0'],
  ['decimal', NINES, NINES],
  ['decimal', `${NINES}9`, undefined],
  ['decimal', true, undefined],
  ['boolean', true, true],
  ['boolean', 1, true],
  ['boolean', 'true', true],
  ['boolean', '0', false],
  ['boolean', 'false', false],
  ['boolean', 2, undefined],
  ['boolean', 'yes', undefined],
  ['date', '2026-01-31T23:00:00Z', '2026-01-31'],
  ['date', 'x', undefined],
  ['date-time', 0, '1970-01-01T00:00:00.000Z'],
  ['date-time', true, undefined],
]

/** Given text, and the canonical text. */
const WRITTEN: readonly (readonly [string, string | undefined])[] = [
  ['+012.50', '12.50'],
  ['.5', '0.5'],
  ['5.', '5'],
  ['-5.', '-5'],
  ['0', '0'],
  ['000', '0'],
  ['-0.0', '0.0'],
  ['-0.01', '-0.01'],
  ['1.50e1', '15.0'],
  ['1.5e+3', '1500'],
  ['1.5E-3', '0.0015'],
  ['12e-1', '1.2'],
  ['1e399', `1${'0'.repeat(399)}`],
  ['1e400', undefined],
  ['0e400', '0'],
  ['1e-400', `0.${'0'.repeat(399)}1`],
  ['1e-401', undefined],
  ['10e-401', `0.${'0'.repeat(399)}10`],
  [`0.${NINES}`, `0.${NINES}`],
  [`0.${NINES}0`, undefined],
  [`${NINES}.${NINES}`, `${NINES}.${NINES}`],
  [`-${NINES}`, `-${NINES}`],
  ...['', '.', '-', '-.', '1.2.3', 'e5', '.e5', '1e', '1e1000', ' 1', '1 ', '1_0', '٣', '--1'].map(
    (text) => [text, undefined] as const,
  ),
]

/**
 * Kind, stored value, canonical form, part of an index key, and whether the key part is unique to this value.
 */
const STORED: readonly (readonly [FieldKind, JsonValue, Scalar | null, Scalar | null, boolean?])[] =
  [
    ['string', 'a', 'a', 'a', true],
    ['string', '', '', '', true],
    ['string', 5, '5', '5', true],
    ['integer', 5, 5, 5, true],
    ['integer', '5', 5, 5, true],
    ['integer', '9007199254740993', '9007199254740993', 2 ** 53, false],
    ['integer', 'x', null, null],
    ['number', 1.5, 1.5, 1.5, true],
    ['decimal', '12.50', '12.5', 12.5, false],
    ['decimal', 12.5, '12.5', 12.5, false],
    ['boolean', true, true, true, true],
    ['boolean', 'true', true, true, true],
    ['date', '2026-01-31', '2026-01-31', '2026-01-31', true],
    ['date', 0, '1970-01-01', '1970-01-01', true],
    ['date-time', '2026', '2026', '2026', true],
    ['integers', 5, 5, 5, true],
    ...['string', 'integer', 'decimal'].flatMap((kind) =>
      [null, [], {}].map((value) => [kind as FieldKind, value, null, null] as const),
    ),
  ]

describe('a value', () => {
  test('of a client is normalized or is not of its kind', () => {
    for (const [kind, value, form] of GIVEN)
      assert.deepEqual(parseScalar(kind, value), form, `${kind} ${value}`)
  })

  test('of a decimal keeps the decimals that were sent', () => {
    for (const [text, written] of WRITTEN) assert.equal(writeDecimal(text), written, text)
  })

  test('that is stored has the same form and a key part', () => {
    for (const [kind, value, form, part, isExact] of STORED) {
      const what = `${kind} ${JSON.stringify(value)}`
      assert.deepEqual([readScalar(kind, value), toKeyPart(kind, value)], [form, part], what)
      if (form !== null) assert.equal(isExactKind(kind, form), isExact, what)
    }
    assert.equal(readScalar('string', undefined), null)
  })

  test('of each kind has its own description', () => {
    const kinds: readonly FieldKind[] = [
      'string',
      'integer',
      'number',
      'decimal',
      'boolean',
      'date',
      'date-time',
      'integers',
    ]
    const words = kinds.map(acceptedValue)
    assert.equal(new Set(words).size, kinds.length)
    assert.ok(words.every((each) => /^(?:a |true)/.test(each)))
  })
})

const sign = Math.sign

describe('the order', () => {
  test('of decimals is numeric', () => {
    const digits = fc.integer({ min: -20_000, max: 20_000 })
    const decimal = fc.tuple(digits, fc.integer({ min: 0, max: 4 }))
    fc.assert(
      fc.property(decimal, decimal, (left, right) => {
        const [a, b] = [left, right].map(([value, places]) =>
          String(parseScalar('decimal', `${value}e-${places}`)),
        )
        const [x, y] = [left, right].map(([value, places]) => value * 10 ** (4 - places))
        assert.equal(
          sign(compareScalars('decimal', a ?? '', b ?? '')),
          sign((x ?? 0) - (y ?? 0)) + 0,
        )
      }),
      { numRuns: 1_000 },
    )
  })

  test('of texts is by bytes', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', '\ud7ff', '\ue000', '\uffff', '😀', '𐀀'),
      maxLength: 4,
    })
    fc.assert(
      fc.property(text, text, (left, right) => {
        const byBytes = Buffer.compare(Buffer.from(left), Buffer.from(right))
        assert.equal(sign(compareScalars('string', left, right)), byBytes)
      }),
      { numRuns: 1_000 },
    )
  })

  test('of whole numbers beyond 2^53 is exact', () => {
    const values: readonly Scalar[] = [
      '-9007199254740993',
      '-9007199254740992',
      -5,
      0,
      7,
      9_007_199_254_740_991,
      '9007199254740992',
      '9007199254740993',
    ]
    for (const [i, left] of values.entries())
      for (const [j, right] of values.entries())
        assert.equal(sign(compareScalars('integer', left, right)), sign(i - j), `${left} ${right}`)
  })

  test('of booleans is false before true', () => {
    assert.equal(compareScalars('boolean', false, true), -1)
    assert.equal(compareScalars('boolean', true, true), 0)
    assert.equal(compareScalars('number', 1.5, -1.5), 1)
  })
})

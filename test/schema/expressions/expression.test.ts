// The language of CHECK and COMPUTED, compared with a separate plain evaluator: types, nulls and exact decimals.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  compileExpression,
  type ExpressionField,
} from '../../../lib/schema/expressions/compile-expression.ts'
import { showDecimal } from '../../../lib/schema/expressions/exact-decimals.ts'
import type { Value } from '../../../lib/schema/expressions/operand.ts'
import { fc } from '../../helpers/properties.ts'

const FIELDS: readonly ExpressionField[] = [
  { name: 'n', kind: 'decimal', maxLength: Number.POSITIVE_INFINITY },
  { name: 'm', kind: 'integer', maxLength: Number.POSITIVE_INFINITY },
  { name: 'f', kind: 'number', maxLength: Number.POSITIVE_INFINITY },
  { name: 's', kind: 'string', maxLength: 20 },
  { name: 't', kind: 'string', maxLength: 20 },
  { name: 'b', kind: 'boolean', maxLength: Number.POSITIVE_INFINITY },
  { name: 'd', kind: 'date', maxLength: Number.POSITIVE_INFINITY },
  { name: 'at', kind: 'date-time', maxLength: Number.POSITIVE_INFINITY },
  { name: 'in', kind: 'integer', maxLength: Number.POSITIVE_INFINITY },
]

const RECORD = {
  n: '12.50',
  m: '9223372036854775807',
  f: 0.1,
  s: 'Ä👍b',
  t: null,
  b: true,
  d: '2026-01-31',
  at: '2026-01-31T12:00:00.000Z',
  in: 3,
}

function evaluate(
  text: string,
  record: Readonly<Record<string, string | number | boolean | null>> = RECORD,
) {
  return shown(compileExpression(text, FIELDS).run(record))
}

const shown = (value: Value) =>
  typeof value === 'object' && value !== null ? showDecimal(value) : value

const CASES: readonly (readonly [string, unknown])[] = [
  ['n * 2', '25.00'],
  ['N + 0.005', '12.505'],
  ['m + 1', '9223372036854775808'],
  ['f + 0.2', '0.3'],
  ['1 / 3', '0.33333333333333333333'],
  ['-2 / 3', '-0.66666666666666666667'],
  ['10 / 4', '2.5'],
  ['1 / 0', null],
  ['7 % 0', null],
  ['-7 % 3', '-1'],
  ['2 + 3 * 4 - -1', '15'],
  ['(2 + 3) * 4', '20'],
  ['round(12.345, 2)', '12.35'],
  ['round(-0.5)', '-1'],
  ['abs(-n)', '12.50'],
  ['length(s)', '3'],
  ["s || '-' || n", 'Ä👍b-12.50'],
  ['s || t', null],
  ['concat(s, t, 1)', 'Ä👍b1'],
  ['coalesce(t, s)', 'Ä👍b'],
  ['lower(s)', 'ä👍b'],
  ["upper('straße')", 'STRASSE'],
  ["trim(' a ')", 'a'],
  ["if(b, 'yes', 'no')", 'yes'],
  ["if(t = 'x', 1, 2)", '2'],
  ["'it''s'", "it's"],
  ['b AND t IS NULL', true],
  ['NOT b OR s IS NOT NULL', true],
  ["t = 'x'", null],
  ["t = 'x' AND FALSE", false],
  ["t = 'x' OR TRUE", true],
  ["NOT (t = 'x')", null],
  ['n BETWEEN 12.5 AND 12.50', true],
  ['n NOT BETWEEN 0 AND 1', true],
  ['n = 12.5', true],
  ['n IN (1, 12.500)', true],
  ["s NOT IN ('a', t)", null],
  ["s IN ('Ä👍b', t)", true],
  ["d = '2026-01-31'", true],
  ['d < at', true],
  ["at BETWEEN d AND '2026-02-01'", true],
  ["at >= '2026-01-31T13:00:00+01:00'", true],
  ["'2026-01-30' < d", true],
  ['d IN (at)', false],
  ['"in" + `in`', '6'],
  ['b = TRUE', true],
  ["'\u{10000}' > '\uFFFF'", true],
]

describe('an expression', () => {
  for (const [text, value] of CASES)
    test(`${text} is ${String(value)}`, () => assert.deepEqual(evaluate(text), value))

  test('names its columns once, in order, as written in the schema', () => {
    const { columns } = compileExpression('M > n AND m < N', FIELDS)
    assert.deepEqual(columns, ['m', 'n'])
  })
})

/** An expression as text, and what it is by a plain evaluation with fractions. */
interface Sample {
  readonly text: string
  readonly value: (record: Numbers) => Fraction | boolean | null
}

/** top / bottom; bottom is above 0. */
type Fraction = readonly [bigint, bigint]
type Numbers = Readonly<Record<'n' | 'm', string | null>>

function fraction(text: string): Fraction {
  const [whole = '', decimals = ''] = text.split('.')
  return [BigInt(whole + decimals), 10n ** BigInt(decimals.length)]
}

const number = fc.letrec<{ readonly whole: Sample }>((tie) => ({
  whole: fc.oneof(
    { maxDepth: 4 },
    fc
      .tuple(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.integer({ min: 0, max: 12 }))
      .map(([digits, scale]): Sample => {
        const text = showDecimal({ digits, scale })
        return { text, value: () => fraction(text) }
      }),
    fc.constantFrom('n', 'm').map(
      (name): Sample => ({
        text: name,
        value: (record) => {
          const value = record[name]
          return value === null ? null : fraction(value)
        },
      }),
    ),
    fc.tuple(tie('whole'), fc.constantFrom('+', '-', '*'), tie('whole')).map(
      ([left, sign, right]): Sample => ({
        text: `(${left.text} ${sign} ${right.text})`,
        value: (record) => combine(left.value(record), sign, right.value(record)),
      }),
    ),
  ),
})).whole

type Result = ReturnType<Sample['value']>

function combine(left: Result, sign: string, right: Result): Fraction | null {
  if (!Array.isArray(left) || !Array.isArray(right)) return null
  const [[a, b], [c, d]] = [left as Fraction, right as Fraction]
  if (sign === '*') return [a * c, b * d]
  return [sign === '+' ? a * d + c * b : a * d - c * b, b * d]
}

const condition = fc.letrec<{ readonly whole: Sample }>((tie) => ({
  whole: fc.oneof(
    { maxDepth: 4 },
    fc.tuple(number, fc.constantFrom('=', '<>', '<', '<=', '>', '>='), number).map(
      ([left, sign, right]): Sample => ({
        text: `${left.text} ${sign} ${right.text}`,
        value: (record) => compare(left.value(record), sign, right.value(record)),
      }),
    ),
    number.map(
      (part): Sample => ({
        text: `${part.text} IS NULL`,
        value: (record) => part.value(record) === null,
      }),
    ),
    tie('whole').map(
      (part): Sample => ({
        text: `NOT (${part.text})`,
        value: (record) => {
          const value = part.value(record)
          return value === null ? null : !value
        },
      }),
    ),
    fc.tuple(tie('whole'), fc.constantFrom('AND', 'OR'), tie('whole')).map(
      ([left, word, right]): Sample => ({
        text: `(${left.text}) ${word} (${right.text})`,
        value: (record) => {
          const parts = [left.value(record), right.value(record)]
          if (parts.includes(word === 'OR')) return word === 'OR'
          return parts.includes(null) ? null : word === 'AND'
        },
      }),
    ),
  ),
})).whole

function compare(left: Result, sign: string, right: Result): boolean | null {
  const difference = combine(left, '-', right)
  if (difference === null) return null
  const [top] = difference
  const isTrue: Readonly<Record<string, boolean>> = {
    '=': top === 0n,
    '<>': top !== 0n,
    '<': top < 0n,
    '<=': top <= 0n,
    '>': top > 0n,
    '>=': top >= 0n,
  }
  return isTrue[sign] ?? null
}

const decimalText = fc.option(
  fc
    .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: 30 }))
    .map(([digits, scale]) => showDecimal({ digits, scale })),
)
const numbers = fc.record({ n: decimalText, m: decimalText })

describe('a random expression', () => {
  test('of numbers is exact', () => {
    fc.assert(
      fc.property(number, numbers, ({ text, value }, record) => {
        fc.pre(text.length <= 2_000)
        const expected = value(record)
        const found = evaluate(text, record)
        if (expected === null) return assert.equal(found, null, text)
        const [top, bottom] = expected as Fraction
        const [a, b] = fraction(String(found))
        assert.equal(top * b, a * bottom, text)
      }),
      { numRuns: 1_000 },
    )
  })

  test('of conditions uses three-valued logic', () => {
    fc.assert(
      fc.property(condition, numbers, ({ text, value }, record) => {
        fc.pre(text.length <= 2_000)
        assert.equal(evaluate(text, record), value(record), text)
      }),
      { numRuns: 1_000 },
    )
  })

  test('of any tokens is accepted or refused and never crashes', () => {
    const words = [
      'n',
      's',
      'b',
      'd',
      '1',
      "'x'",
      '(',
      ')',
      ',',
      '+',
      '-',
      '*',
      '/',
      '||',
      '=',
      '<',
      'AND',
      'OR',
      'NOT',
      'IN',
      'IS',
      'NULL',
      'BETWEEN',
      'length',
      'concat',
      'if',
      'coalesce',
      'round',
    ]
    let taken = 0
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 9 }), (parts) => {
        const text = parts.join(' ')
        try {
          compileExpression(text, FIELDS)
        } catch (error) {
          assert.equal((error as { readonly code?: string }).code, 'invalid-content', text)
          return
        }
        evaluate(text)
        taken += 1
      }),
      { numRuns: 5_000 },
    )
    assert.ok(taken > 20, `${taken} were taken`)
  })
})

test('a number beyond 100 digits has no value', () => {
  const text = Array.from({ length: 30 }, () => 'n').join(' * ')
  const { run } = compileExpression(text, FIELDS)
  const record = { n: '9'.repeat(65) }
  assert.equal(run(record), null)
  const [small] = [{ n: `0.${'0'.repeat(60)}1` }]
  assert.equal(shown(run(small)), `0.${'0'.repeat(100)}`)
})

// The meaning of a match, value by value. Searches over records are tested in test/storage.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { and, asksFor, type Match, matches, textMatch } from '../../lib/schema/match.ts'
import { parseQry } from '../../lib/schema/qry.ts'
import type { FieldKind, JsonValue, Searchable } from '../../lib/schema/values.ts'

const KINDS: readonly FieldKind[] = [
  'string',
  'integer',
  'number',
  'decimal',
  'boolean',
  'date',
  'date-time',
  'integers',
]
const fields: Searchable = new Map(
  [...KINDS, 'constructor'].map((name) => [
    name,
    {
      name,
      kind: (KINDS as readonly string[]).includes(name) ? (name as FieldKind) : 'string',
      isIndexed: false,
    },
  ]),
)

/** Field, condition, stored values that match, and stored values that do not match. */
const CASES: readonly (readonly [string, unknown, readonly JsonValue[], readonly JsonValue[]])[] = [
  ['string', 'Ito', ['Ito'], ['ito', 'Ito ', '', null]],
  ['string', 7, ['7'], ['07', null]],
  ['string', '', [''], [null, ' ']],
  ['string', null, [null], ['', 'null']],
  ['string', { $eq: '/a/i' }, ['/a/i'], ['a']],
  ['string', '/^a.c/i', ['ABC', 'axc\n'], ['bac', null]],
  ['string', '/Main/Sub/', ['/Main/Sub/'], ['Main/Sub']],
  ['string', { $ne: 'a' }, ['b', '', null], ['a']],
  ['string', { $in: ['a', null, 5] }, ['a', null, '5'], ['b']],
  ['string', { $nin: ['a'] }, ['b', null], ['a']],
  ['string', { $nin: [] }, ['b', null], []],
  ['string', { $gt: 'a' }, ['b', 'aa', '\u{1f600}'], ['a', 'B', '', null]],
  ['string', { $lt: '\u{1f600}' }, ['\uffff', 'z'], ['\u{1f600}', '\u{1f601}', null]],
  ['string', { $gte: 'a', $lt: 'b' }, ['a', 'az'], ['b', 'A', null]],
  ['string', { $exists: true }, ['', 'a'], [null]],
  ['string', { $exists: 0 }, [null], ['', 'a']],
  ['string', { $not: { $gt: 'm' } }, ['a', 'm', null], ['n']],
  ['string', { $not: '/^a/i' }, ['b', null], ['A']],
  ['string', { $regex: 'b+c$' }, ['abbc'], ['abbcd', 'ABBC', null]],
  ['string', { $regex: 'B', $options: 'i' }, ['abc'], ['ac']],
  ['string', { $options: '', $regex: 'B' }, ['aBc'], ['abc']],
  ['string', { $regex: '\\p{Greek}' }, ['aλ'], ['a']],
  ['string', { $contains: '.*' }, ['a.*b'], ['ab', null]],
  ['string', { $startsWith: 'a.' }, ['a.b'], ['ab', 'ba.', null]],
  ['integer', '5', [5, '5'], [50, null]],
  ['integer', 5, [5], [4]],
  ['integer', '9007199254740993', ['9007199254740993'], ['9007199254740992', 9007199254740991]],
  ['integer', { $gt: '9007199254740992' }, ['9007199254740993'], ['9007199254740992', 5, null]],
  ['integer', { $lt: 0 }, [-1, '-9007199254740993'], [0, 1, null]],
  ['number', '1e3', [1000], [1]],
  ['number', { $lte: -0.5 }, [-0.5, -1], [0, null]],
  ['decimal', '12.50', ['12.5', '012.500', 12.5], ['12.51', null]],
  ['decimal', { $lt: '1e399' }, ['5', '-5'], [null]],
  ['decimal', 0.001, ['0.001'], ['0.01']],
  ['decimal', '-0', ['0', '0.00'], ['-0.1']],
  [
    'decimal',
    { $gt: '12345678901234567890.1' },
    ['12345678901234567890.2', '99999999999999999999'],
    ['12345678901234567890.1', '9'],
  ],
  ['decimal', { $lt: '-1.5' }, ['-1.51', '-10'], ['-1.5', '-1.49', '0', '3']],
  ['boolean', 1, [true], [false, null]],
  ['boolean', 'false', [false], [true, null]],
  ['boolean', { $ne: true }, [false, null], [true]],
  ['date', '2026-01-31', ['2026-01-31'], ['2026-01-30', null]],
  ['date', { $gte: 1769817600 }, ['2026-01-31'], ['2026-01-30']],
  [
    'date-time',
    '2026-01-02T04:04:05.006+01:00',
    ['2026-01-02T03:04:05.006Z'],
    ['2026-01-02T04:04:05.006Z'],
  ],
  [
    'date-time',
    { $gte: '2026-01-02' },
    ['2026-01-02T00:00:00.000Z'],
    ['2026-01-01T23:59:59.999Z', null],
  ],
  ['date-time', { $lte: '1579636261' }, ['2020-01-21T19:51:01.000Z'], ['2020-01-21T19:51:01.001Z']],
  ['integers', 5, [[1, 5]], [[1], [], null]],
  ['integers', null, [null, []], [[1]]],
  ['integers', { $gt: 3 }, [[1, 5]], [[1, 3], []]],
  ['integers', { $ne: 5 }, [[1], [], null], [[1, 5]]],
  ['integers', { $exists: true }, [[1]], [[], null]],
  [
    'integers',
    { $all: [1, '5'] },
    [
      [1, 5],
      [5, 2, 1],
    ],
    [[1], [5, 5], [], null],
  ],
  ['integers', { $not: { $all: [1, 5] } }, [[1], [], null], [[5, 1]]],
  ['integers', { $size: 2 }, [[1, 5]], [[1], [1, 2, 3], [], null]],
  ['integers', { $size: { $gte: 1, $lt: 3 } }, [[1], [1, 5]], [[], [1, 2, 3], null]],
  ['integers', { $size: 0 }, [[], null], [[1]]],
]

test('every operator compares by the kind of the field', () => {
  for (const [name, condition, yes, no] of CASES) {
    const match = parse({ [name]: condition })
    for (const value of yes)
      assert.ok(matches(match, { [name]: value }), `${show(name, condition)} ${show(value)}`)
    for (const value of no)
      assert.ok(!matches(match, { [name]: value }), `not ${show(name, condition)} ${show(value)}`)
  }
})

test('a missing property is null, also when every object inherits one of its name', () => {
  assert.ok(matches(parse({ string: null }), {}))
  assert.ok(matches(parse({ constructor: null }), {}))
  assert.ok(!matches(parse({ constructor: { $exists: true } }), {}))
})

test('several fields must all match, and $or and $not combine conditions', () => {
  const record = { string: 'a', integer: 5 }
  assert.ok(matches(parse({ string: 'a', integer: 5 }), record))
  assert.ok(!matches(parse({ string: 'a', integer: 6 }), record))
  assert.ok(matches(parse({ $or: [{ string: 'b' }, { integer: { $gt: 4 } }] }), record))
  assert.ok(!matches(parse({ $and: [{ string: 'a' }, { $not: { integer: 5 } }] }), record))
  assert.ok(matches(parse({}), record))
})

test('the query of a calendar widget finds events that begin or end in its month', () => {
  const text =
    '{"$and":[{"integer":5},{"$or":[{"date-time":{"$gte":1579636261,"$lte":1582228261}},{"date":{"$gte":1579636261,"$lte":1582228261}}]}]}'
  const match = parseQry(text, fields, 'event')
  assert.ok(
    matches(match, { integer: 5, 'date-time': '2020-02-01T00:00:00.000Z', date: '2030-01-01' }),
  )
  assert.ok(matches(match, { integer: 5, 'date-time': null, date: '2020-02-01' }))
  assert.ok(!matches(match, { integer: 5, 'date-time': '2020-03-01T00:00:00.000Z', date: null }))
  assert.ok(!matches(match, { integer: 4, 'date-time': '2020-02-01T00:00:00.000Z', date: null }))
})

test('a table filter searches its text in every string field', () => {
  const match = textMatch('TEXT', fields)
  assert.ok(matches(match, { string: 'some text' }))
  assert.ok(matches(match, { constructor: 'Texts' }))
  assert.ok(!matches(match, { string: 'tex', 'date-time': 'text' }))
  assert.ok(matches(textMatch('', fields), {}))
})

test('a match uses the fields that occur anywhere in it', () => {
  const nested = parse({ $or: [{ string: 'a' }, { $not: { integer: 5, $and: [{ date: null }] } }] })
  for (const name of ['string', 'integer', 'date']) assert.ok(asksFor(nested, name), name)
  assert.ok(!asksFor(nested, 'number'))
  assert.ok(!asksFor(and(), 'string'))
  const text = textMatch('x', fields)
  assert.deepEqual([asksFor(text, 'string'), asksFor(text, 'integer')], [true, false])
})

test('and combines conditions and skips missing ones', () => {
  const one = parse({ string: 'a' })
  const two = parse({ integer: 5, number: 6 })
  assert.equal(and(undefined, one), one)
  assert.deepEqual(and(one, two), {
    op: 'and',
    parts: [one, ...(two.op === 'and' ? two.parts : [])],
  })
  assert.deepEqual(and(undefined), and())
})

test('B11: a hostile pattern takes linear time', () => {
  const match = parse({ string: { $regex: '(a+)+(b|ab)*$' } })
  const start = performance.now()
  assert.ok(!matches(match, { string: `${'a'.repeat(50_000)}!` }))
  assert.ok(performance.now() - start < 1_000)
})

function parse(value: unknown): Match {
  return parseQry(JSON.stringify(value), fields, 'thing')
}

function show(...values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(' ')
}

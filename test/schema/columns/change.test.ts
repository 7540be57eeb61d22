// The effect of a new table_schema on existing entries.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../helpers/properties.ts'
import { COLUMN_TYPES } from '../../../lib/shared/column-types.ts'
import type { Column } from '../../../lib/schema/columns/column.ts'
import { planChange, type SchemaChange } from '../../../lib/schema/columns/schema-diff.ts'
import { columnField } from '../../../lib/schema/columns/column-field.ts'
import { converterTo, isKept } from '../../../lib/schema/columns/converted-value.ts'
import { parseTableSchema } from '../../../lib/schema/columns/table-schema.ts'

type Kind = 'unchanged' | 'widened' | 'narrowed' | 'retyped'

const STEPS: readonly (readonly [string, string, Kind])[] = [
  ['C(20)', 'C(20)', 'unchanged'],
  ['C(20)', 'C2(20)', 'unchanged'],
  ['C(20)', 'C(20) DEFAULT x', 'unchanged'],
  ['C(20)', 'C(50)', 'widened'],
  ['C(50)', 'C(20)', 'narrowed'],
  ['C(20)', 'X', 'widened'],
  ['X', 'C(65535)', 'narrowed'],
  ['X', 'XL', 'unchanged'],
  ['C(20) NOTNULL', 'C(20)', 'widened'],
  ['C(50) NOTNULL', 'C(20)', 'narrowed'],
  ["ENUM('a','b')", "ENUM('b','a')", 'unchanged'],
  ["ENUM('a')", "ENUM('a','b')", 'widened'],
  ["ENUM('a','b')", "ENUM('a','c')", 'narrowed'],
  ["ENUM('a','bcd')", 'C(3)', 'widened'],
  ["ENUM('a','bcd')", 'C(2)', 'narrowed'],
  ['C(1)', "ENUM('a')", 'narrowed'],
  ["SET('a','b')", "SET('b','a')", 'unchanged'],
  ["SET('a')", "SET('a','b')", 'widened'],
  ["SET('a','b')", "SET('a')", 'narrowed'],
  ["ENUM('a','b')", "SET('a','b')", 'retyped'],
  ["SET('a','b')", "ENUM('a','b')", 'retyped'],
  ['C(20)', "SET('a','b','a,b')", 'retyped'],
  ["SET('a','b','a,b')", 'X', 'retyped'],
  ['JSON', 'JSON', 'unchanged'],
  ['JSON', 'X', 'retyped'],
  ['X', 'JSON', 'retyped'],
  ['I', 'JSON', 'retyped'],
  ["SET('a','b','a,b')", 'JSON', 'retyped'],
  ['POINT', 'JSON', 'retyped'],
  ['JSON', 'POINT', 'retyped'],
  ['POINT', 'C(60)', 'retyped'],
  ['X', 'POINT', 'retyped'],
  ['POINT', 'POINT', 'unchanged'],
  ['MD', 'X', 'unchanged'],
  ['HTML', 'MD', 'unchanged'],
  ['C(20)', 'MD', 'widened'],
  ['EMAIL', 'EMAIL', 'unchanged'],
  ['EMAIL', 'C(254)', 'widened'],
  ['EMAIL', 'C(20)', 'narrowed'],
  ['C(20)', 'EMAIL', 'narrowed'],
  ['URL', 'EMAIL', 'narrowed'],
  ['COLOR', 'URL', 'narrowed'],
  ['URL', 'X', 'widened'],
  ['C(9)', 'COLOR', 'narrowed'],
  ['C(36)', 'UUID', 'retyped'],
  ['UUID', 'C(36)', 'retyped'],
  ['UUID', 'UUID', 'unchanged'],
  ['I', 'I4', 'unchanged'],
  ['I', 'R', 'unchanged'],
  ['I(11)', 'I(4)', 'unchanged'],
  ['I1', 'I2', 'widened'],
  ['I2', 'I4', 'widened'],
  ['I', 'I8', 'widened'],
  ['I8', 'I', 'narrowed'],
  ['I', 'I UNSIGNED', 'narrowed'],
  ['I UNSIGNED', 'I', 'narrowed'],
  ['I UNSIGNED', 'I8', 'widened'],
  ['I', 'F', 'widened'],
  ['I', 'F UNSIGNED', 'retyped'],
  ['I8', 'F', 'retyped'],
  ['F', 'I', 'retyped'],
  ['F', 'N', 'retyped'],
  ['F UNSIGNED', 'F', 'widened'],
  ['F', 'F UNSIGNED', 'narrowed'],
  ['I1', 'N(3)', 'widened'],
  ['I1', 'N(4.2)', 'retyped'],
  ['I8', 'N(19)', 'widened'],
  ['I8 UNSIGNED', 'N(20) UNSIGNED', 'widened'],
  ['N(10.2)', 'N(12.2)', 'widened'],
  ['N(10.2)', 'N(11.3)', 'widened'],
  ['N(10.2)', 'N(10.3)', 'narrowed'],
  ['N(10.2)', 'N(10.1)', 'narrowed'],
  ['N(10.2)', 'N', 'widened'],
  ['N', 'N(65.30)', 'narrowed'],
  ['N', 'N', 'unchanged'],
  ['N', 'F', 'retyped'],
  ['N(5)', 'I', 'retyped'],
  ['T', 'TS', 'unchanged'],
  ['D', 'T', 'retyped'],
  ['T', 'D', 'retyped'],
  ['L', 'I1', 'retyped'],
  ['I1', 'L', 'retyped'],
  ['I', 'C(20)', 'retyped'],
  ['C(20)', 'D', 'retyped'],
]

for (const [from, to, expected] of STEPS) {
  test(`from ${from} to ${to} is ${expected}`, () => {
    const plan = change(`a ${from}`, `a ${to}`)
    const kinds = ['unchanged', 'widened', 'narrowed', 'retyped'] as const
    assert.deepEqual(
      kinds.filter((kind) => plan[kind].length > 0),
      [expected],
    )
  })
}

test('columns are added, dropped and renamed', () => {
  const plan = change('a I, b I, c C(5)', 'c2 C(9) NOTNULL, a I, d L', [['c2', 'c']])
  assert.deepEqual(namesOf(plan), {
    added: ['d'],
    dropped: ['b'],
    renamed: [{ from: 'c', to: 'c2' }],
    widened: ['c2'],
    narrowed: [],
    requiredNow: ['c2'],
    retyped: [],
    uniqueNow: [],
    unchanged: ['a'],
    refused: [],
  })
})

test('a column that becomes unique is reported, and a column that is no longer unique is unchanged', () => {
  const plan = change('a I, b I UNIQUE, c I', 'a I UNIQUE, b I, z R AUTO', [['z', 'c']])
  assert.deepEqual(namesOf(plan), {
    added: [],
    dropped: [],
    renamed: [{ from: 'c', to: 'z' }],
    widened: [],
    narrowed: [],
    requiredNow: ['z'],
    retyped: [],
    uniqueNow: ['a', 'z'],
    unchanged: ['b'],
    refused: [],
  })
})

test('a name in another case is a new column unless it is a rename', () => {
  const plan = change('a I', 'A I')
  assert.deepEqual([plan.added.length, plan.dropped.length], [1, 1])
  assert.deepEqual(change('a I', 'A I', [['A', 'a']]).renamed, [{ from: 'a', to: 'A' }])
})

test('two columns can change names', () => {
  const plan = change('a I, b L', 'a L, b I', [
    ['a', 'b'],
    ['b', 'a'],
  ])
  assert.equal(plan.renamed.length, 2)
  assert.deepEqual(plan.refused, [])
})

test('an existing NOTNULL requires nothing new of the entries', () => {
  assert.deepEqual(change('a I NOTNULL', 'a I NOTNULL').requiredNow, [])
  assert.deepEqual(change('a I', 'a I NOTNULL').unchanged, [])
  assert.equal(change('a I', 'a I NOTNULL DEFAULT 1').requiredNow.length, 1)
})

const BAD_RENAMES: readonly (readonly [string, readonly (readonly [string, string])[], string])[] =
  [
    ['a I', [['b', 'a']], 'is not in table_schema; add it there under its new name'],
    [
      'b I',
      [['b', 'title2']],
      'cannot be renamed from "title2", which is not a column; did you mean "title"?',
    ],
    ['b I', [['b', 'x']], 'cannot be renamed from "x", which is not a column'],
    [
      'b I, c I',
      [
        ['b', 'a'],
        ['c', 'a'],
      ],
      'cannot be renamed from "a", which is already renamed to "b"',
    ],
    [
      'a I, b I',
      [['b', 'a']],
      'cannot be renamed from "a" while table_schema has a column of that name; add it in a later update',
    ],
  ]

for (const [to, renames, detail] of BAD_RENAMES) {
  test(`a rename ${detail.replaceAll('"', '')}`, () => {
    const { refused } = change('a I, title I', to, renames)
    assert.deepEqual(refused, [{ column: renames.at(-1)?.[0], detail }])
  })
}

const TEXTS = [...new Set(STEPS.flatMap(([from, to]) => [from, to]))]

test('a number beyond 2^53 becomes the decimal with the digits that were shown', () => {
  assert.equal(
    converterTo({ from: columnOf('F'), to: columnOf('N') })(56_145_476_356_952_630),
    '56145476356952630',
  )
})

test('a wider column keeps all accepted values, and other columns convert them or have null', () => {
  const value = fc.oneof(
    fc.integer({ min: -300, max: 300 }),
    fc.integer(),
    fc.double({ noNaN: true }),
    fc.integer().map((number) => number / 100),
    fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map(String),
    fc.constantFrom('a', 'b', 'bcd', true, '2026-01-31', '99999999.99', '0.123'),
    fc.subarray(['a', 'b', 'a,b', 'bcd']),
    fc.tuple(fc.double({ min: -180, max: 180 }), fc.double({ min: -90, max: 90 })),
    fc.jsonValue({ maxDepth: 3 }),
    fc.json({ maxDepth: 3 }),
    fc.constantFrom('a, b', 'b,a', '["a,b"]', '13.4, -52.5', '{"a": 1, "a": 2}', '[1e400]'),
    fc.constantFrom('ada@example.com', 'https://a.example/', '#FFF'),
    fc.uuid().chain((text) => fc.constantFrom(text, text.toUpperCase())),
    fc.string({ maxLength: 60 }),
  )
  const column = fc.constantFrom(...TEXTS)
  fc.assert(
    fc.property(column, column, value, (from, to, given) => {
      const plan = change(`a ${from}`, `a ${to}`)
      const stored = fieldOf(from).check(given)
      if (!stored.ok) return
      const [old, next] = [columnOf(from), columnOf(to)]
      const converted = converterTo({ from: old, to: next })(stored.value)
      const kept = isKept({ from: old, to: next }, stored.value, converted)
      if (plan.retyped.length === 0 && plan.narrowed.length === 0) assert.ok(kept)
      if (converted !== null)
        assert.deepEqual(columnField(next).check(converted), { ok: true, value: converted })
      // A lossless conversion can be reversed. Texts are exempt because the conversion may write them longer.
      const back = converterTo({ from: next, to: old })(converted)
      if (kept && COLUMN_TYPES[old.type].kind !== 'string')
        assert.ok(isKept({ from: next, to: old }, converted, back))
    }),
    { numRuns: 20_000 },
  )
})

function change(
  from: string,
  to: string,
  renames: readonly (readonly [string, string])[] = [],
): SchemaChange {
  return planChange(parse(from), parse(to), new Map(renames))
}

function parse(text: string): readonly Column[] {
  return parseTableSchema(text, new Set()).columns
}

function fieldOf(text: string): ReturnType<typeof columnField> {
  return columnField(columnOf(text))
}

function columnOf(text: string): Column {
  return parse(`a ${text}`)[0] as Column
}

function namesOf(plan: SchemaChange): Record<string, unknown> {
  const entries = Object.entries(plan).map(([kind, items]: [string, readonly object[]]) => [
    kind,
    items.map((item) => ('name' in item ? item.name : item)),
  ])
  return Object.fromEntries(entries) as Record<string, unknown>
}

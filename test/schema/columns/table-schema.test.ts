// Valid texts of table_schema, and the columns that result.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../helpers/properties.ts'
import type { Column } from '../../../lib/schema/columns/column.ts'
import { parseTableSchema } from '../../../lib/schema/columns/table-schema.ts'
import { column, render } from './column.ts'

const NONE: ReadonlySet<string> = new Set()
const REQUIRED = { isRequired: true } as const
const UNIQUE_KEY = { isRequired: true, isUnique: true } as const
const NOW = { default: { now: true } } as const

const ACCEPTED: readonly (readonly [string, readonly Column[]])[] = [
  // Empty texts.
  ['', []],
  [' \n\t', []],
  [',', []],

  // The forms of a column.
  ['title C(255) NOTNULL', [column('title', 'C', { size: 255, ...REQUIRED })]],
  ['body X(Large) NULL', [column('body', 'X')]],
  [
    'title C(255) NOTNULL, body X(Large) NULL',
    [column('title', 'C', { size: 255, ...REQUIRED }), column('body', 'X')],
  ],
  ['a C(20)', [column('a', 'C', { size: 20 })]],
  ['a C (20)', [column('a', 'C', { size: 20 })]],
  ['a C 20', [column('a', 'C', { size: 20 })]],
  ["a C '20'", [column('a', 'C', { size: 20 })]],
  ['a C "20"', [column('a', 'C', { size: 20 })]],
  ['a C( 20 )', [column('a', 'C', { size: 20 })]],
  ['a c(20) notnull', [column('a', 'C', { size: 20, ...REQUIRED })]],
  ['\na\n\tC\r\n(20)\n  NotNull\n', [column('a', 'C', { size: 20, ...REQUIRED })]],
  ['a C(20)NOTNULL', [column('a', 'C', { size: 20, ...REQUIRED })]],
  [',a I,,b I,', [column('a', 'I'), column('b', 'I')]],
  ['`a` I', [column('a', 'I')]],
  ['"a" I', [column('a', 'I')]],
  ["'a' 'I' 'NOTNULL'", [column('a', 'I', REQUIRED)]],
  ['Name_2 I', [column('Name_2', 'I')]],
  ['_a I, 1a I, _ I', [column('_a', 'I'), column('1a', 'I'), column('_', 'I')]],
  [`${'a'.repeat(63)} I`, [column('a'.repeat(63), 'I')]],

  // Rules.
  ['a I MIN 0 MAX 10', [column('a', 'I', { minimum: '0', maximum: '10' })]],
  ['a I8 min -9223372036854775808', [column('a', 'I8', { minimum: '-9223372036854775808' })]],
  [
    "a N(5.2) NOTNULL MAX '1.50'",
    [column('a', 'N', { size: 5, scale: 2, ...REQUIRED, maximum: '1.50' })],
  ],
  ['a D MIN 2026-01-31', [column('a', 'D', { minimum: '2026-01-31' })]],
  ["a T MAX '2026-01-31T12:00:00Z'", [column('a', 'T', { maximum: '2026-01-31T12:00:00.000Z' })]],
  ['a C(9) LENGTH 3..8', [column('a', 'C', { size: 9, minLength: 3, maxLength: 8 })]],
  ['a X LENGTH 3..', [column('a', 'X', { minLength: 3 })]],
  ['a X LENGTH ..80', [column('a', 'X', { maxLength: 80 })]],
  ['a C(9) LENGTH 4', [column('a', 'C', { size: 9, minLength: 4, maxLength: 4 })]],
  ["a C(9) MATCH '^it''s (a, b)$'", [column('a', 'C', { size: 9, pattern: "^it's (a, b)$" })]],
  ["a I, b I COMPUTED 'a * 2'", [column('a', 'I'), column('b', 'I', { computed: 'a * 2' })]],
  ['computed I, b I INDEX computed', [column('computed', 'I'), column('b', 'I')]],
  ['a I INDEX min, b I INDEX max MIN 0', [column('a', 'I'), column('b', 'I', { minimum: '0' })]],
  ['a I INDEX MIN 0', [column('a', 'I', { minimum: '0' })]],
  [
    'min I, max I, length I, match I',
    ['min', 'max', 'length', 'match'].map((name) => column(name, 'I')),
  ],
  ['a C(9) DEFAULT MIN', [column('a', 'C', { size: 9, default: 'MIN' })]],

  // Types and sizes.
  ['a C(1), b C(65535)', [column('a', 'C', { size: 1 }), column('b', 'C', { size: 65_535 })]],
  ['a C2(10)', [column('a', 'C2', { size: 10 })]],
  ['a X', [column('a', 'X')]],
  ['a X(1024)', [column('a', 'X')]],
  ['a X()', [column('a', 'X')]],
  ['a XL(Large), b X2, c B', [column('a', 'XL'), column('b', 'X2'), column('c', 'B')]],
  ['a I(11)', [column('a', 'I')]],
  [
    'a i1, b I2, c I4, d i8',
    [column('a', 'I1'), column('b', 'I2'), column('c', 'I4'), column('d', 'I8')],
  ],
  ['a I1(1) UNSIGNED', [column('a', 'I1', { isUnsigned: true })]],
  ['a R', [column('a', 'R')]],
  ['a F', [column('a', 'F')]],
  ['a F(10.2)', [column('a', 'F')]],
  ['a N', [column('a', 'N')]],
  ['a N(10)', [column('a', 'N', { size: 10, scale: 0 })]],
  ['a N(10.2)', [column('a', 'N', { size: 10, scale: 2 })]],
  ['a N 10.2 NOTNULL', [column('a', 'N', { size: 10, scale: 2, ...REQUIRED })]],
  ['a N(10,2)', [column('a', 'N', { size: 10, scale: 2 })]],
  ['a N( 10 , 2 ) UNSIGNED', [column('a', 'N', { size: 10, scale: 2, isUnsigned: true })]],
  ['a N(65.65)', [column('a', 'N', { size: 65, scale: 65 })]],
  [
    'a L, b D, c T, d TS',
    [column('a', 'L'), column('b', 'D'), column('c', 'T'), column('d', 'TS')],
  ],
  ["a D DEFAULT '0000-00-00 '", [column('a', 'D')]],
  ["a SET('x','y')", [column('a', 'SET', { values: ['x', 'y'] })]],
  ['a JSONB', [column('a', 'JSON')]],
  ['a MARKDOWN', [column('a', 'MD')]],
  ['a GUID KEY', [column('a', 'UUID', { isRequired: true, isUnique: true })]],
  ['a UniqueIdentifier', [column('a', 'UUID')]],
  [`a ENUM("x""y")`, [column('a', 'ENUM', { values: ['x"y'] })]],
  ["a ENUM('x','y')", [column('a', 'ENUM', { values: ['x', 'y'] })]],
  [`a enum ( 'x' , "y z" )`, [column('a', 'ENUM', { values: ['x', 'y z'] })]],
  ["a ENUM('it''s','b (c))','')", [column('a', 'ENUM', { values: ["it's", 'b (c)', ''] })]],
  [
    'a VARCHAR(30), b char(2), c NVARCHAR(5)',
    [column('a', 'C', { size: 30 }), column('b', 'C', { size: 2 }), column('c', 'C2', { size: 5 })],
  ],
  [
    'a TEXT, b LONGTEXT, c Blob, d mediumtext',
    [column('a', 'X'), column('b', 'XL'), column('c', 'B'), column('d', 'X')],
  ],
  [
    'a INT(11) UNSIGNED, b BIGINT, c SMALLINT, d TINYINT(1), e INTEGER',
    [
      column('a', 'I', { isUnsigned: true }),
      column('b', 'I8'),
      column('c', 'I2'),
      column('d', 'I1'),
      column('e', 'I'),
    ],
  ],
  [
    'a DECIMAL(8.4), b NUMERIC(8,4), c FLOAT, d DOUBLE',
    [
      column('a', 'N', { size: 8, scale: 4 }),
      column('b', 'N', { size: 8, scale: 4 }),
      column('c', 'F'),
      column('d', 'F'),
    ],
  ],
  [
    'a DATE, b DATETIME, c TIMESTAMP(3), e BOOL, f BOOLEAN',
    [column('a', 'D'), column('b', 'T'), column('c', 'TS'), column('e', 'L'), column('f', 'L')],
  ],

  [
    'a INT4, b INT8, c CHARACTER(5), d CHAR(5), e NCHAR(5), f INT2',
    [
      column('a', 'I4'),
      column('b', 'I8'),
      column('c', 'C', { size: 5 }),
      column('d', 'C', { size: 5 }),
      column('e', 'C', { size: 5 }),
      column('f', 'I2'),
    ],
  ],
  ['a SERIAL', [column('a', 'I8', { ...UNIQUE_KEY, isAuto: true })]],
  ['a serial NOTNULL AUTO UNIQUE KEY', [column('a', 'I8', { ...UNIQUE_KEY, isAuto: true })]],
  ['datatable_entry_id SERIAL, a I', [column('a', 'I')]],

  // Options.
  ['a I UNSIGNED NOTNULL', [column('a', 'I', { isUnsigned: true, ...REQUIRED })]],
  ['a I NOTNULL UNSIGNED NOTNULL', [column('a', 'I', { isUnsigned: true, ...REQUIRED })]],
  ['a C(9) DEFAULT x', [column('a', 'C', { size: 9, default: 'x' })]],
  ['a C(9) DEFAULT x NOTNULL', [column('a', 'C', { size: 9, ...REQUIRED, default: 'x' })]],
  ['a C(9) DEF x NOTNULL', [column('a', 'C', { size: 9, ...REQUIRED, default: 'x' })]],
  ["a C(9) NOTNULL DEFAULT ''", [column('a', 'C', { size: 9, ...REQUIRED, default: '' })]],
  ["a C(9) DEFAULT 'NOTNULL'", [column('a', 'C', { size: 9, default: 'NOTNULL' })]],
  ["a C(9) default 'it''s, x'", [column('a', 'C', { size: 9, default: "it's, x" })]],
  ['a C(9) DEFAULT 5', [column('a', 'C', { size: 9, default: '5' })]],
  ['a C(9) DEFAULT null', [column('a', 'C', { size: 9 })]],
  ["a C(9) DEFAULT ' Null'", [column('a', 'C', { size: 9 })]],
  ["a C(9) DEFAULT 'x '", [column('a', 'C', { size: 9, default: 'x ' })]],
  ["a C(9) DEFAULT ' x'", [column('a', 'C', { size: 9, default: ' x' })]],
  ["a C(9) DEFAULT ' '", [column('a', 'C', { size: 9, default: ' ' })]],
  ["a C(9) DEFAULT 'null'", [column('a', 'C', { size: 9 })]],
  ["a I DEFAULT 'NULL', b C(9) DEFAULT (NULL)", [column('a', 'I'), column('b', 'C', { size: 9 })]],
  ['a X DEFAULT (no text)', [column('a', 'X', { default: 'no text' })]],
  [
    'a F DEFAULT .5, b F DEFAULT 5., c I DEFAULT 1e3, d I DEFAULT 1.00',
    [
      column('a', 'F', { default: 0.5 }),
      column('b', 'F', { default: 5 }),
      column('c', 'I', { default: 1000 }),
      column('d', 'I', { default: 1 }),
    ],
  ],
  [
    'a N(4.2) DEFAULT .5, b N DEFAULT -0, c I UNSIGNED DEFAULT -0',
    [
      column('a', 'N', { size: 4, scale: 2, default: '0.5' }),
      column('b', 'N', { default: '0' }),
      column('c', 'I', { isUnsigned: true, default: 0 }),
    ],
  ],
  ["a DEFAULT 'x' C(20)", [column('a', 'C', { size: 20, default: 'x' })]],
  ["a C DEFAULT 'x' (20) NOTNULL", [column('a', 'C', { size: 20, default: 'x', ...REQUIRED })]],
  ['a N DEFAULT 1.5 10.2', [column('a', 'N', { size: 10, scale: 2, default: '1.5' })]],
  ['a I DEFAULT -5', [column('a', 'I', { default: -5 })]],
  ["a I DEFAULT '0'", [column('a', 'I', { default: 0 })]],
  ['a I8 DEFAULT 9223372036854775807', [column('a', 'I8', { default: '9223372036854775807' })]],
  ['a F DEFAULT 1.50', [column('a', 'F', { default: 1.5 })]],
  ['a N(9.2) DEFAULT 1.50', [column('a', 'N', { size: 9, scale: 2, default: '1.50' })]],
  ['a N DEFAULT 0.1234567890123456789', [column('a', 'N', { default: '0.1234567890123456789' })]],
  [
    'a L DEFAULT 1, b L DEFAULT False',
    [column('a', 'L', { default: true }), column('b', 'L', { default: false })],
  ],
  ['a D DEFAULT 20200102', [column('a', 'D', { default: '2020-01-02' })]],
  [
    "a T DEFAULT 20200102030405, b D DEFAULT '20200102030405'",
    [
      column('a', 'T', { default: '2020-01-02T03:04:05.000Z' }),
      column('b', 'D', { default: '2020-01-02' }),
    ],
  ],
  ['a T DEFAULT 1577836800', [column('a', 'T', { default: '2020-01-01T00:00:00.000Z' })]],
  [
    "a T DEFAULT '1970-01-01 00:00:00', b D DEFAULT '2020-1-2', c T DEFAULT '2020-1-2 3:4:5'",
    [
      column('a', 'T', { default: '1970-01-01T00:00:00.000Z' }),
      column('b', 'D', { default: '2020-01-02' }),
      column('c', 'T', { default: '2020-01-02T03:04:05.000Z' }),
    ],
  ],
  [
    "a D DEFAULT '0000-00-00', b T NOTNULL DEFAULT '0000-00-00 00:00:00', c TS DEFAULT ''",
    [column('a', 'D'), column('b', 'T', REQUIRED), column('c', 'TS')],
  ],
  ['a D DEFAULT 2026-01-31', [column('a', 'D', { default: '2026-01-31' })]],
  [
    "a T DEFAULT '2026-01-31T12:00:00+01:00'",
    [column('a', 'T', { default: '2026-01-31T11:00:00.000Z' })],
  ],
  ['a D DEFDATE', [column('a', 'D', NOW)]],
  ['a T DEFTIMESTAMP NOTNULL', [column('a', 'T', { ...REQUIRED, ...NOW })]],
  ['a TS deftimestamp', [column('a', 'TS', NOW)]],
  [
    "a SET('x','y','x,y') DEFAULT 'x,y'",
    [column('a', 'SET', { values: ['x', 'y', 'x,y'], default: '["x,y"]' })],
  ],
  ["a SET('x','y') DEFAULT 'y, x'", [column('a', 'SET', { values: ['x', 'y'], default: 'y,x' })]],
  ["a SET('x') DEFAULT ''", [column('a', 'SET', { values: ['x'], default: '' })]],
  ["a POINT DEFAULT '13.40, -5'", [column('a', 'POINT', { default: '13.4,-5' })]],
  [`a JSON DEFAULT '{"now": true}'`, [column('a', 'JSON', { default: '{"now":true}' })]],
  ["a COLOR DEFAULT '#fff'", [column('a', 'COLOR', { default: '#fff' })]],
  [
    'a UUID DEFAULT FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
    [column('a', 'UUID', { default: 'ffffffff-ffff-ffff-ffff-ffffffffffff' })],
  ],
  ["a ENUM('x','y') DEFAULT y", [column('a', 'ENUM', { values: ['x', 'y'], default: 'y' })]],
  ['a C(9) INDEX', [column('a', 'C', { size: 9 })]],
  ['a C(9) INDEX idx_a NOTNULL', [column('a', 'C', { size: 9, ...REQUIRED })]],
  ['a C(9) INDEX author NOTNULL', [column('a', 'C', { size: 9, ...REQUIRED })]],
  ['a C(9) INDEX NOTNUL', [column('a', 'C', { size: 9 })]],
  ["a C(9) INDEX 'NOTNULL'", [column('a', 'C', { size: 9 })]],
  ['a C(9) INDEX NOTNULL', [column('a', 'C', { size: 9, ...REQUIRED })]],
  ['a X INDEX', [column('a', 'X')]],
  ["a X DEFAULT 'x' INDEX idx", [column('a', 'X', { default: 'x' })]],
  ['a C(9) INDEX ab, b I INDEX ab', [column('a', 'C', { size: 9 }), column('b', 'I')]],

  // Unique values.
  ['a C(9) UNIQUE', [column('a', 'C', { size: 9, isUnique: true })]],
  ['a C(9) unique index', [column('a', 'C', { size: 9, isUnique: true })]],
  ['a C(9) INDEX idx UNIQUE', [column('a', 'C', { size: 9, isUnique: true })]],
  [
    'a I UNIQUE NULL, b N UNIQUE',
    [column('a', 'I', { isUnique: true }), column('b', 'N', { isUnique: true })],
  ],
  ['a I UNIQUE DEFAULT 5', [column('a', 'I', { isUnique: true, default: 5 })]],
  ['a C(9) KEY', [column('a', 'C', { size: 9, ...UNIQUE_KEY })]],
  ['a I PRIMARY KEY', [column('a', 'I', UNIQUE_KEY)]],
  ['a I NOTNULL UNIQUE', [column('a', 'I', UNIQUE_KEY)]],
  ['a I AUTO', [column('a', 'I', { ...UNIQUE_KEY, isAuto: true })]],
  ['a R AUTOINCREMENT PRIMARY', [column('a', 'R', { ...UNIQUE_KEY, isAuto: true })]],
  [
    'a I8 UNSIGNED auto_increment',
    [column('a', 'I8', { ...UNIQUE_KEY, isUnsigned: true, isAuto: true })],
  ],
  ['datatable_entry_id R AUTO, a I KEY', [column('a', 'I', UNIQUE_KEY)]],

  // The key of the entries.
  ['datatable_entry_id I(11) NOTNULL PRIMARY, a I', [column('a', 'I')]],
  ['Calendar_Entry_ID INT UNSIGNED AUTOINCREMENT KEY', []],
  ['`datatable_entry_id` R AUTO', []],
]

for (const [text, expected] of ACCEPTED) {
  test(`${JSON.stringify(text)} is parsed`, () => {
    const { columns } = parseTableSchema(text, NONE)
    assert.deepEqual(columns, expected)
    assert.deepEqual(JSON.parse(JSON.stringify(columns)), columns)
  })
}

const WARNED: readonly (readonly [string, readonly string[]])[] = [
  ['a C(255) INDEX, b X', []],
  [
    'a X INDEX, b XL INDEX long, c B',
    ['INDEX is ignored for "a", "b": columns of these types have no index'],
  ],
  ['a C(16383)', []],
  ['a C(16384)', ['A row takes up to 65538 bytes, but MySQL allows at most 65535']],
  ['a C(8000), b C(8000), c N(20.2), d I1, e I, f I8, g F, h L, i D, j T, k X, l C(364)', []],
  [
    'a C(8000), b C(8000), c N(20.2), d I1, e I, f I8, g F, h L, i D, j T, k X, l C(370)',
    ['A row takes up to 65'],
  ],
]

for (const [text, expected] of WARNED) {
  test(`${JSON.stringify(text)} is accepted with ${expected.length} warnings`, () => {
    const { warnings } = parseTableSchema(text, NONE)
    assert.equal(warnings.length, expected.length, warnings.join())
    for (const [at, warning] of warnings.entries())
      assert.ok(warning.startsWith(expected[at] ?? ''))
  })
}

test('256 columns are possible, not counting the key of the entries', () => {
  const text = Array.from({ length: 256 }, (_, index) => `c${index} I`).join(',')
  assert.equal(parseTableSchema(text, NONE).columns.length, 256)
  assert.equal(parseTableSchema(`datatable_entry_id I KEY, ${text}`, NONE).columns.length, 256)
})

const word = fc
  .string({ unit: 'grapheme', maxLength: 12 })
  .filter((text) => !/^ .*[ ]$/s.test(text))
const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,62}$/)
const flags = fc.record({ isRequired: fc.boolean(), isUnsigned: fc.constant(false) })
const numberFlags = fc.record({ isRequired: fc.boolean(), isUnsigned: fc.boolean() })

const shape: fc.Arbitrary<Omit<Column, 'name'>> = fc.oneof(
  fc
    .record({ type: fc.constantFrom('C' as const, 'C2' as const), flags, default: fc.option(word) })
    .map((item) => shapeOf(item.type, { ...item.flags, size: 65_535 }, item.default)),
  fc
    .record({ type: fc.constantFrom('X' as const, 'XL' as const, 'B' as const), flags })
    .map((item) => shapeOf(item.type, item.flags, null)),
  fc
    .record({
      type: fc.constantFrom('I' as const, 'I1' as const, 'I8' as const, 'R' as const, 'F' as const),
      flags: numberFlags,
      default: fc.option(fc.integer({ min: 0, max: 100 })),
    })
    .map((item) => shapeOf(item.type, item.flags, item.default)),
  fc
    .record({
      flags: numberFlags,
      size: fc.integer({ min: 1, max: 65 }),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    .map(({ flags, size, part }) =>
      shapeOf('N', { ...flags, size, scale: Math.floor(size * part) }, null),
    ),
  fc
    .record({
      type: fc.constantFrom('D' as const, 'T' as const, 'TS' as const),
      flags,
      isNow: fc.boolean(),
    })
    .map((item) => shapeOf(item.type, item.flags, item.isNow ? { now: true } : null)),
  fc
    .record({ flags, default: fc.option(fc.boolean()) })
    .map((item) => shapeOf('L', item.flags, item.default)),
  fc
    .record({ flags, values: fc.uniqueArray(word, { minLength: 1, maxLength: 5 }) })
    .map((item) => shapeOf('ENUM', { ...item.flags, values: item.values }, item.values[0] ?? null)),
)

test('columns that are formatted as text are parsed as the same columns', () => {
  const columns = fc
    .uniqueArray(fc.tuple(name, shape), { selector: ([text]) => text.toLowerCase(), maxLength: 8 })
    .map((items) => items.map(([text, rest]): Column => ({ name: text, ...rest }) as Column))
    .filter((items) => items.every((item) => !/^(?:constructor|prototype|__.*)$/i.test(item.name)))
  fc.assert(
    fc.property(columns, (items) => {
      assert.deepEqual(parseTableSchema(render(items), NONE).columns, items)
    }),
    { numRuns: 500 },
  )
})

function shapeOf(
  type: Column['type'],
  rest: Omit<Column, 'name' | 'type' | 'default'>,
  initial: Column['default'] | null,
): Omit<Column, 'name'> {
  return initial === null || initial === undefined
    ? { type, ...rest }
    : { type, ...rest, default: initial }
}

// Texts that are not a valid table_schema, and the resulting errors.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../helpers/properties.ts'
import { CmsError, type Fault } from '../../../lib/base/errors.ts'
import { COLUMN_TYPES } from '../../../lib/shared/column-types.ts'
import { parseTableSchema } from '../../../lib/schema/columns/table-schema.ts'

const RESERVED: ReadonlySet<string> = new Set(['datatable_entry_id', 'date_added', 'Owner'])

const NAME_RULE =
  'a name has only letters A-Z, digits and _, at most 63 characters, and not only digits'
const C_SIZE = 'write a whole number from 1 to 65535, for example C(255)'
const N_SIZE = 'write 1 to 65 digits and at most as many decimals, for example N(10.2)'
const NO_POINT =
  'must be [longitude, latitude]: two numbers, from -180 to 180 and from -90 to 90, such as [13.4, 52.5]'
const TYPES = `known types: ${Object.keys(COLUMN_TYPES).join(', ')}`
const OPTIONS =
  'known options: NOTNULL, NULL, DEFAULT, UNSIGNED, UNIQUE, KEY, AUTO, INDEX, DEFDATE, DEFTIMESTAMP, MIN, MAX, LENGTH, MATCH, COMPUTED, REFERENCES'
const INSIDE = '(write it twice for one inside)'
const WHOLE = 'must be a whole number from'
const UNSEEN = ', an invisible character; replace it with a plain blank, or remove it'
const NOT_NULL = '"NOT NULL" is not an option; write NOTNULL'

const REFUSED: readonly (readonly [string, ...(readonly string[])])[] = [
  // Names.
  ['10 I', `column 1 "10": ${NAME_RULE}`],
  ['a-b I', `column 1 "a-b": ${NAME_RULE}`],
  ["'a b' I", `column 1 "a b": ${NAME_RULE}`],
  ['`` I', `column 1 "": ${NAME_RULE}`],
  ['ï I', `column 1 "ï": ${NAME_RULE}`],
  ['"na\u202eme" I', `column 1 "na\\u202eme": the name has${UNSEEN.slice(1)}`],
  ['\ufeffa I', `column 1 "\\ufeff": the name has${UNSEEN.slice(1)}`],
  ['naïve C(20)', `column 1 "na": "ï" is not allowed here; ${NAME_RULE}`],
  ['a; DROP', `column 1 "a": ";" is not allowed here; ${NAME_RULE}`],
  [`${'a'.repeat(64)} I`, `column 1 "${'a'.repeat(40)}…": ${NAME_RULE}`],
  ['__proto__ I', 'column 1 "__proto__": the name is reserved; choose another name'],
  ['constructor I', 'column 1 "constructor": the name is reserved; choose another name'],
  ['Prototype I', 'column 1 "Prototype": the name is reserved; choose another name'],
  ['toString I', 'column 1 "toString": the name is reserved; choose another name'],
  ['hasownproperty I', 'column 1 "hasownproperty": the name is reserved; choose another name'],
  ['owner C(20)', 'column 1 "owner": the name is reserved; choose another name'],
  ['a I, Date_Added T', 'column 2 "Date_Added": the name is reserved; choose another name'],
  [
    'a I, b I, A C(2)',
    'column 3 "A": the name is already used by column 1 (case is ignored); choose another name',
  ],
  [
    'datatable_entry_id I',
    'column 1 "datatable_entry_id": the name is reserved; choose another name',
  ],
  [
    'a I, datatable_entry_id I KEY',
    'column 2 "datatable_entry_id": the name is reserved; choose another name',
  ],
  ['datatable_entry_id I KEY NOT NULL', `column 1 "datatable_entry_id": ${NOT_NULL}`],

  // Types.
  ['a', 'column 1 "a": there is no type; write it after the name, such as C(255)'],
  ['a I, b, c I', 'column 2 "b": there is no type; write it after the name, such as C(255)'],
  ['a VARCAHR(20)', 'column 1 "a": "VARCAHR" is not a type; did you mean VARCHAR?'],
  ['a INT11', 'column 1 "a": "INT11" is not a type; did you mean INT(11)?'],
  ['a INT64', 'column 1 "a": "INT64" is not a type; did you mean I8?'],
  ['a INT32', 'column 1 "a": "INT32" is not a type; did you mean I4?'],
  ['a INT0', 'column 1 "a": "INT0" is not a type; did you mean I1?'],
  ['a INTEGER1', 'column 1 "a": "INTEGER1" is not a type; did you mean I1?'],
  ['a INT24', 'column 1 "a": "INT24" is not a type; did you mean I4?'],
  ['a INT7', 'column 1 "a": "INT7" is not a type; did you mean I8?'],
  ['a INT3', 'column 1 "a": "INT3" is not a type; did you mean I4?'],
  ['a VARCHAR20', 'column 1 "a": "VARCHAR20" is not a type; did you mean VARCHAR(20)?'],
  ['a D10', 'column 1 "a": "D10" is not a type; did you mean D?'],
  [
    'a TIME',
    'column 1 "a": "TIME" is not a type here; C(8) holds a time of day, T a date with its time',
  ],
  ['a year', 'column 1 "a": "year" is not a type here; I2 holds a year, D a day'],
  [
    'a BIT(1)',
    'column 1 "a": "BIT" is not a type here; L holds true or false, I8 up to 63 bits as a number',
  ],
  ['a UUID(36)', 'column 1 "a": UUID takes no size; remove "(36)"'],
  ['a EMAIL(80)', 'column 1 "a": EMAIL takes no size; remove "(80)"'],
  ['a MD(Large)', 'column 1 "a": MD takes no size; remove "(Large)"'],
  [
    'a MD UNIQUE',
    'column 1 "a": MD has no index, which UNIQUE needs; remove UNIQUE, or make the column a C(255)',
  ],
  [
    "a EMAIL DEFAULT 'x'",
    'column 1 "a": the default "x" must be an email address, such as ada@example.com',
  ],
  [
    'a BINARY(16)',
    'column 1 "a": "BINARY" is not a type here; B holds it as text, as Base64 for example',
  ],
  [
    'a GEOGRAPHY',
    'column 1 "a": "GEOGRAPHY" is not a type here; POINT holds a longitude and a latitude, JSON any GeoJSON',
  ],
  ['a SET', `column 1 "a": SET needs its values; write SET('a','b')`],
  ["a SET('a','a')", 'column 1 "a": SET has the value "a" twice; remove one'],
  ["a SET('a') KEY", 'column 1 "a": SET is a list, which cannot be unique; remove KEY'],
  ...['JSON', 'POINT'].map((type): readonly [string, string] => [
    `a ${type} KEY`,
    `column 1 "a": ${type} has no index, which KEY needs; remove KEY, or make the column a C(255)`,
  ]),
  ["a SET('a','b') DEFAULT 'a,c'", 'column 1 "a": the default "a,c" must be a list of "a", "b"'],
  ["a POINT DEFAULT '1,91'", `column 1 "a": the default "1,91" ${NO_POINT}`],
  ['a FROBNICATE', `column 1 "a": "FROBNICATE" is not a type; ${TYPES}`],
  ['a constructor', `column 1 "a": "constructor" is not a type; ${TYPES}`],

  // Sizes.
  ['a C', 'column 1 "a": C needs a size; write C(255)'],
  ['a VARCHAR NOTNULL', 'column 1 "a": C needs a size; write C(255)'],
  ['a C()', `column 1 "a": "()" is not a valid size for C; ${C_SIZE}`],
  ['a C(0)', `column 1 "a": "(0)" is not a valid size for C; ${C_SIZE}`],
  ['a C(-1)', `column 1 "a": "(-1)" is not a valid size for C; ${C_SIZE}`],
  ['a C(1e9)', `column 1 "a": "(1e9)" is not a valid size for C; ${C_SIZE}`],
  ['a C(65536)', `column 1 "a": "(65536)" is not a valid size for C; ${C_SIZE}`],
  ['a C(2.5)', `column 1 "a": "(2.5)" is not a valid size for C; ${C_SIZE}`],
  ['a C(Large)', `column 1 "a": "(Large)" is not a valid size for C; ${C_SIZE}`],
  ['a C2 -1', `column 1 "a": "-1" is not a valid size for C2; ${C_SIZE.replace('C(', 'C2(')}`],
  [
    'a C NOTNULL (20)',
    'column 1 "a": C needs a size; write C(255)',
    'column 1 "a": "(20)" is not an option; a size must directly follow the type',
  ],
  ['a N(0)', `column 1 "a": "(0)" is not a valid size for N; ${N_SIZE}`],
  ['a N(66)', `column 1 "a": "(66)" is not a valid size for N; ${N_SIZE}`],
  ['a N(2.3)', `column 1 "a": "(2.3)" is not a valid size for N; ${N_SIZE}`],
  ['a N(1.2.3)', `column 1 "a": "(1.2.3)" is not a valid size for N; ${N_SIZE}`],
  ['a N(.2)', `column 1 "a": "(.2)" is not a valid size for N; ${N_SIZE}`],
  ['a I(x11)', 'column 1 "a": "(x11)" is not a valid size for I; write a number, or omit it'],
  ['a I(11x)', 'column 1 "a": "(11x)" is not a valid size for I; write a number, or omit it'],
  ['a I(Large)', 'column 1 "a": "(Large)" is not a valid size for I; write a number, or omit it'],
  ['a D(10)', 'column 1 "a": D takes no size; remove "(10)"'],
  ['a ENUM', `column 1 "a": ENUM needs its values; write ENUM('a','b')`],
  ['a ENUM()', `column 1 "a": "()" is not a list of values; write ENUM('a','b')`],
  ['a ENUM(a,b)', `column 1 "a": "(a,b)" is not a list of values; write ENUM('a','b')`],
  ["a ENUM('a',)", `column 1 "a": "('a',)" is not a list of values; write ENUM('a','b')`],
  ["a ENUM('a','b','a')", 'column 1 "a": ENUM has the value "a" twice; remove one'],

  // Options.
  ['a C(20) NOT NULL', `column 1 "a": ${NOT_NULL}`],
  [
    'a I CHECK(a > 3)',
    'column 1 "a": CHECK is not an option of a column; put a comma before CHECK(…)',
  ],
  ['a C(20) NOT NULL NOTNULL', `column 1 "a": ${NOT_NULL}`],
  [
    'a C(20) NOT NULL NOTNUL',
    `column 1 "a": ${NOT_NULL}`,
    'column 1 "a": "NOTNUL" is not an option; did you mean NOTNULL?',
  ],
  ['a C(20) not', 'column 1 "a": "NOT" is not an option; write NOTNULL'],
  ['a C(20) INDEX NOT NULL', `column 1 "a": ${NOT_NULL}`],
  ['a C(20) NOTNUL', 'column 1 "a": "NOTNUL" is not an option; did you mean NOTNULL?'],
  ['a X Large NULL', `column 1 "a": "Large" is not an option; ${OPTIONS}`],
  ['a I 5 6', `column 1 "a": "6" is not an option; ${OPTIONS}`],
  ['a I SIGNED', 'column 1 "a": SIGNED is the default; remove it'],
  ['a I\u00a0NOTNULL', `column 1 "a": "\\u00a0" is not an option${UNSEEN}`],
  ['a\u00a0I', `column 1 "a": "\\u00a0" is not allowed here${UNSEEN}`],
  ['a \u200bI', `column 1 "a": "\\u200b" is not allowed here${UNSEEN}`],
  [
    'a X (NOTNULL)',
    'column 1 "a": "(NOTNULL)" is in the place of a size; write NOTNULL without parentheses',
  ],
  [
    'a XL( not null )',
    'column 1 "a": "( not null )" is in the place of a size; write NOTNULL without parentheses',
  ],
  [
    'a I (notnull)',
    'column 1 "a": "(notnull)" is in the place of a size; write NOTNULL without parentheses',
  ],
  [
    'a I 5 (not null)',
    'column 1 "a": "(not null)" is not an option; write NOTNULL without parentheses',
  ],
  ['a SERIAL NULL', 'column 1 "a": NULL and SERIAL contradict each other; remove one'],
  ['a SERIAL DEFAULT 5', 'column 1 "a": SERIAL and a default contradict each other; remove one'],
  ['a I )', 'column 1 "a": ")" closes nothing; remove it'],
  [
    'a C(20) AUTO_INCREMENT',
    'column 1 "a": AUTO_INCREMENT is only for whole numbers, and C is not one; use it with I or R',
  ],
  [
    'a N AUTO',
    'column 1 "a": AUTO is only for whole numbers, and N is not one; use it with I or R',
  ],
  ['a I AUTO DEFAULT 1', 'column 1 "a": AUTO and a default contradict each other; remove one'],
  ['a I AUTO NULL', 'column 1 "a": NULL and AUTO contradict each other; remove one'],
  ['a I NULL KEY', 'column 1 "a": NULL and KEY contradict each other; remove one'],
  [
    'a I DEFAULT NULL PRIMARY',
    'column 1 "a": DEFAULT NULL and PRIMARY contradict each other; remove one',
  ],
  ...['X', 'XL', 'X2', 'B'].map((type): readonly [string, string] => [
    `a ${type} UNIQUE`,
    `column 1 "a": ${type} has no index, which UNIQUE needs; remove UNIQUE, or make the column a C(255)`,
  ]),
  [
    'a X KEY',
    'column 1 "a": X has no index, which KEY needs; remove KEY, or make the column a C(255)',
  ],
  [
    'datatable_entry_id I KEY, a I KEY',
    'column 2 "a": KEY would make one key with "datatable_entry_id", which is unique alone; write NOTNULL instead',
  ],
  [
    'a C(20) UNSIGNED',
    'column 1 "a": UNSIGNED is only for numbers, and C is not a number; remove it',
  ],
  ['a I NULL NOTNULL', 'column 1 "a": NULL and NOTNULL contradict each other; remove one'],
  ["a I CONSTRAINT 'x'", 'column 1 "a": CONSTRAINT is SQL, which is not supported; remove it'],
  ['a I NOQUOTE', 'column 1 "a": NOQUOTE is SQL, which is not supported; remove it'],

  // Defaults.
  ['a I DEFAULT', `column 1 "a": DEFAULT has no value; write it in quotes, DEFAULT 'value'`],
  ['a I DEF NOTNULL', `column 1 "a": DEF has no value; write it in quotes, DEF 'NOTNULL'`],
  ['a I DEFAULT 1 DEFAULT 2', 'column 1 "a": there are two defaults; remove one'],
  ['a D DEFDATE DEFAULT 2026-01-01', 'column 1 "a": there are two defaults; remove one'],
  [
    'a I NOTNULL DEFAULT NULL',
    'column 1 "a": DEFAULT NULL and NOTNULL contradict each other; remove one',
  ],
  [
    "a T DEFAULT ' SYSDATE '",
    'column 1 "a": the default " SYSDATE " has blanks at both ends, which mark SQL; remove them',
  ],
  ['a C(9) DEFDATE', 'column 1 "a": DEFDATE is only for D, T and TS; write DEFAULT and a value'],
  ['a I DEFAULT x', `column 1 "a": the default "x" ${WHOLE} -2147483648 to 2147483647`],
  ['a I DEFAULT 1.5', `column 1 "a": the default "1.5" ${WHOLE} -2147483648 to 2147483647`],
  ['a I1 DEFAULT 128', `column 1 "a": the default "128" ${WHOLE} -128 to 127`],
  ['a I UNSIGNED DEFAULT -1', `column 1 "a": the default "-1" ${WHOLE} 0 to 4294967295`],
  ['a I DEFAULT .5', `column 1 "a": the default ".5" ${WHOLE} -2147483648 to 2147483647`],
  ...['2024022', '20241301', '0', '-20240229', '123456789012'].map(
    (text): readonly [string, string] => [
      `a D DEFAULT ${text}`,
      `column 1 "a": the default "${text}" must be a date: YYYY-MM-DD, RFC 3339, or seconds since 1970; digits must be a day (YYYYMMDD), a time (YYYYMMDDhhmmss), or nine to eleven digits for seconds since 1970; for the time of creation, write DEFTIMESTAMP`,
    ],
  ),
  ['a F DEFAULT 1e999', 'column 1 "a": the default "1e999" must be a number'],
  ['a N(4.2) DEFAULT 1.234', 'column 1 "a": the default "1.234" may have at most 2 decimals'],
  ['a L DEFAULT 2', 'column 1 "a": the default "2" must be true or false, or 1 or 0'],
  [
    'a D DEFAULT 2026-02-30',
    'column 1 "a": the default "2026-02-30" must be a date: YYYY-MM-DD, RFC 3339, or seconds since 1970; for the time of creation, write DEFTIMESTAMP',
  ],
  ["a ENUM('x') DEFAULT y", 'column 1 "a": the default "y" must be one of "x"'],
  ['a C(2) DEFAULT abc', 'column 1 "a": the default "abc" may have at most 2 characters'],

  // Quotes.
  ['a C(20', `column 1 "a": "(" before "20" is never closed; add ")" ${INSIDE}`],
  ["a I, b 'x, c I", `column 2 "b": "'" before "x, c I" is never closed; add "'" ${INSIDE}`],
  [
    'a C(20)) NULL',
    'column 1 "a": "(" before "20) NULL" is never closed: "))" stands for one ")" inside; remove one of them',
  ],
  [
    "a C(9) DEFAULT 'x'', b I",
    `column 1 "a": "'" before "x', b I" is never closed: "''" stands for one "'" inside; remove one of them`,
  ],

  // The text as a whole.
  ['a I DEFAULT \ud800', 'contains half of a surrogate pair, which is not text'],
  ['a'.repeat(65_537), 'may have at most 65536 characters'],
  [
    Array.from({ length: 257 }, (_, index) => `c${index} I`).join(','),
    'there are 257 columns; at most 256 are allowed',
  ],
  [
    'a C, A I NOT NULL',
    'column 1 "a": C needs a size; write C(255)',
    'column 2 "A": the name is already used by column 1 (case is ignored); choose another name',
    `column 2 "A": ${NOT_NULL}`,
  ],
]

for (const [text, ...details] of REFUSED) {
  test(`B12: ${JSON.stringify(text.slice(0, 60))} is refused`, () => {
    const expected = details.map((detail) => ({ pointer: '/table_schema', detail }))
    assert.deepEqual(faultsOf(text), expected)
  })
}

const piece = fc.oneof(
  fc.constantFrom('a', 'b2', 'C', 'N', 'ENUM', 'D', 'I8', 'L', '(20)', '(10.2)', "('a','b')"),
  fc.constantFrom('NOTNULL', 'NULL', 'DEFAULT', 'DEFDATE', 'INDEX', 'KEY', 'NOT', 'UNSIGNED'),
  fc.constantFrom(',', "'", '"', '`', '(', ')', ' ', '\n', '-1', '2026-01-01', "'x'", '__proto__'),
  fc.string({ unit: 'binary', maxLength: 5 }),
)

test('B12: any text is parsed or refused with details that name a column', () => {
  const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(' '))
  fc.assert(
    fc.property(fc.oneof(text, fc.string({ unit: 'binary', maxLength: 50 })), (value) => {
      const faults = faultsOf(value) ?? []
      assert.ok(faults.every(({ detail }) => /^column \d+ "|^contains half/.test(detail)))
    }),
    { numRuns: 3_000 },
  )
})

test('B11, B12: the longest text of any kind is refused quickly', () => {
  const parts = ['a ', 'a,', "'", "''", '((', '))', "a ENUM('a'),", 'a VARCHAX,', "a ENUM(''''x),"]
  const started = performance.now()
  for (const part of parts) faultsOf(part.repeat(Math.floor(65_536 / part.length)))
  faultsOf(`a ENUM(${"'a',".repeat(16_000)}`)
  faultsOf(`a ENUM(${"''".repeat(32_000)})`)
  assert.ok(performance.now() - started < 5_000)
})

/** Returns undefined if the text is valid. */
function faultsOf(text: string): readonly Fault[] | undefined {
  try {
    parseTableSchema(text, RESERVED)
    return undefined
  } catch (error) {
    assert.ok(error instanceof CmsError, String(error))
    assert.equal(error.code, 'invalid-content')
    return error.facts.errors
  }
}

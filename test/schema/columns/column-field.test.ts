// Values of entries, checked by the type of their column.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../helpers/properties.ts'
import type { Column } from '../../../lib/schema/columns/column.ts'
import { columnField } from '../../../lib/schema/columns/column-field.ts'
import { parseTableSchema } from '../../../lib/schema/columns/table-schema.ts'
import { numberAsSent } from '../../../lib/base/exact-number.ts'
import { readScalar } from '../../../lib/schema/field-value.ts'
import { missingTypes } from './column.ts'

/** Column, value in the body, stored value. */
const ACCEPTED: readonly (readonly [string, unknown, unknown])[] = [
  ['C(3)', 'abc', 'abc'],
  ['C(3)', '😀😀😀', '😀😀😀'],
  ['C(3) NOTNULL', '', ''],
  ['C2(3)', 'ä', 'ä'],
  ['X', 'a\n'.repeat(100_000), 'a\n'.repeat(100_000)],
  ['X2', 'ä', 'ä'],
  ['XL', '', ''],
  ['B', 'text', 'text'],
  ['I1', -128, -128],
  ['I1 UNSIGNED', 255, 255],
  ['I2', 32_767, 32_767],
  ['I2 UNSIGNED', 65_535, 65_535],
  ['I', -2_147_483_648, -2_147_483_648],
  ['I4 UNSIGNED', 4_294_967_295, 4_294_967_295],
  ['R', 2_147_483_647, 2_147_483_647],
  ['I8', 5, 5],
  ['I8', '5', 5],
  ['I8', '-9223372036854775808', '-9223372036854775808'],
  ['I8', '9007199254740993', '9007199254740993'],
  ['I8 UNSIGNED', '18446744073709551615', '18446744073709551615'],
  ['I', '5', 5],
  ['I', '+05', 5],
  ['I', '1.00', 1],
  ['I', '1e3', 1000],
  ['I UNSIGNED', '-0', 0],
  ['I1', -0, 0],
  ['I8', '9.223372036854775807e18', '9223372036854775807'],
  ['F', '.5', 0.5],
  ['F', '5.', 5],
  ['F', '-0', 0],
  ['F', 1.5, 1.5],
  ['F', -1e300, -1e300],
  ['F UNSIGNED', 0, 0],
  ['F', 2 ** 55, 2 ** 55],
  ['F', '0.12345678901234567891', 0.12345678901234568],
  ['N(5.2)', '999.99', '999.99'],
  ['N(30)', 1e22, '10000000000000000000000'],
  ['N(5.2)', 999.99, '999.99'],
  ['N(5.2)', '12.50', '12.50'],
  ['N(5.2)', '+012.500', '12.50'],
  ['N(5.2)', '-0.01', '-0.01'],
  ['N(2.2)', 0.25, '0.25'],
  ['N(2.2)', '.250', '0.25'],
  ['N(5.2)', '-0.00', '0.00'],
  ['N(5.2) UNSIGNED', '-0', '0'],
  ['N', -0, '0'],
  ['N', '5.', '5'],
  ['N', '1.50e1', '15.0'],
  ['N', `${'1'.repeat(64)}.00`, `${'1'.repeat(64)}.0`],
  ['N', '1e3', '1000'],
  ['N(5)', 12_345, '12345'],
  ['N', `${'1'.repeat(60)}.12345`, `${'1'.repeat(60)}.12345`],
  ['N', 1e-7, '0.0000001'],
  ['L', true, true],
  ['L', 0, false],
  ['L', 1, true],
  ['L', '0', false],
  ['L', '1', true],
  ['L', 'false', false],
  ['L', 'true', true],
  ['D', '2026-01-31', '2026-01-31'],
  ['D', '2026-01-31T23:30:00-01:00', '2026-01-31'],
  ['D', 0, '1970-01-01'],
  ['T', '2026-01-31T12:00:00+01:00', '2026-01-31T11:00:00.000Z'],
  ['TS', '2026-01-31', '2026-01-31T00:00:00.000Z'],
  ["SET('a','b')", ['b', 'a'], ['b', 'a']],
  ["SET('a','b')", [], []],
  ['JSON', { a: [1, 'x', null, true], b: {} }, { a: [1, 'x', null, true], b: {} }],
  ['JSON', 'text', 'text'],
  ['JSON', false, false],
  ['POINT', [-180, 90], [-180, 90]],
  ['POINT', [-0, 52.5], [0, 52.5]],
  ['MD', '# A\n\n<b>', '# A\n\n<b>'],
  ['HTML', '<script>x</script>', '<script>x</script>'],
  ['EMAIL', "Ada.O'Neil+x@EXAMPLE.co.uk", "Ada.O'Neil+x@EXAMPLE.co.uk"],
  ['EMAIL', 'root@localhost', 'root@localhost'],
  [
    'URL',
    'HTTPS://Example.com:8080/a b?q#f'.replace(' ', '%20'),
    'HTTPS://Example.com:8080/a%20b?q#f',
  ],
  ['URL', 'http://münchen.example/straße', 'http://münchen.example/straße'],
  ['COLOR', '#FfF', '#FfF'],
  ['COLOR', '#11223380', '#11223380'],
  ['UUID', '0198C1A2-7B3C-7DEF-8123-456789ABCDEF', '0198c1a2-7b3c-7def-8123-456789abcdef'],
  ['UUID', '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000'],
  ["ENUM('a','b c')", 'b c', 'b c'],
  ["ENUM('x(1)','y')", 'x(1)', 'x(1)'],
  ["ENUM('x(1))','y')", 'x(1)', 'x(1)'],
  ["ENUM('y', 'x)' )", 'x)', 'x)'],
]

for (const [text, value, stored] of ACCEPTED) {
  test(`${text} accepts ${show(value)}`, () => {
    assert.deepEqual(fieldOf(text).check(value), { ok: true, value: stored })
  })
}

const nested = (depth: number): unknown => (depth === 1 ? [] : [nested(depth - 1)])
const NO_POINT =
  'must be [longitude, latitude]: two numbers, from -180 to 180 and from -90 to 90, such as [13.4, 52.5]'
const NO_EMAIL = 'must be an email address, such as ada@example.com'
const NO_URL = 'must be an absolute address that begins with http:// or https://, without blanks'
const NO_COLOR = 'must be a color: #rgb, #rrggbb, #rgba or #rrggbbaa'
const NO_UUID = 'must be a UUID, such as 0198c1a2-7b3c-7def-8123-456789abcdef'

const REFUSED: readonly (readonly [string, unknown, string])[] = [
  ["SET('a','b')", 'a', 'must be a list of "a", "b"'],
  ["SET('a','b') NOTNULL", [], 'must have at least one value'],
  ["SET('a','b')", ['c'], 'must be a list of "a", "b"'],
  ["SET('a','b')", ['a', 5], 'must be a list of "a", "b"'],
  ["SET('a','b')", ['a', 'a'], 'must not have a value twice'],
  ['JSON', null, 'must be a JSON value'],
  ['JSON', ['\udc00'], 'contains half of a surrogate pair, which is not text'],
  ['JSON', JSON.parse('{"a":{"__proto__":1}}'), 'must not have a member __proto__'],
  [
    'JSON',
    { a: [numberAsSent('12345678901234567890')] },
    'has the number 12345678901234567890, which a 64-bit floating-point number may round; send it as a string',
  ],
  ['JSON', nested(31), 'may be nested at most 30 deep'],
  ['JSON', 'x'.repeat(256 * 1024), 'may have at most 256 KiB of JSON'],
  ['POINT', '13.4,52.5', NO_POINT],
  ['POINT', [13.4], NO_POINT],
  ['POINT', [13.4, 52.5, 30], NO_POINT],
  ['POINT', [13.4, 90.1], NO_POINT],
  ['POINT', [-180.1, 0], NO_POINT],
  ['POINT', { lon: 13.4, lat: 52.5 }, NO_POINT],
  ['MD', 5, 'must be a string'],
  ['HTML', '\ud800', 'contains half of a surrogate pair, which is not text'],
  ['EMAIL', 'ada@', NO_EMAIL],
  ['EMAIL', 'ada@example.com ', NO_EMAIL],
  ['EMAIL', 'ada@a..b', NO_EMAIL],
  ['EMAIL', 'ada@exämple.com', NO_EMAIL],
  ['EMAIL', `${'a'.repeat(254)}@b.c`, 'may have at most 254 characters'],
  ['URL', 'example.com', NO_URL],
  ['URL', '/path', NO_URL],
  ['URL', 'javascript:alert(1)', NO_URL],
  ['URL', 'https://', NO_URL],
  ['URL', 'https://a b.example/', NO_URL],
  ['URL', 'https:\\\\example.com', NO_URL],
  ['URL', 'https://a.example/\u0000', NO_URL],
  ['URL', ' https://a.example/', NO_URL],
  ['URL', `https://a.example/${'x'.repeat(2_048)}`, 'may have at most 2,048 characters'],
  ['COLOR', 'red', NO_COLOR],
  ['COLOR', '#12345', NO_COLOR],
  ['COLOR', '#ggg', NO_COLOR],
  ['UUID', '0198c1a27b3c7def8123456789abcdef', NO_UUID],
  ['UUID', '{0198c1a2-7b3c-7def-8123-456789abcdef}', NO_UUID],
  ['UUID', 5, NO_UUID],
  ['C(3)', 'abcd', 'may have at most 3 characters'],
  ['C(3)', '\ud800', 'contains half of a surrogate pair, which is not text'],
  ['C(3)', 5, 'must be a string'],
  ['C2(3)', 'äöüß', 'may have at most 3 characters'],
  ['X', 5, 'must be a string'],
  ['X2', true, 'must be a string'],
  ['XL', ['a'], 'must be a string'],
  ['B', '\udc00', 'contains half of a surrogate pair, which is not text'],
  ['I1', 128, 'must be a whole number from -128 to 127'],
  ['I1', -129, 'must be a whole number from -128 to 127'],
  ['I1 UNSIGNED', -1, 'must be a whole number from 0 to 255'],
  ['I2', 32_768, 'must be a whole number from -32768 to 32767'],
  ['I', 2_147_483_648, 'must be a whole number from -2147483648 to 2147483647'],
  ['I4', -2_147_483_649, 'must be a whole number from -2147483648 to 2147483647'],
  ['R', 2_147_483_648, 'must be a whole number from -2147483648 to 2147483647'],
  ['I', 1.5, 'must be a whole number from -2147483648 to 2147483647'],
  ['I', true, 'must be a whole number from -2147483648 to 2147483647'],
  [
    'I8 UNSIGNED',
    '18446744073709551616',
    'must be a whole number from 0 to 18446744073709551615, beyond 2^53 as a string of digits',
  ],
  [
    'I8 UNSIGNED',
    2 ** 53,
    'must be a whole number from 0 to 18446744073709551615, beyond 2^53 as a string of digits',
  ],
  ['F', Number.POSITIVE_INFINITY, 'must be a number'],
  ['F', '1.5x', 'must be a number'],
  ['F', '1e999', 'must be a number'],
  ['F', true, 'must be a number'],
  ['F UNSIGNED', -0.5, 'must not be below 0'],
  ['N(5.2)', 1000, 'may have at most 3 digits before the point'],
  ['N(5.2)', '0.125', 'may have at most 2 decimals'],
  ['N(5.2)', 0.1 + 0.2, 'may have at most 2 decimals'],
  ['N(2.2)', 1, 'may have at most 0 digits before the point'],
  ['N(5)', 0.5, 'may have at most 0 decimals'],
  ['N UNSIGNED', '-1', 'must not be below 0'],
  ['N', 1e300, 'may have at most 65 digits'],
  ['N', '1e', 'must be a decimal number'],
  ['N', '.', 'must be a decimal number'],
  ['N', ' 1', 'must be a decimal number'],
  ['N', true, 'must be a decimal number'],
  ['L', 2, 'must be true or false, or 1 or 0'],
  ['L', 'TRUE', 'must be true or false, or 1 or 0'],
  ['L', '', 'must be true or false, or 1 or 0'],
  ['L', null, 'must be true or false, or 1 or 0'],
  ['L', [true], 'must be true or false, or 1 or 0'],
  ['D', '2026-02-30', 'must be a date: YYYY-MM-DD, RFC 3339, or seconds since 1970'],
  [
    'T',
    'now',
    'must be a date: RFC 3339 (2026-01-31T12:00:00Z), YYYY-MM-DD, or seconds since 1970',
  ],
  [
    'TS',
    '31.01.2026',
    'must be a date: RFC 3339 (2026-01-31T12:00:00Z), YYYY-MM-DD, or seconds since 1970',
  ],
  ["ENUM('a','b')", 'A', 'must be one of "a", "b"'],
]

for (const [text, value, detail] of REFUSED) {
  test(`${text} refuses ${show(value)}`, () => {
    assert.deepEqual(fieldOf(text).check(value), { ok: false, detail })
  })
}

test('NOTNULL without a default is required', () => {
  assert.equal(fieldOf('I NOTNULL').access, 'required')
  assert.equal(fieldOf('I').access, 'optional')
  assert.equal(fieldOf('I NOTNULL DEFAULT 5').access, 'optional')
})

test('a default is the initial value of an entry and is documented', () => {
  assert.equal(fieldOf('I').initial, null)
  const { initial, schema } = fieldOf('I DEFAULT 5')
  assert.equal(initial, 5)
  assert.equal(schema['default'], 5)
  assert.equal(fieldOf("C(5) DEFAULT ''").initial, '')
})

test('DEFDATE and DEFTIMESTAMP return the time of each call', async () => {
  const before = new Date().toISOString()
  const time = fieldOf('T DEFTIMESTAMP')
  const first = String(time.initial)
  await new Promise((resolve) => setTimeout(resolve, 5))
  const second = String(time.initial)
  assert.ok(before <= first && first < second, `${before} ${first} ${second}`)
  assert.ok(second.startsWith(String(fieldOf('D DEFDATE').initial)))
})

const SEARCHED: readonly (readonly [string, kind: string, isIndexed: boolean])[] = [
  ['C(5)', 'string', true],
  ['C2(5)', 'string', true],
  ['X', 'string', false],
  ['X2', 'string', false],
  ['XL', 'string', false],
  ['B', 'string', false],
  ["SET('a')", 'strings', true],
  ['JSON', 'json', false],
  ['POINT', 'point', false],
  ['MD', 'string', false],
  ['HTML', 'string', false],
  ['EMAIL', 'string', true],
  ['URL', 'string', true],
  ['COLOR', 'string', true],
  ['UUID', 'uuid', true],
  ["ENUM('a')", 'string', true],
  ['I', 'integer', true],
  ['I1', 'integer', true],
  ['I2', 'integer', true],
  ['I4', 'integer', true],
  ['I8', 'integer', true],
  ['R', 'integer', true],
  ['F', 'number', true],
  ['N', 'decimal', true],
  ['L', 'boolean', true],
  ['D', 'date', true],
  ['T', 'date-time', true],
  ['TS', 'date-time', true],
]

test('every type except long text has an index of its kind', () => {
  for (const [text, kind, indexed] of SEARCHED) {
    const { search, isIndexed, isStored } = fieldOf(text)
    assert.deepEqual([search, isIndexed, isStored], [kind, indexed, true], text)
  }
})

for (const [what, table] of [
  ['accepts values', ACCEPTED],
  ['refuses values', REFUSED],
  ['is searched', SEARCHED],
] as const) {
  test(`each type of column ${what} in these tests`, () => {
    assert.deepEqual(missingTypes(table.map(([text]) => text)), [])
  })
}

test('the documents describe the form of a value', () => {
  const shape = (text: string): unknown => {
    const { description, ...schema } = fieldOf(text).schema
    assert.match(String(description), /\.$/)
    return schema
  }
  assert.deepEqual(shape('C(5) NOTNULL'), { type: 'string', maxLength: 5 })
  assert.deepEqual(shape('C(5)'), { type: ['string', 'null'], maxLength: 5 })
  assert.deepEqual(shape('X'), { type: ['string', 'null'] })
  assert.deepEqual(shape("SET('a','b') NOTNULL"), {
    type: 'array',
    items: { type: 'string', enum: ['a', 'b'] },
    minItems: 1,
    maxItems: 2,
    uniqueItems: true,
  })
  assert.deepEqual(shape('JSON'), {})
  assert.deepEqual(shape('POINT NOTNULL'), {
    type: 'array',
    items: { type: 'number' },
    minItems: 2,
    maxItems: 2,
  })
  assert.deepEqual(shape('MD'), { type: ['string', 'null'] })
  assert.deepEqual(shape('UUID'), { type: ['string', 'null'], format: 'uuid' })
  assert.deepEqual(shape('COLOR NOTNULL'), {
    type: 'string',
    maxLength: 9,
    pattern: '^#(?:[0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$',
  })
  assert.deepEqual(shape('I1 NOTNULL'), { type: 'integer', minimum: -128, maximum: 127 })
  assert.deepEqual(shape('I8'), {
    type: ['integer', 'string', 'null'],
    pattern: '^[+-]?\\d{1,19}$',
  })
  assert.deepEqual(shape('F UNSIGNED NOTNULL'), { type: 'number', minimum: 0 })
  assert.deepEqual(shape('N NOTNULL'), {
    type: 'string',
    pattern: '^-?\\d+(?:\\.\\d+)?$',
  })
  assert.deepEqual(shape('L NOTNULL'), { type: 'boolean' })
  assert.deepEqual(shape('D NOTNULL'), { type: 'string', format: 'date' })
  assert.deepEqual(shape('T NOTNULL'), { type: 'string', format: 'date-time' })
  assert.deepEqual(shape("ENUM('a')"), { type: ['string', 'null'], enum: ['a', null] })
})

test('a stored value is accepted again unchanged and can be searched', () => {
  const texts = ['C(9)', 'X', 'I1', 'I8', 'F', 'N(9.3)', 'N', 'L', 'D', 'T', "ENUM('a','1')"]
  const lists = ["SET('a','b')", 'JSON', 'POINT']
  texts.push(...lists, 'MD', 'HTML', 'EMAIL', 'URL', 'COLOR', 'UUID')
  const formed = fc.oneof(
    fc.emailAddress(),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.uuid().map((text) => text.toUpperCase()),
    fc.stringMatching(/^#[0-9a-fA-F]{3,8}$/),
    fc.subarray(['a', 'b']),
    fc.tuple(fc.double({ min: -181, max: 181 }), fc.double({ min: -91, max: 91 })),
  )
  const value = fc.oneof(fc.jsonValue(), fc.bigInt().map(String), fc.date().map(String), formed)
  fc.assert(
    fc.property(fc.constantFrom(...texts), value, (text, given) => {
      const { check, search } = fieldOf(text)
      const checked = check(given)
      if (!checked.ok) return
      assert.deepEqual(check(checked.value), checked)
      if (lists.includes(text)) return
      assert.notEqual(search === undefined ? null : readScalar(search, checked.value), null)
    }),
    { numRuns: 3_000 },
  )
})

function fieldOf(text: string): ReturnType<typeof columnField> {
  const [column] = parseTableSchema(`a ${text}`, new Set()).columns
  return columnField(column as Column)
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 40)
}

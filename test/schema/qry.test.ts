// Invalid values of qry, and the resulting errors.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../helpers/properties.ts'
import { CmsError } from '../../lib/base/errors.ts'
import { parseQry } from '../../lib/schema/qry.ts'
import { parseQryText, type QryValue } from '../../lib/schema/qry-text.ts'
import type { Searchable } from '../../lib/schema/values.ts'

const fields: Searchable = new Map([
  ['name', { name: 'name', kind: 'string', isIndexed: true }],
  ['version', { name: 'version', kind: 'integer', isIndexed: true }],
  ['date_added', { name: 'date_added', kind: 'date-time', isIndexed: true }],
  ['price', { name: 'price', kind: 'decimal', isIndexed: true }],
  ['is_live', { name: 'is_live', kind: 'boolean', isIndexed: true }],
  [
    'asset_file.asset_file_id',
    { name: 'asset_file_id', kind: 'integer', isIndexed: false, isId: true },
  ],
])

const REFUSED: readonly (readonly [string, RegExp])[] = [
  ['{"nmae": 1}', /^qry\.nmae .*did you mean "name"\? Known: name, version, date_added/],
  ['{"$and":[{"name":"a"},{"x":{"$gte":1}}]}', /^qry\.\$and\[1\]\.x is not a searchable field/],
  ['{"asset_folder.name": 1}', /^qry\.asset_folder\.name is not a searchable field/],
  ['{"__proto__": 1}', /^qry\.__proto__ is not a searchable field/],
  ['{"constructor": 1}', /^qry\.constructor is not a searchable field/],
  [
    '{"name":{"$gtt":1}}',
    /^qry\.name\.\$gtt is not an operator.*did you mean "\$gt"\? Known: \$eq, \$ne/,
  ],
  ['{"name":{"toString":1}}', /^qry\.name\.toString is not an operator/],
  ['{"name":{"version":1}}', /^qry\.name\.version is not an operator/],
  ['{"$gt": 1}', /^qry\.\$gt is not an operator that is allowed here.*Known: \$and, \$or, \$not/],
  ['{"$where": "1"}', /^qry\.\$where is not an operator/],
  ['{"name":{}}', /^qry\.name has no operator/],
  ['{"version":"5x"}', /^qry\.version must be a whole number/],
  ['{"version":5.5}', /^qry\.version must be a whole number/],
  ['{"version":true}', /^qry\.version must be a whole number/],
  ['{"version":""}', /^qry\.version must be a whole number/],
  ['{"version":[1,2]}', /^qry\.version must be a whole number; for several values, use \$in/],
  ['{"version":{"$gt":""}}', /^qry\.version\.\$gt must be a whole number/],
  ['{"version":{"$gt":null}}', /^qry\.version\.\$gt must be/],
  ['{"version":{"$in":5}}', /^qry\.version\.\$in must be a list/],
  ['{"version":{"$in":[1,{}]}}', /^qry\.version\.\$in\[1\] must be/],
  ['{"version":{"$regex":"5"}}', /^qry\.version\.\$regex works only on strings/],
  ['{"version":{"$all":[5]}}', /^qry\.version\.\$all works only on lists; "version" has one value/],
  ['{"version":{"$size":1}}', /^qry\.version\.\$size works only on lists/],
  ['{"version":{"$startsWith":"5"}}', /^qry\.version\.\$startsWith works only on strings/],
  ['{"price":{"$lt":"1e400"}}', /^qry\.price\.\$lt must be a decimal number of at most 400/],
  ['{"is_live":2}', /^qry\.is_live must be true, false, 1 or 0/],
  ['{"is_live":"2026"}', /^qry\.is_live must be true, false, 1 or 0\.$/],
  ['{"date_added":"2026"}', /^qry\.date_added must be a time: .*; digits must be a day/],
  ['{"date_added":"2026-02-30"}', /^qry\.date_added must be a time/],
  ['{"date_added":"yesterday"}', /^qry\.date_added must be a time/],
  ['{"name":true}', /^qry\.name must be a string/],
  ['{"name":{"$exists":"no"}}', /^qry\.name\.\$exists must be true or false/],
  ['{"name":{"$regex":5}}', /^qry\.name\.\$regex must be a string/],
  [
    '{"name":{"$regex":"(a"}}',
    /^qry\.name\.\$regex is not a valid regular expression in RE2 syntax: .*missing closing/,
  ],
  ['{"name":{"$regex":"(?=a)"}}', /^qry\.name\.\$regex is not a valid regular expression/],
  ['{"name":{"$regex":"(((a{99}){99}){99})"}}', /^qry\.name\.\$regex is too large/],
  ['{"name":"/(a/i"}', /^qry\.name is not a valid regular expression/],
  ['{"name":{"$options":"i"}}', /^qry\.name\.\$options needs a \$regex/],
  ['{"name":{"$regex":"a","$options":"x"}}', /^qry\.name\.\$options must be "i"/],
  ['{"$or":[]}', /^qry\.\$or must be a list of at least one/],
  ['{"$or":{"name":"a"}}', /^qry\.\$or must be a list/],
  ['{"$or":["name"]}', /^qry\.\$or\[0\] must be a JSON object/],
  ['{"$not":5}', /^qry\.\$not must be a JSON object/],
  ['[]', /^qry must be a JSON object/],
  ['"name"', /^qry must be a JSON object/],
  ['null', /^qry must be a JSON object/],
  ['', /^qry is not JSON: expected a JSON value at the end/],
  ['{"name":"a"', /^qry is not JSON: expected "," or "}" at the end/],
  ['{"name":"a"}x', /^qry is not JSON: expected the end at character 13 \(x\)/],
  ['{name:"a"}', /^qry is not JSON: expected a string in double quotes at character 2 \(n\)/],
  ["{'name':'a'}", /^qry is not JSON/],
  ['{"name":}', /^qry\.name is not JSON/],
  ['{"name":"a",}', /^qry is not JSON/],
  ['{"name":"a\nb"}', /^qry\.name is not JSON/],
  ['{"name":"\\x41"}', /^qry\.name has an invalid JSON escape/],
  ['{"version":01}', /^qry is not JSON/],
  ['{"version":1e999}', /^qry\.version is a number out of range/],
  ['{"version":0.12345678901234567891}', /^qry\.version must be a whole number/],
  ['{"name":"a","name":"b"}', /^qry\.name is given twice/],
  ['{"name":"a","n\\u0061me":"b"}', /^qry\.name is given twice/],
  ['{"name":{"$gt":"a","$gt":"b"}}', /^qry\.name\.\$gt is given twice/],
  [`${'{"$not":'.repeat(16)}{"name":"a"}${'}'.repeat(16)}`, /is nested more than 16 deep/],
  ['['.repeat(4_000), /is nested more than 16 deep/],
  [`{"name":"${'a'.repeat(4_100)}"}`, /^qry may have at most 4096 bytes/],
  [`{"name":"${'ä'.repeat(2_050)}"}`, /^qry may have at most 4096 bytes/],
  [`{"${'n'.repeat(3_000)}":1}`, /^qry\.n{64}… is not a searchable field/],
]

test('an invalid condition is refused with its position and the valid names', () => {
  for (const [text, message] of REFUSED) {
    assert.throws(
      () => parseQry(text, fields, 'asset_file'),
      (error) => {
        assert.ok(error instanceof CmsError, text)
        assert.equal(error.code, 'bad-qry', text)
        assert.match(error.message, message)
        return true
      },
      text,
    )
  }
})

test('a qry of exactly the limits is accepted', () => {
  for (const text of [
    `${'{"$not":'.repeat(15)}{"name":"a"}${'}'.repeat(15)}`,
    `{"name":"${'a'.repeat(4_085)}"}`,
    ' \n{ "name" : "a" , "version" : { "$in" : [ ] } }\t',
  ]) {
    assert.ok(parseQry(text, fields, 'asset_file'))
  }
})

test('a field may be qualified by the name of the object', () => {
  assert.deepEqual(
    parseQry('{"asset_file.name":"a"}', fields, 'asset_file'),
    parseQry('{"name":"a"}', fields, 'asset_file'),
  )
})

test('a field that is known only by its qualified name is ambiguous without the qualifier', () => {
  const qualified = parseQry('{"asset_file.asset_file_id":5}', fields, 'asset_file')
  assert.equal(qualified.op === 'eq' && qualified.field.name, 'asset_file_id')
  assert.throws(() => parseQry('{"$not":{"asset_file_id":5}}', fields, 'asset_file'), {
    code: 'ambiguous-column',
    message: /^qry\.\$not\.asset_file_id is ambiguous: write \{"asset_file\.asset_file_id": …\}/,
  })
})

test('any text is either a qry or refused as bad-qry', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"name"',
    '"$gt"',
    '"$and"',
    '"a"',
    '1',
    'null',
    '-',
    '\\',
    '"',
    ' ',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(piece, { maxLength: 12 }).map((items) => items.join('')),
        fc.json(),
      ),
      (text) => {
        try {
          parseQry(text, fields, 'asset_file')
        } catch (error) {
          assert.ok(error instanceof CmsError && error.code === 'bad-qry', text)
        }
      },
    ),
    { numRuns: 3_000 },
  )
})

test('JSON text is parsed like JSON.parse', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (text) => {
      const value = acceptedByBoth(text)
      if (value !== undefined) assert.deepEqual(rounded(plain(value)), rounded(JSON.parse(text)))
    }),
    { numRuns: 2_000 },
  )
})

function acceptedByBoth(text: string): QryValue | undefined {
  try {
    return parseQryText(text)
  } catch (error) {
    // JSON allows numbers that qry rejects.
    assert.ok(error instanceof CmsError && /out of range|4096/.test(error.message), String(error))
    return undefined
  }
}

/** A qry holds a number as text if a double would round the number. */
function rounded(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, item: unknown) =>
    typeof item === 'number' || (typeof item === 'string' && /^-?[\d.]+(?:e[+-]?\d+)?$/i.test(item))
      ? Number(item)
      : item,
  )
}

function plain(value: QryValue): unknown {
  if (value instanceof Map) {
    return Object.fromEntries(
      [...(value as ReadonlyMap<string, QryValue>)].map(([name, item]) => [name, plain(item)]),
    )
  }
  return Array.isArray(value) ? value.map(plain) : value
}

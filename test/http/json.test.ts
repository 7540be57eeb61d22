import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../helpers/properties.ts'
import { rounded } from '../helpers/rounded.ts'
import { CmsError } from '../../lib/base/errors.ts'
import { textOfNumber } from '../../lib/base/exact-number.ts'
import { parseJson } from '../../lib/http/json.ts'

type Parsed = readonly [unknown, { readonly deep: readonly unknown[] }]

const LIMITS = { maxDepth: 32, maxKeys: 1000 }
const WIDE = { maxDepth: 1e6, maxKeys: 1e6 }

function parse(text: string, limits = LIMITS): unknown {
  return parseJson(Buffer.from(text), limits)
}

function refusal(bytes: Uint8Array, limits = LIMITS): CmsError {
  try {
    parseJson(bytes, limits)
  } catch (error) {
    assert.ok(error instanceof CmsError, `${error}`)
    assert.equal(error.code, 'bad-json')
    return error
  }
  return assert.fail(`accepted ${Buffer.from(bytes).toString().slice(0, 80)}`)
}

test('valid JSON is parsed like JSON.parse', () => {
  const texts = [
    'null',
    ' true ',
    '0',
    '-0',
    '1e2',
    '-12.5e-3',
    '""',
    '[]',
    '{}',
    '[[],{}]',
    '{"a":{"b":[1,"x",null,false]},"c":"\\u00e9\\n\\/"}',
    '\t\r\n[1 , 2 ]\n',
    '"\\ud83d\\uDE00"',
    '"\u007f\u2028"',
    '{"":1," ":2}',
    '{"toString":1,"hasOwnProperty":2}',
    '{"a":{"a":1},"b":[{"a":1},{"a":1}]}',
  ]

  for (const text of texts) assert.deepEqual(parse(text), JSON.parse(text), text)
})

const REFUSED: readonly (readonly [text: string, byte: number, reason: RegExp])[] = [
  ['', 0, /empty/],
  ['  ', 2, /missing/],
  ['\ufeff{}', 0, /byte order mark/],
  ['{"é":tru}', 6, /missing or malformed/],
  ['{"a":1}x', 7, /follows/],
  ['{"a":1}{}', 7, /follows/],
  ['[1] // one', 4, /follows/],
  ['/* */1', 0, /missing or malformed/],
  ['NaN', 0, /missing or malformed/],
  ['-Infinity', 0, /missing or malformed/],
  ['[nul]', 1, /missing or malformed/],
  ['[1,]', 3, /missing or malformed/],
  ['[,1]', 1, /missing or malformed/],
  ['[1 2]', 3, /comma/],
  ['[1}', 2, /comma/],
  ['{"a":1]', 6, /comma/],
  // The parser reports the first of two faults, even if the fault inside a string is found last.
  ['{"a":"\u0001","b":1,"b":2}', 6, /control/],
  ['{"a":"\\x","b":1,"b":2}', 6, /not part of an escape/],
  ['{"é":1,"\\u00e9":2}', 8, /twice/],
  ['[1', 2, /comma/],
  ['[', 1, /missing or malformed/],
  ['{', 1, /key is missing/],
  ['{"a":1,}', 7, /key is missing/],
  ['{a:1}', 1, /key is missing/],
  ["{'a':1}", 1, /key is missing/],
  ['{"a" 1}', 5, /colon/],
  ['{"a"}', 4, /colon/],
  ['{"a":}', 5, /missing or malformed/],
  [']', 0, /missing or malformed/],
  ['01', 0, /missing or malformed/],
  ['+1', 0, /missing or malformed/],
  ['.5', 0, /missing or malformed/],
  ['5.', 0, /missing or malformed/],
  ['1e', 0, /missing or malformed/],
  ['--1', 0, /missing or malformed/],
  ['0x10', 1, /follows/],
  ['"abc', 0, /does not end/],
  ['"abc\\', 4, /escape/],
  ['["\\x"]', 2, /escape/],
  ['"\\u12g4"', 1, /escape/],
  ['"\\u12', 1, /escape/],
  ['"a\nb"', 2, /control character/],
  ['"a\0b"', 2, /control character/],
  ['"\\ud800"', 1, /surrogate/],
  ['"\\ud800x"', 1, /surrogate/],
  ['"\\ud800\\n"', 1, /surrogate/],
  ['"\\ud800\\ud800"', 1, /surrogate/],
  ['"x\\uDC00"', 2, /surrogate/],
  ['{"a":1,"a":2}', 7, /twice/],
  ['{"a":1,"\\u0061":2}', 7, /twice/],
  ['{"a":{"b":1},"b":{"c":[{"d":1,"e":2,"d":3}]}}', 36, /twice/],
  ['{"__proto__":1}', 1, /__proto__/],
  ['[{"a":{"constructor":1}}]', 7, /constructor/],
  ['{"prot\\u006ftype":1}', 1, /prototype/],
  ['1e999', 0, /as a string/],
  ['-1e999', 0, /as a string/],
]

test('unacceptable JSON is refused with the position and the reason', () => {
  for (const [text, byte, reason] of REFUSED) {
    const { message } = refusal(Buffer.from(text))
    assert.match(message, reason, text)
    assert.match(message, new RegExp(`at byte ${byte}:`), text)
  }
})

test('B2: bytes that are not UTF-8 are refused with the position', () => {
  assert.match(refusal(Buffer.of(0xff, 0x31)).message, /not UTF-8, at byte 0:/)
  const sequences = ['ff', 'c3', 'c0af', 'eda080', 'f4908080', 'e282']

  for (const hex of sequences) {
    const bytes = Buffer.concat([Buffer.from('{"é":"'), Buffer.from(hex, 'hex'), Buffer.from('"}')])
    assert.match(refusal(bytes).message, /not UTF-8, at byte [789]:/, hex)
  }
})

test('the message never quotes the body', () => {
  for (const text of ['{"a":"secret"x}', 'secret', '{"secret":1,"secret":2}', '["secret]']) {
    assert.doesNotMatch(refusal(Buffer.from(text)).message, /secret/)
  }
})

test('nesting counts arrays and objects, and stops at the limit', () => {
  assert.ok(parse('['.repeat(32) + ']'.repeat(32)))
  assert.ok(parse(`${'{"a":'.repeat(32)}1${'}'.repeat(32)}`))

  assert.match(
    refusal(Buffer.from('['.repeat(33) + ']'.repeat(33))).message,
    /too deep, at byte 32/,
  )
  assert.match(refusal(Buffer.from('['.repeat(1e6))).message, /at most 32/)
  assert.match(refusal(Buffer.from('{"a":'.repeat(1e6))).message, /at most 32/)
})

test('B3: a million levels stop at the limit of a caller that allows them', () => {
  const text = '['.repeat(1e6) + ']'.repeat(1e6)

  assert.match(refusal(Buffer.from(`[${text}]`), WIDE).message, /too deep, at byte 1000000/)
})

test('B4: keys of all objects are counted together', () => {
  const objects = (count: number) => `[${Array(count).fill('{"a":1}').join()}]`

  assert.equal((parse(objects(1000)) as unknown[]).length, 1000)
  assert.match(refusal(Buffer.from(objects(1001))).message, /at most 1000 in all/)
})

test('B6: numbers that a double represents are accepted, however they are written', () => {
  const texts = ['9007199254740991', '0.1', '3.141592653589793', '-0.000123450e-30', '0e-999']

  for (const text of [...texts, '5e-324', '1e3', '-1.50', '1e-7'])
    assert.equal(parse(text), Number(text))
})

test('numbers that a double rounds keep their text at any depth', () => {
  const texts = ['9007199254740993', '-9007199254740992', '3.141592653589793238', '1e-400']

  for (const text of [...texts, '123456789012345678901234567890.5', '0.10000000000000001']) {
    const [first, { deep }] = parse(`[${text},{"deep":[1,"é",${text}]}]`) as Parsed
    assert.deepEqual([textOfNumber(first), textOfNumber(deep[2])], [text, text])
    assert.deepEqual(deep.slice(0, 2), [1, 'é'])
  }
})

test('a string of 16 MB is accepted, with and without escapes', () => {
  const plain = 'ä'.repeat(8 * 1024 * 1024)
  const escaped = '\\u00e4\\"'.repeat(2 * 1024 * 1024)

  assert.equal(parse(`{"pageContent":"${plain}"}`)?.['pageContent' as never], plain)
  assert.equal(parse(`"${escaped}"`), 'ä"'.repeat(2 * 1024 * 1024))
})

test('a view into a larger buffer is read from its own start', () => {
  const whole = Buffer.from('xx{"a":1}yy')

  assert.deepEqual(parseJson(new Uint8Array(whole.buffer, whole.byteOffset + 2, 7), LIMITS), {
    a: 1,
  })
})

function hasForbiddenKey(value: unknown): boolean {
  return /"(?:__proto__|constructor|prototype)":/.test(JSON.stringify(value))
}

test('the output of JSON.stringify is parsed back deep-equal', () => {
  const value = fc.jsonValue({ maxDepth: 8, stringUnit: 'grapheme' })

  fc.assert(
    fc.property(value, fc.nat(4), (json, indent) => {
      fc.pre(!hasForbiddenKey(json))
      const text = JSON.stringify(json, undefined, indent)
      assert.deepEqual(rounded(parse(text, WIDE)), JSON.parse(text))
    }),
    { numRuns: 2000 },
  )
})

// Pieces of JSON in any order: mostly invalid in one place, sometimes valid.
const SOUP = fc
  .array(
    fc.oneof(
      fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', ' ', '\n', '"k":', '[1,', '{"a":'),
      fc.constantFrom('1', '-', '0', '.', 'e', '+', 'true', 'null', 'fals', '"a"', '"b"', '\\u'),
      fc.constantFrom('\\u0041', '\\n', '\t', '\u0001', 'é', '1.5e3', '-0', '1E+2', '""', '\\/'),
      fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''))

test('B1: the scan and JSON.parse agree on what is JSON', () => {
  const ours = /twice|not accepted|surrogate|as a string/

  fc.assert(
    fc.property(SOUP, (text) => {
      let parsed: unknown
      try {
        parsed = JSON.parse(text)
      } catch {
        return void refusal(Buffer.from(text), WIDE)
      }

      try {
        assert.deepEqual(rounded(parse(text, WIDE)), parsed)
      } catch (error) {
        assert.ok(error instanceof CmsError && ours.test(error.message), text)
      }
    }),
    { numRuns: 20_000 },
  )
})

test('valid JSON with one changed byte is refused or still valid', () => {
  const value = fc.jsonValue({ maxDepth: 3 })

  fc.assert(
    fc.property(value, fc.nat(), fc.nat(255), (json, place, byte) => {
      const bytes = Buffer.from(JSON.stringify(json))
      bytes[place % bytes.length] = byte
      try {
        assert.deepEqual(rounded(parseJson(bytes, WIDE)), JSON.parse(bytes.toString()))
      } catch (error) {
        assert.ok(error instanceof CmsError && error.code === 'bad-json', `${error}`)
      }
    }),
    { numRuns: 5000 },
  )
})

test('arbitrary bytes throw nothing but CmsError', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      try {
        parseJson(bytes, LIMITS)
      } catch (error) {
        assert.ok(error instanceof CmsError && error.code === 'bad-json', `${error}`)
      }
    }),
    { numRuns: 5000 },
  )
})

test('B5: a duplicate key is found at any depth, between any neighbors', () => {
  const key = fc.string({ unit: 'grapheme' }).filter((text) => !hasForbiddenKey({ [text]: 1 }))
  const path = fc.array(fc.constantFrom('[', '{'), { maxLength: 20 })
  const neighbors = fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 4 })

  fc.assert(
    fc.property(key, path, neighbors, (name, openings, values) => {
      fc.pre(!hasForbiddenKey(values))
      const escaped = [...name].map((char) => escapeAll(char)).join('')
      const rest = JSON.stringify(values)
      let text = `{${JSON.stringify(name)}:${rest},"${escaped}":${rest}}`
      for (const opening of openings) text = opening === '[' ? `[${text}]` : `{"up":${text}}`

      assert.match(refusal(Buffer.from(text), WIDE).message, /twice/)
    }),
  )
})

function escapeAll(char: string): string {
  return char
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}

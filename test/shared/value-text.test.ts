// The text of lists, points and JSON in CSV files, defaults and fields of the administration area.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readValue, writeValue } from '../../lib/shared/value-text.ts'
import { fc } from '../helpers/properties.ts'

test('a list of texts is written with commas, and as JSON if a text needs it', () => {
  for (const [value, text] of [
    [[], ''],
    [['a'], 'a'],
    [['b', 'a c'], 'b,a c'],
    [['a, b'], '["a, b"]'],
    [[''], '[""]'],
    [['[a'], '["[a"]'],
    [[' a'], '[" a"]'],
    [['"a"'], String.raw`["\"a\""]`],
  ] as const) {
    assert.equal(writeValue('strings', value), text)
    assert.deepEqual(readValue('strings', text), value)
  }
  assert.deepEqual(readValue('strings', ' a , b '), ['a', 'b'])
})

test('any list, point and JSON value is parsed as it was written', () => {
  const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 6 }), { maxLength: 4 })
  fc.assert(
    fc.property(texts, (value) => {
      assert.deepEqual(readValue('strings', writeValue('strings', value)), value)
    }),
  )
  const degrees = (most: number) =>
    fc.double({ min: -most, max: most, noNaN: true }).map((value) => value + 0)
  fc.assert(
    fc.property(fc.tuple(degrees(180), degrees(90)), (value) => {
      assert.deepEqual(readValue('point', writeValue('point', value)), value)
    }),
  )
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const text = JSON.stringify(value)
      const read = readValue('json', writeValue('json', value))
      // A number beyond 2^53 is not read, because it may have been rounded.
      if (!/\d{16}|e\+/.test(text)) assert.equal(JSON.stringify(read), text)
      else if (read !== undefined) assert.equal(JSON.stringify(read), text)
    }),
  )
})

test('text that would lose information is refused', () => {
  for (const text of [
    '',
    '{a:1}',
    '{"a":1,"a":2}',
    '{"a":{"b":1},"c":[{"d":1,"d":1}]}',
    '[12345678901234567890]',
    '[0.12345678901234567891]',
    '1e400',
    `${'['.repeat(31)}${']'.repeat(31)}`,
    '['.repeat(100_000),
    `"${'x'.repeat(256 * 1024)}"`,
  ])
    assert.equal(readValue('json', text), undefined, text.slice(0, 40))
  for (const text of ['{"a:b":1}', '[1.0, 1e3, -0.10]', '{"a":"{\\"b\\":1,\\"b\\":2}"}'])
    assert.deepEqual(readValue('json', text), JSON.parse(text))
  assert.deepEqual(readValue('point', ' [1.5, -2] '), [1.5, -2])
  for (const text of ['', '1', '1,2,3', '1;2', 'a,b', '1e3,2', '0x1,2', ',1', '[1,2', '1,2]'])
    assert.equal(readValue('point', text), undefined, text)
})

test('long hostile text is parsed in linear time', () => {
  const began = performance.now()
  for (const text of [`"${'\\"'.repeat(100_000)}`, '1,'.repeat(100_000), '-'.repeat(200_000)])
    for (const kind of ['strings', 'json', 'point'] as const) readValue(kind, text)
  assert.ok(performance.now() - began < 5_000)
})

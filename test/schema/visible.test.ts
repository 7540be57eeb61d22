import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assetCategory } from '../../lib/schema/asset-category.ts'
import { checkUpdate } from '../../lib/schema/check.ts'
import { moduleNameOf } from '../../lib/schema/module.ts'
import { foldName, nameFault } from '../../lib/schema/names.ts'
import { isBlank, shown, shownLines } from '../../lib/schema/visible.ts'

/** Each text is invisible by itself, repeated, and between spaces. */
const UNSEEN = [
  '\u00ad',
  '\u034f',
  '\u061c',
  '\u115f',
  '\u1160',
  '\u17b4',
  '\u180b',
  '\u180e',
  '\u200b',
  '\u200c',
  '\u200d',
  '\u200e',
  '\u2060',
  '\u2061',
  '\u2064',
  '\u206a',
  '\u2800',
  '\u3164',
  '\ufe0f',
  '\ufeff',
  '\uffa0',
  '\ufff9',
  '\u{13430}',
  '\u{1bca0}',
  '\u{1d159}',
  '\u{1d173}',
  '\u{e0001}',
  '\u{e0041}',
  '\u{e0100}',
  '\u00a0',
  '\u1680',
  '\u2003',
  '\u202f',
  '\u205f',
  '\u3000',
  '\u0085',
  '\u2028',
  '\u2029',
]

const SEEN = [
  'a',
  '0',
  '-',

  '\u0627\u200c\u0628',
  '\u{1f468}\u200d\u{1f469}',
  '\u2764\ufe0f',
  '\u200ba',
  '\u06dd',
  '\u0600',
  '\u0301',
  '\u2581',
  '\u4e00',
  '\u1100\u1160',
  '\ufffc',
]

describe('a visible name', () => {
  for (const text of UNSEEN) {
    test(`is not ${JSON.stringify(shown(text))}`, () => {
      for (const name of [text, text.repeat(3), ` ${text}\t${text}`]) {
        assert.ok(isBlank(name))
        assert.notEqual(nameFault(name), undefined)
      }
    })
  }

  test('has at least one visible character', () => {
    for (const text of SEEN) assert.ok(!isBlank(text), shown(text))
    for (const text of SEEN) assert.equal(nameFault(`x${text}x`), undefined, shown(text))
  })
})

test('a stored invisible name can be sent back but not set', () => {
  const current = { asset_category_id: 5, name: '\u200b', title: '' }
  const same = checkUpdate(assetCategory, { name: '\u200b', title: 'new' }, current)
  assert.deepEqual(same, { title: 'new' })
  assert.throws(() => checkUpdate(assetCategory, { name: '\u200c' }, current), /visible character/)
})

test('a joiner makes a different name and is not part of the address of a module', async () => {
  assert.notEqual(foldName('a\u200cb'), foldName('ab'))
  assert.equal(await moduleNameOf('a\u200cb'), 'a-b')
  assert.equal(await moduleNameOf('\u3164'), 'module')
})

test('control and invisible characters are escaped for a terminal', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['plain, ä, \u4e00, \u{1f468}', 'plain, ä, \u4e00, \u{1f468}'],
    ['C:\\a', 'C:\\a'],
    ['a\u001b[31mb\\', 'a\\u001b[31mb\\\\'],
    ['a\nb\tc\r', 'a\\nb\\tc\\r'],
    ['\u007f\u0080\u009b', '\\u007f\\u0080\\u009b'],
    ['\u202egpj\u2069\u061c', '\\u202egpj\\u2069\\u061c'],
    ['\u200b\u2028\u2029\ufeff', '\\u200b\\u2028\\u2029\\ufeff'],
    ['\u{e0041}\ud800', '\\u{e0041}\\ud800'],
  ]
  for (const [text, safe] of cases) {
    assert.equal(shown(text), safe)
    assert.equal(shown(safe), safe)
  }
  assert.equal(shownLines('a\u007f\n\u202eb\n'), 'a\\u007f\n\\u202eb\n')
})

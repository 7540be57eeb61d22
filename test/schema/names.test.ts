// Valid names, equality of names, and the representation of a name in an address.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  fileNameFault,
  foldName,
  NAME_PATTERN,
  nameFault,
  parseIdentifier,
} from '../../lib/schema/names.ts'
import { isModuleKind, moduleNameOf, moduleUrlOf } from '../../lib/schema/module.ts'

const EMPTY = 'must not be empty'
const UNSEEN = 'must contain a visible character'
const DOTS = 'must not be "." or ".."'
const SLASH = 'must not contain a "/"'
const ENDS = 'must not begin or end with a blank or an invisible character'
const MARKS = 'must not contain control characters or marks that change the direction of text'

const FAULTS: readonly (readonly [name: string, fault: string | undefined])[] = [
  ['a', undefined],
  ['a b', undefined],
  ['I ❤️', undefined],
  ['🏴󠁧󠁢󠁥󠁮󠁧󠁿', undefined],
  ['1️⃣', undefined],
  ['👩‍💻', undefined],
  ['葛󠄀', undefined],
  [' a', `${ENDS} (U+0020); remove it`],
  ['trail.png ', `${ENDS} (U+0020); remove it`],
  ['ann\u200b', `${ENDS} (U+200B); remove it`],
  ['\u200bann', `${ENDS} (U+200B); remove it`],
  ['ann\u00a0', `${ENDS} (U+00A0); remove it`],
  ['ann\u3000', `${ENDS} (U+3000); remove it`],
  ['ann\ufe0f', `${ENDS} (U+FE0F); remove it`],
  ['ann\ufeff', `${ENDS} (U+FEFF); remove it`],
  ['ann\u00ad', `${ENDS} (U+00AD); remove it`],
  ['ann\u{e0041}', `${ENDS} (U+E0041); remove it`],
  ['...', undefined],
  ['.a', undefined],
  ['a\\b', undefined],
  ['نامه\u200cها', undefined],
  ['', EMPTY],
  [' \t', EMPTY],
  ['\u2800', UNSEEN],
  ['\u200b', UNSEEN],
  ['.', DOTS],
  ['..', DOTS],
  ['a/b', SLASH],
  ['/', SLASH],
  ...['\0', '\u001f', '\u007f', '\u009f', '\u061c', '\u200e', '\u202a', '\u202e', '\u2066'].map(
    (mark) => [`a${mark}`, MARKS] as const,
  ),
  ...['\u2029', '\u2028', '\u2069', '\n'].map((mark) => [`${mark}a`, MARKS] as const),
]

/** Each list contains names that are equal. */
const SAME: readonly (readonly string[])[] = [
  ['straße', 'STRASSE', 'Strasse', 'STRAẞE'],
  ['\u00e9', 'e\u0301', '\u00c9', 'E\u0301'],
  ['ΣΑΣ', 'σας', 'σασ'],
  ['I', 'i'],
  ['ı'],
  ['İ', 'i\u0307'],
  ['نامه\u200cها'],
  ['نامهها'],
  [' a'],
  ['a'],
]

const MODULE_NAMES: readonly (readonly [name: string, inAddress: string])[] = [
  ['Press releases', 'press-releases'],
  ['  --A_b!!2--  ', 'a-b-2'],
  ['Ärger & Söhne', 'arger-sohne'],
  ['A\u030angstro\u0308m', 'angstrom'],
  ['a\u200bb', 'a-b'],
  ['Новости', 'novosti'],
  ['!!!', 'module'],
  ['\u2800', 'module'],
  ['x'.repeat(300), 'x'.repeat(255)],
  [`${'x'.repeat(254)} y`, 'x'.repeat(254)],
]

const IDENTIFIERS: readonly (readonly [text: string, id: number | undefined])[] = [
  ['1', 1],
  ['10', 10],
  ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ...['9007199254740992', '10000000000000000', '0', '01', '-1', '+1', '1.0', '1e3', ' 1'].map(
    (text) => [text, undefined] as const,
  ),
  ...['', 'x', '1x', 'x1', '1\n', '٣'].map((text) => [text, undefined] as const),
]

describe('a name', () => {
  test('is refused if it is invisible, is a path, or reverses text', () => {
    for (const [name, fault] of FAULTS) {
      assert.equal(nameFault(name), fault, JSON.stringify(name))
      assert.equal(fileNameFault(name), fault, JSON.stringify(name))
    }
  })

  test('of a file has at most 255 bytes', () => {
    assert.equal(fileNameFault('ä'.repeat(127) + 'a'), undefined)
    assert.equal(fileNameFault('ä'.repeat(128)), 'may have at most 255 bytes in UTF-8')
    assert.equal(nameFault('ä'.repeat(128)), undefined)
  })

  test('is the same in any case and in any Unicode composition', () => {
    for (const [at, names] of SAME.entries()) {
      assert.equal(new Set(names.map(foldName)).size, 1, names.join(' '))
      const others = SAME.filter((_, other) => other !== at).flat()
      assert.ok(!others.map(foldName).includes(foldName(names[0] ?? '')), names.join(' '))
    }
  })

  test('of a module becomes Latin letters, digits and single dashes in its address', async () => {
    for (const [name, inAddress] of MODULE_NAMES)
      assert.equal(await moduleNameOf(name), inAddress, name)
    assert.equal(moduleUrlOf('calendar', 7, 'a-b'), '/api/v2/module/calendar/7/a-b')
    assert.deepEqual(['datatable', 'calendar', 'user', 5].map(isModuleKind), [
      true,
      true,
      false,
      false,
    ])
  })
})

test('an identifier is a whole number from 1, written only in digits', () => {
  for (const [text, id] of IDENTIFIERS)
    assert.equal(parseIdentifier(text), id, JSON.stringify(text))
})

/** Whether the pattern rejects an accepted name, or accepts a rejected name of ASCII characters. */
function isWrong(name: string, isMatch: boolean): boolean {
  const isAccepted = nameFault(name) === undefined
  return isAccepted ? !isMatch : isMatch && /^[\u0000-\u007f]*$/.test(name)
}

test('the pattern in the documents accepts exactly the accepted names of ASCII characters', () => {
  const pattern = new RegExp(NAME_PATTERN, 'u')
  const wrong: string[] = []
  for (let code = 0; code < 0x10000; code += 1) {
    if (code >= 0xd800 && code < 0xe000) continue
    const character = String.fromCharCode(code)
    for (const name of [character, `${character}a`, `a${character}`, `a${character}a`])
      if (isWrong(name, pattern.test(name))) wrong.push(JSON.stringify(name))
  }
  assert.deepEqual(wrong, [])
  for (const name of ['.', '..', '', ' ', 'a/b']) assert.ok(!pattern.test(name), name)
  for (const name of ['.a', '..a', '...', 'a.', '☎️', '.☎️', '💡', 'a'])
    assert.equal(pattern.test(name), nameFault(name) === undefined, name)
})

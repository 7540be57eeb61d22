// The tokens of table_schema are the tokens of ADOdb.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../helpers/properties.ts'
import { splitColumns, type Token } from '../../../lib/shared/schema-tokens.ts'

const SPLIT: readonly (readonly [string, readonly (readonly string[])[]])[] = [
  ['', []],
  [' \t\r\n', []],
  [',,', []],
  ['a C', [['a', 'C']]],
  [
    'a C, b X',
    [
      ['a', 'C'],
      ['b', 'X'],
    ],
  ],
  [
    ', a C,, b X,',
    [
      ['a', 'C'],
      ['b', 'X'],
    ],
  ],
  ['a\nC\r\n(20)\t,\nb', [['a', 'C', '20'], ['b']]],
  ['a C(20)', [['a', 'C', '20']]],
  ['a C (20)', [['a', 'C', '20']]],
  ["a C '20'", [['a', 'C', '20']]],
  ['a N(10,2)b', [['a', 'N', '10,2', 'b']]],
  ['a_b.c-d', [['a_b.c-d']]],
  ['a*b', [['a', '*', 'b']]],
  ['a=;b', [['a', '=', ';', 'b']]],
  ['naïve', [['na', 'ï', 've']]],
  ['a😀b', [['a', '😀', 'b']]],
  ["'it''s' x", [["it's", 'x']]],
  ['"a ""b"" c"', [['a "b" c']]],
  ['(a))b)', [['a)b']]],
  ['((a)', [['(a']]],
  ['`a b`', [['`a b`']]],
  ["''", [['']]],
  ["'a, b' c", [['a, b', 'c']]],
  [`"it's" 'say "x"'`, [["it's", 'say "x"']]],
  ["ENUM('a','b')", [['ENUM', "'a','b'"]]],
  [')', [[')']]],
]

for (const [text, expected] of SPLIT) {
  test(`${JSON.stringify(text)} has the tokens ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(splitColumns(text).map(textsOf), expected)
  })
}

test('an unclosed quote is marked and includes the rest of the text', () => {
  assert.deepEqual(splitColumns("a C(20, b 'x'"), [
    [
      { text: 'a', quote: '', start: 0, end: 1, isUnclosed: false },
      { text: 'C', quote: '', start: 2, end: 3, isUnclosed: false },
      { text: "20, b 'x'", quote: '(', start: 3, end: 13, isUnclosed: true },
    ],
  ])
})

test('the tokens of any text match a simple scanner of one character at a time', () => {
  const piece = fc.constantFrom(...`ab1_.-'"\`(), \t\n*ï😀`, 'NOTNULL', "''", '))')
  const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(text, (value) => {
      // A text that begins like a list of values may be parsed as a list, which ADOdb does not do.
      fc.pre(!/\(\s*['"]/.test(value))
      assert.deepEqual(splitColumns(value).map(textsOf), readByRules(value))
    }),
    { numRuns: 3_000 },
  )
})

test('B11: a megabyte of quotes is split quickly', () => {
  // An algorithm with quadratic time would take hours.
  for (const part of ["'", "''a", '(', '))', ',', 'a,', '😀']) {
    const text = part.repeat(Math.floor(1_000_000 / part.length))
    assert.ok(splitColumns(text).length <= text.length)
  }
})

/** ADOdb keeps back-quotes in the token. */
function textsOf(tokens: readonly Token[]): readonly string[] {
  return tokens.map(({ text, quote, isUnclosed }) =>
    quote === '`' ? `\`${text}${isUnclosed ? '' : '`'}` : text,
  )
}

// The rules of ADOdb as a state machine with two states: inside and outside a quote.
function readByRules(source: string): readonly (readonly string[])[] {
  const columns: string[][] = [[]]
  const characters = [...source]
  let word = ''
  let closer = ''

  const push = (token: string): void => void columns.at(-1)?.push(token)
  const endWord = (): void => {
    if (word !== '') push(word)
    word = ''
  }
  const startQuote = (opener: string): void => {
    endWord()
    closer = opener === '(' ? ')' : opener
    word = opener === '`' ? '`' : ''
  }

  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? ''
    if (closer !== '') {
      if (character !== closer) word += character
      else if (characters[at + 1] === closer) {
        word += closer
        at += 1
      } else {
        push(closer === '`' ? `${word}\`` : word)
        word = ''
        closer = ''
      }
    } else if (/[A-Za-z0-9_.-]/.test(character)) word += character
    else if ('\'"`('.includes(character)) startQuote(character)
    else {
      endWord()
      if (character === ',') columns.push([])
      else if (!' \t\r\n'.includes(character)) push(character)
    }
  }
  if (closer === '') endWord()
  else push(word)
  return columns.filter((tokens) => tokens.length > 0)
}

// If RE2 and ECMAScript share a syntax with a single meaning, both match the same texts. The tests compare
// with V8. The table lists the intentional differences.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { regexMatch } from '../../lib/schema/match.ts'
import { openRandom, type Random } from '../rigs/random.ts'

const FIELD = { name: 'a', kind: 'string', isIndexed: false } as const

function meets(pattern: string, text: string, ignoresCase = false): boolean {
  return regexMatch(FIELD, pattern, ignoresCase).test(text)
}

const ATOMS = [
  'a',
  'b',
  'B',
  'é',
  '😀',
  '.',
  '[ab]',
  '[^a]',
  '[a-c😀]',
  '\\d',
  '\\D',
  '\\w',
  '\\W',
  '\\.',
  '-',
]
const QUANTIFIERS = ['', '', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{0,2}', '{1,}?']
const LETTERS = ['a', 'b', 'B', 'c', 'é', '😀', '1', '_', '.', '-', ' ']

/**
 * The texts contain no \n. A dot in RE2 excludes only \n, while a dot in ECMAScript excludes also \r, U+2028
 * and U+2029.
 */
function makeText(random: Random): string {
  return Array.from({ length: random.below(8) }, () => random.pick(LETTERS)).join('')
}

function makePattern(random: Random, depth: number): string {
  const branches = Array.from({ length: 1 + (random.below(4) === 0 ? 1 : 0) }, () =>
    Array.from({ length: 1 + random.below(3) }, () => makePiece(random, depth)).join(''),
  )
  return branches.join('|')
}

function makePiece(random: Random, depth: number): string {
  // No \\B: V8 matches \\B between the halves of a surrogate pair.
  if (random.below(8) === 0) return random.pick(['^', '$', '\\b'])
  const isGroup = depth > 0 && random.below(3) === 0
  const open = random.pick(['(', '(?:'])
  const atom = isGroup ? `${open}${makePattern(random, depth - 1)})` : random.pick(ATOMS)
  return `${atom}${random.pick(QUANTIFIERS)}`
}

test('generated expressions match like those of ECMAScript', () => {
  const random = openRandom(1_255_003)
  const seen = { true: 0, false: 0 }
  for (let count = 0; count < 3_000; count += 1) {
    const pattern = makePattern(random, 3)
    const ignoresCase = random.below(3) === 0
    const match = regexMatch(FIELD, pattern, ignoresCase)
    const judge = new RegExp(pattern, ignoresCase ? 'iu' : 'u')
    for (let texts = 0; texts < 5; texts += 1) {
      const text = makeText(random)
      const expected = judge.test(text)
      assert.equal(match.test(text), expected, `/${pattern}/${ignoresCase ? 'i' : ''} ${text}`)
      seen[`${expected}`] += 1
    }
  }
  assert.ok(seen.true > 1_000 && seen.false > 1_000, JSON.stringify(seen))
})

const DIFFERENT: readonly (readonly [
  pattern: string,
  text: string,
  isMet: boolean,
  why: string,
])[] = [
  ['a.b', 'a\rb', true, 'a dot leaves out \\n alone'],
  ['a.b', 'a\nb', false, 'a dot leaves out \\n'],
  ['^b', 'a\nb', false, '^ is the beginning of the text'],
  ['(?m)^b', 'a\nb', true, 'unless (?m) asks for lines'],
  ['a$', 'a\n', false, '$ is the end of the text'],
  ['\\s', '\u00a0', false, '\\s is ASCII'],
  ['\\pL', 'é', true, '\\p{L} may be written \\pL'],
  ['^.$', '\ud800', true, 'a lone surrogate is a character'],
  ['^.$', '😀', true, 'a pair of surrogates is one'],
  ['a\\z', 'a', true, '\\z is the end'],
]
for (const [pattern, text, isMet, why] of DIFFERENT)
  test(`RE2: ${why}`, () => assert.equal(meets(pattern, text), isMet))

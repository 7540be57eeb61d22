// The calculated cost of a pattern is an upper bound of the program that re2js compiles.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RE2JS } from 're2js'
import { patternCost } from '../../lib/schema/pattern-cost.ts'
import { openRandom, type Random } from '../rigs/random.ts'

const PIECES = [
  'a',
  '😀',
  'é',
  '.',
  '\\d',
  '\\W',
  '\\pL',
  '\\PN',
  '\\p{Greek}',
  '[a-z]',
  '[^]x]',
  '[]a]',
  '[[:alpha:]]',
  '[\\]\\pL]',
  '\\Qab{9}\\E',
  '\\x{1F600}',
  '\\x41',
  '\\.',
  '\\{',
  '^',
  '$',
  '\\b',
  '{',
  'a{',
  '{,3}',
  '|',
  '|',
  '(?i)',
]
const QUANTIFIERS = ['', '', '*', '+', '?', '{0}', '{1,}', '{7}', '{0,5}', '{2,9}?', '{3,4}']
const OPENERS = ['(', '(?:', '(?P<n>', '(?i:', '(?s-m:']

function makePattern(random: Random, depth: number): string {
  const length = 1 + random.below(5)
  return Array.from({ length }, () => {
    const isGroup = depth > 0 && random.below(3) === 0
    const piece = isGroup
      ? `${random.pick(OPENERS)}${makePattern(random, depth - 1)})`
      : random.pick(PIECES)
    return piece + random.pick(QUANTIFIERS)
  }).join('')
}

/** Returns undefined for an invalid pattern. */
function sizeOf(pattern: string, flags: number): number | undefined {
  try {
    return RE2JS.compile(pattern, flags).programSize()
  } catch {
    return undefined
  }
}

/** Instructions at the beginning and the end of every program. */
const FRAME = 6

test('the estimated cost of a pattern is at least its number of instructions', () => {
  const random = openRandom(2_026_1126)
  let compared = 0
  for (let count = 0; count < 4_000; count += 1) {
    const pattern = makePattern(random, 3)
    const ignoresCase = random.below(2) === 0
    const { instructions } = patternCost(pattern, ignoresCase)
    if (instructions > 3_000) continue
    const size = sizeOf(pattern, ignoresCase ? RE2JS.CASE_INSENSITIVE : 0)
    if (size === undefined) continue
    compared += 1
    assert.ok(size <= instructions + FRAME, `${pattern}: ${size} of ${instructions}`)
  }
  assert.ok(compared > 1_000, `${compared}`)
})

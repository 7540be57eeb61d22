// Whether a client accepts JSON, compared with the package negotiator as an independent implementation.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import Negotiator from 'negotiator'
import { acceptsJson } from '../../lib/http/accept.ts'
import { openRandom } from '../rigs/random.ts'

const TABLE: readonly (readonly [header: string, isTaken: boolean])[] = [
  ['application/json', true],
  ['APPLICATION/Json', true],
  ['application/problem+json', true],
  ['application/*', true],
  ['*/*', true],
  ['text/html', false],
  ['text/*, image/png', false],
  ['application/xml', false],
  // Clients send these parameters although JSON has none.
  ['application/json; charset=utf-8', true],
  ['application/json;odata=verbose', true],
  ['application/json;profile="a,b;q=0"', true],
  ['text/html;x="a, application/json"', false],
  ['text/html;x="\\", application/json', false],
  ['text/html;x="a", application/json', true],
  // Weights.
  ['application/json;q=0', false],
  ['application/json;q=0.000', false],
  ['application/json;q=0.', false],
  ['application/json;Q=0', false],
  ['application/json;q=0.001', true],
  ['text/html, image/gif, *; q=.2, */*; q=.2', true],
  ['application/json;q=abc', true],
  ['application/json;q=', true],
  ['application/json;q=1q=0', true],
  ['application/json;charset=utf-8;q=0', false],
  // The most specific range decides.
  ['*/*, application/*;q=0', false],
  ['*/*, application/json;q=0, application/problem+json;q=0', false],
  ['application/*;q=0, application/json', true],
  ['*/*;q=0', false],
  // Headers without any range.
  ['', true],
  [' , ,', true],
  ['*', true],
  ['nonsense', true],
  ['nonsense, text/html', false],
]

for (const [header, isTaken] of TABLE)
  test(`${JSON.stringify(header)} ${isTaken ? 'accepts' : 'refuses'} JSON`, () => {
    assert.equal(acceptsJson(header), isTaken)
  })

describe('of generated headers', () => {
  const RANGES = [
    '*/*',
    'application/*',
    'application/json',
    'Application/JSON',
    'text/html',
    'text/*',
  ]
  const WEIGHTS = ['', ';q=0', ';q=0.0', ';q=1', ';q=0.5', '; q=0.001', ';q=1.000']

  test('each is parsed as by negotiator if no range has parameters', () => {
    const random = openRandom(1_255_001)
    const seen = { true: 0, false: 0 }
    for (let count = 0; count < 20_000; count += 1) {
      // RFC 9110 does not define a range that appears twice with different weights.
      const ranges = RANGES.filter(() => random.below(3) === 0)
      if (new Set(ranges.map((range) => range.toLowerCase())).size < ranges.length) continue
      if (ranges.length === 0) continue
      const header = ranges
        .toSorted(() => random.below(3) - 1)
        .map((range) => `${range}${random.pick(WEIGHTS)}`)
        .join(random.pick([',', ', ', ' ,\t', ',,']))
      const types = new Negotiator({ headers: { accept: header } }).mediaTypes([
        'application/json',
        'application/problem+json',
      ])
      assert.equal(acceptsJson(header), types.length > 0, header)
      seen[`${types.length > 0}`] += 1
    }
    assert.ok(seen.true > 1_000 && seen.false > 1_000, JSON.stringify(seen))
  })

  test('each of 16 KiB is parsed, whatever its quotes', () => {
    for (const piece of ['"', '\\', '"\\', ';q=', ',', '*/*;', '"a",'])
      assert.equal(typeof acceptsJson(piece.repeat(16_384 / piece.length)), 'boolean')
  })
})

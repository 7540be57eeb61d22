import assert from 'node:assert/strict'
import { it } from 'node:test'
import { formatRanges, parseRange, toRanges } from '../../lib/client/row-ranges.ts'

it('a range is one row, a span of rows, or open at its end', () => {
  assert.deepEqual(parseRange('17'), { first: 17, last: 17 })
  assert.deepEqual(parseRange('17-20'), { first: 17, last: 20 })
  assert.deepEqual(parseRange('17-'), { first: 17, last: Number.POSITIVE_INFINITY })
  for (const text of ['', '0', '-5', '5-4', '1-2-3', 'x', '1,2']) {
    assert.equal(parseRange(text), undefined, text)
  }
})

it('rows in any order become the fewest ranges', () => {
  const ranges = toRanges([7, 1, 3, 2, 9, 10])
  assert.equal(formatRanges(ranges), '1-3, 7, 9-10')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../helpers/properties.ts'
import { closest } from '../../lib/schema/message-text.ts'

const NAMES = ['name', 'title', 'parent_category_id', 'pageContent', '$gte', '$gt']

test('the nearest name is found for small typing errors', () => {
  assert.equal(closest('nmae', NAMES), 'name')
  assert.equal(closest('titel', NAMES), 'title')
  assert.equal(closest('pagecontent', NAMES), 'pageContent')
  assert.equal(closest('parent_categoryid', NAMES), 'parent_category_id')
  assert.equal(closest('$gtt', NAMES), '$gte')
  assert.equal(closest('name', NAMES), 'name')
})

test('no name is suggested without a similar name', () => {
  assert.equal(closest('xyz', NAMES), undefined)
  assert.equal(closest('', NAMES), undefined)
  assert.equal(closest('n', NAMES), undefined)
  assert.equal(closest('colour', NAMES), undefined)
  assert.equal(closest('n'.repeat(100_000), ['n'.repeat(100_000)]), undefined)
})

test('the suggestion is the first name with the smallest edit distance', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', 'C', 'c'), maxLength: 9 })
  fc.assert(
    fc.property(name, fc.array(name, { maxLength: 5 }), (typed, names) => {
      const found = names
        .map((known) => ({ known, far: distanceOf(typed.toLowerCase(), known.toLowerCase()) }))
        .filter(({ far }) => far <= Math.floor(typed.length / 3))
        .toSorted((left, right) => left.far - right.far)
      assert.equal(closest(typed, names), found[0]?.known)
    }),
    { numRuns: 1_000 },
  )
})

test('a name of up to 64 characters is compared', () => {
  const name = 'n'.repeat(64)
  assert.equal(closest(name, [`${name}x`]), `${name}x`)
  assert.equal(closest(`${name}n`, [name]), undefined)
})

/** Optimal string alignment distance, implemented directly from its definition. */
function distanceOf(left: string, right: string): number {
  if (left === '' || right === '') return left.length + right.length
  const [a = '', b = ''] = [left.at(-1), right.at(-1)]
  const [headA, headB] = [left.slice(0, -1), right.slice(0, -1)]
  if (a === b) return distanceOf(headA, headB)
  const isSwap = left.length > 1 && right.length > 1 && a === right.at(-2) && b === left.at(-2)
  return Math.min(
    distanceOf(headA, right) + 1,
    distanceOf(left, headB) + 1,
    distanceOf(headA, headB) + 1,
    isSwap ? distanceOf(left.slice(0, -2), right.slice(0, -2)) + 1 : Infinity,
  )
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closest } from '../../lib/schema/closest.ts'

const NAMES = ['name', 'title', 'parent_category_id', 'pageContent', '$gte', '$gt']

test('the nearest name is found when little is mistyped', () => {
  assert.equal(closest('nmae', NAMES), 'name')
  assert.equal(closest('titel', NAMES), 'title')
  assert.equal(closest('pagecontent', NAMES), 'pageContent')
  assert.equal(closest('parent_categoryid', NAMES), 'parent_category_id')
  assert.equal(closest('$gtt', NAMES), '$gte')
  assert.equal(closest('name', NAMES), 'name')
})

test('no name is offered when none is near', () => {
  assert.equal(closest('xyz', NAMES), undefined)
  assert.equal(closest('', NAMES), undefined)
  assert.equal(closest('n', NAMES), undefined)
  assert.equal(closest('colour', NAMES), undefined)
  assert.equal(closest('n'.repeat(100_000), ['n'.repeat(100_000)]), undefined)
})

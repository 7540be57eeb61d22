// Objects that inherit the members of a long-lived object.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withMembers } from '../lib/base/with-members.ts'

test('the new members hide those of the object, which does not change', () => {
  const services = { records: 'all', limit: 5 }
  const traced = withMembers(services, { records: 'traced', caller: 'ann' })
  assert.deepEqual([traced.records, traced.limit, traced.caller], ['traced', 5, 'ann'])
  assert.deepEqual(services, { records: 'all', limit: 5 })
  services.limit = 6
  assert.equal(traced.limit, 6)
})

test('an inheriting object is copied, so that the prototype is always the long-lived object', () => {
  const services = { records: 'all', limit: 5 }
  const first = withMembers(services, { records: 'first', caller: 'ann' })
  const second = withMembers(first, { records: 'second' })
  assert.deepEqual([second.records, second.limit, second.caller], ['second', 5, 'ann'])
  assert.deepEqual([first.records, first.caller], ['first', 'ann'])
  assert.equal(Object.getPrototypeOf(second), services)
})

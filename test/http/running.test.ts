// How many requests may run at once, to the last one. What clients see of it: test/api/request/shares.test.ts.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CmsError } from '../../lib/errors.ts'
import { openRunning, type Running } from '../../lib/http/running.ts'

const open = (limits: object = {}): Running =>
  openRunning({ ofKey: 2, ofUser: 3, ofAddress: 2, tableSize: 100, ...limits })

function outcome(begin: () => unknown): string {
  try {
    begin()
    return 'runs'
  } catch (error) {
    assert.ok(error instanceof CmsError)
    assert.deepEqual(error.facts.headers, { 'retry-after': '1', connection: 'close' })
    return `${error.code}: ${error.message.split('.', 1)[0]}`
  }
}

const key = (api_key_id: number, user_id: number) => ({ api_key_id, user_id })
const over = (whose: string, most: number): string =>
  `too-many-requests: The ${whose} has ${most} requests running, which is all that one may have`

describe('requests that run are counted', () => {
  test('for their key, and each that ends makes room for another', () => {
    const running = open()
    const first = running.beginAs(key(1, 1))
    assert.equal(
      outcome(() => running.beginAs(key(1, 1))),
      'runs',
    )
    assert.equal(
      outcome(() => running.beginAs(key(1, 1))),
      over('key', 2),
    )
    running.end(first)
    assert.equal(
      outcome(() => running.beginAs(key(1, 1))),
      'runs',
    )
    assert.equal(
      outcome(() => running.beginAs(key(1, 1))),
      over('key', 2),
    )
  })

  test('for the user of several keys, whichever of them ends', () => {
    const running = open()
    const first = running.beginAs(key(1, 9))
    running.beginAs(key(1, 9))
    running.beginAs(key(2, 9))
    assert.equal(
      outcome(() => running.beginAs(key(2, 9))),
      over('user', 3),
    )
    assert.equal(
      outcome(() => running.beginAs(key(3, 8))),
      'runs',
    )
    running.end(first)
    assert.equal(
      outcome(() => running.beginAs(key(2, 9))),
      'runs',
    )
    assert.equal(
      outcome(() => running.beginAs(key(1, 9))),
      over('user', 3),
    )
  })

  test('for their address, unless many may be behind it or none is counted', () => {
    const running = open()
    const first = running.begin('a')
    assert.equal(
      outcome(() => running.begin('a')),
      'runs',
    )
    assert.equal(
      outcome(() => running.begin('a')),
      over('address', 2),
    )
    assert.equal(
      outcome(() => running.begin('b')),
      'runs',
    )
    running.end(first)
    assert.equal(
      outcome(() => running.begin('a')),
      'runs',
    )
    for (let count = 0; count < 5; count += 1) {
      assert.equal(running.begin(undefined), undefined)
      assert.equal(open({ ofAddress: 0 }).begin('a'), undefined)
    }
    running.end(undefined)
  })

  test('as long as they run, in a table that forgets those that have none', () => {
    const running = open({ tableSize: 2 })
    const held = [running.begin('a'), running.begin('a')]
    const keys = [running.beginAs(key(1, 9)), running.beginAs(key(1, 9))]
    for (let id = 10; id < 20; id += 1) {
      running.end(running.begin(`x${id}`))
      running.end(running.beginAs(key(id, id)))
    }
    assert.equal(
      outcome(() => running.begin('a')),
      over('address', 2),
    )
    assert.equal(
      outcome(() => running.beginAs(key(1, 9))),
      over('key', 2),
    )
    assert.equal(
      outcome(() => running.beginAs(key(2, 9))),
      'runs',
    )
    assert.equal(
      outcome(() => running.beginAs(key(3, 9))),
      over('user', 3),
    )
    for (const count of [...held, ...keys]) running.end(count)
    assert.equal(
      outcome(() => running.begin('a')),
      'runs',
    )
  })
})

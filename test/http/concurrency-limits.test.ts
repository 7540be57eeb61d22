// The exact limits of concurrent requests. What clients see: test/api/request/quotas.test.ts.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CmsError } from '../../lib/base/errors.ts'
import {
  openRunning,
  type Running,
  type RunningOptions,
} from '../../lib/http/concurrency-limits.ts'
import type { Count, Place } from '../../lib/http/quota.ts'

const open = (options: Partial<RunningOptions> = {}): Running =>
  openRunning({ ofKey: 2, ofUser: 3, ofAddress: 2, tableSize: 100, ...options })

/** Returns a count that was granted synchronously, without asking another process. */
function atOnce(begun: Count | undefined | Promise<Count>): Count | undefined {
  assert.ok(!(begun instanceof Promise))
  return begun
}

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
  `too-many-requests: The ${whose} has ${most} running requests, which is the limit`

describe('running requests are counted', () => {
  test('for their key, and each finished request makes room for another', () => {
    const running = open()
    const first = atOnce(running.beginAs(key(1, 1)))
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

  test('for the user of several keys, whichever request ends', () => {
    const running = open()
    const first = atOnce(running.beginAs(key(1, 9)))
    void running.beginAs(key(1, 9))
    void running.beginAs(key(2, 9))
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

  test('for their address, unless it is shared or not counted', () => {
    const running = open()
    const first = atOnce(running.begin('a'))
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

  test('while they run, in a table without empty counts', () => {
    const running = open({ tableSize: 2 })
    const held = [running.begin('a'), running.begin('a')].map(atOnce)
    const keys = [running.beginAs(key(1, 9)), running.beginAs(key(1, 9))].map(atOnce)
    for (let id = 10; id < 20; id += 1) {
      running.end(atOnce(running.begin(`x${id}`)))
      running.end(atOnce(running.beginAs(key(id, id))))
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

describe('running requests of several processes are counted together', () => {
  /** Opens one writing instance and several reading instances. */
  function openAll(readers: number, options: Partial<RunningOptions>): readonly Running[] {
    const writer = open({ ...options, readers })
    const lender = {
      borrow: async (place: Place) => writer.lend(place),
      giveBack: (place: Place) => writer.takeBack(place),
    }
    const others = Array.from({ length: readers }, () => open({ ...options, readers, lender }))
    return [writer, ...others]
  }

  async function beginAll(running: Running, times: number): Promise<readonly Count[]> {
    const counts: Count[] = []
    for (let time = 0; time < times; time += 1)
      try {
        counts.push(await running.beginAs(key(1, 1)))
      } catch (error) {
        assert.ok(error instanceof CmsError)
        return counts
      }
    return counts
  }

  for (const readers of [1, 2, 7])
    test(`never above the limit in ${readers + 1} processes, and at least three quarters of it in each process`, async () => {
      const all = openAll(readers, { ofKey: 40, ofUser: 40 })
      for (const first of all) {
        const begun = await beginAll(first, 100)
        assert.ok(begun.length >= 30 && begun.length <= 40, `${begun.length}`)
        const more = await Promise.all(
          all.map(async (each) => [each, await beginAll(each, 100)] as const),
        )
        const sum = more.reduce((count, [, counts]) => count + counts.length, begun.length)
        assert.equal(sum <= 40 && sum > 40 - readers, true, `${sum}`)
        for (const count of begun) first.end(count)
        for (const [each, counts] of more) for (const count of counts) each.end(count)
      }
      // All counts were released.
      const [writer] = all as readonly [Running, ...Running[]]
      assert.ok((await beginAll(writer, 100)).length >= 30)
    })

  test('for a user with all keys, and for an address', async () => {
    const [writer, reader] = openAll(1, { ofKey: 8, ofUser: 8, ofAddress: 8 }) as [Running, Running]
    for (let id = 1; id <= 6; id += 1) await writer.beginAs(key(id, 5))
    await reader.beginAs(key(11, 5))
    const last = await reader.beginAs(key(12, 5))
    await assert.rejects(async () => reader.beginAs(key(13, 5)), /The user has 8 running requests/)
    reader.end(last)
    await reader.beginAs(key(13, 5))

    for (let time = 0; time < 6; time += 1) void writer.begin('a')
    await reader.begin('a')
    await reader.begin('a')
    await assert.rejects(async () => reader.begin('a'), /The address has 8 running requests/)
    assert.throws(() => writer.begin('a'), /The address has 8 running requests/)
  })
})

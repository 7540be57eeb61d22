import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { openGate, runAll } from '../../../lib/cluster/semaphore.ts'

test('a gate admits tasks in order up to its limit, whether they fail or not', async () => {
  const gate = openGate(2, 60_000)
  const began: number[] = []
  let [running, most] = [0, 0]
  const works = Array.from({ length: 9 }, (_, at) =>
    gate.run(async () => {
      began.push(at)
      running += 1
      most = Math.max(most, running)
      await setImmediate()
      running -= 1
      if (at % 3 === 0) throw new Error(`${at}`)
      return at
    }),
  )
  const ended = await Promise.allSettled(works)
  assert.deepEqual(
    ended.map(({ status }) => status === 'rejected'),
    [true, false, false, true, false, false, true, false, false],
  )
  assert.deepEqual([most, began], [2, [0, 1, 2, 3, 4, 5, 6, 7, 8]])
})

test('a task that waits too long is refused, and later tasks are admitted', async () => {
  const gate = openGate(1, 50)
  let end: () => void = () => undefined
  const hanging = gate.run(() => new Promise<void>((resolve) => (end = resolve)))
  await assert.rejects(
    gate.run(async () => 1),
    { code: 'unavailable' },
  )
  const late = gate.run(async () => 2)
  end()
  await hanging
  assert.deepEqual([await late, await gate.run(async () => 3)], [2, 3])
})

test('after a failure no task is started, and running tasks are awaited', async () => {
  const ended: number[] = []
  const begun: number[] = []
  const all = runAll([0, 1, 2, 3, 4, 5], 3, async (item) => {
    begun.push(item)
    if (item === 1) {
      await setImmediate()
      throw new Error('the second')
    }
    for (let turn = 0; turn < 10; turn += 1) await setImmediate()
    ended.push(item)
  })
  await assert.rejects(all, /the second/)
  assert.deepEqual(
    [begun, ended],
    [
      [0, 1, 2],
      [0, 2],
    ],
  )
})

test('results are returned in the order of the items', async () => {
  const made = await runAll([3, 2, 1], 3, async (item) => {
    for (let turn = 0; turn < item; turn += 1) await setImmediate()
    return item * 2
  })
  assert.deepEqual(made, [6, 4, 2])
})

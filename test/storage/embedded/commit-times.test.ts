import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openCommitWatch } from '../../../lib/storage/embedded/commit-times.ts'
import type { CommitTimes } from '../../../lib/storage/status.ts'

test('commits report their waiting time and duration, and the oldest waiting commit its age', async () => {
  const told: CommitTimes[] = []
  const watch = openCommitWatch((times) => told.push(times))
  assert.deepEqual(watch.status(), { waiting: 0, oldestMs: 0 })

  const began = performance.now()
  const first = watch.begin()
  await sleep(20)
  const second = watch.begin()
  const waiting = watch.status()
  assert.equal(waiting.waiting, 2)
  assert.ok(waiting.oldestMs >= 15 && waiting.oldestMs <= performance.now() - began)

  first.hasTurn()
  await sleep(20)
  first.end()
  const [times] = told
  assert.ok(times !== undefined && times.queuedMs >= 15)
  assert.ok(times.totalMs >= times.queuedMs + 15 && times.totalMs <= performance.now() - began)
  assert.equal(watch.status().waiting, 1)
  second.end()
  assert.equal(told[1]?.queuedMs, 0)
  assert.deepEqual(watch.status(), { waiting: 0, oldestMs: 0 })
})

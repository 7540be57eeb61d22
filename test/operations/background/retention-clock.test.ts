// Compares the wall clock with the monotonic clock. The test moves both clocks.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openRetentionClock } from '../../../lib/operations/background/retention-clock.ts'
import type { Jump } from '../../../lib/schema/retention-clock.ts'

const START_MS = Date.UTC(2026, 0, 31)
const HOUR_MS = 3_600_000

function open(known: { lastMs?: number; jumps?: readonly Jump[] } = {}) {
  const clock = { wallMs: START_MS, upMs: 5_000 }
  const told: Jump[] = []
  const back: Jump[] = []
  const retention = openRetentionClock({
    known: { lastMs: known.lastMs, jumps: known.jumps ?? [] },
    now: () => new Date(clock.wallMs),
    uptimeMs: () => clock.upMs,
    onJump: (jump) => told.push(jump),
    onSetBack: (jump) => back.push(jump),
  })
  const pass = (wallMs: number, upMs = wallMs): readonly Jump[] => {
    clock.wallMs += wallMs
    clock.upMs += upMs
    return retention.look().jumps
  }
  return { retention, told, back, pass }
}

const dateOf = (ms: number): string => new Date(ms).toISOString()

describe('retention time', () => {
  test('follows the system clock while the clock runs normally', () => {
    const { retention, told, pass } = open()
    for (let hour = 1; hour <= 3; hour++) assert.deepEqual(pass(HOUR_MS), [])
    assert.equal(retention.since(dateOf(START_MS)), 3 * HOUR_MS)
    assert.equal(retention.since(dateOf(START_MS + 4 * HOUR_MS)), -HOUR_MS)
    assert.equal(retention.look().now.getTime(), START_MS + 3 * HOUR_MS)
    assert.deepEqual(told, [])
  })

  test('excludes a jump, which is reported once', () => {
    const { retention, told, pass } = open()
    pass(HOUR_MS)
    const jump = { from: START_MS + 2 * HOUR_MS, to: START_MS + 10 * HOUR_MS }
    assert.deepEqual(pass(9 * HOUR_MS, HOUR_MS), [jump])
    assert.deepEqual(pass(HOUR_MS), [jump])
    assert.deepEqual(told, [jump])
    assert.equal(retention.since(dateOf(START_MS)), 3 * HOUR_MS)
  })

  test('does not treat a difference of a minute as a jump', () => {
    const { told, pass } = open()
    for (const offMs of [60_000, -60_000, 60_000])
      assert.deepEqual(pass(HOUR_MS + offMs, HOUR_MS), [])
    assert.equal(pass(HOUR_MS + 60_001, HOUR_MS).length, 1)
    assert.equal(told.length, 1)
  })

  test('forgets a jump that was reverted', () => {
    const { told, back, pass } = open()
    assert.equal(pass(10 * HOUR_MS, 0).length, 1)
    assert.deepEqual(back, [])
    assert.deepEqual(pass(-10 * HOUR_MS, 0), [])
    assert.equal(told.length, 1)
    assert.deepEqual(back, [{ from: START_MS + 10 * HOUR_MS, to: START_MS }])
  })

  test('continues with the jumps of earlier runs, and counts a long stop as a jump', () => {
    const before = { from: START_MS - 9 * HOUR_MS, to: START_MS - 8 * HOUR_MS }
    const goneOn = open({ lastMs: START_MS - HOUR_MS, jumps: [before] })
    assert.deepEqual(goneOn.retention.look().jumps, [before])
    assert.deepEqual(goneOn.told, [])

    const stopped = { from: START_MS - 2 * HOUR_MS, to: START_MS }
    const later = open({ lastMs: START_MS - 2 * HOUR_MS, jumps: [before] })
    assert.deepEqual(later.retention.look().jumps, [before, stopped])
    assert.deepEqual(later.told, [stopped])
    assert.equal(later.retention.since(dateOf(START_MS - 10 * HOUR_MS)), 7 * HOUR_MS)
  })
})

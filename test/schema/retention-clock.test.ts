import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fc } from '../helpers/properties.ts'
import { type Jump, jumpsAtStart, retentionMs, withJump } from '../../lib/schema/retention-clock.ts'

const HOUR_MS = 3_600_000

const age = (jumps: readonly Jump[], nowMs: number, dateMs: number): number =>
  retentionMs(jumps, nowMs) - retentionMs(jumps, dateMs)

describe('the age of a dated record', () => {
  test('excludes jumps that end between the two times', () => {
    const jumps = withJump([], { from: 100, to: 1_000 })
    assert.deepEqual(
      [age(jumps, 1_010, 90), age(jumps, 1_010, 1_005), age(jumps, 1_010, 100), age([], 90, 80)],
      [20, 5, 10, 10],
    )
  })

  test('is negative for a date in the future', () => {
    const jumps = withJump(withJump([], { from: 100, to: 1_000 }), { from: 1_010, to: 90 })
    assert.deepEqual(jumps, [])
    assert.ok(age(jumps, 90, 1_005) < 0)
  })

  test('is shorter than the running time after a jump is partly taken back', () => {
    const jumps = withJump(withJump([], { from: 100, to: 1_000 }), { from: 1_010, to: 500 })
    assert.deepEqual(jumps, [{ from: 100, to: 500 }])
    assert.equal(age(jumps, 500, 90), 10)
  })

  test('never exceeds the running time, however often the clock changes', () => {
    const step = fc.record({
      lives: fc.integer({ min: 0, max: 1_000 }),
      by: fc.integer({ min: -5_000, max: 100_000 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        let [wallMs, runningMs] = [1_000_000, 0]
        let jumps: readonly Jump[] = []
        const rows: { readonly date: number; readonly ranMs: number }[] = []
        for (const { lives, by } of steps) {
          rows.push({ date: wallMs, ranMs: runningMs })
          const from = wallMs + lives
          runningMs += lives
          wallMs = from + by
          if (by !== 0) jumps = withJump(jumps, { from, to: wallMs })
          for (const { date, ranMs } of rows)
            assert.ok(age(jumps, wallMs, date) <= runningMs - ranMs)
        }
        assert.ok(jumps.length <= 64)
      }),
    )
  })
})

describe('at a start', () => {
  test('a stop of up to an hour counts as running time, a longer stop does not', () => {
    assert.deepEqual(jumpsAtStart([], { lastMs: 0, nowMs: HOUR_MS }), [])
    assert.deepEqual(jumpsAtStart([], { lastMs: 0, nowMs: HOUR_MS + 1 }), [
      { from: 0, to: HOUR_MS + 1 },
    ])
    assert.deepEqual(jumpsAtStart([], { lastMs: undefined, nowMs: HOUR_MS + 1 }), [])
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fc } from '../helpers/properties.ts'
import { type Jump, jumpsAtStart, livedMs, withJump } from '../../lib/schema/retention-clock.ts'

const HOUR_MS = 3_600_000

const age = (jumps: readonly Jump[], nowMs: number, dateMs: number): number =>
  livedMs(jumps, nowMs) - livedMs(jumps, dateMs)

describe('the age of what is dated', () => {
  test('is what was lived, before a jump, behind it, and across it', () => {
    const jumps = withJump([], { from: 100, to: 1_000 })
    assert.deepEqual(
      [age(jumps, 1_010, 90), age(jumps, 1_010, 1_005), age(jumps, 1_010, 100), age([], 90, 80)],
      [20, 5, 10, 10],
    )
  })

  test('of what lies ahead is less than nothing', () => {
    const jumps = withJump(withJump([], { from: 100, to: 1_000 }), { from: 1_010, to: 90 })
    assert.deepEqual(jumps, [])
    assert.ok(age(jumps, 90, 1_005) < 0)
  })

  test('is less than was lived where a jump is taken back in part', () => {
    const jumps = withJump(withJump([], { from: 100, to: 1_000 }), { from: 1_010, to: 500 })
    assert.deepEqual(jumps, [{ from: 100, to: 500 }])
    assert.equal(age(jumps, 500, 90), 10)
  })

  test('is never more than what was lived, however often the clock jumps and is set back', () => {
    const step = fc.record({
      lives: fc.integer({ min: 0, max: 1_000 }),
      by: fc.integer({ min: -5_000, max: 100_000 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        let [wallMs, livedSoFar] = [1_000_000, 0]
        let jumps: readonly Jump[] = []
        const rows: { readonly date: number; readonly lived: number }[] = []
        for (const { lives, by } of steps) {
          rows.push({ date: wallMs, lived: livedSoFar })
          const from = wallMs + lives
          livedSoFar += lives
          wallMs = from + by
          if (by !== 0) jumps = withJump(jumps, { from, to: wallMs })
          for (const { date, lived } of rows)
            assert.ok(age(jumps, wallMs, date) <= livedSoFar - lived)
        }
        assert.ok(jumps.length <= 64)
      }),
    )
  })
})

describe('at a start', () => {
  test('a stop of up to an hour counts as lived, a longer one does not', () => {
    assert.deepEqual(jumpsAtStart([], { lastMs: 0, nowMs: HOUR_MS }), [])
    assert.deepEqual(jumpsAtStart([], { lastMs: 0, nowMs: HOUR_MS + 1 }), [
      { from: 0, to: HOUR_MS + 1 },
    ])
    assert.deepEqual(jumpsAtStart([], { lastMs: undefined, nowMs: HOUR_MS + 1 }), [])
  })
})

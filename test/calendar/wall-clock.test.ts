import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../helpers/properties.ts'
import { Temporal } from 'temporal-polyfill'
import { openClock } from '../../lib/shared/wall-clock.ts'

const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'UTC']
const CHANGE = Date.parse('2026-03-29T01:00:00Z')

test('a clock caches the correct offsets for any order of queries', () => {
  // Half of the values are near a change of Berlin's offset.
  const quarters = fc.oneof(
    fc.integer({ min: 0, max: 4 * 24 * 366 * 3 }),
    fc.integer({ min: 8_340, max: 8_360 }),
  )
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), fc.array(quarters, { minLength: 1 }), (zone, steps) => {
      const clock = openClock(zone)
      for (const ms of steps.map((step) => Date.parse('2025-01-01') + step * 900_000)) {
        assert.equal(clock.wallOf(ms), localOf(ms, zone))
        assert.equal(clock.instantOf(ms), instantOf(ms, zone))
      }
    }),
    { numRuns: 200 },
  )
})

test('a clock has every change since 1850 and for a century to come', () => {
  for (const zone of [...ZONES, 'Pacific/Apia', 'Africa/Monrovia', 'Asia/Manila', 'Asia/Gaza']) {
    const clock = openClock(zone)
    let next = Temporal.Instant.from('1850-01-01T00:00Z').toZonedDateTimeISO(zone)
    while (next.year < 2126) {
      for (const ms of [-1_000, 0].map((more) => next.epochMilliseconds + more))
        assert.equal(
          clock.wallOf(ms),
          localOf(ms, zone),
          `${zone} at ${new Date(ms).toISOString()}`,
        )
      const transition = next.getTimeZoneTransition('next')
      if (transition === null) break
      next = transition
    }
  }
})

test('a clock that is queried at the moment of a change returns the offset before it', () => {
  for (const ms of [CHANGE, CHANGE - 1, CHANGE + 1]) {
    const clock = openClock('Europe/Berlin')
    assert.equal(clock.wallOf(ms), localOf(ms, 'Europe/Berlin'))
    assert.equal(clock.wallOf(CHANGE - 5_000), CHANGE - 5_000 + 3_600_000)
    assert.equal(clock.wallOf(CHANGE), CHANGE + 7_200_000)
  }
})

for (const [wall, instant, why] of [
  ['2026-03-29T02:30Z', '2026-03-29T01:00Z', 'that the clock skips is the moment of the change'],
  ['2026-10-25T02:30Z', '2026-10-25T00:30Z', 'that comes twice is the first'],
] as const) {
  test(`a time ${why}, from either side of the change`, () => {
    for (const days of [-3, 0, 3]) {
      const clock = openClock('Europe/Berlin')
      clock.wallOf(Date.parse(wall) + days * 86_400_000)
      assert.equal(clock.instantOf(Date.parse(wall)), Date.parse(instant))
    }
  })
}

function localOf(ms: number, zone: string): number {
  const there = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone)
  return Date.parse(`${there.toPlainDateTime().toString()}Z`)
}

function instantOf(wallMs: number, zone: string): number {
  const wall = Temporal.PlainDateTime.from(new Date(wallMs).toISOString().slice(0, 23))
  const there = wall.toZonedDateTime(zone)
  // Temporal moves a skipped time forward by the length of the gap.
  if (there.toPlainDateTime().equals(wall)) return there.epochMilliseconds
  const after = there.add({ nanoseconds: 1 })
  return after.getTimeZoneTransition('previous')?.epochMilliseconds ?? Number.NaN
}

// Interprets the time zones of feeds by RFC 5545 and compares them with Node's offsets. The comparison
// reaches decades ahead, beyond the range of explicitly listed changes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildTimeZone } from '../../lib/calendar/vtimezone.ts'
import { expandPlainly, wallOf } from './plain-expander.ts'

const ZONES: readonly (readonly [string, number])[] = [
  // Each zone with its number of rules: one for each yearly change. A change on a date that can be 31 October
  // or 1 November needs two rules.
  ['Europe/Berlin', 2],
  ['America/New_York', 2],
  ['America/Nuuk', 2],
  ['Asia/Jerusalem', 2],
  ['Africa/Cairo', 3],
  ['Australia/Lord_Howe', 2],
  ['Asia/Kolkata', 0],
  ['Africa/Casablanca', 0],
]
const HOUR_MS = 3_600_000

interface Change {
  readonly ms: number
  readonly offsetMs: number
}

function readZone(text: string, endMs: number): readonly Change[] {
  const blocks = text.split('BEGIN:').slice(2)
  const changes = blocks.flatMap((block) => {
    const line = (name: string): string | undefined =>
      block.replaceAll('\r\n ', '').match(new RegExp(`^${name}:(.*)\\r$`, 'm'))?.[1]
    const start = line('DTSTART')?.replace(/^(....)(..)(..T..)(..)(..)$/, '$1-$2-$3:$4:$5Z') ?? ''
    const [rrule, startMs] = [line('RRULE'), Date.parse(start)]
    const plain = { rrule: rrule ?? '', startMs, zone: 'UTC', isAllDay: false }
    const walls = rrule === undefined ? [startMs] : expandPlainly(plain, endMs)
    const offsetMs = offsetOf(line('TZOFFSETTO'))
    const fromMs = offsetOf(line('TZOFFSETFROM'))
    return walls.map((wall) => ({ ms: wall - fromMs, offsetMs }))
  })
  return changes.toSorted((a, b) => a.ms - b.ms)
}

function offsetOf(text: string | undefined): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d)(\d\d)$/.exec(text ?? '') ?? []
  const size = Number(hours) * HOUR_MS + Number(minutes) * 60_000
  return sign === '-' ? -size : size
}

for (const [zone, rules] of ZONES) {
  test(`the offsets of ${zone} are written for decades with ${rules} rules`, () => {
    for (const start_time of ['2026-03-02T08:00:00.000Z', '1996-03-02T08:00:00.000Z']) {
      const text = buildTimeZone(zone, [{ start_time, date_modified: '2026-01-05T10:00:00.000Z' }])
      assert.equal(text.match(/^RRULE/gm)?.length ?? 0, rules)
      const endMs = Date.parse('2080-01-01')
      const changes = readZone(text, endMs + 24 * HOUR_MS)
      const moments = changes.flatMap(({ ms }) => [ms - 1_000, ms])
      for (let ms = Date.parse(start_time); ms < endMs; ms += 200 * HOUR_MS) moments.push(ms)
      for (const ms of moments.filter((at) => at >= Date.parse(start_time) && at < endMs)) {
        const offsetMs = changes.findLast((change) => change.ms <= ms)?.offsetMs
        assert.equal(offsetMs, wallOf(ms, zone) - ms, `${zone} at ${new Date(ms).toISOString()}`)
      }
    }
  })
}

test('the length of a zone depends on its rules and not on its age', () => {
  for (const zone of ['Europe/Berlin', 'America/New_York']) {
    const times = { start_time: '2026-03-02T08:00:00.000Z', date_modified: '2026-03-02T08:00:00Z' }
    const text = buildTimeZone(zone, [times])
    assert.equal(text.match(/^BEGIN:/gm)?.length, 3)
    assert.deepEqual(buildTimeZone(zone, [times, times]), text)
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryDelayMs } from '../../../lib/operations/webhooks/delivery-progress.ts'

const now = new Date('2026-01-31T12:00:00Z')
const delay = (attempts: number, retryAfter?: string): number =>
  retryDelayMs({ attempts, firstRetryMs: 5_000, retryAfter, now }) / 1_000

test('delays follow Standard Webhooks, with some jitter', () => {
  const minute = 60
  const hour = 60 * minute
  const times = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour]
  for (const [at, seconds] of [...times, 24 * hour, 24 * hour].entries()) {
    const found = delay(at + 1)
    assert.ok(found >= seconds && found <= seconds * 1.1, `${at + 1}: ${found}`)
  }
})

test('a receiver may request a longer delay, up to a day, but not a shorter one', () => {
  assert.equal(delay(1, '120'), 120)
  assert.equal(delay(1, 'Sat, 31 Jan 2026 12:10:00 GMT'), 600)
  assert.equal(delay(1, '99999999'), 86_400)
  for (const text of ['0', '-5', 'soon', '', 'Sat, 31 Jan 2026 11:00:00 GMT'])
    assert.ok(delay(1, text) <= 5.5, text)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkTimeZone } from '../../lib/shared/wall-clock.ts'

for (const name of [
  'UTC',
  'Europe/Berlin',
  'Asia/Kolkata',
  'US/Eastern',
  'Etc/GMT+5',
  'America/Argentina/Buenos_Aires',
]) {
  test(`${name} is a time zone`, () => {
    assert.equal(checkTimeZone(name), undefined)
  })
}

for (const name of [
  '',
  'Nowhere',
  'Europe/Atlantis',
  '+02:00',
  'Europe/Berlin\r\nX:1',
  'a'.repeat(1e6),
]) {
  test(`${JSON.stringify(name.slice(0, 30))} is not a time zone`, () => {
    assert.match(checkTimeZone(name) ?? 'accepted', /name in the IANA database/)
  })
}

test('a time zone in the wrong case gets its correct name', () => {
  assert.equal(checkTimeZone('europe/berlin'), 'must be written Europe/Berlin')
})

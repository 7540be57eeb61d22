import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../helpers/properties.ts'
import { checkRrule } from '../../lib/calendar/check-rule.ts'
import { buildRule, parseRule, parseUntil } from '../../lib/shared/recurrence-rule.ts'
import { cpuMs } from './entries.ts'

const ACCEPTED = [
  'FREQ=DAILY',
  'freq=weekly;byday=mo,we;count=10',
  'FREQ=DAILY;INTERVAL=1000;COUNT=10000',
  'FREQ=DAILY;UNTIL=20261231',
  'FREQ=DAILY;UNTIL=20240229T235959Z',
  'FREQ=MONTHLY;BYDAY=-1FR',
  'FREQ=MONTHLY;BYDAY=+2MO,-1SU;WKST=SU',
  'FREQ=MONTHLY;BYMONTHDAY=-31,31,+1',
  'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
  'FREQ=YEARLY;BYYEARDAY=-366,366',
  'FREQ=YEARLY;BYWEEKNO=1,-53;BYDAY=MO',
  'FREQ=YEARLY;BYDAY=53MO,-53TU',
  'FREQ=YEARLY;BYMONTH=1,12;BYDAY=5MO',
  'FREQ=YEARLY;BYWEEKNO=1;BYMONTHDAY=1',
  'FREQ=YEARLY;BYWEEKNO=1;BYMONTH=12',
  'FREQ=YEARLY;BYWEEKNO=1;BYYEARDAY=1,-1',
  'FREQ=YEARLY;BYYEARDAY=1;BYMONTHDAY=1',
  'FREQ=YEARLY;BYYEARDAY=1;BYDAY=MO,TU,WE,TH,FR',
  'FREQ=MONTHLY;BYMONTHDAY=29;BYMONTH=2;BYDAY=MO',
  'FREQ=DAILY;BYSECOND=60',
  'FREQ=DAILY;BYHOUR=0,23;BYMINUTE=0,59;BYSECOND=0,59',
  `FREQ=DAILY;BYHOUR=${Array.from({ length: 24 }, (_, hour) => hour).join()}`,
]

for (const text of ACCEPTED) {
  test(`the rule ${text.slice(0, 60)} is accepted`, () => {
    assert.equal(checkRrule(text), undefined)
  })
}

const REFUSED: readonly (readonly [string, RegExp])[] = [
  ['', /unknown part ""/],
  ['COUNT=3', /must have FREQ/],
  ['FREQ=DAILY;', /unknown part ""/],
  ['FREQ', /give FREQ a value/],
  ['FREQ=', /FREQ must be DAILY/],
  ['FREQ=OFTEN', /FREQ must be DAILY/],
  ['FREQ=SECONDLY', /BYHOUR/],
  ['FREQ=MINUTELY', /BYHOUR/],
  ['FREQ=HOURLY', /BYHOUR/],
  ['FREQ=DAILY;FREQ=WEEKLY', /FREQ twice/],
  ['FREQ=DAILY;BYEASTER=0', /unknown part "BYEASTER"/],
  ['FREQ=DAILY;constructor=1', /unknown part "CONSTRUCTOR"/],
  ['FREQ=DAILY;__proto__=1', /unknown part "__PROTO__"/],
  ['RRULE:FREQ=DAILY', /value of RRULE alone/],
  ['DTSTART:20260101T000000Z', /value of RRULE alone/],
  ['FREQ=DAILY\nEXDATE:20260101', /on one line/],
  ['FREQ=DAILY\r\nRRULE:FREQ=DAILY', /on one line/],
  ['FREQ=DAILY;COUNT=2;UNTIL=20261231', /both COUNT and UNTIL/],
  ['FREQ=DAILY;COUNT=0', /COUNT must be a number from 1 to 10000/],
  ['FREQ=DAILY;COUNT=10001', /COUNT must/],
  ['FREQ=DAILY;COUNT=1e3', /COUNT must/],
  ['FREQ=DAILY;INTERVAL=0', /INTERVAL must be a number from 1 to 1000/],
  ['FREQ=DAILY;INTERVAL=1001', /INTERVAL must/],
  ['FREQ=DAILY;UNTIL=20260230', /UNTIL must be a date/],
  ['FREQ=DAILY;UNTIL=20261231T120000', /UNTIL must be a date/],
  ['FREQ=DAILY;UNTIL=20261231T240000Z', /UNTIL must be a date/],
  ['FREQ=DAILY;BYSECOND=61', /BYSECOND must list numbers from 0 to 60/],
  ['FREQ=DAILY;BYMINUTE=60', /BYMINUTE must/],
  ['FREQ=DAILY;BYHOUR=24', /BYHOUR must/],
  ['FREQ=DAILY;BYHOUR=1,,2', /BYHOUR must/],
  ['FREQ=DAILY;BYHOUR=-1', /BYHOUR must/],
  ['FREQ=DAILY;BYMONTH=13', /BYMONTH must/],
  ['FREQ=DAILY;BYMONTH=0', /BYMONTH must/],
  ['FREQ=MONTHLY;BYMONTHDAY=0', /BYMONTHDAY must/],
  ['FREQ=MONTHLY;BYMONTHDAY=32', /BYMONTHDAY must/],
  ['FREQ=WEEKLY;BYMONTHDAY=1', /BYMONTHDAY with WEEKLY/],
  ['FREQ=YEARLY;BYYEARDAY=367', /BYYEARDAY must/],
  ['FREQ=MONTHLY;BYYEARDAY=1', /BYYEARDAY only with YEARLY/],
  ['FREQ=YEARLY;BYWEEKNO=54', /BYWEEKNO must/],
  ['FREQ=MONTHLY;BYWEEKNO=1', /BYWEEKNO only with YEARLY/],
  ['FREQ=WEEKLY;BYDAY=XX', /BYDAY must list days/],
  ['FREQ=MONTHLY;BYDAY=0MO', /BYDAY must list days/],
  ['FREQ=MONTHLY;BYDAY=54MO', /BYDAY must list days/],
  ['FREQ=MONTHLY;BYDAY=6MO', /beyond 5 in BYDAY/],
  ['FREQ=YEARLY;BYMONTH=3;BYDAY=MO,-10FR', /beyond 5 in BYDAY/],
  ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', /would never happen/],
  ['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', /would never happen/],
  ['FREQ=YEARLY;BYMONTHDAY=13;BYDAY=-1FR', /would never happen/],
  ['FREQ=YEARLY;BYWEEKNO=5;BYYEARDAY=1', /would never happen/],
  ['FREQ=WEEKLY;BYDAY=1MO', /numbers in BYDAY only with MONTHLY or YEARLY/],
  ['FREQ=YEARLY;BYWEEKNO=3;BYDAY=1MO', /numbers in BYDAY with BYWEEKNO/],
  ['FREQ=MONTHLY;BYSETPOS=1', /BYSETPOS only together with another BY part/],
  ['FREQ=MONTHLY;BYDAY=MO;BYSETPOS=0', /BYSETPOS must/],
  ['FREQ=WEEKLY;WKST=1MO', /WKST must be one day/],
  ['FREQ=DAILY;BYHOUR=1,2,3,4,5;BYMINUTE=0,10,20,30,40', /more than 24 times a day/],
  [`FREQ=DAILY;BYMONTH=${'1,'.repeat(1_000)}1`, /at most 2000 characters/],
]

for (const [text, reason] of REFUSED) {
  test(`the rule ${JSON.stringify(text.slice(0, 60))} is refused with its reason`, () => {
    assert.match(checkRrule(text) ?? 'accepted', reason)
  })
}

test('no text makes the check throw', () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('FREQ=', 'BYDAY=', 'UNTIL=', 'COUNT=', ';', ',', '=', '-1FR', '20261231T', 'Z'),
  )
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const fault = checkRrule(parts.join(''))
      assert.ok(fault === undefined || fault.length < 300)
    }),
    { numRuns: 2_000 },
  )
})

test('a long hostile text is refused at once', () => {
  const startedAt = cpuMs()
  for (const unit of ['FREQ=DAILY;', '1,', 'BYDAY=MO', '\n', ';', '='])
    assert.notEqual(checkRrule(unit.repeat(1_000_000)), undefined)
  assert.ok(cpuMs() - startedAt < 500)
})

test('a rule is read into its parts in capitals and without plus signs, and written back', () => {
  const parts = parseRule('freq=monthly;byday=+1mo,-1fr')
  assert.equal(parts.get('BYDAY'), '1MO,-1FR')
  assert.equal(buildRule(parts), 'FREQ=MONTHLY;BYDAY=1MO,-1FR')
})

test('a leap second is read as the preceding second', () => {
  assert.equal(parseRule('FREQ=DAILY;BYSECOND=60,1').get('BYSECOND'), '59,1')
})

test('an UNTIL is an instant, or the midnight of a date', () => {
  assert.equal(parseUntil('20260330'), Date.parse('2026-03-30T00:00:00Z'))
  assert.equal(parseUntil('20260330T225959Z'), Date.parse('2026-03-30T22:59:59Z'))
  assert.equal(parseUntil('20260231'), undefined)
})

// Valid dates in each of their forms, and the errors for all other values.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dateHint, dayHint, parseDate, parseDay } from '../../lib/schema/date.ts'

const DATES: readonly (readonly [value: unknown, date: string])[] = [
  ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31t12:00:00.1234z', '2026-01-31T12:00:00.123Z'],
  ['2026-01-31 12:00:00+01:30', '2026-01-31T10:30:00.000Z'],
  ['2026-01-31T23:59:59-01:00', '2026-02-01T00:59:59.000Z'],
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ['20260131', '2026-01-31T00:00:00.000Z'],
  ['20260131120102', '2026-01-31T12:01:02.000Z'],
  ['1769860800', '2026-01-31T12:00:00.000Z'],
  ['-176986080', '1964-05-23T13:12:00.000Z'],
  [1_769_860_800, '2026-01-31T12:00:00.000Z'],
  [0, '1970-01-01T00:00:00.000Z'],
  [0.25, '1970-01-01T00:00:00.250Z'],
  // Eight digits that do not form a day are seconds.
  [20_261_331, '1970-08-23T12:08:51.000Z'],
  ['0000-01-01', '0000-01-01T00:00:00.000Z'],
  [-62_167_219_200, '0000-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
]

const DIGITS = /^; digits must be a day \(YYYYMMDD\), a time \(YYYYMMDDhhmmss\), or nine to eleven/
const NO_OFFSET = /^; this time has no offset: append Z/
const HOUR_24 = /^; hours go from 00 to 23/

const NO_DATES: readonly (readonly [value: unknown, hint: RegExp])[] = [
  [20_260_131, /^; 20260131 may be a day or seconds .*: send the day as "2026-01-31"$/],
  ['2026', DIGITS],
  ['-2026', DIGITS],
  ['20260230', DIGITS],
  ['176986080000', DIGITS],
  ['2026-01-31T12:00:00', NO_OFFSET],
  ['2026-01-31 12:00', NO_OFFSET],
  [' 2026-01-31T12:00:00.5 ', NO_OFFSET],
  ['2026-01-31T24:00:00', HOUR_24],
  ['2026-01-31 24:00:00Z', HOUR_24],
  ['x2026-01-31T24:00:00Z', /^$/],
  ['2026-01-31T12:00:00 Europe/Berlin', /^$/],
  ['x2026-01-31T12:00:00', /^$/],
  ['2026-02-30', /^$/],
  ['2025-02-29T00:00:00Z', /^$/],
  ['2026-00-10', /^$/],
  ['2026-1-31', /^$/],
  ['2026-01-31T12:00Z', /^$/],
  ['2026-01-31T12:60:00Z', /^$/],
  ['2026-01-31T12:00:00.Z', /^$/],
  ['2026-01-31T12:00:00.1234567890Z', /^$/],
  ['2026-01-31T12:00:00+0100', /^$/],
  ['12026-01-31', /^$/],
  ['2026-01-311', /^$/],
  ['9999-12-31T23:59:59-00:01', /^$/],
  ['0000-01-01T00:00:00+00:01', /^$/],
  [-62_167_219_201, /^$/],
  [253_402_300_800, /^$/],
  [Number.NaN, /^$/],
  ['yesterday', /^$/],
  ['', /^$/],
  [true, /^$/],
  [null, /^$/],
  [{}, /^$/],
]

test('each form of a date is one instant in UTC with milliseconds', () => {
  for (const [value, date] of DATES) assert.equal(parseDate(value), date, String(value))
})

test('an invalid date that looks like a date gets a hint', () => {
  for (const [value, hint] of NO_DATES) {
    assert.equal(parseDate(value), undefined, String(value))
    assert.match(dateHint(value), hint, String(value))
  }
})

test('a day is the written day and needs no offset', () => {
  for (const [value, day] of [
    ['2026-01-31T00:00:00+02:00', '2026-01-31'],
    ['2026-01-31 23:59', '2026-01-31'],
    ['9999-12-31T23:59:59-00:01', '9999-12-31'],
    ['20260131120102', '2026-01-31'],
    [86_400, '1970-01-02'],
    ['2026-02-29', undefined],
    ['2026-01-31T12:00:00+24:00', undefined],
    [20_260_131, undefined],
  ] as const)
    assert.equal(parseDay(value), day, String(value))
  assert.equal(dayHint('2026-02-29T12:00:00'), '')
  assert.match(dayHint('2026-01-31T24:00:00'), HOUR_24)
})

test('a number that is not a day gets no hint', () => {
  for (const value of [2_026, 20_261_331, 202_601_311]) assert.equal(dateHint(value), '')
})

test('a day exists exactly if a Date keeps it', () => {
  for (const year of [0, 1, 4, 100, 400, 1899, 1900, 2000, 2023, 2024, 2100, 9999])
    for (let month = 0; month <= 13; month += 1)
      for (let day = 0; day <= 32; day += 1) {
        const [yyyy, mm, dd] = [String(year).padStart(4, '0'), pad(month), pad(day)]
        const text = `${yyyy}-${mm}-${dd}`
        const time = new Date(`${text}T00:00:00Z`)
        const isKept = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text)
        assert.equal(parseDay(text), isKept ? text : undefined, text)
        assert.equal(parseDate(text), isKept ? `${text}T00:00:00.000Z` : undefined, text)
      }
})

function pad(number: number): string {
  return String(number).padStart(2, '0')
}

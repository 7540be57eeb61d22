import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { test } from 'node:test'
import { fc } from '../helpers/properties.ts'
import { evaluate, ifRangeAllows, matchesIfMatch } from '../../lib/http/conditional.ts'

const ETAG = '"v1"'
const LAST_MODIFIED_MS = Date.UTC(2024, 1, 29, 12, 0, 0, 345)
const SAME = 'Thu, 29 Feb 2024 12:00:00 GMT'
const OLDER = 'Thu, 29 Feb 2024 11:59:59 GMT'
const NEWER = 'Thu, 29 Feb 2024 12:00:01 GMT'

const IF_MATCH: readonly (readonly [header: string | undefined, matches: boolean])[] = [
  [undefined, true],
  ['*', true],
  [' * ', true],
  ['"v1"', true],
  ['"v2"', false],
  ['W/"v1"', true],
  ['W/"v2"', false],
  ['"v0", "v1"', true],
  ['"v0","v1"', true],
  ['"v0" ,\t"v1" ,', true],
  [', ,"v1"', true],
  ['"v0", W/"v1"', true],
  ['"V1"', false],
  ['"a,b", "v1"', true],
  ['"v1,"', false],
  ['""', false],
]

test('If-Match compares, with lists and the asterisk', () => {
  for (const [header, matches] of IF_MATCH) {
    assert.equal(matchesIfMatch(header, ETAG), matches, `${header}`)
  }
})

test('an invalid If-Match is refused by name', () => {
  const garbage = [
    '',
    ' ',
    ',',
    'v1',
    '"v1',
    'v1"',
    '"v1" "v2"',
    '"v1"x',
    '"v1", v2',
    'w/"v1"',
    'W/v1',
    '"v1", *',
    '*, "v1"',
    '"a"b"',
    '"v 1"',
    "'v1'",
    ' '.repeat(16_000),
  ]

  for (const header of garbage) {
    assert.throws(
      () => matchesIfMatch(header, ETAG),
      { code: 'bad-request', message: /If-Match/ },
      JSON.stringify(header.slice(0, 20)),
    )
  }
})

test('E1: any list of tags matches exactly when the tag is in it', () => {
  const tag = fc.stringMatching(/^[!#-~]*$/).map((text) => `"${text}"`)

  fc.assert(
    fc.property(fc.array(tag, { minLength: 1 }), tag, (tags, etag) => {
      assert.equal(matchesIfMatch(tags.join(', '), etag), tags.includes(etag))
      assert.equal(matchesIfMatch(`${tags.join(',')},${etag}`, etag), true)
    }),
  )
})

// The precedence rules of RFC 9110, section 13.2.2, as printed. Each column is the result of one header.
function decide({
  match,
  unmodified,
  none,
  modified,
}: Record<string, boolean | undefined>): string {
  if (match === false) return 'failed'
  if (match === undefined && unmodified === false) return 'failed'
  if (none !== undefined) return none ? 'proceed' : 'not-modified'
  return modified === false ? 'not-modified' : 'proceed'
}

const COLUMNS = {
  match: {
    'if-match': [
      [undefined, undefined],
      ['"v1"', true],
      ['*', true],
      ['"v2"', false],
    ],
  },
  unmodified: {
    'if-unmodified-since': [
      [undefined, undefined],
      [SAME, true],
      [NEWER, true],
      [OLDER, false],
      ['soon', undefined],
    ],
  },
  none: {
    'if-none-match': [
      [undefined, undefined],
      ['"v2"', true],
      ['"v1"', false],
      ['W/"v1"', false],
      ['*', false],
      ['"v2", "v1"', false],
      ['v1', true],
    ],
  },
  modified: {
    'if-modified-since': [
      [undefined, undefined],
      [SAME, false],
      [NEWER, false],
      [OLDER, true],
      ['soon', undefined],
    ],
  },
} as const

interface Case {
  headers: IncomingHttpHeaders
  truths: Record<string, boolean | undefined>
}

function allCases(): Case[] {
  let cases: Case[] = [{ headers: {}, truths: {} }]
  for (const [column, header] of Object.entries(COLUMNS)) {
    for (const [name, values] of Object.entries(header)) {
      cases = cases.flatMap(({ headers, truths }) =>
        values.map(([value, truth]: readonly [string | undefined, boolean | undefined]) => ({
          headers: value === undefined ? headers : { ...headers, [name]: value },
          truths: { ...truths, [column]: truth },
        })),
      )
    }
  }
  return cases
}

test('E1: the four conditions are decided in the order of RFC 9110, for every combination', () => {
  const cases = allCases()
  assert.equal(cases.length, 4 * 5 * 7 * 5)

  for (const { headers, truths } of cases) {
    for (const method of ['GET', 'HEAD']) {
      const outcome = evaluate({ method, headers, etag: ETAG, lastModifiedMs: LAST_MODIFIED_MS })
      assert.equal(outcome, decide(truths), `${method} ${JSON.stringify(headers)}`)
    }
  }
})

test('on a write If-None-Match gets 412, and If-Modified-Since is ignored', () => {
  const write = { method: 'POST', etag: ETAG, lastModifiedMs: LAST_MODIFIED_MS }

  assert.equal(evaluate({ ...write, headers: { 'if-none-match': '*' } }), 'failed')
  assert.equal(evaluate({ ...write, headers: { 'if-none-match': '"v2"' } }), 'proceed')
  assert.equal(evaluate({ ...write, headers: { 'if-none-match': '"vW/1"' } }), 'proceed')
  const inside = { ...write, etag: '"vW/1"' }
  assert.equal(evaluate({ ...inside, headers: { 'if-none-match': '"v1"' } }), 'proceed')
  assert.equal(evaluate({ ...write, headers: { 'if-modified-since': SAME } }), 'proceed')
})

test('an invalid If-Match is also refused on a read', () => {
  const read = { method: 'GET', etag: ETAG, lastModifiedMs: LAST_MODIFIED_MS }

  assert.throws(() => evaluate({ ...read, headers: { 'if-match': 'v1' } }), { code: 'bad-request' })
})

test('all three date formats are read in any time zone, and other dates are ignored', (t) => {
  const timeZone = process.env['TZ']
  t.after(() => {
    if (timeZone === undefined) delete process.env['TZ']
    else process.env['TZ'] = timeZone
  })
  process.env['TZ'] = 'America/New_York'

  const read = { method: 'GET', etag: ETAG, lastModifiedMs: Date.UTC(1994, 10, 6, 8, 49, 37) }
  const dates = {
    'Sun, 06 Nov 1994 08:49:37 GMT': 'not-modified',
    'Sunday, 06-Nov-94 08:49:37 GMT': 'not-modified',
    'Sun Nov  6 08:49:37 1994': 'not-modified',
    'Sun Nov  6 08:49:36 1994': 'proceed',
    '1994-11-06T08:49:37Z': 'proceed',
    '784111777': 'proceed',
    'Sun, 06 Nov 1994 08:49:37': 'proceed',
    'Sun, 06 Nov 1994 08:49:37 EST': 'proceed',
    'Sun, 06 Nov 1994 28:49:37 GMT': 'proceed',
    'Sun, 06 Xyz 1994 08:49:37 GMT': 'proceed',
    'Sun Nov  6 08:49:97 1994': 'proceed',
    'Son, 06 Nov 1994 08:49:37 GMT': 'proceed',
    'Wed, 30 Feb 2022 00:00:00 GMT': 'proceed',
    'Wednesday, 31-Apr-24 00:00:00 GMT': 'proceed',
    '': 'proceed',
  }

  for (const [date, outcome] of Object.entries(dates)) {
    assert.equal(evaluate({ ...read, headers: { 'if-modified-since': date } }), outcome, date)
  }
})

const IF_RANGE: readonly (readonly [header: string | undefined, allows: boolean])[] = [
  [undefined, true],
  ['"v1"', true],
  ['"v2"', false],
  ['W/"v1"', false],
  ['"v1", "v2"', false],
  ['*', false],
  ['v1', false],
  ['', false],
  [SAME, true],
  [OLDER, false],
  [NEWER, false],
  ['soon', false],
]

test('If-Range accepts a range only with the same strong ETag or date', () => {
  for (const [header, allows] of IF_RANGE) {
    assert.equal(ifRangeAllows(header, ETAG, LAST_MODIFIED_MS), allows, `${header}`)
  }
  assert.equal(ifRangeAllows('W/"v1"', 'W/"v1"', LAST_MODIFIED_MS), false)
})

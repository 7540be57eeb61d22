// Values as JSON texts, and the value that a column of each type must keep, unless it refuses the
// value.

import fc from 'fast-check'

export interface Kind {
  readonly column: string
  readonly type: string
  /** JSON texts. */
  readonly literals: fc.Arbitrary<string>
  /** Whether the answer has the value that was sent. */
  readonly isSame: (literal: string, stored: unknown) => boolean
  /** The stricter comparison under Prefer: handling=strict, if it differs. */
  readonly isExact?: (literal: string, stored: unknown) => boolean
}

const digits = (most: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: most })
    .map((all) => all.join(''))
const anyNumber = fc
  .record({
    sign: fc.constantFrom('', '', '-'),
    whole: digits(19).map((text) => text.replace(/^0+(?=\d)/, '')),
    fraction: fc.oneof(
      fc.constant(''),
      digits(18).map((text) => `.${text}`),
    ),
    exponent: fc.constantFrom('', '', '', 'e0', 'e2', 'E-2', 'e+5', 'e30'),
  })
  .map(({ sign, whole, fraction, exponent }) => sign + whole + fraction + exponent)
const quoted = (text: fc.Arbitrary<string>) => text.map((each) => JSON.stringify(each))
const numbers = fc.oneof({ weight: 3, arbitrary: anyNumber }, quoted(anyNumber))

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '=1+1',
    '@SUM(A1)',
    ' blank ',
    'a\r\nb',
    '"',
    "'",
    ',;\t',
    'null',
    'true',
    '1.50',
  ),
  fc.constantFrom('Zu\u0308rich', 'Zürich', '\ufeffbom', '\u2028', '', '0x1F', '1e5', '-0'),
)
const two = (most: number, least = 0) =>
  fc.integer({ min: least, max: most }).map((each) => String(each).padStart(2, '0'))
const anyDay = fc
  .tuple(fc.integer({ min: 1, max: 9999 }), two(13, 1), two(31, 1))
  .map(([year, month, day]) => `${String(year).padStart(4, '0')}-${month}-${day}`)
const anyOffset = fc.oneof(
  fc.constantFrom('Z', '+00:00', '+14:00', '-12:00'),
  fc.tuple(fc.constantFrom('+', '-'), two(13), two(59)).map(([sign, h, m]) => `${sign}${h}:${m}`),
)
const anyMoment = fc
  .tuple(anyDay, two(23), two(59), two(59), fc.constantFrom('', '.5', '.123', '.123456'), anyOffset)
  .map(([day, h, m, s, fraction, offset]) => `${day}T${h}:${m}:${s}${fraction}${offset}`)
const anySeconds = fc.integer({ min: -10_000_000_000, max: 10_000_000_000 }).map(String)
const dates = fc.oneof(quoted(anyDay), quoted(anyMoment), anySeconds)

const emails = quoted(fc.oneof({ weight: 3, arbitrary: fc.emailAddress() }, anyText))
const uuids = quoted(
  fc.oneof(
    fc.uuid(),
    fc.uuid().map((text) => text.toUpperCase()),
    anyText,
  ),
)

const textOf = (literal: string): string =>
  String(literal.startsWith('"') ? JSON.parse(literal) : literal)
const utcDay = (seconds: string): string =>
  new Date(Number(seconds) * 1000).toISOString().slice(0, 10)
const sameText: Kind['isSame'] = (literal, stored) => JSON.parse(literal) === stored
const sameNumber: Kind['isSame'] = (literal, stored) =>
  decimalOf(textOf(literal)) === decimalOf(String(stored))

export const KINDS: readonly Kind[] = [
  { column: 'c', type: 'C(60)', literals: quoted(anyText), isSame: sameText },
  { column: 'x', type: 'X', literals: quoted(anyText), isSame: sameText },
  { column: 'e', type: 'EMAIL', literals: emails, isSame: sameText },
  {
    column: 'u',
    type: 'UUID',
    literals: uuids,
    isSame: (literal, stored) => textOf(literal).toLowerCase() === stored,
  },
  { column: 'i', type: 'I', literals: numbers, isSame: sameNumber },
  { column: 'b', type: 'I8', literals: numbers, isSame: sameNumber },
  { column: 'n', type: 'N(30.12)', literals: numbers, isSame: sameNumber },
  {
    column: 'f',
    type: 'F',
    literals: numbers,
    isSame: (literal, stored) => Object.is(Number(textOf(literal)) + 0, stored),
  },
  {
    column: 'l',
    type: 'L',
    literals: fc.constantFrom(
      'true',
      'false',
      '1',
      '0',
      '"true"',
      '"false"',
      '"1"',
      '"0"',
      '2',
      '"yes"',
    ),
    isSame: (literal, stored) => ['true', '1'].includes(textOf(literal)) === stored,
  },
  {
    column: 'd',
    type: 'D',
    literals: dates,
    isSame: (literal, stored) =>
      stored === (literal.startsWith('"') ? textOf(literal).slice(0, 10) : utcDay(literal)),
  },
  {
    column: 't',
    type: 'T',
    literals: dates,
    // The documents say that times are truncated to milliseconds.
    isSame: (literal, stored) =>
      milliseconds(microseconds(literal)) === milliseconds(microseconds(JSON.stringify(stored))),
    isExact: (literal, stored) => microseconds(literal) === microseconds(JSON.stringify(stored)),
  },
]

/**
 * Returns the sign, the digits without leading and trailing zeros, and the power of ten of the last
 * digit: 1.50 and 150e-2 are the same number.
 */
export function decimalOf(text: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const all = (whole + fraction).replace(/^0+/, '')
  const short = all.replace(/0+$/, '')
  if (short === '') return whole === '' ? `no number: ${text}` : '0'
  return `${sign}${short}e${Number(power) - fraction.length + all.length - short.length}`
}

function microseconds(literal: string): bigint {
  if (!literal.startsWith('"')) return BigInt(literal) * 1_000_000n
  const text = textOf(literal)
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? ''
  const seconds = Date.parse(
    text.replace(/\.\d+/, '').replace(/^(\d{4}-\d\d-\d\d)$/, '$1T00:00:00Z'),
  )
  return BigInt(seconds) * 1000n + BigInt(fraction.padEnd(6, '0'))
}

/** Rounds down, also before 1970. */
function milliseconds(all: bigint): bigint {
  return (all - (((all % 1000n) + 1000n) % 1000n)) / 1000n
}

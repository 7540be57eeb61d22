// Compares the search language with a second implementation: JSON.parse reads the text, and the
// meaning of each operator follows its description.

import assert from 'node:assert/strict'
import { matches } from '../../../lib/schema/match.ts'
import { parseQry, QRY_GROUPS, QRY_OPERATORS } from '../../../lib/schema/qry.ts'
import type { FieldKind, JsonObject, JsonValue, Searchable } from '../../../lib/schema/values.ts'
import { type Fuzzer, refusalOf } from './engine.ts'

const KINDS: ReadonlyMap<string, FieldKind> = new Map<string, FieldKind>([
  ['title', 'string'],
  ['count', 'integer'],
  ['price', 'decimal'],
  ['done', 'boolean'],
  ['day', 'date'],
  ['tags', 'integers'],
  ['choices', 'strings'],
  ['place', 'point'],
  ['constructor', 'string'],
])

const FIELDS: Searchable = new Map(
  [...KINDS].map(([name, kind]) => [name, { name, kind, isIndexed: false }]),
)

const RECORDS: readonly JsonObject[] = [
  {
    ...{ title: 'Ito', count: 5, price: '12.50', done: true, day: '2026-01-31', tags: [1, 2] },
    choices: ['a', 'b'],
    place: [13.4, 52.5],
  },
  {
    ...{ title: 'abc', count: -1, price: 0, done: false, day: '1999-12-31', tags: [] },
    choices: [],
    place: [-179.5, -1],
  },
  { title: '', count: 0, price: '-0.5', done: null, day: null, tags: [5] },
  { title: null, count: null, price: null, done: true, day: '2026-02-01', tags: null },
  {
    title: 'ITO\n',
    count: '9007199254740993',
    price: 7,
    done: false,
    day: '2000-01-01',
    tags: [7],
  },
]

export const qry: Fuzzer = {
  name: 'qry',
  dictionary: [
    ...[...KINDS.keys()].map((name) => `"${name}"`),
    ...new Set([...QRY_OPERATORS, ...QRY_GROUPS].map((name) => `"${name}"`)),
    ...['"i"', '"/it/i"', '"o.title"'],
    ...['{', '}', '[', ']', ':', ',', 'null', 'true', '1', '"5"', '12.5', '"2026-01-31"', '"Ito"'],
    ...['{"$not":', '{"$or":[', '"__proto__"', '"\\ud800"', '1e999', '"0012.500"', '-0', '""'],
    ...['{"$near":{"point":[13,52],"km":100}}', '{"$within":[170,-10,-170,10]}'],
  ],
  check(input) {
    let match
    try {
      match = parseQry(input, FIELDS, 'o')
    } catch (error) {
      return refusalOf(error)
    }
    const asked = JSON.parse(input) as JsonObject
    const found = RECORDS.map((record) => matches(match, record))
    const expected = RECORDS.map((record) => meets(asked, record))
    for (const [index, value] of expected.entries())
      if (value !== undefined) assert.equal(found[index], value, `record ${index}`)
    return `${found.map(Number).join('')} ${match.op}`
  },
}

/** Undefined if the search has a regular expression that JavaScript might read differently. */
type Truth = boolean | undefined

function meets(asked: JsonObject, record: JsonObject): Truth {
  return all(
    Object.entries(asked).map(([name, value]) => {
      if (name === '$and') return all((value as JsonObject[]).map((item) => meets(item, record)))
      if (name === '$or') return any((value as JsonObject[]).map((item) => meets(item, record)))
      if (name === '$not') return negate(meets(value as JsonObject, record))
      const field = name.replace(/^o\./, '')
      const stored = Object.hasOwn(record, field) ? (record[field] ?? null) : null
      return meetsCondition(value, KINDS.get(field) ?? 'string', stored)
    }),
  )
}

function meetsCondition(asked: JsonValue, kind: FieldKind, stored: JsonValue): Truth {
  if (typeof asked === 'object' && asked !== null && !Array.isArray(asked)) {
    const operators = asked as JsonObject
    return all(
      Object.entries(operators).map(([name, value]) =>
        meetsOperator({ name, value, siblings: operators, kind, stored }),
      ),
    )
  }
  if (kind === 'point') return stored === null
  const pattern = typeof asked === 'string' && kind === 'string' ? /^\/(.+)\/i$/s.exec(asked) : null
  if (pattern !== null) return meetsPattern(pattern[1] ?? '', 'i', stored)
  return isOne(stored, (value) => same(kind, value, asked))
}

interface Asked {
  readonly name: string
  readonly value: JsonValue
  readonly siblings: JsonObject
  readonly kind: FieldKind
  readonly stored: JsonValue
}

function meetsPlace({ name, value, stored }: Asked): Truth {
  const place = stored as readonly number[] | null
  switch (name) {
    case '$near': {
      const { point, km } = value as { readonly point: JsonValue; readonly km: JsonValue }
      const away =
        place === null ? Number.NaN : kilometers(place, (point as JsonValue[]).map(Number))
      return Math.abs(away - Number(km)) < 0.001 ? undefined : away <= Number(km)
    }
    case '$within': {
      const [west = 0, south = 0, east = 0, north = 0] = (value as JsonValue[]).map(Number)
      const [longitude = Number.NaN, latitude = Number.NaN] = place ?? []
      const turned = west > east && longitude < west ? longitude + 360 : longitude
      const isAcross = turned >= west && turned <= (west > east ? east + 360 : east)
      return isAcross && latitude >= south && latitude <= north
    }
    case '$in':
    case '$nin':
      return (place === null && (value as JsonValue[]).includes(null)) === (name === '$in')
    case '$exists':
      return (place !== null) === Boolean(value)
    case '$not':
      return negate(meetsCondition(value, 'point', stored))
    default:
      return (place === null) === (name === '$eq')
  }
}

/** The distance by the spherical law of cosines. */
function kilometers(from: readonly number[], to: readonly number[]): number {
  const [[a = 0, b = 0], [c = 0, d = 0]] = [from, to].map((each) =>
    each.map((degrees) => (degrees * Math.PI) / 180),
  ) as [number[], number[]]
  const cosine = Math.sin(b) * Math.sin(d) + Math.cos(b) * Math.cos(d) * Math.cos(a - c)
  return 6_371.0088 * Math.acos(Math.min(1, Math.max(-1, cosine)))
}

function meetsOperator(asked: Asked): Truth {
  const { name, value, siblings, kind, stored } = asked
  if (kind === 'point') return meetsPlace(asked)
  const some = (test: (item: JsonValue) => boolean): boolean => isOne(stored, test)
  const compare = (test: (order: number) => boolean): boolean =>
    some((item) => item !== null && test(orderOf(kind, item, value)))
  const includes = (): boolean =>
    some((item) => (value as readonly JsonValue[]).some((other) => same(kind, item, other)))

  switch (name) {
    case '$eq':
      return some((item) => same(kind, item, value))
    case '$ne':
      return !some((item) => same(kind, item, value))
    case '$gt':
      return compare((order) => order > 0)
    case '$gte':
      return compare((order) => order >= 0)
    case '$lt':
      return compare((order) => order < 0)
    case '$lte':
      return compare((order) => order <= 0)
    case '$in':
      return includes()
    case '$nin':
      return !includes()
    case '$all':
      return (value as readonly JsonValue[]).every((other) =>
        some((item) => same(kind, item, other)),
      )
    case '$size':
      return meetsCondition(value, 'integer', Array.isArray(stored) ? stored.length : 0)
    case '$exists':
      return some((item) => item !== null) === Boolean(value)
    case '$not':
      return negate(meetsCondition(value, kind, stored))
    case '$contains':
      return some((item) => item !== null && String(item).includes(String(value)))
    case '$startsWith':
      return some((item) => item !== null && String(item).startsWith(String(value)))
    case '$endsWith':
      return some((item) => item !== null && String(item).endsWith(String(value)))
    case '$regex':
      return meetsPattern(String(value), siblings['$options'] === 'i' ? 'i' : '', stored)
    case '$options':
      // The case $regex reads its $options.
      return true
    default:
      throw new Error(`the second reading does not know ${name}`)
  }
}

function meetsPattern(pattern: string, flags: string, stored: JsonValue): Truth {
  if (!/^[\w ]*$/.test(pattern)) return undefined
  return stored !== null && new RegExp(pattern, flags).test(String(stored))
}

/** A list matches by any of its elements; an empty list has no value. */
function isOne(stored: JsonValue, test: (value: JsonValue) => boolean): boolean {
  if (!Array.isArray(stored)) return test(stored)
  const items = stored as readonly JsonValue[]
  return items.length === 0 ? test(null) : items.some(test)
}

function same(kind: FieldKind, stored: JsonValue, asked: JsonValue): boolean {
  if (stored === null || asked === null) return stored === asked
  return orderOf(kind, stored, asked) === 0
}

function orderOf(kind: FieldKind, stored: JsonValue, asked: JsonValue): number {
  const [left, right] = [comparable(kind, stored), comparable(kind, asked)]
  return left === right ? 0 : left < right ? -1 : 1
}

/**
 * Converts a number to an integer at the smallest scale, a day to its text, and a string to its
 * bytes.
 */
function comparable(kind: FieldKind, value: JsonValue): bigint | string {
  if (kind === 'string' || kind === 'strings') return Buffer.from(String(value)).toString('hex')
  if (kind === 'boolean') return String(value === true || /^(?:1|true)$/.test(String(value)))
  if (kind === 'date') return dayOf(value)
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(String(value)) ?? []
  const scaled =
    BigInt(whole + fraction) * 10n ** (DECIMALS + BigInt(exponent) - BigInt(fraction.length))
  return sign === '-' ? -scaled : scaled
}

const DECIMALS = 5_500n

function dayOf(value: JsonValue): string {
  const isSeconds = typeof value === 'number' || /^-?\d{1,12}$/.test(String(value))
  const date = isSeconds
    ? new Date(Number(value) * 1_000)
    : new Date(String(value).toUpperCase().replace(' ', 'T'))
  return date.toISOString().slice(0, 10)
}

function all(parts: readonly Truth[]): Truth {
  if (parts.includes(false)) return false
  return parts.includes(undefined) ? undefined : true
}

function any(parts: readonly Truth[]): Truth {
  if (parts.includes(true)) return true
  return parts.includes(undefined) ? undefined : false
}

function negate(part: Truth): Truth {
  return part === undefined ? undefined : !part
}

// Generates values from JSON Schema with fast-check: valid values, and values that violate a single
// constraint.

import fc from 'fast-check'

type Value = fc.Arbitrary<unknown>

/** The name of a constraint, and values that violate only this constraint. */
export interface Violation {
  readonly constraint: string
  readonly value: Value
}

/** Values of properties for which a random valid value would never refer to anything. */
export const HINTS: Readonly<Record<string, readonly unknown[]>> = {
  parent_category_id: [1, 12, 13, 14, 15],
  asset_category_id: [1, 12, 13, 14],
  asset_file_id: [1, 2, 3, 4, 5],
  user_id: [1, 2],
  type: ['html', 'stml', 'txt', 'css'],
  pageContent: ['', '<p>é</p>', '<div id="dd.0"><p>x</p></div>', 'a\n'.repeat(500)],
  table_schema: ['title C(40) NOTNULL', 'a I, b N(8.2), c D', 'x X UNIQUE', "k ENUM('a') KEY", 'q'],
  title_field: ['title', 'a', 'nothing'],
  time_zone: ['Europe/Berlin', 'UTC', 'Mars/Olympus'],
  rrule: ['FREQ=DAILY', 'FREQ=WEEKLY;BYDAY=MO;COUNT=3', 'FREQ=NEVER'],
  start_time: ['2026-03-02T09:00:00Z', '2026-03-02', 1_772_442_000, 'soon'],
  end_time: ['2026-03-02T10:00:00Z', '2026-12-31', null, 'later'],
  released: ['2026-01-31', 0, null, '2026-02-30'],
  at: ['2026-01-31T01:02:03Z', 1, null],
  date_expires: ['2099-01-01', null, 'never'],
  keep_old: ['1h', 60, null, 'ever'],
  price: ['12.50', 3, '-0.25', '1e5', 1_234_567],
  big: ['9223372036854775807', -1, '9223372036854775808'],
  from: ['2026-01-01', '2027-01-01T00:00:00Z', 'x'],
  to: ['2026-06-01', '2028-01-01T00:00:00Z', ''],
  fields: ['*', 'name', 'title', 'name,owner', 'nothing', '', 'date_added, owner'],
  orderStr: ['name', 'owner,date_added', 'date_added,owner,date_modified', 'nothing', 'owner,'],
  orderDir: ['ASC', 'DESC', 'ASC,DESC', 'UP'],
  cursor: ['x', 'MTIzNDU2Nzg', '1', '2'],
  table_filter: ['a', 'é', '%'],
  qry: [
    ...[{}, { owner: 'admin' }, { name: { $gte: 'a' } }, { nothing: 1 }, { title: '/a/i' }],
    ...[{ date_added: { $lt: '2030-01-01' } }, { $or: [{ owner: 'x' }, { title: null }] }],
    ...[
      { name: { $regex: '(' } },
      { $not: { owner: { $in: ['admin', null] } } },
      { price: '1e999' },
    ],
  ],
  'If-Match': ['*', '"r1"', '"r1", "r2"', 'W/"r1"', 'r1'],
  'If-None-Match': ['*', '"r1"', 'W/"x"', 'none'],
  Range: ['bytes=0-0', 'bytes=-2', 'bytes=900-', 'bytes=0-1,3-4', 'lines=1'],
  Prefer: ['return=representation', 'return=minimal', 'respond-async'],
}

const ids = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 6 }) },
  { weight: 1, arbitrary: fc.integer({ min: 7, max: 60 }) },
)

/** Returns a value that the schema permits; the server may still refuse its meaning. */
export function validValue(schema: any, name = ''): Value {
  const hints = HINTS[name]
  if (hints !== undefined) return fc.constantFrom(...hints)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.anyOf !== undefined)
    return fc.oneof(...schema.anyOf.map((item: any) => validValue(item)))
  const types: readonly string[] = [schema.type ?? 'string'].flat()
  return fc.oneof(...types.map((type) => validOfType(schema, type)))
}

function validOfType(schema: any, type: string): Value {
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return validInteger(schema)
    case 'number':
      return fc.double({
        noNaN: true,
        noDefaultInfinity: true,
        min: schema.minimum ?? -1e9,
        max: 1e9,
      })
    case 'array':
      return validArray(schema)
    case 'object':
      return validObject(schema)
    default:
      return validString(schema)
  }
}

function validInteger({ minimum = -1_000, maximum = Number.MAX_SAFE_INTEGER }: any): Value {
  if (minimum === 1) return fc.oneof({ weight: 9, arbitrary: ids }, fc.constantFrom(maximum))
  return fc.oneof(
    fc.integer({ min: minimum, max: Math.min(maximum, 1_000) }),
    fc.constantFrom(minimum, maximum),
  )
}

/** Each arbitrary by its pattern and length, because fast-check derives it from the pattern in milliseconds. */
const MATCHING = new Map<string, Value>()

function matching(pattern: string, maxLength: number): Value {
  const key = `${maxLength} ${pattern}`
  const known = MATCHING.get(key) ?? fc.stringMatching(new RegExp(pattern), { maxLength })
  MATCHING.set(key, known)
  return known
}

function validString({ maxLength = 300, pattern }: any): Value {
  if (pattern !== undefined) return matching(pattern, maxLength)
  const text = (unit: 'grapheme-ascii' | 'grapheme', length: number): Value =>
    fc.string({ unit, maxLength: Math.min(Math.floor(length), 20) })
  return fc.oneof(
    text('grapheme-ascii', maxLength),
    text('grapheme', maxLength / 8),
    fc.constantFrom('', 'a', 'A b', `x${'y'.repeat(maxLength - 1)}`),
  )
}

function validArray({ items = {}, uniqueItems = false, minItems = 0 }: any): Value {
  const options = { minLength: minItems, maxLength: 4 }
  const item = validValue(items)
  return uniqueItems ? fc.uniqueArray(item, options) : fc.array(item, options)
}

export function validObject({ properties = {}, required = [] }: any): fc.Arbitrary<object> {
  const values = Object.fromEntries(
    Object.entries<any>(properties).map(([name, schema]) => [name, validValue(schema, name)]),
  )
  return fc.record(values, { requiredKeys: required as string[] })
}

/** Violates each constraint once, while everything else is valid. */
export function violationsOf(schema: any): readonly Violation[] {
  const isListOfRecords = schema.type === 'array' && schema.items?.type === 'object'
  if (isListOfRecords && schema.minItems !== undefined) return listViolations(schema)
  const types = typesOf(schema)
  const violations: Violation[] = []
  const add = (constraint: string, ...values: readonly unknown[]): void => {
    violations.push({ constraint, value: fc.constantFrom(...values) })
  }

  if (types.length > 1 && schema.enum === undefined) add('type', ...wrongTypes(types))
  if (schema.enum !== undefined) add('enum', 'no such value', 17, {})
  if (schema.minimum !== undefined) add('minimum', schema.minimum - 1)
  if (schema.maximum !== undefined) add('maximum', schema.maximum + 1)
  if (schema.maxLength !== undefined) add('maxLength', 'x'.repeat(schema.maxLength + 1))
  if (schema.pattern !== undefined) {
    const pattern = new RegExp(schema.pattern)
    add('pattern', ...[' ', 'a b', '\u0000'].filter((text) => !pattern.test(text)))
  }
  if (schema.maxItems !== undefined)
    add(
      'maxItems',
      Array.from({ length: schema.maxItems + 1 }, (_, index) => index + 1),
    )
  if (schema.uniqueItems === true) add('uniqueItems', [1, 1])
  if (types.includes('array') && schema.items !== undefined)
    for (const { constraint, value } of violationsOf(schema.items))
      violations.push({ constraint: `items.${constraint}`, value: value.map((item) => [item]) })
  return [...violations, ...objectViolations(schema)]
}

/**
 * The permitted types. The description adds that dates and decimals may be numbers, and null equals
 * an omitted value.
 */
function typesOf({ type, anyOf, description }: any): readonly string[] {
  const names = [type ?? anyOf?.map((item: any) => item.type) ?? []].flat()
  return /seconds|JSON number/.test(description) ? [...names, 'null', 'number'] : [...names, 'null']
}

function listViolations({ maxItems, items }: any): readonly Violation[] {
  const valid = validObject(items)
  const wrong = [fc.constant([]), fc.constant('text'), valid.map((body) => [body, 1])]
  const many = valid.map((body) => Array.from({ length: maxItems + 1 }, () => body))
  return [
    { constraint: 'list', value: fc.oneof(...wrong) },
    { constraint: 'maxItems', value: many },
  ]
}

function objectViolations(schema: any): readonly Violation[] {
  if (schema.properties === undefined) return []
  const valid = validObject(schema)
  const withValue = (name: string, value: Value): Value =>
    fc.tuple(valid, value).map(([body, wrong]) => ({ ...body, [name]: wrong }))
  const properties = Object.entries<any>(schema.properties).flatMap(([name, property]) =>
    violationsOf(property).map(({ constraint, value }) => ({
      constraint: `${name}.${constraint}`,
      value: withValue(name, value),
    })),
  )
  const missing = (schema.required ?? []).map((name: string) => ({
    constraint: `${name} required`,
    value: valid.map((body) => ({ ...body, [name]: undefined })),
  }))
  const unknown = { constraint: 'unknown', value: withValue('no_such_field', fc.constant(1)) }
  return [...properties, ...missing, unknown]
}

function wrongTypes(types: readonly string[]): readonly unknown[] {
  const others: readonly (readonly [string, unknown])[] = [
    ['string', 'text'],
    ['number', 1.5],
    ['boolean', true],
    ['null', null],
    ['array', [[]]],
    ['object', { a: 1 }],
  ]
  const wrong = others.filter(
    ([type]) => !types.includes(type) && !(type === 'number' && types.includes('integer')),
  )
  return wrong.map(([, value]) => value)
}

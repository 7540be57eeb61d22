// The kinds of field that objects and columns of modules consist of. A field has a JSON Schema for the
// documentation, a check for bodies, and a kind for searches and indexes.
//
// Fields are defined here instead of by a schema library, because a field also normalizes values (dates in
// three forms) and carries its access and search rules. A library would add a second definition and cost more
// at start than everything else.

import type { FieldKind, JsonObject, JsonValue } from './values.ts'
import { nearestNumber } from '../base/exact-number.ts'
import { dateHint, dayHint, parseDate, parseDay } from './date.ts'
import { parseScalar, type Scalar } from './field-value.ts'
import { listed } from './message-text.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** required and optional fields are set by the client on create; assigned fields only by the server. */
export type Access = 'required' | 'optional' | 'assigned'

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false
      readonly detail: string
      /** Further faults of the same value. */
      readonly others?: readonly string[]
    }

/** T: type of its values; N: whether a record may have null; S: whether the record stores it. */
export interface Field<
  T extends JsonValue = JsonValue,
  A extends Access = Access,
  N extends boolean = boolean,
  S extends boolean = boolean,
> {
  readonly access: A
  readonly schema: JsonSchema
  /** Accepts, normalizes or rejects a value from a body; the detail says what is accepted. */
  readonly check: (value: unknown) => Checked<T>
  /** Value of a record if a create omits the field; evaluated each time, because it can be the current time. */
  readonly initial: T | null
  /** Whether an explicit null is stored; otherwise null means the initial value. */
  readonly keepsNull?: boolean
  /** How searches compare the field; undefined: not searchable. */
  readonly search: FieldKind | undefined
  readonly isIndexed: boolean
  /** Example for the documentation; undefined: a value of its kind. */
  readonly example?: T
  /** Whether the record stores the field; otherwise it is derived when the record is read. */
  readonly isStored: S
  /** Whether a record may have null. */
  readonly isNullable: N
  /** Whether null in a body means the initial value. */
  readonly isClearable: boolean
  /**
   * Computes the value of a field that is not stored from the rest of the record, so that searches can compare
   * it.
   */
  readonly derive?: (record: JsonObject) => T
}

export interface Options<T> {
  readonly description: string
  readonly initial?: T | null
  readonly example?: T
  readonly isIndexed?: boolean
  readonly isStored?: boolean
  /** False if the server always assigns a value. Default: an optional field without a value is null. */
  readonly isNullable?: boolean
  /** False if null is rejected: for the folder of a record, null would be a silent move. */
  readonly isClearable?: boolean
  /** Only with isStored false; see Field. */
  readonly derive?: (record: JsonObject) => T
}

/** The field type that results from such options. */
type Made<T extends JsonValue, A extends Access, O> = Field<
  T,
  A,
  O extends { readonly isNullable: infer N extends boolean }
    ? N
    : A extends 'required'
      ? false
      : true,
  O extends { readonly isStored: infer S extends boolean } ? S : true
>

interface StringOptions extends Options<string> {
  readonly maxLength?: number
  readonly pattern?: RegExp
  /** Pattern for the documentation; `check` decides and explains faults. */
  readonly shownPattern?: string
  /** Message if the pattern does not match. */
  readonly rule?: string
  readonly check?: (value: string) => string | undefined
}

export function accept<T>(value: T): Checked<T> {
  return { ok: true, value }
}

export function refuse(detail: string): Checked<never> {
  return { ok: false, detail }
}

export function string<A extends Access, const O extends StringOptions>(
  access: A,
  options: O,
): Made<string, A, O> {
  const maxLength = options.maxLength ?? 255
  const schema = {
    type: 'string',
    // Assigned values are never checked: the path of many folders can be longer.
    ...(access !== 'assigned' && { maxLength }),
    ...(options.pattern && { pattern: options.pattern.source }),
    ...(options.shownPattern !== undefined && { pattern: options.shownPattern }),
  }

  return field(access, schema, 'string', options, (value) => {
    if (typeof value !== 'string') return refuse('must be a string')
    if (!value.isWellFormed()) return refuse('contains half of a surrogate pair, which is not text')
    if ([...value].length > maxLength)
      return refuse(`may have at most ${maxLength.toLocaleString('en')} characters`)
    if (options.pattern && !options.pattern.test(value))
      return refuse(options.rule ?? 'has the wrong form')
    const fault = options.check?.(value)
    return fault === undefined ? accept(value) : refuse(fault)
  })
}

/** Text of any length within the body limit; searched by scanning, never indexed. */
export function text<A extends Access, const O extends Options<string>>(
  access: A,
  options: O,
): Made<string, A, O> {
  return field(access, { type: 'string' }, 'string', { isIndexed: false, ...options }, (value) => {
    if (typeof value !== 'string') return refuse('must be a string')
    return value.isWellFormed()
      ? accept(value)
      : refuse('contains half of a surrogate pair, which is not text')
  })
}

export function choice<
  A extends Access,
  const V extends readonly string[],
  const O extends Options<V[number]>,
>(access: A, values: V, options: O): Made<V[number], A, O> {
  const check = (value: unknown): Checked<V[number]> =>
    typeof value === 'string' && values.includes(value)
      ? accept(value)
      : refuse(`must be one of ${listed(values)}`)
  return field(access, { type: 'string', enum: values }, 'string', options, check)
}

/** A number that only the server assigns. */
export function integer<const O extends Options<number>>(
  access: 'assigned',
  options: O,
): Made<number, 'assigned', O> {
  const schema = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
  return field<number, 'assigned', O>(access, schema, 'integer', options, refuseAll)
}

/** The identifier of another record. */
export function reference<A extends Access, const O extends Options<number>>(
  access: A,
  options: O,
): Made<number, A, O> {
  const schema = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }
  return field(access, schema, 'integer', options, (value) =>
    Number.isSafeInteger(value) && Number(value) >= 1
      ? accept(Number(value))
      : refuse(
          typeof value === 'string' && /^\d+$/.test(value)
            ? 'must be an identifier: a whole number from 1, without quotes'
            : 'must be an identifier: a whole number from 1',
        ),
  )
}

/**
 * Each reference is looked up inside the commit, and readers of the record may have to look up each of them.
 */
const MAX_REFERENCES = 1_000

export function references<A extends Access, const O extends Options<readonly number[]>>(
  access: A,
  options: O,
): Made<readonly number[], A, O> {
  const schema = {
    type: 'array',
    items: { type: 'integer', minimum: 1 },
    maxItems: MAX_REFERENCES,
    uniqueItems: true,
  }
  return field<readonly number[], A, O>(access, schema, 'integers', options, (value) => {
    if (!Array.isArray(value)) return refuse('must be a list of identifiers')
    if (value.length > MAX_REFERENCES) return refuse('may have at most 1,000 identifiers')
    if (!value.every((item) => Number.isSafeInteger(item) && item >= 1)) {
      return refuse('must contain only identifiers: whole numbers from 1')
    }
    return new Set(value).size === value.length
      ? accept(value)
      : refuse('must not name a record twice')
  })
}

export function dateTime<A extends Access, const O extends Options<string>>(
  access: A,
  options: O,
): Made<string, A, O> {
  const schema = { type: 'string', format: 'date-time' }
  return field(access, schema, 'date-time', options, (sent) => {
    const value = nearestNumber(sent)
    const parsed = parseDate(value)
    return parsed === undefined
      ? refuse(
          `must be a date: RFC 3339 (2026-01-31T12:00:00Z), YYYY-MM-DD, or seconds since 1970${dateHint(value)}`,
        )
      : accept(parsed)
  })
}

/** A day. A date-time keeps the day as written, regardless of its offset. */
export function date<A extends Access, const O extends Options<string>>(
  access: A,
  options: O,
): Made<string, A, O> {
  return field(access, { type: 'string', format: 'date' }, 'date', options, (sent) => {
    const value = nearestNumber(sent)
    const day = parseDay(value)
    return day === undefined
      ? refuse(`must be a date: YYYY-MM-DD, RFC 3339, or seconds since 1970${dayHint(value)}`)
      : accept(day)
  })
}

/** Also accepts "true", "false", "1" and "0", because generic clients send every value as a string. */
export function boolean<A extends Access, const O extends Options<boolean>>(
  access: A,
  options: O,
): Made<boolean, A, O> {
  return field(access, { type: 'boolean' }, 'boolean', options, (value) => {
    const isScalar = ['boolean', 'number', 'string'].includes(typeof value)
    const parsed = isScalar ? parseScalar('boolean', value as Scalar) : undefined
    return typeof parsed === 'boolean' ? accept(parsed) : refuse('must be true or false, or 1 or 0')
  })
}

/** A list or object with its own structure; not searchable. */
export function structure<
  T extends JsonValue,
  A extends Access,
  const O extends Options<NoInfer<T>>,
>(access: A, schema: JsonSchema, check: (value: unknown) => Checked<T>, options: O): Made<T, A, O> {
  return field(access, schema, undefined, options, check)
}

/** Check of assigned fields; bodies never reach it. */
export const refuseAll = (): Checked<never> => refuse('is read-only')

/** Builds a field of any kind. */
export function field<T extends JsonValue, A extends Access, O extends Options<NoInfer<T>>>(
  access: A,
  schema: JsonSchema,
  search: FieldKind | undefined,
  options: O,
  check: (value: unknown) => Checked<T>,
): Made<T, A, O> {
  const isNullable = options.isNullable ?? access !== 'required'
  const isStored = options.isStored ?? true
  const isComparable = isStored || options.derive !== undefined

  const made: Field<T, A> = {
    access,
    schema: {
      ...schema,
      ...(isNullable && 'type' in schema && { type: [schema['type'], 'null'].flat() }),
      ...(isNullable &&
        'enum' in schema && { enum: [...(schema['enum'] as readonly string[]), null] }),
      description: options.description,
      ...(access === 'assigned' && { readOnly: true }),
    },
    check,
    initial: options.initial ?? null,
    ...(options.example !== undefined && { example: options.example }),
    ...(options.derive && { derive: options.derive }),
    search: isComparable ? search : undefined,
    isIndexed: isComparable && search !== undefined && (options.isIndexed ?? true),
    isStored,
    isNullable,
    isClearable: access !== 'required' && (options.isClearable ?? isNullable),
  }
  // The compiler cannot infer what the options say about null and about storing.
  return made as Made<T, A, O>
}

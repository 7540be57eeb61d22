// A parsed search. A match is plain data, so that storage can derive index ranges from it and compare two
// searches by their JSON text (which omits compiled patterns).
//
// A field without a value is null: it equals null, is in no range and matches no pattern. $ne, $nin and $not
// are true for it, as in MongoDB. Texts are equal if their composed forms are equal (text-normalization.ts).
// Texts in a match are already composed, except for the bounds of ranges, which follow the order of stored
// values. A list field matches if one of its elements matches; an empty list has no value.

import { createRequire } from 'node:module'
import { CmsError } from '../base/errors.ts'
import type { RE2JS } from 're2js'
import { compareScalars, readScalar, type Scalar } from './field-value.ts'
import { valuesAt } from './json-path.ts'
import { isPlaceMatch, type PlaceMatch } from './place-match.ts'
import { patternCost } from './pattern-cost.ts'
import { composed } from './text-normalization.ts'
import type { FieldKind, JsonObject, JsonValue, Searchable, SearchField } from './values.ts'

/** Loads re2js, a quarter of a megabyte of source, on the first search that needs it. */
function loadRe2(): typeof RE2JS {
  return (createRequire(import.meta.url)('re2js') as { readonly RE2JS: typeof RE2JS }).RE2JS
}

export type Match =
  | { readonly op: 'and' | 'or'; readonly parts: readonly Match[] }
  | { readonly op: 'not'; readonly part: Match }
  | { readonly op: 'text'; readonly fields: readonly string[]; readonly text: string }
  | RelatedMatch
  | FieldMatch

export type FieldMatch =
  | { readonly op: 'eq'; readonly field: SearchField; readonly value: Scalar | null }
  | InMatch
  | { readonly op: RangeOp; readonly field: SearchField; readonly value: Scalar }
  | { readonly op: 'startsWith'; readonly field: SearchField; readonly text: string }
  | { readonly op: 'endsWith'; readonly field: SearchField; readonly text: string }
  | { readonly op: 'contains'; readonly field: SearchField; readonly text: string }
  | { readonly op: 'exists'; readonly field: SearchField }
  | RegexMatch
  | PlaceMatch

/**
 * The field has the identifier of a record that matches and that the caller sees. Storage does not evaluate this: before a
 * search, related-search.ts replaces it by the identifiers.
 */
export interface RelatedMatch {
  readonly op: 'related'
  readonly field: SearchField
  readonly from: RelatedRecords
  readonly match: Match
}

/** The records that a related match examines. */
export interface RelatedRecords {
  readonly object: 'datatable' | 'calendar' | 'asset_file'
  /** Null for files. */
  readonly moduleId: number | null
  /** The column of these records that refers to the searched ones; null: the searched ones refer to these records. */
  readonly column: string | null
}

export type RangeOp = 'gt' | 'gte' | 'lt' | 'lte'

interface InMatch {
  readonly op: 'in'
  readonly field: SearchField
  readonly values: readonly (Scalar | null)[]
  readonly has: (value: Scalar | null) => boolean
}

export interface RegexMatch {
  readonly op: 'regex'
  readonly field: SearchField
  readonly pattern: string
  readonly ignoresCase: boolean
  /** Upper bound for the instructions of the program: patternCost. */
  readonly size: number
  readonly test: (text: string) => boolean
}

/** Long lists of values are looked up in a set. */
export function inMatch(field: SearchField, values: readonly (Scalar | null)[]): InMatch {
  const known = new Set(values)
  return { op: 'in', field, values, has: (value) => known.has(value) }
}

/** All of these conditions; undefined conditions are ignored. */
export function and(...wanted: readonly (Match | undefined)[]): Match {
  const parts = wanted.flatMap((match) => {
    if (match === undefined) return []
    return match.op === 'and' ? match.parts : [match]
  })
  const [first] = parts
  return first !== undefined && parts.length === 1 ? first : { op: 'and', parts }
}

const TEXTUAL: ReadonlySet<FieldKind> = new Set<FieldKind>(['string', 'strings', 'uuid'])

/** The text occurs in a string field; case is ignored. */
export function textMatch(text: string, fields: Searchable): Match {
  const names = [...fields.values()]
    .filter(({ kind, derive }) => TEXTUAL.has(kind) && derive === undefined)
    .map((field) => field.name)
  return text === '' ? and() : { op: 'text', fields: names, text: composed(text).toLowerCase() }
}

/**
 * Throws a RE2JSException if the pattern is not RE2 syntax. A match takes time in proportion to `size` and the
 * length of the text. Callers must check the cost of the pattern first: see patternCost.
 */
export function regexMatch(field: SearchField, pattern: string, ignoresCase: boolean): RegexMatch {
  const test = compilePattern(pattern, ignoresCase)
  const { instructions: size } = patternCost(pattern, ignoresCase)
  return { op: 'regex', field, pattern, ignoresCase, size, test }
}

export function compilePattern(pattern: string, ignoresCase: boolean): RegexMatch['test'] {
  const re2 = loadRe2()
  const regex = re2.compile(pattern, ignoresCase ? re2.CASE_INSENSITIVE : 0)
  return (text) => regex.test(composed(text))
}

export function matches(match: Match, record: JsonObject): boolean {
  switch (match.op) {
    case 'and':
      return match.parts.every((part) => matches(part, record))
    case 'or':
      return match.parts.some((part) => matches(part, record))
    case 'not':
      return !matches(match.part, record)
    case 'related':
      throw new CmsError('internal', 'A search has a related match that was not replaced.')
    case 'text':
      return match.fields.some((name) => holdsText(valueOf(record, name), match.text))
    default:
      return matchesField(match, valueIn(record, match.field))
  }
}

function valueIn(record: JsonObject, { name, derive }: SearchField): JsonValue {
  return derive === undefined ? valueOf(record, name) : derive(record)
}

/** The number of elements of a list field. The name stays the same, because it decides who may compare the field. */
export function lengthOf(field: SearchField): SearchField {
  const derive = (record: JsonObject): JsonValue => {
    const list = valueIn(record, field)
    return Array.isArray(list) ? list.length : 0
  }
  return { name: field.name, kind: 'integer', isIndexed: false, derive }
}

/** Whether the match refers to the field. */
export function asksFor(match: Match, field: string): boolean {
  switch (match.op) {
    case 'and':
    case 'or':
      return match.parts.some((part) => asksFor(part, field))
    case 'not':
      return asksFor(match.part, field)
    case 'text':
      return match.fields.includes(field)
    default:
      return match.field.name === field
  }
}

function matchesField(match: FieldMatch, value: JsonValue): boolean {
  if (match.op === 'near' || match.op === 'within') return isPlaceMatch(match, value)
  if (match.field.kind === 'json') return matchesJson(match, value)
  if (match.field.kind === 'point') return matchesPresence(match, value !== null)
  if (!Array.isArray(value)) return matchesScalar(match, readScalar(match.field.kind, value))

  const items = value as readonly JsonValue[]
  if (items.length === 0) return matchesScalar(match, null)
  return items.some((item) => matchesScalar(match, readScalar(match.field.kind, item)))
}

/** $exists and null, the only scalar conditions on a POINT column. */
function matchesPresence(match: ScalarMatch, isThere: boolean): boolean {
  if (match.op === 'exists') return isThere
  const isNullAsked = match.op === 'in' ? match.has(null) : match.op === 'eq'
  return isNullAsked && !isThere
}

/**
 * Values of a JSON column are compared with values of their own type: 5 is not "5". A list matches if one of its elements
 * matches. An object matches only $exists.
 */
function matchesJson(match: ScalarMatch, whole: JsonValue): boolean {
  const found = valuesAt(whole, match.field.path ?? [])
  if (match.op === 'exists') return found.length > 0
  if (found.length === 0) return matchesScalar(match, null)
  return found.some((value) =>
    Array.isArray(value)
      ? value.some((item: JsonValue) => matchesJsonScalar(match, item))
      : matchesJsonScalar(match, value),
  )
}

function matchesJsonScalar(match: ScalarMatch, value: JsonValue): boolean {
  if (value === null || typeof value === 'object') return false
  switch (match.op) {
    case 'eq':
    case 'in':
    case 'exists':
      return matchesScalar(match, value)
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte': {
      const kind = typeof value === 'string' ? 'string' : 'number'
      return (
        typeof value === typeof match.value &&
        isInRange(match.op, compareScalars(kind, value, match.value))
      )
    }
    default:
      return typeof value === 'string' && matchesScalar(match, value)
  }
}

type ScalarMatch = Exclude<FieldMatch, PlaceMatch>

function matchesScalar(match: ScalarMatch, stored: Scalar | null): boolean {
  const value = typeof stored === 'string' ? composed(stored) : stored
  if (match.op === 'eq') return value === match.value
  if (match.op === 'in') return match.has(value)
  if (stored === null) return false

  switch (match.op) {
    case 'exists':
      return true
    case 'regex':
      return match.test(String(value))
    case 'startsWith':
      return String(value).startsWith(match.text)
    case 'endsWith':
      return String(value).endsWith(match.text)
    case 'contains':
      return String(value).includes(match.text)
    default:
      return isInRange(match.op, compareScalars(match.field.kind, stored, match.value))
  }
}

function isInRange(op: RangeOp, difference: number): boolean {
  if (op === 'gt') return difference > 0
  if (op === 'gte') return difference >= 0
  return op === 'lt' ? difference < 0 : difference <= 0
}

function holdsText(value: JsonValue, text: string): boolean {
  if (Array.isArray(value)) return value.some((item: JsonValue) => holdsText(item, text))
  return typeof value === 'string' && composed(value).toLowerCase().includes(text)
}

export function valueOf(record: JsonObject, name: string): JsonValue {
  // A column may have the name of a property that every object inherits.
  return (Object.hasOwn(record, name) ? record[name] : null) ?? null
}

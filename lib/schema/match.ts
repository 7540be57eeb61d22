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

/** The records of which a related match speaks. */
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

const TEXTUAL: ReadonlySet<FieldKind> = new Set<FieldKind>(['string', 'uuid'])

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
  if (!Array.isArray(value)) return matchesScalar(match, readScalar(match.field.kind, value))

  const items = value as readonly JsonValue[]
  if (items.length === 0) return matchesScalar(match, null)
  return items.some((item) => matchesScalar(match, readScalar(match.field.kind, item)))
}

function matchesScalar(match: FieldMatch, stored: Scalar | null): boolean {
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
  return typeof value === 'string' && composed(value).toLowerCase().includes(text)
}

export function valueOf(record: JsonObject, name: string): JsonValue {
  // A column may have the name of a property that every object inherits.
  return (Object.hasOwn(record, name) ? record[name] : null) ?? null
}

interface PatternCost {
  /** Instructions of the program. A match takes at most this many steps per character of the text. */
  readonly instructions: number
  /** Work to parse character classes, in units of about 30 µs. */
  readonly classes: number
}

/** Flags, a run in \Q…\E, an escape, a class, a repetition, or any single character. */
const TOKEN =
  /\(\?[\w-]*\)|\\Q([\s\S]*?)(?:\\E|$)|\\(?:[pP](?:\{[^}]*\}|.)|x\{[^}]*\}|[\s\S])|\[\^?\]?(?:\[:[\s\S]*?:\]|\\[\s\S]|[^\]\\])*\]?|\{(\d+)(?:,(\d*))?\}|[\s\S]/gu
const QUANTIFIERS: ReadonlySet<string> = new Set(['*', '+', '?'])
const IGNORES_CASE = /\(\?[\w-]*i/

interface Group {
  size: number
  /** Size of the element that a following quantifier repeats. */
  last: number
}

/**
 * Estimates the cost of a pattern from its text. re2js limits a program only after building it, and needs
 * seconds and a gigabyte to build what 4 KB of text can describe. Both numbers are upper bounds.
 */
export function patternCost(pattern: string, ignoresCase: boolean): PatternCost {
  const isFolded = ignoresCase || IGNORES_CASE.test(pattern)
  const open: Group[] = []
  let group: Group = { size: 0, last: 0 }
  let classes = 0
  const add = (size: number): void => {
    group.size += size
    group.last = size
  }
  const close = (outer: Group): void => {
    const { size } = group
    group = outer
    add(size + 2)
  }

  for (const [token, quoted, least, most] of pattern.matchAll(TOKEN)) {
    // A quantifier after flags repeats the element before the flags.
    if (token.startsWith('(?')) continue
    if (least !== undefined) repeat(group, Number(least), Number(most ?? 0))
    else if (token === '(') {
      open.push(group)
      group = { size: 0, last: 0 }
    } else if (token === ')') {
      const outer = open.pop()
      if (outer !== undefined) close(outer)
    } else if (QUANTIFIERS.has(token)) repeat(group, 0, 1)
    else add(token === '|' ? 2 : Math.max(quoted?.length ?? 0, 1))
    if (token.length > 1) classes += classCost(token, isFolded)
  }
  for (const outer of open.toReversed()) close(outer)
  return { instructions: group.size, classes }
}

/** Each optional copy takes one more instruction. */
function repeat(group: Group, least: number, most: number): void {
  const optional = Math.max(most - least, 0)
  const repeated = Math.max(group.last * least + (group.last + 1) * optional, group.last) + 1
  group.size += repeated - group.last
  group.last = repeated
}

const NAMED = 10
/** Cost of most of Unicode with the other case of each character. */
const FOLDED_RANGE = 120
const RANGE = /(\\x\{[^}]*\}|\\[\s\S]|[\s\S])-(\\x\{[^}]*\}|\\[\s\S]|[^\]])/gu

/** Measured with re2js 2.10: a named class takes up to 0.3 ms, a case-folded range 3.7 ms. */
function classCost(token: string, isFolded: boolean): number {
  const named = token.match(/\\[pP]/g)?.length ?? 0
  if (!token.startsWith('[')) return named * NAMED
  const ranges = isFolded ? Array.from(token.matchAll(RANGE), rangeCost) : []
  return ranges.reduce((sum, cost) => sum + cost, 1 + named * NAMED)
}

function rangeCost([, from = '', to = '']: readonly string[]): number {
  if (from.startsWith('\\') || to.startsWith('\\')) return FOLDED_RANGE
  const width = (to.codePointAt(0) ?? 0) - (from.codePointAt(0) ?? 0)
  return Math.min(FOLDED_RANGE, Math.ceil(Math.max(width, 1) / 1_000))
}

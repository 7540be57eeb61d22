// Chooses the index rows that can hold the records of a match. An access path may name too many records, but never too
// few: the reader filters the records again, unless the path is exact.

import { isExactKind, isListKind, type Scalar, toKeyPart } from '../../schema/field-value.ts'
import { spellingsOf } from '../../schema/text-normalization.ts'
import type { FieldMatch, Match, RangeOp } from '../../schema/match.ts'
import { isExact, prefixRange, type Range, textRange, valueRange } from './keys.ts'
import type { KvReader } from './kv.ts'
import type { KeyPart, RecordType, SearchField } from '../../schema/values.ts'
import { recordBase, rowBase } from './format.ts'
import { literalStart } from './literal-prefix.ts'
import { type Between, risingRange } from './monotonic-index.ts'
import { isEmpty } from './slices.ts'

/** A range of an index, or of the records themselves if the field is the identifier. */
export interface Span extends Range {
  readonly field: SearchField
  /** Common prefix of the keys: the index, or a single value of it. */
  readonly base: Buffer
  /** All rows have the same value and are therefore in identifier order. */
  readonly isOneValue: boolean
}

export interface AccessPath {
  /** Together the spans hold every matching record; a record may be in several spans. */
  readonly spans: readonly Span[]
  /** Every row of the path is a match. */
  readonly isExact: boolean
  /** No other index is possible: the path follows only from the match, not from the stored records. */
  readonly isOnlyWay: boolean
}

export interface PathFinder {
  readonly kv: KvReader
  readonly type: RecordType
  /** Whether the rows of a span are in the requested order. */
  readonly isOrdered: (span: Span) => boolean
  /** A compared value may be null although the index has a value (Query.compared). */
  readonly isMasked: boolean
  /** Rows counted for each choice to find the smallest one. */
  readonly maxCounted: number
}

/** Returns undefined if no index helps. A generator, because counting rows and long lists of values take time. */
export function* buildAccessPath(
  finder: PathFinder,
  match: Match,
): Generator<void, AccessPath | undefined> {
  yield
  switch (match.op) {
    case 'and':
      return yield* pathOfAnd(finder, match.parts)
    case 'or':
      return yield* pathOfOr(finder, match.parts)
    case 'not':
    case 'text':
    case 'related':
      return undefined
    default:
      return match.field.rises === true
        ? yield* pathOfRising(finder, match)
        : pathOfField(finder, match)
  }
}

export function indexName({ index, name }: SearchField): string {
  return index ?? name
}

/** Key prefix before the values of a field: the prefix of its index, or of the records for the identifier. */
export function fieldBase(kv: KvReader, type: RecordType, field: SearchField): Buffer {
  return field.isId === true ? recordBase(kv, type) : rowBase(kv, type, indexName(field))
}

/** Number of rows in these spans, at most `limit`. */
export function* countRows(
  kv: KvReader,
  spans: readonly Span[],
  limit: number,
): Generator<void, number> {
  let rows = 0
  for (const { start, end } of spans) {
    if (rows >= limit) return limit
    if (!isEmpty({ start, end })) rows += kv.count({ start, end, limit: limit - rows })
    yield
  }
  return rows
}

function* pathOfOr(
  finder: PathFinder,
  parts: readonly Match[],
): Generator<void, AccessPath | undefined> {
  const spans: Span[] = []
  for (const part of parts) {
    const path = yield* buildAccessPath(finder, part)
    if (path === undefined) return undefined
    spans.push(...path.spans)
  }
  return { spans, isExact: false, isOnlyWay: false }
}

function* pathOfAnd(
  finder: PathFinder,
  parts: readonly Match[],
): Generator<void, AccessPath | undefined> {
  const paths: AccessPath[] = []
  for (const part of parts) {
    const path = yield* buildAccessPath(finder, part)
    if (path !== undefined) paths.push(path)
  }

  const choices = intersect(paths)
  const spans = yield* fewestRows(finder, choices)
  const isOnlyWay = choices.length === 1 && paths.every((path) => path.isOnlyWay)
  const isProof = isOnlyWay && paths.length === parts.length && paths.every((path) => path.isExact)
  return spans && { spans, isExact: isProof, isOnlyWay }
}

type Spans = readonly Span[]

/** Merges two bounds of one field into one span. Not for lists: different elements may satisfy the two bounds. */
function intersect(paths: readonly AccessPath[]): readonly Spans[] {
  const merged = new Map<string, Span>()
  const others: Spans[] = []
  for (const { spans } of paths) {
    const [span] = spans
    if (span === undefined || spans.length > 1 || isListKind(span.field.kind)) others.push(spans)
    else merged.set(span.field.name, overlap(merged.get(span.field.name), span))
  }
  return [...Array.from(merged.values(), (span) => [span]), ...others]
}

function overlap(left: Span | undefined, right: Span): Span {
  if (left === undefined) return right
  return {
    ...(left.isOneValue ? left : right),
    start: Buffer.compare(left.start, right.start) > 0 ? left.start : right.start,
    end: Buffer.compare(left.end, right.end) < 0 ? left.end : right.end,
  }
}

function* fewestRows(
  finder: PathFinder,
  choices: readonly Spans[],
): Generator<void, Spans | undefined> {
  const [first, second] = choices
  if (second === undefined) return first
  let best: { spans: Spans; rows: number; isOrdered: boolean } | undefined
  for (const spans of choices) {
    // Counting takes longer than reading one row. More rows than those of the best choice need no count.
    if (best !== undefined && best.rows <= 1) break
    const limit = Math.min(finder.maxCounted, (best?.rows ?? finder.maxCounted) + 1)
    const rows = yield* countRows(finder.kv, spans, limit)
    const isOrdered = isInOrder(finder, spans)
    const isBetter =
      best === undefined || rows < best.rows || (rows === best.rows && isOrdered && !best.isOrdered)
    if (isBetter) best = { spans, rows, isOrdered }
  }
  return best?.spans
}

function isInOrder(finder: PathFinder, spans: Spans): boolean {
  const [span] = spans
  return span !== undefined && spans.length === 1 && finder.isOrdered(span)
}

function pathOfField(
  { kv, type, isMasked }: PathFinder,
  match: FieldMatch,
): AccessPath | undefined {
  const { field } = match
  if (isMasked && findsNull(match)) return undefined
  const isUnindexed = !field.isIndexed && field.isId !== true
  if (isUnindexed || match.op === 'near' || match.op === 'within') return undefined

  const place = { field, base: fieldBase(kv, type, field) }
  if (match.op === 'eq') return pathOfValues(place, [match.value])
  if (match.op === 'in') return pathOfValues(place, match.values)

  const ranges = rangesIn(place, match)
  const spans = ranges?.map((range) => ({ ...place, isOneValue: false, ...range }))
  const isProof = !isListKind(field.kind) && isExactRange(match)
  return spans && { spans, isExact: isProof, isOnlyWay: true }
}

/** Finds a range of identifiers: see monotonic-index.ts. */
function* pathOfRising(
  { kv, type }: PathFinder,
  match: FieldMatch,
): Generator<void, AccessPath | undefined> {
  const between = boundsOfText(match)
  const range = between && (yield* risingRange(kv, type, between))
  if (range === undefined) return undefined
  const span = { field: match.field, base: recordBase(kv, type), isOneValue: false, ...range }
  return { spans: [span], isExact: false, isOnlyWay: false }
}

/** Sorts after all dates. */
const LAST = '\uffff'

function boundsOfText(match: FieldMatch): Between | undefined {
  switch (match.op) {
    case 'eq':
      return match.value === null ? undefined : { low: `${match.value}`, high: `${match.value}` }
    case 'gt':
    case 'gte':
      return { low: `${match.value}`, high: LAST }
    case 'lt':
    case 'lte':
      return { low: '', high: `${match.value}` }
    default:
      return undefined
  }
}

function findsNull(match: FieldMatch): boolean {
  return match.op === 'eq' ? match.value === null : match.op === 'in' && match.values.includes(null)
}

interface Place {
  readonly field: SearchField
  /** Prefix of the keys of the field. */
  readonly base: Buffer
}

function pathOfValues(
  { field, base }: Place,
  values: readonly (Scalar | null)[],
): AccessPath | undefined {
  // An empty list has no row under which null could be found.
  if (isListKind(field.kind) && values.includes(null)) return undefined

  const spans = [...new Set(values)].flatMap((value) => spansOfValue({ field, base }, value))
  const [value = null] = values
  const isProof = values.length === 1 && spans.length === 1 && isExactValue(field, value)
  return { spans, isExact: isProof, isOnlyWay: true }
}

/** Spans of a text in all its spellings, or of texts that begin with one of them. */
function spansOfValue({ field, base }: Place, value: Scalar | null): Spans {
  const isText = (field.kind === 'string' || field.kind === 'strings') && typeof value === 'string'
  const { texts, isWhole } = isText ? spellingsOf(value) : { texts: [value], isWhole: true }
  return texts.map((text) => {
    if (!isWhole) return { field, base, isOneValue: false, ...textRange(base, String(text)) }
    const range = prefixRange(base, [toKeyPart(field.kind, text)])
    return { field, base: field.isId === true ? base : range.start, isOneValue: true, ...range }
  })
}

function isExactValue(field: SearchField, value: Scalar | null): boolean {
  return value === null || (isExactKind(field.kind, value) && isExact(value))
}

type RangeMatch = Exclude<FieldMatch, { op: 'eq' | 'in' | 'near' | 'within' }>

function rangesIn({ field, base }: Place, match: RangeMatch): readonly Range[] | undefined {
  switch (match.op) {
    case 'exists':
      return [valueRange(base, {})]
    case 'contains':
    case 'endsWith':
      return undefined
    case 'startsWith':
      return prefixesOf(base, match.text)
    case 'regex':
      return prefixesOf(base, literalStart(match))
    default:
      return [valueRange(base, boundOf(match.op, field, match.value))]
  }
}

/** Whether the keys of the range belong to matching records only. */
function isExactRange(match: RangeMatch): boolean {
  switch (match.op) {
    case 'exists':
      return true
    // A decomposed text begins with a letter that is not the first character of the composed text.
    case 'startsWith':
    case 'contains':
    case 'endsWith':
    case 'regex':
      return false
    default:
      return isExactValue(match.field, match.value)
  }
}

/** Includes the bound, because a rounded value may share its row with the bound. */
function boundOf(op: RangeOp, field: SearchField, value: Scalar): { [K in RangeOp]?: KeyPart } {
  const part = toKeyPart(field.kind, value)
  if (isExactKind(field.kind, value)) return { [op]: part }
  return op === 'gt' || op === 'gte' ? { gte: part } : { lte: part }
}

function prefixesOf(base: Buffer, text: string): readonly Range[] | undefined {
  // The UTF-8 of half a surrogate pair differs from the UTF-8 of the pair.
  if (text === '' || !text.isWellFormed()) return undefined
  return spellingsOf(text).texts.map((start) => textRange(base, start))
}

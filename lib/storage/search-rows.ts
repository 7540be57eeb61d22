// Where the records of a search come from, in the order asked for. Three ways, by what the match allows:
//
//   one stretch of an index that is already in that order: read it from where the page begins
//   few candidates (10,000 rows): collect their identifiers and put them in order
//   else: read all records in that order

import { type Match, matches } from '../schema/match.ts'
import type { Cursor } from './cursor.ts'
import { decodeKey, encodeKey, lastNumber, type Range } from './keys.ts'
import type { KvReader } from './kv.ts'
import { countRows, fieldParts, indexName, type Plan, type Span } from './plan.ts'
import type { JsonObject, Query, RecordType, Searchable, SearchField, Stored } from './port.ts'
import { decodeRecord, findRecord, parseRecord, recordKey, recordRange } from './record-format.ts'
import { BYTES_PER_STEP, keyChunks, pairChunks, successor, turn } from './slices.ts'

export interface SearchLimits {
  /** Records looked at in one call; the page ends early there, with `next` set. */
  readonly maxScanned: number
  /** Candidates that are collected and sorted. */
  readonly maxCollected: number
  /** Bytes of a page, stored and reckoned, but for its first record; it ends early before more, with `next` set. */
  readonly maxPageBytes: number
}

export interface SearchInput {
  readonly type: RecordType
  readonly searchable: Searchable
  readonly query: Query
  readonly limits: SearchLimits
}

/** A search made ready: what stays the same while it runs. */
export interface Job extends SearchInput {
  readonly kv: KvReader
  /** Undefined: by identifier. */
  readonly orderField: SearchField | undefined
  readonly match: Match | undefined
  readonly plan: Plan | undefined
  /** Every row of the plan, or every record where nothing is matched, is in the result. */
  readonly isProven: boolean
  readonly from: Cursor | undefined
}

/** A record to look at: its identifier, and its place in the order as key parts. */
export interface Row {
  readonly id: number
  readonly position: Buffer
  /** Where the records themselves were walked. */
  readonly stored?: Stored
}

export interface Source {
  readonly chunks: Iterable<Iterable<Row>>
  /** Whether the rows of a chunk need no filter, as long as they are read in the turn of the chunk. */
  readonly isProven: boolean
  /** Number of matching records, where finding the rows has told it. */
  readonly total?: number
}

/** Records between two places where the work may stop. */
const RECORDS_PER_STEP = 32

/** Tells, by number and size of the records that were looked at, where the work should stop for others. */
export interface Steps {
  add(stored: Stored | undefined): void
  isDue(): boolean
  /** The records alone are many bytes, whatever their number. */
  isLarge(): boolean
  begin(): void
}

export function openSteps(): Steps {
  let records = 0
  let sizeBytes = 0
  const isLarge = (): boolean => sizeBytes >= BYTES_PER_STEP
  return {
    add(stored) {
      records += 1
      sizeBytes += stored?.bytes.length ?? 0
    },
    isLarge,
    isDue: () => records >= RECORDS_PER_STEP || isLarge(),
    begin() {
      records = 0
      sizeBytes = 0
    },
  }
}

export function isInOrder(span: Span, orderField: SearchField | undefined): boolean {
  if (orderField === undefined) return span.isOneValue || span.field.isId === true
  return span.field.name === orderField.name
}

export function* chooseSource(job: Job): Generator<void, Source> {
  const { kv, plan, limits, orderField } = job
  if (plan === undefined) return { chunks: walkAll(job), isProven: job.isProven }

  const [span] = plan.spans
  if (span !== undefined && plan.spans.length === 1 && isInOrder(span, orderField)) {
    const base = orderField === undefined ? span.base : orderBase(job)
    return { chunks: walk(job, { start: span.start, end: span.end, base }), isProven: job.isProven }
  }

  const began = turn()
  const rows = yield* countRows(kv, plan.spans, limits.maxCollected + 1)
  if (rows > limits.maxCollected) return { chunks: walkAll(job), isProven: false }
  const ids = yield* collectIds(kv, plan.spans)
  return orderField === undefined
    ? { chunks: [rowsById(job, ids)], isProven: job.isProven && turn() === began }
    : yield* sortRows(job, ids, orderField)
}

/** The identifiers of the records that may match, each once, in any order. */
export function* chooseIds({
  kv,
  type,
  plan,
  limits,
}: Job): Generator<void, Iterable<readonly number[]>> {
  if (plan === undefined) return idChunks(kv, recordRange(type))

  const [span] = plan.spans
  const isUnique = span?.isOneValue === true || span?.field.kind !== 'integers'
  if (span !== undefined && plan.spans.length === 1 && isUnique) return idChunks(kv, span)

  const rows = yield* countRows(kv, plan.spans, limits.maxCollected + 1)
  return rows > limits.maxCollected
    ? idChunks(kv, recordRange(type))
    : [yield* collectIds(kv, plan.spans)]
}

export function findStored({ kv, type }: Job, id: number): Stored | undefined {
  return findRecord(kv, recordKey(type, [id]))
}

/** The record, unless it is gone or does not match. */
export function findMatching(job: Job, stored: Stored | undefined): Stored | undefined {
  return stored !== undefined && isWanted(job, parseRecord(job.type, stored)) ? stored : undefined
}

/** Whether it is a record that the caller may not see. */
export function isHidden({ type, query }: Job, stored: Stored | undefined): boolean {
  if (query.isVisible === undefined || stored === undefined) return false
  return !query.isVisible(parseRecord(type, stored))
}

function isWanted({ match, query }: Job, record: JsonObject): boolean {
  const { isVisible, isWanted: fits, compared } = query
  if (isVisible?.(record) === false) return false
  const isMatch = match === undefined || matches(match, compared?.(record) ?? record)
  return isMatch && fits?.(record) !== false
}

/** A stretch of keys that continue `base` with a position. */
interface Stretch extends Range {
  readonly base: Buffer
}

function walkAll(job: Job): Generator<readonly Row[], void> {
  const base = orderBase(job)
  return walk(job, { start: base, end: Buffer.concat([base, Buffer.of(0xff)]), base })
}

function orderBase({ type, orderField }: Job): Buffer {
  return orderField === undefined
    ? recordRange(type).start
    : encodeKey(fieldParts(type, orderField))
}

function* walk(job: Job, stretch: Stretch): Generator<readonly Row[], void> {
  const { kv, query, from } = job
  const { base } = stretch
  const range = { reverse: query.descending === true, ...restOf(stretch, query, from) }
  const rowOf = (key: Buffer) => ({ id: lastNumber(key), position: key.subarray(base.length) })

  // Records that a page passes over need not be read.
  const skips = (query.start ?? 1) > 1 || (from?.skip ?? 0) > 0
  if (!skips && isOfRecords(job, base)) {
    for (const pairs of pairChunks(kv, range, query.length + 1))
      yield pairs.map(({ key, value }) => ({ stored: decodeRecord(value), ...rowOf(key) }))
    return
  }
  for (const keys of keyChunks(kv, range, query.length + 1)) yield keys.map(rowOf)
}

/** Whether the keys that continue `base` are those of the records, and not of an index. */
function isOfRecords({ type }: Job, base: Buffer): boolean {
  return base.equals(recordRange(type).start)
}

function restOf(
  { base, start, end }: Stretch,
  { descending }: Query,
  from: Cursor | undefined,
): Range {
  if (from === undefined) return { start, end }
  const last = Buffer.concat([base, from.position])
  if (descending === true) return { start, end: Buffer.compare(last, end) < 0 ? last : end }
  const next = successor(last)
  return { start: Buffer.compare(next, start) > 0 ? next : start, end }
}

function* rowsById({ query, from }: Job, ids: readonly number[]): Generator<Row, void> {
  const sign = query.descending === true ? -1 : 1
  const last = from === undefined ? undefined : Number(decodeKey(from.position)[0])
  const rest = ids.filter((id) => last === undefined || (id - last) * sign > 0)
  rest.sort((left, right) => (left - right) * sign)
  for (const id of rest) yield { id, position: encodeKey([id]) }
}

function* sortRows(
  job: Job,
  ids: readonly number[],
  orderField: SearchField,
): Generator<void, Source> {
  const { type, query, from } = job
  const index = type.indexes.find(({ name }) => name === indexName(orderField))
  const rows: Row[] = []
  const steps = openSteps()
  for (const id of ids) {
    if (steps.isDue()) {
      yield
      steps.begin()
    }
    const stored = findStored(job, id)
    steps.add(stored)
    if (stored === undefined || findMatching(job, stored) === undefined) continue
    const [values = [null]] = index?.rows(parseRecord(type, stored)) ?? []
    rows.push({ id, position: encodeKey([...values, id]) })
  }

  const sign = query.descending === true ? -1 : 1
  const rest = rows.filter(
    (row) => from === undefined || Buffer.compare(row.position, from.position) * sign > 0,
  )
  rest.sort((left, right) => Buffer.compare(left.position, right.position) * sign)
  return { chunks: [rest], isProven: false, total: rows.length }
}

function* collectIds(kv: KvReader, spans: readonly Range[]): Generator<void, readonly number[]> {
  const ids = new Set<number>()
  for (const span of spans) {
    for (const chunk of idChunks(kv, span)) {
      for (const id of chunk) ids.add(id)
      yield
    }
  }
  return [...ids]
}

function* idChunks(kv: KvReader, { start, end }: Range): Generator<readonly number[], void> {
  for (const keys of keyChunks(kv, { start, end })) yield keys.map(lastNumber)
}

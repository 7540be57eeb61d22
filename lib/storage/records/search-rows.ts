// Finds the records of a search in the requested order, in one of three ways:
//
//   one range of an index that is already in that order: read it from the start of the page; with further
//     fields, sort the rows with the same value (search-runs.ts)
//   few candidates (10,000 rows): collect their identifiers and sort them
//   an order by values that have no index: examine all candidates, and sort at most 10,000 that match
//   otherwise: read all records in that order

import { CmsError } from '../../base/errors.ts'
import type { Cursor } from './cursor.ts'
import { decodeKey, encodeKey, lastNumber, type Range, rangeOf } from './keys.ts'
import type { KvReader } from './kv.ts'
import { placeOf, startKey } from './order.ts'
import { countRows, fieldBase, type Span } from './access-path.ts'
import { isListKind } from '../../schema/field-value.ts'
import type { SearchField, Stored } from '../../schema/values.ts'
import type { Query } from '../port.ts'
import { parseRecord, recordBase, recordKey, recordRange } from './format.ts'
import { decodeRecord } from './record-bytes.ts'
import {
  findMatching,
  findStored,
  firstField,
  type Job,
  openSteps,
  type PassedRows,
  type Row,
  skipOf,
  type Source,
  type Stretch,
} from './search-job.ts'
import { walkRuns } from './search-runs.ts'
import { BYTES_PER_SLICE, type Pause, turn } from '../../schema/time-slicing.ts'
import { keyChunks, pairChunks, passOver, successor, type WholeRange } from './slices.ts'
import { openSortedPlaces } from './sorted-positions.ts'

export function isInOrder(span: Span, orderField: SearchField | undefined): boolean {
  if (orderField === undefined)
    return span.isOneValue || span.field.isId === true || span.field.rises === true
  return span.field.name === orderField.name
}

export function* chooseSource(job: Job): Generator<Pause, Source> {
  const { kv, path, limits, order } = job
  if (firstField(job)?.isSortedByValue === true)
    return yield* sortRows(job, yield* chooseIds(job), limits.maxCollected)
  if (path === undefined) return walkIn(job, wholeOf(job), job.isProven)

  const [span] = path.spans
  if (span !== undefined && path.spans.length === 1 && isInOrder(span, firstField(job))) {
    const base = firstField(job) === undefined ? span.base : orderBase(job)
    return walkIn(job, { start: span.start, end: span.end, base }, job.isProven)
  }

  const began = turn()
  const rows = yield* countRows(kv, path.spans, limits.maxCollected + 1)
  if (rows > limits.maxCollected) return walkIn(job, wholeOf(job), false)
  const ids = yield* collectIds(kv, path.spans)
  return order.fields.length === 0
    ? {
        chunks: [rowsById(job, ids)],
        isProven: job.isProven && turn() === began,
        plan: { index: indexesOf(job), isSorted: false },
      }
    : yield* sortRows(job, [ids])
}

function walkIn(job: Job, stretch: Stretch, isProven: boolean): Source {
  const walked = job.order.hasRuns
    ? walkRuns(job, stretch)
    : { chunks: walk(job, stretch, isProven), isProven }
  const field = firstField(job)
  const index = isOfRecords(job, stretch.base)
    ? []
    : [field?.name ?? job.path?.spans[0]?.field.name ?? '']
  return { ...walked, plan: { index, isSorted: job.order.hasRuns } }
}

function indexesOf({ path }: Job): readonly string[] {
  const spans = path?.spans ?? []
  return [...new Set(spans.flatMap(({ field }) => (field.isId === true ? [] : [field.name])))]
}

/** The identifiers of the records that may match, without duplicates, in any order. */
export function* chooseIds({
  kv,
  type,
  path,
  limits,
}: Job): Generator<void, Iterable<readonly number[]>> {
  if (path === undefined) return idChunks(kv, recordRange(kv, type))

  const [span] = path.spans
  const isUnique = span?.isOneValue === true || !isListKind(span?.field.kind)
  if (span !== undefined && path.spans.length === 1 && isUnique) return idChunks(kv, span)

  const rows = yield* countRows(kv, path.spans, limits.maxCollected + 1)
  return rows > limits.maxCollected
    ? idChunks(kv, recordRange(kv, type))
    : [yield* collectIds(kv, path.spans)]
}

function wholeOf(job: Job): Stretch {
  const base = orderBase(job)
  return { ...rangeOf(base), base }
}

function orderBase(job: Job): Buffer {
  const { kv, type } = job
  const orderField = firstField(job)
  return orderField === undefined ? recordBase(kv, type) : fieldBase(kv, type, orderField)
}

/** Computes the position lazily, because only the position of the last row of a page is needed. */
class KeyRow implements Row {
  readonly id: number
  stored: Stored | undefined
  readonly #key: Buffer
  readonly #base: Buffer

  constructor(key: Buffer, base: Buffer, stored?: Stored) {
    this.id = lastNumber(key)
    this.stored = stored
    this.#key = key
    this.#base = base
  }

  get position(): Buffer {
    return this.#key.subarray(this.#base.length)
  }
}

function* walk(
  job: Job,
  stretch: Stretch,
  isProven: boolean,
): Generator<readonly Row[] | PassedRows, void> {
  const { kv, query, from } = job
  const { base } = stretch
  const whole = { reverse: query.descending === true, ...restOf(stretch, query, from) }
  const range = isProven ? yield* passRows(job, whole, base) : whole

  if (isOfRecords(job, base)) {
    for (const pairs of pairChunks(kv, range, query.length + 1))
      yield pairs.map(({ key, value }) => new KeyRow(key, base, decodeRecord(value)))
    return
  }
  for (const keys of keyChunks(kv, range, query.length + 1)) {
    const rows = keys.map((key) => new KeyRow(key, base))
    yield isProven && query.onlyIds !== true ? withRecords(job, rows) : rows
  }
}

/** If each row proves that its record is in the result, rows before the page are skipped without reading records. */
function* passRows(job: Job, range: WholeRange, base: Buffer): Generator<PassedRows, WholeRange> {
  const passing = passOver(job.kv, range, skipOf(job))
  for (;;) {
    const step = passing.next()
    if (step.done === true) return step.value
    const { passed, last } = step.value
    yield { passed, position: last?.subarray(base.length) }
  }
}

/** For rows that are all in the result: the records of the page are read together, because they are cached together. */
function withRecords({ kv, type, query, examined }: Job, rows: readonly KeyRow[]): readonly Row[] {
  if (rows.length < 2) return rows
  const keys = rows.slice(0, query.length).map(({ id }) => recordKey(kv, type, [id]))
  const values = kv.getAll(keys, BYTES_PER_SLICE)
  return rows.map((row, at) => {
    const value = values[at]
    if (value === undefined) return row
    examined.add(row.id)
    row.stored = decodeRecord(value)
    return row
  })
}

/** Whether the keys that continue `base` are keys of records, not of an index. */
function isOfRecords({ kv, type }: Job, base: Buffer): boolean {
  return base.equals(recordBase(kv, type))
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

/** Throws bad-qry if more than `max` records match. */
function* sortRows(
  job: Job,
  chunks: Iterable<readonly number[]>,
  max = Number.POSITIVE_INFINITY,
): Generator<Pause, Source> {
  const { type, order, from } = job
  const places = openSortedPlaces()
  const start = from === undefined ? undefined : startKey(order, from.position)
  let total = 0
  const steps = openSteps()
  for (const ids of chunks) {
    for (const id of ids) {
      if (job.masked?.ids.has(id) === true) continue
      if (steps.isDue()) {
        yield
        steps.begin()
      }
      const stored = findStored(job, id)
      steps.add(stored)
      if (stored === undefined || (yield* findMatching(job, stored)) === undefined) continue
      const place = placeOf(order, parseRecord(type, stored), id)
      total += 1
      if (total > max) throw tooManyToSort(job, max)
      if (start === undefined || place.sortKey > start) places.add(place)
    }
    yield
  }
  const plan = { index: indexesOf(job), isSorted: true }
  return { chunks: [places.inOrder()], isProven: false, total, plan }
}

function tooManyToSort(job: Job, max: number): CmsError {
  return new CmsError(
    'bad-qry',
    `This search finds more than ${max} records, which is too many to sort by ${firstField(job)?.name}. Narrow it with qry.`,
  )
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

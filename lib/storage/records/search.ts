// Search: match, order and paging on the ordered store. Every record is filtered again unless the index proves the match;
// in that case the bytes of the record are returned without parsing. The search runs in slices and resumes by key
// (slices.ts), over rows that search-rows.ts finds.

import { CmsError } from '../../base/errors.ts'
import { type Cursor, encodeCursor, fingerprintOf, parseCursor } from './cursor.ts'
import { decodeKey, lastNumber } from './keys.ts'
import type { KvReader } from './kv.ts'
import { buildAccessPath, countRows, type AccessPath, type Span } from './access-path.ts'
import { buildOrder, isSortable, orderBy, partCountsOf } from './order.ts'
import type { JsonObject, RecordType, SearchField } from '../../schema/values.ts'
import type { StorageLimits } from '../engine.ts'
import type { Page, Query } from '../port.ts'
import { recordName, typeName } from './record-cache.ts'
import { type Name, nameOfBytes, type Trace } from './change-tracker.ts'
import { countKey } from './format.ts'
import { readCounter } from './record-bytes.ts'
import { isUnnumbered } from './type-numbers.ts'
import {
  findMatching,
  findStored,
  firstField,
  isFiltered,
  type Job,
  openSteps,
  type SearchInput,
  type SearchLimits,
  skipOf,
  type Source,
  type SearchPlan,
} from './search-job.ts'
import { findMasked, mergeMasked } from './search-masked.ts'
import { takePage, type Taken } from './search-page.ts'
import { matchCost, withinBudget } from './slow-match.ts'
import { chooseIds, chooseSource, isInOrder } from './search-rows.ts'
import { inSlices, type Pause } from '../../schema/time-slicing.ts'

const MAX_COLLECTED = 10_000
/** Rows counted for each access path to choose one. */
const MAX_COUNTED = 1_000
/** A range with more rows than this is returned in its own order, unless another order is requested. */
const MAX_BY_ID = 1_000

/** A page built from more records than this depends on all records of the type. */
const MAX_NAMED = 256

export const DEFAULT_LIMITS: SearchLimits = {
  maxScanned: 100_000,
  maxCollected: MAX_COLLECTED,
  maxPageBytes: Number.POSITIVE_INFINITY,
  maxSearchMs: 2_000,
}

export function searchLimitsOf({
  listBytes,
  scannedRecords,
  searchMs,
}: Pick<StorageLimits, 'listBytes' | 'scannedRecords' | 'searchMs'>): SearchLimits {
  return {
    maxScanned: scannedRecords,
    maxCollected: MAX_COLLECTED,
    maxPageBytes: listBytes,
    maxSearchMs: searchMs,
  }
}

/** The type must have one identifier, an integer. */
export function search<T extends JsonObject>(
  kv: KvReader,
  input: SearchInput<T>,
  trace: Trace,
): Page<T> | Promise<Page<T>> {
  // Internally, records are accessed by field names only, regardless of T.
  return inSlices<Page>(runSearch(kv, input, trace)) as Page<T> | Promise<Page<T>>
}

function* runSearch(kv: KvReader, input: SearchInput, trace: Trace): Generator<Pause, Page> {
  const built = yield* buildJob(kv, input)
  const job = { masked: yield* findMasked(built), ...built }
  const source = mergeMasked(job, yield* chooseSource(job))
  const taken = yield* takePage(job, source)
  const { total, scanned } = yield* findTotal(job, source, taken)
  trace.addAll(namesOf(job, taken))

  const next = taken.next && encodeCursor(fingerprintOf(input.type, input.query), taken.next)
  const examined = source.scanned?.() ?? taken.scanned
  const { records, ids, isSpent } = taken
  const plan = job.query.explain === true ? source.plan : undefined
  const found = { records, ids, total, next, isSpent, scanned: examined + scanned }
  return plan === undefined ? found : { ...found, plan }
}

/**
 * The names that a page depends on. If the path consists of rows of single values, the page depends on these values (for
 * an identifier, on the record itself) and on the examined records; unexamined records come after the page in identifier order. Otherwise the page depends on the
 * whole type, also if a value has no key yet because no row of it was ever written.
 */
function namesOf({ type, path, order, query, examined }: Job, taken: Taken): readonly Name[] {
  const isByValue =
    path?.spans.every((span) => span.isOneValue && !isUnnumbered(span.base)) === true
  const isWhole = taken.next === undefined && taken.skip === 0 && (query.start ?? 1) === 1
  const isById = firstField({ order }) === undefined
  if (
    query.masked !== undefined ||
    !isByValue ||
    !(isById || (isWhole && query.cursor === undefined)) ||
    examined.size > MAX_NAMED ||
    path.spans.length > MAX_NAMED
  )
    return [typeName(type)]
  const values = path.spans.map(({ field, base, start }) =>
    field.isId === true ? recordName(type, [lastNumber(start)]) : nameOfBytes(base),
  )
  return [...values, ...Array.from(examined, (id) => recordName(type, [id]))]
}

function* buildJob(kv: KvReader, input: SearchInput): Generator<void, SearchPlan> {
  const { type, searchable, query, limits, matchElsewhere } = input
  const order = buildOrder(type, searchable, query)
  const first = firstField({ order })
  const match =
    query.match?.op === 'and' && query.match.parts.length === 0 ? undefined : query.match
  const isOrdered = (span: Span): boolean => isInOrder(span, first)
  const isMasked = query.compared !== undefined
  // If runs must be sorted, it pays to find out whether all candidates can be collected.
  const maxCounted = order.hasRuns ? limits.maxCollected + 1 : MAX_COUNTED
  const finder = { kv, type, isOrdered, isMasked, maxCounted }
  const path = match && (yield* buildAccessPath(finder, match))
  const stretch = query.orderBy === undefined ? stretchField(path) : undefined
  const partCounts = stretch === undefined ? partCountsOf(order) : [1, 2]
  const from = findStart(type, query, partCounts)
  const isLong = stretch !== undefined && (yield* isInFieldOrder(kv, path, from, query))

  const isProven = !isFiltered(query) && (match === undefined || path?.isExact === true)
  const taken = isLong && stretch !== undefined ? orderBy(type, stretch, query) : order
  return {
    kv,
    type,
    searchable,
    query,
    limits,
    order: taken,
    match,
    cost: matchCost(match),
    matchElsewhere: matchElsewhere && withinBudget(matchElsewhere),
    path,
    isProven,
    from,
    examined: new Set(),
  }
}

/** The field of an access path that is a single range of one index and the only possible path. */
function stretchField(path: AccessPath | undefined): SearchField | undefined {
  const [span] = path?.spans ?? []
  const isStretch =
    path?.isOnlyWay === true && path.spans.length === 1 && span?.isOneValue === false
  return isStretch &&
    span.field.isId !== true &&
    span.field.rises !== true &&
    isSortable(span.field)
    ? span.field
    : undefined
}

/** Later pages keep the order of the first page. */
function* isInFieldOrder(
  kv: KvReader,
  path: AccessPath | undefined,
  from: Cursor | undefined,
  { isVisible }: Query,
): Generator<void, boolean> {
  if (from !== undefined) return decodeKey(from.position).length === 2
  // The counted rows may be hidden ones.
  if (isVisible !== undefined) return false
  return (yield* countRows(kv, path?.spans ?? [], MAX_BY_ID + 1)) > MAX_BY_ID
}

function findStart(
  type: RecordType,
  query: Query,
  partCounts: readonly number[],
): Cursor | undefined {
  const { start, cursor } = query
  if (cursor === undefined) return undefined
  if (start === undefined) return parseCursor(cursor, fingerprintOf(type, query), partCounts)
  throw new CmsError(
    'bad-qry',
    'Give either start or cursor, not both: each says where the page begins.',
  )
}

/** A number of records, and the number of records examined to find it. */
interface Total {
  readonly total: number | undefined
  readonly scanned: number
}

function* findTotal(job: Job, source: Source, taken: Taken): Generator<Pause, Total> {
  const { query, kv, type } = job
  const isHiding = query.isVisible !== undefined
  const isEvery = query.isWanted === undefined && query.examine === undefined
  if (job.match === undefined && !isHiding && isEvery)
    return { total: readCounter(kv, countKey(kv, type)), scanned: 0 }
  // Whether there were few enough rows to count also depends on hidden records.
  if (source.total !== undefined && !isHiding) return { total: source.total, scanned: 0 }

  const isComplete = taken.next === undefined && job.from === undefined
  if (isComplete) return { total: skipOf(job) - taken.skip + taken.ids.length, scanned: 0 }
  return query.count === true ? yield* countMatching(job) : { total: undefined, scanned: 0 }
}

function* countMatching(job: Job): Generator<Pause, Total> {
  let total = job.masked?.total ?? 0
  let scanned = 0
  for (const ids of yield* chooseIds(job)) {
    yield
    if (job.isProven) total += ids.length
    else {
      total += yield* countAmong(job, ids)
      scanned += ids.length
    }
  }
  return { total, scanned }
}

function* countAmong(job: Job, ids: readonly number[]): Generator<Pause, number> {
  let total = 0
  const steps = openSteps()
  for (const id of ids) {
    if (job.masked?.ids.has(id) === true) continue
    if (steps.isDue()) {
      yield
      steps.begin()
    }
    const stored = findStored(job, id)
    steps.add(stored)
    if ((yield* findMatching(job, stored)) !== undefined) total += 1
  }
  return total
}

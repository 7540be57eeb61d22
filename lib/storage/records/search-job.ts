// A prepared search, and what every source of its records needs: access to the records, the filter, and the points at
// which reading may yield to other work.

import type { CmsError } from '../../base/errors.ts'
import { type Match, matches } from '../../schema/match.ts'
import type { Cursor } from './cursor.ts'
import type { Range } from './keys.ts'
import type { KvReader } from './kv.ts'
import type { Order, Place } from './order.ts'
import type { AccessPath } from './access-path.ts'
import type {
  JsonObject,
  RecordType,
  Searchable,
  SearchedBy,
  SearchField,
  Stored,
} from '../../schema/values.ts'
import type { Query } from '../port.ts'
import { findRecord, parseRecord, recordKey } from './format.ts'
import { BYTES_PER_SLICE, type Pause } from '../../schema/time-slicing.ts'
import { isSlow, type MatchCost, type MatchElsewhere, matchesSlowly } from './slow-match.ts'

export interface SearchLimits {
  /** Records examined in one call; a page with at least one record ends there, with `next` set. */
  readonly maxScanned: number
  /** Candidates that are collected and sorted. */
  readonly maxCollected: number
  /** Stored and reckoned bytes of a page, not counting its first record; the page ends before exceeding them, with `next` set. */
  readonly maxPageBytes: number
  /** Time limit for a page that has no record yet, or whose patterns are matched in a worker. */
  readonly maxSearchMs: number
}

export interface SearchInput<T extends JsonObject = JsonObject> {
  readonly type: RecordType<T>
  readonly searchable: Searchable
  readonly query: Query<T>
  readonly limits: SearchLimits
  readonly matchElsewhere?: MatchElsewhere | undefined
}

/** A prepared search: the parts that stay constant while it runs. */
export interface Job extends SearchPlan {
  /** Records that are found separately from the path: search-masked.ts. */
  readonly masked: Masked | undefined
}

/** A search without the records that are found separately. */
export interface SearchPlan extends SearchInput {
  readonly kv: KvReader
  readonly order: Order
  readonly match: Match | undefined
  readonly cost: MatchCost
  readonly path: AccessPath | undefined
  /** Every row of the path, or every record if nothing is matched, belongs to the result. */
  readonly isProven: boolean
  readonly from: Cursor | undefined
  /** Identifiers of the examined records. */
  readonly examined: Set<number>
}

/** Records that the caller compares by other values than their index rows have. */
export interface Masked {
  readonly ids: ReadonlySet<number>
  /** Number of matching records. */
  readonly total: number
  /** Matching records that are not before the page. */
  readonly inOrder: () => Iterable<Place>
}

/** A record to examine: its identifier, and its position in the order as key parts. */
export interface Row {
  readonly id: number
  readonly position: Buffer
  /** Set if the records themselves were walked. */
  readonly stored?: Stored | undefined
}

/** Ends the page here, even if more rows follow. */
export interface PageEnd {
  /** Start of the next page; undefined means after the last examined record. */
  readonly position?: Buffer
  /** Why no more rows follow: thrown if the page is empty. */
  readonly refusal?: CmsError
}

/** Rows of the result before the page, counted by their keys without examining records. */
export interface PassedRows {
  readonly passed: number
  /** Position of the last of these rows. */
  readonly position: Buffer | undefined
}

/** The work must wait for this promise before more rows are available. */
export interface Waiting {
  readonly until: Promise<unknown>
}

export type Rows = readonly Row[] | Iterable<Row>
export type Chunk = Rows | PassedRows | PageEnd | Waiting

export function isRows(chunk: Chunk): chunk is Rows {
  return Symbol.iterator in chunk
}

/** Number of records of the result before the page. */
export function skipOf({ from, query: { start, length } }: Pick<Job, 'from' | 'query'>): number {
  return from?.skip ?? ((start ?? 1) - 1) * length
}

export interface Source {
  readonly chunks: Iterable<Chunk>
  /** Whether the rows of a chunk need no filter while they are read in the same turn of the event loop. */
  readonly isProven: boolean
  /** Number of matching records, if finding the rows has determined it. */
  readonly total?: number
  readonly plan: SearchedBy
  /** Number of visible records that finding the rows has examined so far, if it examines records. */
  readonly scanned?: () => number
}

/** Records, and their bytes, that are parsed and compared before the work may yield. */
const RECORDS_PER_STEP = 32
const BYTES_PER_STEP = 128 * 1024

/** Decides, by number and size of the examined records, when the work should yield. */
export interface Steps {
  add(stored: Stored | undefined): void
  isDue(): boolean
  /** Whether the records have many bytes, regardless of their number. */
  isLarge(): boolean
  begin(): void
}

export function openSteps(): Steps {
  let records = 0
  let sizeBytes = 0
  const isLarge = (): boolean => sizeBytes >= BYTES_PER_SLICE
  return {
    add(stored) {
      records += 1
      sizeBytes += stored?.sizeBytes ?? 0
    },
    isLarge,
    isDue: () => records >= RECORDS_PER_STEP || sizeBytes >= BYTES_PER_STEP,
    begin() {
      records = 0
      sizeBytes = 0
    },
  }
}

/** A range of keys that continue `base` with a position. */
export interface Stretch extends Range {
  readonly base: Buffer
}

/** Undefined if the order is by identifier. */
export function firstField({ order }: Pick<Job, 'order'>): SearchField | undefined {
  return order.fields[0]?.field
}

export function findStored({ kv, type, examined }: SearchPlan, id: number): Stored | undefined {
  examined.add(id)
  return findRecord(kv, recordKey(kv, type, [id]))
}

/** The record, unless it is gone or does not match. */
export function* findMatching(
  job: SearchPlan,
  stored: Stored | undefined,
): Generator<Pause, Stored | undefined> {
  if (stored === undefined) return undefined
  const record = parseRecord(job.type, stored)
  const isMatch = isSlow(job.cost, stored.sizeBytes)
    ? yield* matchesInSlices(job, record)
    : isWanted(job, record)
  if (!isMatch) return undefined
  const { examine } = job.query
  return examine === undefined || (yield* examine(record)) ? stored : undefined
}

/** Whether the caller may not see the record. */
export function isHidden({ type, query }: SearchPlan, stored: Stored | undefined): boolean {
  if (query.isVisible === undefined || stored === undefined) return false
  return !query.isVisible(parseRecord(type, stored))
}

/** Whether the caller has conditions beside the match, so that no index proves a record. */
export function isFiltered({ isVisible, isWanted: fits, examine, compared }: Query): boolean {
  return [isVisible, fits, examine, compared].some((member) => member !== undefined)
}

function isWanted({ match, query }: SearchPlan, record: JsonObject): boolean {
  const { isVisible, isWanted: fits, compared } = query
  if (isVisible?.(record) === false) return false
  const isMatch = match === undefined || matches(match, compared?.(record) ?? record)
  return isMatch && fits?.(record) !== false
}

function* matchesInSlices(
  { match, query, matchElsewhere }: SearchPlan,
  record: JsonObject,
): Generator<Pause, boolean> {
  const { isVisible, isWanted: fits, compared } = query
  if (match === undefined || isVisible?.(record) === false || fits?.(record) === false) return false
  return yield* matchesSlowly(match, compared?.(record) ?? record, matchElsewhere)
}

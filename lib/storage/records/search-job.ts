// A search made ready, and what every way to its records needs of it: the records themselves, which of them
// are wanted, and where reading them may stop for others.

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
  SearchField,
  Stored,
} from '../../schema/values.ts'
import type { Query } from '../port.ts'
import { findRecord, parseRecord, recordKey } from './format.ts'
import { BYTES_PER_TURN, type Pause } from '../../schema/time-slicing.ts'
import { isSlow, type MatchCost, type MatchElsewhere, matchesSlowly } from './slow-match.ts'

export interface SearchLimits {
  /** Records looked at in one call; the page ends early there, with `next` set, when it has a record. */
  readonly maxScanned: number
  /** Candidates that are collected and sorted. */
  readonly maxCollected: number
  /** Bytes of a page, stored and reckoned, but for its first record; it ends early before more, with `next` set. */
  readonly maxPageBytes: number
  /** Time for a page that has no record yet, or whose patterns are matched in a worker. */
  readonly maxSearchMs: number
}

export interface SearchInput<T extends JsonObject = JsonObject> {
  readonly type: RecordType<T>
  readonly searchable: Searchable
  readonly query: Query<T>
  readonly limits: SearchLimits
  readonly matchElsewhere?: MatchElsewhere | undefined
}

/** A search made ready: what stays the same while it runs. */
export interface Job extends SearchInput {
  readonly kv: KvReader
  readonly order: Order
  readonly match: Match | undefined
  readonly cost: MatchCost
  readonly path: AccessPath | undefined
  /** Every row of the path, or every record where nothing is matched, is in the result. */
  readonly isProven: boolean
  readonly from: Cursor | undefined
  /** Identifiers of the records that were looked at. */
  readonly looked: Set<number>
  /** Records that are found beside the path: search-masked.ts. */
  readonly masked: Masked | undefined
}

/** Records that the caller compares by other values than their index rows have. */
export interface Masked {
  readonly ids: ReadonlySet<number>
  /** How many of them match. */
  readonly total: number
  /** Those that match and are not before the page. */
  readonly inOrder: () => Iterable<Place>
}

/** A record to look at: its identifier, and its place in the order as key parts. */
export interface Row {
  readonly id: number
  readonly position: Buffer
  /** Where the records themselves were walked. */
  readonly stored?: Stored | undefined
}

/** Here the page ends, whatever there is behind it. */
export interface PageEnd {
  /** Where the next page begins; undefined: behind the last record that was looked at. */
  readonly position?: Buffer
  /** Why nothing comes any more: to be thrown where the page has nothing. */
  readonly refusal?: CmsError
}

/** So many rows are in the result and before the page: their keys told it, and no record was looked at. */
export interface PassedRows {
  readonly passed: number
  /** Of the last one. */
  readonly position: Buffer | undefined
}

/** What the work has to wait for before there are more rows. */
export interface Waiting {
  readonly until: Promise<unknown>
}

export type Rows = readonly Row[] | Iterable<Row>
export type Chunk = Rows | PassedRows | PageEnd | Waiting

export function isRows(chunk: Chunk): chunk is Rows {
  return Symbol.iterator in chunk
}

/** How many records of the result come before the page. */
export function skipOf({ from, query: { start, length } }: Pick<Job, 'from' | 'query'>): number {
  return from?.skip ?? ((start ?? 1) - 1) * length
}

export interface Source {
  readonly chunks: Iterable<Chunk>
  /** Whether the rows of a chunk need no filter, as long as they are read in the turn of the chunk. */
  readonly isProven: boolean
  /** Number of matching records, where finding the rows has told it. */
  readonly total?: number
  /** Number of visible records that finding the rows has looked at so far, where it does. */
  readonly scanned?: () => number
}

/** Records, and bytes of them, that are parsed and compared between two places where the work may stop. */
const RECORDS_PER_STEP = 32
const BYTES_PER_STEP = 128 * 1024

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
  const isLarge = (): boolean => sizeBytes >= BYTES_PER_TURN
  return {
    add(stored) {
      records += 1
      sizeBytes += stored?.bytes.length ?? 0
    },
    isLarge,
    isDue: () => records >= RECORDS_PER_STEP || sizeBytes >= BYTES_PER_STEP,
    begin() {
      records = 0
      sizeBytes = 0
    },
  }
}

/** A stretch of keys that continue `base` with a position. */
export interface Stretch extends Range {
  readonly base: Buffer
}

/** Undefined: by identifier. */
export function firstField({ order }: Pick<Job, 'order'>): SearchField | undefined {
  return order.fields[0]?.field
}

export function findStored({ kv, type, looked }: Job, id: number): Stored | undefined {
  looked.add(id)
  return findRecord(kv, recordKey(kv, type, [id]))
}

/** The record, unless it is gone or does not match. */
export function* findMatching(
  job: Job,
  stored: Stored | undefined,
): Generator<Pause, Stored | undefined> {
  if (stored === undefined) return undefined
  const record = parseRecord(job.type, stored)
  const isMatch = isSlow(job.cost, stored.bytes.length)
    ? yield* isWantedSlowly(job, record)
    : isWanted(job, record)
  return isMatch ? stored : undefined
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

function* isWantedSlowly(
  { match, query, matchElsewhere }: Job,
  record: JsonObject,
): Generator<Pause, boolean> {
  const { isVisible, isWanted: fits, compared } = query
  if (match === undefined || isVisible?.(record) === false || fits?.(record) === false) return false
  return yield* matchesSlowly(match, compared?.(record) ?? record, matchElsewhere)
}

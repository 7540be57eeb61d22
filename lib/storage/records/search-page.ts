// Builds one page of a search from the matching rows, up to the limits of a page.

import type { Stored } from '../../schema/values.ts'
import type { Pause } from '../../schema/time-slicing.ts'
import type { Cursor } from './cursor.ts'
import { answeredBytes } from './page-cache.ts'
import {
  findMatching,
  findStored,
  isHidden,
  isRows,
  type Job,
  openSteps,
  type Row,
  type Rows,
  skipOf,
  type Source,
} from './search-job.ts'

export interface Taken {
  readonly records: readonly Stored[]
  readonly ids: readonly number[]
  readonly scanned: number
  readonly next: Cursor | undefined
  /** Records that remain to be skipped before the requested page. */
  readonly skip: number
  /** The search has examined enough records for this page. */
  readonly isSpent: boolean
}

/** Start of a page without earlier rows. */
const START: Pick<Row, 'position'> = { position: Buffer.alloc(0) }

/** A page while its rows are being read. */
interface Growing {
  readonly records: Stored[]
  readonly ids: number[]
  skip: number
  /** The last examined row, and the last row whose record is on the page. */
  place: Pick<Row, 'position'>
  lastTaken: Pick<Row, 'position'>
  scanned: number
  sizeBytes: number
  readonly endMs: number
}

function pageTo(page: Growing, position: Buffer, isSpent = false): Taken {
  const { records, ids, scanned, skip } = page
  return { records, ids, scanned, next: { skip, position }, skip, isSpent }
}

/**
 * Many clients take an empty page for the end of the result, so the search continues until the page has a record or its
 * time is over. A search with patterns, or with a condition that examines records, is also limited by time, because both
 * may take long for each record.
 */
function isBudgetSpent(
  { limits, cost, query }: Job,
  { records, scanned, endMs }: Growing,
): boolean {
  const isLong = scanned >= limits.maxScanned
  if (isLong && records.length > 0) return true
  const isSlow = cost.hasPatterns || query.examine !== undefined
  return (isLong || isSlow) && scanned > 0 && performance.now() >= endMs
}

export function* takePage(job: Job, { chunks, isProven }: Source): Generator<Pause, Taken> {
  const start = job.from ?? START
  const page: Growing = {
    records: [],
    ids: [],
    skip: skipOf(job),
    place: start,
    lastTaken: start,
    scanned: 0,
    sizeBytes: 0,
    endMs: performance.now() + job.limits.maxSearchMs,
  }
  for (const chunk of chunks) {
    if ('until' in chunk) yield chunk.until
    else if ('passed' in chunk) {
      page.skip -= chunk.passed
      if (chunk.position !== undefined) page.place = { position: chunk.position }
      yield
    } else if (isRows(chunk)) {
      const taken = yield* takeRows(job, chunk, isProven, page)
      if (taken !== undefined) return taken
      yield
    } else {
      if (chunk.refusal !== undefined && page.records.length === 0) throw chunk.refusal
      const isRefused = chunk.refusal !== undefined
      if (!isRefused && page.records.length === 0 && performance.now() < page.endMs) continue
      return pageTo(page, chunk.position ?? page.lastTaken.position, !isRefused)
    }
  }
  const { records, ids, scanned, skip } = page
  return { records, ids, scanned, next: undefined, skip, isSpent: false }
}

/** Returns the whole page if it ends among these rows. */
function* takeRows(
  job: Job,
  rows: Rows,
  isProven: boolean,
  page: Growing,
): Generator<Pause, Taken | undefined> {
  const { query } = job
  const steps = openSteps()
  // The proof by the key is valid only in this turn of the event loop.
  let isProof = isProven
  for (const row of rows) {
    if (isProven && page.skip > 0) {
      // Skipped by its key alone: no record is examined, so the limit does not count it.
      page.skip -= 1
      page.place = row
      continue
    }
    if (isProof ? steps.isLarge() : steps.isDue()) {
      yield
      steps.begin()
      isProof = false
    }

    if (isProof && page.ids.length === query.length) {
      // Only the existence of another row matters.
      page.scanned += 1
      return pageTo(page, page.place.position)
    }
    if (isProof && query.onlyIds === true) {
      page.scanned += 1
      page.ids.push(row.id)
      page.lastTaken = row
      page.place = row
      continue
    }
    const read = row.stored ?? findStored(job, row.id)
    steps.add(read)
    if (isHidden(job, read)) continue
    if (isBudgetSpent(job, page)) return pageTo(page, page.place.position, true)
    page.scanned += 1
    const stored = isProof ? read : yield* findMatching(job, read)
    if (stored !== undefined && page.skip === 0) {
      if (isFull(job, page, stored)) {
        // The set of examined rows depends on the access path, and therefore on hidden records.
        const { place, lastTaken } = page
        return pageTo(page, (query.isVisible === undefined ? place : lastTaken).position)
      }
      page.records.push(stored)
      page.ids.push(row.id)
      page.lastTaken = row
    }
    if (stored !== undefined && page.skip > 0) page.skip -= 1
    page.place = row
  }
  return undefined
}

function isFull({ query, limits }: Job, page: Growing, stored: Stored): boolean {
  page.sizeBytes += answeredBytes(query, stored)
  if (page.ids.length === query.length) return true
  return page.records.length > 0 && page.sizeBytes > limits.maxPageBytes
}

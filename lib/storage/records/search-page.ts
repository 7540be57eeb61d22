// One page of a search: the records among the rows that match, up to the bounds of a page.

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
  readonly scanned: number
  readonly next: Cursor | undefined
  /** How many of the records that `start` skips were not there. */
  readonly skip: number
  /** The search has looked at enough for this page. */
  readonly isSpent: boolean
}

/** Where a page begins that nothing is before. */
const START: Pick<Row, 'position'> = { position: Buffer.alloc(0) }

/** A page while its rows are read. */
interface Growing {
  readonly records: Stored[]
  skip: number
  /** The last row that was looked at, and the last one whose record is on the page. */
  place: Pick<Row, 'position'>
  lastTaken: Pick<Row, 'position'>
  scanned: number
  sizeBytes: number
  readonly endMs: number
}

function pageTo({ records, scanned, skip }: Growing, position: Buffer, isSpent = false): Taken {
  return { records, scanned, next: { skip, position }, skip, isSpent }
}

/**
 * A page without a record that is not the last one is taken for the end by many clients, so the search goes on until
 * it has one, or its time is over. A pattern may take long for each text.
 */
function isBudgetSpent({ limits, cost }: Job, { records, scanned, endMs }: Growing): boolean {
  const isLong = scanned >= limits.maxScanned
  if (isLong && records.length > 0) return true
  return (isLong || cost.hasPatterns) && scanned > 0 && performance.now() >= endMs
}

export function* takePage(job: Job, { chunks, isProven }: Source): Generator<Pause, Taken> {
  const start = job.from ?? START
  const page: Growing = {
    records: [],
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
  const { records, scanned, skip } = page
  return { records, scanned, next: undefined, skip, isSpent: false }
}

/** The whole page when it ends among these rows. */
function* takeRows(
  job: Job,
  rows: Rows,
  isProven: boolean,
  page: Growing,
): Generator<Pause, Taken | undefined> {
  const { query } = job
  const steps = openSteps()
  // What the key proves holds in this turn alone.
  let isProof = isProven
  for (const row of rows) {
    if (isProven && page.skip > 0) {
      // Passed over by its key alone: no record is looked at, so the bound does not count it.
      page.skip -= 1
      page.place = row
      continue
    }
    if (isProof ? steps.isLarge() : steps.isDue()) {
      yield
      steps.begin()
      isProof = false
    }

    if (isProof && page.records.length === query.length) {
      // That there is one more is all that is asked of it.
      page.scanned += 1
      return pageTo(page, page.place.position)
    }
    const read = row.stored ?? findStored(job, row.id)
    steps.add(read)
    if (isHidden(job, read)) continue
    if (isBudgetSpent(job, page)) return pageTo(page, page.place.position, true)
    page.scanned += 1
    const stored = isProof ? read : yield* findMatching(job, read)
    if (stored !== undefined && page.skip === 0) {
      if (isFull(job, page, stored)) {
        // Which others were looked at follows from the way that was taken, and that from hidden ones, too.
        const { place, lastTaken } = page
        return pageTo(page, (query.isVisible === undefined ? place : lastTaken).position)
      }
      page.records.push(stored)
      page.lastTaken = row
    }
    if (stored !== undefined && page.skip > 0) page.skip -= 1
    page.place = row
  }
  return undefined
}

function isFull({ query, limits }: Job, page: Growing, stored: Stored): boolean {
  page.sizeBytes += answeredBytes(query, stored)
  if (page.records.length === query.length) return true
  return page.records.length > 0 && page.sizeBytes > limits.maxPageBytes
}

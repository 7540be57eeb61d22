// An order by several fields. The index of the first one is walked; the records that have one value there
// form a run, which is collected and sorted by the further fields. Where a page begins inside a run, the run
// is collected again: nothing of it is kept between two requests.
//
// A run has at most as many matching records as are collected elsewhere, so that whether a search is refused
// follows from what is found and not from the way to it, which hidden records have a part in. Those of the
// run that do not match are looked at, at whatever cost, as to count them would be; between two runs the bound
// on what one call looks at ends the page.

import { CmsError } from '../../base/errors.ts'
import { after, beforeLastNumber, lastNumber, type Range, splitKey } from './keys.ts'
import { endOfRun, isEndOfRun, type Place, placeOf, startKey } from './order.ts'
import { parseRecord } from './format.ts'
import {
  type Chunk,
  findMatching,
  findStored,
  firstField,
  isHidden,
  type Job,
  openSteps,
  type Source,
  type Stretch,
} from './search-job.ts'
import { keyChunks } from './slices.ts'
import type { Pause } from '../../schema/time-slicing.ts'
import { openSortedPlaces, type SortedPlaces } from './sorted-positions.ts'

/** The rows of a stretch of the index of the first field, in order. */
export function walkRuns(job: Job, stretch: Stretch): Source {
  const looked = { records: 0 }
  return {
    chunks: readRuns(job, stretch, looked),
    isProven: false,
    scanned: () => looked.records,
  }
}

interface Looked {
  records: number
}

interface Run {
  /** What the first field has, encoded. */
  readonly value: Buffer
  readonly places: SortedPlaces
  /** Of the places, and of those that earlier pages have had. */
  matching: number
}

function* readRuns(job: Job, stretch: Stretch, looked: Looked): Generator<Chunk, void> {
  const { kv, type, query, order, limits, from } = job
  const range = { reverse: query.descending === true, ...restOf(job, stretch) }
  const steps = openSteps()
  const start = from === undefined ? undefined : startKey(order, from.position)
  let run: Run | undefined

  for (const keys of keyChunks(kv, range, query.length + 1)) {
    for (const key of keys) {
      if (job.masked?.ids.has(lastNumber(key)) === true) continue
      const value = beforeLastNumber(key).subarray(stretch.base.length)
      if (run !== undefined && !run.value.equals(value)) {
        yield run.places.inOrder()
        if (looked.records >= limits.maxScanned) {
          // The reader of these chunks goes on when its page has no record yet.
          yield { position: endOfRun(order, run.value) }
        }
        run = undefined
      }
      run ??= { value, places: openSortedPlaces(), matching: 0 }
      // An empty chunk is a place where the work may stop.
      if (steps.isDue()) {
        yield []
        steps.begin()
      }
      const stored = findStored(job, lastNumber(key))
      steps.add(stored)
      if (stored === undefined || isHidden(job, stored)) continue
      looked.records += 1
      if ((yield* chunksOf(findMatching(job, stored))) === undefined) continue
      const place = placeOf(order, parseRecord(type, stored), lastNumber(key))
      // One that was changed since the key was read is where it belongs now.
      if (!isIn(run, place)) continue
      run.matching += 1
      if (start === undefined || place.sortKey > start) run.places.add(place)
      if (run.matching > limits.maxCollected) {
        yield { refusal: tooLong(job) }
        return
      }
    }
    yield []
  }
  if (run !== undefined) yield run.places.inOrder()
}

/** The first field alone is in the way that is walked, so a page begins with the run in which the last one ended. */
function restOf({ query, order, from }: Job, { base, start, end }: Stretch): Range {
  if (from === undefined) return { start, end }
  const [value = Buffer.alloc(0)] = splitKey(from.position)
  const first = Buffer.concat([base, value])
  const isPast = isEndOfRun(order, from.position)
  if (query.descending === true) {
    const last = isPast ? first : after(first)
    return { start, end: Buffer.compare(last, end) < 0 ? last : end }
  }
  const next = isPast ? after(first) : first
  return { start: Buffer.compare(next, start) > 0 ? next : start, end }
}

/** A wait inside the work is a chunk here. */
function* chunksOf<T>(work: Generator<Pause, T>): Generator<Chunk, T> {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    yield step.value === undefined ? [] : { until: step.value }
  }
}

function isIn({ value }: Run, { position }: Place): boolean {
  return position.subarray(0, value.length).equals(value)
}

function tooLong(job: Job): CmsError {
  const name = firstField(job)?.name ?? 'the identifier'
  return new CmsError(
    'bad-qry',
    `More than ${job.limits.maxCollected} records of this search have one and the same ${name}: they are too many to be sorted by further fields. Search for fewer with qry, sort by a field with more different values first, or by ${name} alone.`,
  )
}

// An order by several fields. The index of the first field is walked; records with the same value of the first field form
// a run, which is collected and sorted by the further fields. If a page begins inside a run, the run is collected again:
// nothing is kept between two requests.
//
// A run has at most as many matching records as may be collected elsewhere, so that a refusal depends on the result and
// not on the access path, which hidden records influence. All non-matching records of a run are examined at any cost, as in
// a count; between two runs the limit of examined records ends the page.

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

/** The rows of a range of the first field's index, in the complete order. */
export function walkRuns(job: Job, stretch: Stretch): Omit<Source, 'plan'> {
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
  /** Encoded value of the first field. */
  readonly value: Buffer
  readonly places: SortedPlaces
  /** Number of matching records, including those of earlier pages. */
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
          // The consumer of these chunks continues if its page has no record yet.
          yield { position: endOfRun(order, run.value) }
        }
        run = undefined
      }
      run ??= { value, places: openSortedPlaces(), matching: 0 }
      // An empty chunk lets the consumer yield to other work.
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
      // A record that was changed since its key was read belongs to another run.
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

/** The walked index orders only by the first field, so a page begins with the run in which the last page ended. */
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

/** Converts waits of the work into chunks. */
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
    `More than ${job.limits.maxCollected} records of this search have the same ${name}, which is too many to sort by further fields. Narrow the search with qry, sort first by a field with more distinct values, or sort by ${name} alone.`,
  )
}

// Masked records: the caller compares them by other values than their index rows have. For example, a key with only the
// right to view finds a file by its live version, while the index has the draft. Masked records are excluded from the walk
// through the index, sorted by the visible values, and merged into the rows of the walk.

import { CmsError } from '../../base/errors.ts'
import type { Pause } from '../../schema/time-slicing.ts'
import { parseRecord, rowRange } from './format.ts'
import { lastNumber } from './keys.ts'
import { placeOf, startKey } from './order.ts'
import {
  type Chunk,
  findMatching,
  findStored,
  isHidden,
  isRows,
  type Job,
  type Masked,
  openSteps,
  type Row,
  type SearchPlan,
  type Source,
} from './search-job.ts'
import { keyChunks } from './slices.ts'
import { openSortedPlaces } from './sorted-positions.ts'

/** Throws bad-qry if more records are masked than one call may examine, or if more match than can be sorted. */
export function* findMasked(job: SearchPlan): Generator<Pause, Masked | undefined> {
  const { type, order, from, limits, query } = job
  if (query.masked === undefined) return undefined
  const ids = new Set<number>()
  const places = openSortedPlaces()
  const start = from === undefined ? undefined : startKey(order, from.position)
  let [examined, total] = [0, 0]
  const steps = openSteps()
  for (const keys of maskedKeys(job, query.masked)) {
    for (const id of keys.map(lastNumber)) {
      if (ids.has(id)) continue
      if (steps.isDue()) {
        yield
        steps.begin()
      }
      ids.add(id)
      const stored = findStored(job, id)
      steps.add(stored)
      if (stored === undefined || isHidden(job, stored)) continue
      examined += 1
      if (examined > limits.maxScanned) throw tooMany(limits.maxScanned)
      if ((yield* findMatching(job, stored)) === undefined) continue
      total += 1
      if (total > limits.maxCollected) throw tooMany(limits.maxCollected)
      const record = parseRecord(type, stored)
      const place = placeOf(order, query.compared?.(record) ?? record, id)
      if (start === undefined || place.sortKey > start) places.add(place)
    }
    yield
  }
  return { ids, total, inOrder: () => places.inOrder() }
}

function* maskedKeys(
  { kv, type }: SearchPlan,
  rows: NonNullable<SearchPlan['query']['masked']>,
): ReturnType<typeof keyChunks> {
  for (const { index, value } of rows)
    yield* keyChunks(kv, rowRange(kv, type, { index, values: [value] }))
}

/** Merges the masked records into the source at their positions. */
export function mergeMasked(job: Job, source: Source): Source {
  const { masked } = job
  if (masked === undefined) return source
  return {
    ...source,
    chunks: merge(job, source.chunks, masked),
    ...(source.total !== undefined && { total: source.total + masked.total }),
  }
}

function* merge({ order }: Job, chunks: Source['chunks'], masked: Masked): Generator<Chunk, void> {
  const places = masked.inOrder()[Symbol.iterator]()
  let next = places.next()
  function* until(position?: Buffer): Generator<Row, void> {
    const end = position && startKey(order, position)
    while (next.done !== true && (end === undefined || next.value.sortKey < end)) {
      yield next.value
      next = places.next()
    }
  }

  for (const chunk of chunks) {
    if (isRows(chunk)) {
      yield [...chunk].flatMap((row) => {
        const before = [...until(row.position)]
        return masked.ids.has(row.id) ? before : [...before, row]
      })
    } else {
      if ('position' in chunk && chunk.position !== undefined) yield [...until(chunk.position)]
      yield chunk
    }
  }
  yield [...until()]
}

function tooMany(limit: number): CmsError {
  return new CmsError(
    'bad-qry',
    `More than ${limit} records have values that this key may not see, which is too many for one search. Search by other fields.`,
  )
}

// Long work on the rows of a type: a new index over old records, the rows of one that is gone, all of
// a type that is gone. In commits small enough that others hardly notice; each can be run again.

import { setImmediate } from 'node:timers/promises'
import type { Range } from './keys.ts'
import type { Kv, KvWriter } from './kv.ts'
import type { RecordType } from '../../schema/values.ts'
import type { Records } from '../port.ts'
import {
  countKey,
  findRecord,
  highestIdKey,
  indexRange,
  parseRecord,
  recordIds,
  recordRange,
  requireIndexKeys,
  rowRange,
} from './format.ts'
import { forgetIndex, forgetType } from './type-numbers.ts'
import { BYTES_PER_TURN } from '../../schema/time-slicing.ts'
import { keyChunks } from './slices.ts'

type Maintenance = Pick<Records, 'buildIndexes' | 'dropIndex' | 'dropType'>

/** Keys of one commit. */
const BATCH = 128
/** Rows of one commit: about two milliseconds of the main thread. */
const MAX_ROWS = 512

const NOTHING = Buffer.alloc(0)

export function buildMaintenance(kv: Kv): Maintenance {
  const commit = oneByOne(kv)

  return {
    async buildIndexes(type, indexes, signal) {
      const wanted = new Set(indexes)
      const only = { ...type, indexes: type.indexes.filter(({ name }) => wanted.has(name)) }
      for (const chunk of keyChunks(kv, recordRange(kv, type), BATCH)) {
        let done = 0
        while (done < chunk.length) {
          signal.throwIfAborted()
          const keys = chunk.slice(done, done + BATCH)
          done += await commit((writer) => putRows(writer, only, keys))
        }
      }
    },

    async dropIndex(typeName, index, signal) {
      await removeRange(commit, {
        rangeIn: (writer) => rowRange(writer, { name: typeName }, { index }),
        // With the last row: one that is written later, by a work that goes on, is found under another number.
        atEnd: (writer) => forgetIndex(writer, typeName, index),
        signal,
      })
    },

    async dropType(typeName, signal) {
      const type = { name: typeName, indexes: [] }
      await removeRange(commit, { rangeIn: (writer) => recordRange(writer, type), signal })
      await removeRange(commit, { rangeIn: (writer) => indexRange(writer, type), signal })
      await kv.commit((writer) => {
        writer.remove(countKey(writer, type))
        writer.remove(highestIdKey(writer, type))
        forgetType(writer, typeName)
      })
      kv.known.forget(typeName)
    },
  }
}

/**
 * Commits that wait together are run in one stretch: a change of 256 columns began as many works at once,
 * and held the loop for seconds. So each waits for the one before, and for a turn of others.
 */
function oneByOne(kv: Kv): Kv['commit'] {
  let last: Promise<unknown> = Promise.resolve()
  return (plan) => {
    const next = last.then(() => kv.commit(plan))
    last = next.catch(() => undefined).then(() => setImmediate())
    return next
  }
}

/**
 * A record may have changed or gone since its key was read: the newest state decides. Large records, and
 * many rows, end the batch early; returns how many keys are done.
 */
function putRows(writer: KvWriter, type: RecordType, keys: readonly Buffer[]): number {
  let sizeBytes = 0
  let rows = 0
  for (const [at, key] of keys.entries()) {
    if (sizeBytes >= BYTES_PER_TURN || rows >= MAX_ROWS) return at
    const stored = findRecord(writer, key)
    if (stored === undefined) continue
    sizeBytes += stored.bytes.length
    const found = { ids: recordIds(key), record: parseRecord(type, stored) }
    for (const row of requireIndexKeys(writer, type, found)) {
      writer.put(row, NOTHING)
      rows += 1
    }
  }
  return keys.length
}

interface Removing {
  readonly rangeIn: (writer: KvWriter) => Range
  /** In the commit after which nothing is left. */
  readonly atEnd?: (writer: KvWriter) => void
  readonly signal: AbortSignal
}

/** What is to be removed is read in its turn, too: many works begin at once. */
async function removeRange(
  commit: Kv['commit'],
  { rangeIn, atEnd, signal }: Removing,
): Promise<void> {
  let isLeft = true
  while (isLeft) {
    signal.throwIfAborted()
    isLeft = await commit((writer) => {
      const keys = [...writer.keys({ ...rangeIn(writer), limit: MAX_ROWS })]
      for (const key of keys) writer.remove(key)
      if (keys.length < MAX_ROWS) atEnd?.(writer)
      return keys.length === MAX_ROWS
    })
  }
}

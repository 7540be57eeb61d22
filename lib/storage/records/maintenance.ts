// Long work on the rows of a type: building an index for existing records, removing the rows of a dropped index, removing
// a whole type. Runs in small commits that hardly delay other work; each can be repeated.

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
import { BYTES_PER_SLICE } from '../../schema/time-slicing.ts'
import { keyChunks } from './slices.ts'

type Maintenance = Pick<Records, 'buildIndexes' | 'dropIndex' | 'dropType'>

/** Keys in one commit. */
const BATCH = 128
/** Rows in one commit: about two milliseconds of the main thread. */
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
        // Together with the last row: rows written later by unfinished work are found under another number.
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
 * Runs commits one after the other, with other work in between. Group commit would run all waiting commits in one stretch:
 * a change of 256 columns started as many pieces of work at once and blocked the event loop for seconds.
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
 * A record may have been changed or removed since its key was read: the newest state decides. Large records and many rows
 * end the batch early. Returns the number of finished keys.
 */
function putRows(writer: KvWriter, type: RecordType, keys: readonly Buffer[]): number {
  let sizeBytes = 0
  let rows = 0
  for (const [at, key] of keys.entries()) {
    if (sizeBytes >= BYTES_PER_SLICE || rows >= MAX_ROWS) return at
    const stored = findRecord(writer, key)
    if (stored === undefined) continue
    sizeBytes += stored.sizeBytes
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
  /** Runs in the commit that removes the last row. */
  readonly atEnd?: (writer: KvWriter) => void
  readonly signal: AbortSignal
}

/** Also reads the keys inside the commit queue, because many pieces of work start at once. */
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

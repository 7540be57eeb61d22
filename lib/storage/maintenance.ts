// Long work on the rows of a type: a new index over old records, the rows of one that is gone, all of
// a type that is gone. In commits small enough that others hardly notice; each can be run again.

import { setImmediate } from 'node:timers/promises'
import { encodeKey, prefixRange, type Range } from './keys.ts'
import type { Kv, KvWriter } from './kv.ts'
import type { Records, RecordType } from './port.ts'
import { findRecord, indexKeys, parseRecord, recordIds, recordRange } from './record-format.ts'
import { BYTES_PER_STEP, keyChunks } from './slices.ts'

type Maintenance = Pick<Records, 'buildIndex' | 'dropIndex' | 'dropType'>

/** Keys of one commit: about a millisecond of the main thread. */
const BATCH = 128

const NOTHING = Buffer.alloc(0)

export function buildMaintenance(kv: Kv): Maintenance {
  return {
    async buildIndex(type, index, signal) {
      const only = { ...type, indexes: type.indexes.filter(({ name }) => name === index) }
      for (const chunk of keyChunks(kv, recordRange(type), BATCH)) {
        let done = 0
        while (done < chunk.length) {
          signal.throwIfAborted()
          const keys = chunk.slice(done, done + BATCH)
          done += await kv.commit((writer) => putRows(writer, only, keys))
          await setImmediate()
        }
      }
    },

    dropIndex: (typeName, index, signal) =>
      removeRange(kv, prefixRange(['i', typeName, index]), signal),

    async dropType(typeName, signal) {
      await removeRange(kv, prefixRange(['r', typeName]), signal)
      await removeRange(kv, prefixRange(['i', typeName]), signal)
      await kv.commit((writer) => {
        writer.remove(encodeKey(['n', typeName]))
        writer.remove(encodeKey(['c', typeName]))
      })
    },
  }
}

/**
 * A record may have changed or gone since its key was read: the newest state decides. Large records
 * end the batch early; returns how many keys are done.
 */
function putRows(writer: KvWriter, type: RecordType, keys: readonly Buffer[]): number {
  let sizeBytes = 0
  for (const [at, key] of keys.entries()) {
    if (sizeBytes >= BYTES_PER_STEP) return at
    const stored = findRecord(writer, key)
    if (stored === undefined) continue
    sizeBytes += stored.bytes.length
    for (const row of indexKeys(type, recordIds(key), parseRecord(type, stored)))
      writer.put(row, NOTHING)
  }
  return keys.length
}

async function removeRange(kv: Kv, range: Range, signal: AbortSignal): Promise<void> {
  for (let keys = firstKeys(kv, range); keys.length > 0; keys = firstKeys(kv, range)) {
    signal.throwIfAborted()
    await kv.commit((writer) => {
      for (const key of keys) writer.remove(key)
    })
    await setImmediate()
  }
}

function firstKeys(kv: Kv, range: Range): readonly Buffer[] {
  return [...kv.keys({ ...range, limit: BATCH * 4 })]
}

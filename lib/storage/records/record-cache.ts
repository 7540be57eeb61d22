// Records that were read lately, decoded and parsed once. This process is the only one that writes
// (embedded/lease.ts), so what no commit touches stays true. The keys of a commit under way are
// read past the cache until its outcome is known.

import { LRUCache } from 'lru-cache'
import type { Id, RecordType, Stored } from '../../schema/values.ts'

export interface RecordCache {
  /** The record from memory, else as `find` reads it. */
  read<T extends object>(
    type: RecordType<T>,
    ids: readonly Id[],
    find: () => Stored<T> | undefined,
  ): Stored<T> | undefined
  /** A commit under construction. */
  begin(): RecordChange
  clear(): void
}

export interface RecordChange {
  /** To be called before the record is written or removed. */
  touch(type: RecordType, ids: readonly Id[]): void
  /** To be called when the outcome is known, whatever it is. */
  end(): void
}

/** In bytes of stored text; text and value of a record take about four times as much. */
const MAX_SIZE = 8 * 1024 * 1024
/** Larger ones are not kept. */
export const MAX_RECORD_SIZE = 16 * 1024
/** Counted for each record besides its text. */
const OVERHEAD = 256

export function openRecordCache(): RecordCache {
  const known = new LRUCache<string, Stored<object>>({
    maxSize: MAX_SIZE,
    maxEntrySize: MAX_RECORD_SIZE,
    sizeCalculation: ({ bytes }) => bytes.length + OVERHEAD,
  })
  /** How many commits under way touch a record. */
  const touched = new Map<string, number>()

  return {
    read<T extends object>(
      type: RecordType<T>,
      ids: readonly Id[],
      find: () => Stored<T> | undefined,
    ): Stored<T> | undefined {
      const name = recordName(type, ids)
      if (touched.size > 0 && touched.has(name)) return find()
      const cached = known.get(name)
      // Under the name of a type are its records alone.
      if (cached !== undefined) return cached as Stored<T>

      const stored = find()
      if (stored !== undefined) known.set(name, stored)
      return stored
    },

    clear: () => known.clear(),

    begin() {
      const own = new Set<string>()
      return {
        touch(type, ids) {
          const name = recordName(type, ids)
          if (own.has(name)) return
          own.add(name)
          touched.set(name, (touched.get(name) ?? 0) + 1)
          known.delete(name)
        },
        end() {
          for (const name of own) {
            const others = (touched.get(name) ?? 1) - 1
            if (others === 0) touched.delete(name)
            else touched.set(name, others)
          }
          own.clear()
        },
      }
    },
  }
}

/** Tells records apart. */
export function recordName({ name }: RecordType, ids: readonly Id[]): string {
  return ids.length === 1 ? `${name}\0${ids[0]}` : `${name}\0${ids.join('\0')}`
}

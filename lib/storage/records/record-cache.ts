// Records that were read lately, decoded and parsed once. This process is the only one that writes
// (embedded/lease.ts), so what no commit has changed stays true. A plan reads past the cache what commits under way
// have touched, its own included: their outcome is not known.

import { LRUCache } from 'lru-cache'
import type { Id, RecordType, Stored } from '../../schema/values.ts'
import type { Name } from './changes.ts'

export interface RecordCache {
  /** The record from memory, else as `find` reads it. */
  read<T extends object>(
    type: RecordType<T>,
    ids: readonly Id[],
    find: () => Stored<T> | undefined,
  ): Stored<T> | undefined
  /** The same inside a commit, of the newest state. */
  readNewest: RecordCache['read']
  /** A commit under construction. */
  begin(): Touching
  /** Reads show others from now on. */
  drop(names: Iterable<Name>): void
  clear(): void
}

export interface Touching {
  readonly names: ReadonlySet<Name>
  /** To be called before the record is written or removed. */
  touch(name: Name): void
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
  const known = new LRUCache<Name, Stored<object>>({
    maxSize: MAX_SIZE,
    maxEntrySize: MAX_RECORD_SIZE,
    sizeCalculation: ({ bytes }) => bytes.length + OVERHEAD,
  })
  /** How many commits under way touch a record. */
  const touched = new Map<Name, number>()

  function read<T extends object>(
    type: RecordType<T>,
    ids: readonly Id[],
    find: () => Stored<T> | undefined,
  ): Stored<T> | undefined {
    const name = recordName(type, ids)
    const cached = known.get(name)
    // Under the name of a type are its records alone.
    if (cached !== undefined) return cached as Stored<T>

    const stored = find()
    if (stored !== undefined) known.set(name, stored)
    return stored
  }

  return {
    read,
    readNewest: (type, ids, find) =>
      touched.size > 0 && touched.has(recordName(type, ids)) ? find() : read(type, ids, find),
    drop(names) {
      for (const name of names) known.delete(name)
    },
    clear: () => known.clear(),

    begin() {
      const own = new Set<Name>()
      return {
        names: own,
        touch(name) {
          if (own.has(name)) return
          own.add(name)
          touched.set(name, (touched.get(name) ?? 0) + 1)
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
export function recordName({ name }: RecordType, ids: readonly Id[]): Name {
  return ids.length === 1 ? `${name}\0${ids[0]}` : `${name}\0${ids.join('\0')}`
}

// Caches recently read records, decoded and parsed once. A record is valid until a visible commit changes it
// (change-tracker.ts). A plan bypasses the cache for records that running commits have touched, including its own commit,
// because their outcome is unknown.

import { LRUCache } from 'lru-cache'
import { admits } from '../../base/cache-admission.ts'
import type { Id, RecordType, Stored } from '../../schema/values.ts'
import { type Changes, type Name, nameOfText } from './change-tracker.ts'

export interface RecordCache {
  /** The cached record, or the result of `find`. */
  read<T extends object>(
    type: RecordType<T>,
    ids: readonly Id[],
    find: () => Stored<T> | undefined,
  ): Stored<T> | undefined
  /** Like `read`, inside a commit: the newest state. */
  readNewest: RecordCache['read']
  /** Starts a commit. */
  begin(): Touching
  clear(): void
}

export interface Touching {
  /** Call before the record is written or removed. */
  touch(record: string): void
  /** Call when the outcome is known, successful or not. */
  end(): void
}

/** In bytes of stored text; text and value of a record together take about four times as much. */
const MAX_SIZE = 8 * 1024 * 1024
/** Larger records are not cached. */
export const MAX_RECORD_SIZE = 16 * 1024
/** Bytes counted for each record in addition to its text. */
const OVERHEAD = 256

interface Known {
  readonly stored: Stored<object>
  readonly name: Name
  /** The newest visible commit at the time of the read. */
  readonly since: number
}

/** `share`: the part of the cache memory that may be used here. */
export function openRecordCache(changes: Changes, share = 1): RecordCache {
  const known = new LRUCache<string, Known>({
    maxSize: MAX_SIZE * share,
    maxEntrySize: MAX_RECORD_SIZE,
    sizeCalculation: ({ stored }) => stored.sizeBytes + OVERHEAD,
  })
  /** Number of running commits that touch each record. */
  const touched = new Map<string, number>()

  function readLabeled<T extends object>(
    label: string,
    find: () => Stored<T> | undefined,
  ): Stored<T> | undefined {
    const cached = known.get(label)
    // Labels of a type belong only to records of that type.
    if (cached !== undefined && changes.isUnchanged(cached.name, cached.since))
      return cached.stored as Stored<T>

    const since = changes.now()
    const stored = find()
    if (stored === undefined) known.delete(label)
    else if (admits(known, label)) known.set(label, { stored, name: nameOfText(label), since })
    return stored
  }

  return {
    read: (type, ids, find) => readLabeled(recordLabel(type, ids), find),
    readNewest(type, ids, find) {
      const label = recordLabel(type, ids)
      return touched.has(label) ? find() : readLabeled(label, find)
    },
    clear: () => known.clear(),

    begin() {
      const own = new Set<string>()
      return {
        touch(label) {
          if (own.has(label)) return
          own.add(label)
          touched.set(label, (touched.get(label) ?? 0) + 1)
        },
        end() {
          for (const label of own) {
            const others = (touched.get(label) ?? 1) - 1
            if (others === 0) touched.delete(label)
            else touched.set(label, others)
          }
          own.clear()
        },
      }
    },
  }
}

/** Identifies a record in the cache. */
export function recordLabel({ name }: RecordType, ids: readonly Id[]): string {
  return ids.length === 1 ? `${name}\0${ids[0]}` : `${name}\0${ids.join('\0')}`
}

export function recordName(type: RecordType, ids: readonly Id[]): Name {
  return nameOfText(recordLabel(type, ids))
}

/** Stands for any record of the type. */
export function typeName({ name }: RecordType): Name {
  return nameOfText(name)
}

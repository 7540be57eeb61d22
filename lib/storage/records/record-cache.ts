// Records that were read lately, decoded and parsed once: each stands until a commit that reads show has changed it
// (changes.ts). A plan reads past the cache what commits under way have touched, its own included: their outcome is
// not known.

import { LRUCache } from 'lru-cache'
import { admits } from '../../base/cache-admission.ts'
import type { Id, RecordType, Stored } from '../../schema/values.ts'
import { type Changes, type Name, nameOfText } from './change-tracker.ts'

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
  clear(): void
}

export interface Touching {
  /** To be called before the record is written or removed. */
  touch(record: string): void
  /** To be called when the outcome is known, whatever it is. */
  end(): void
}

/** In bytes of stored text; text and value of a record take about four times as much. */
const MAX_SIZE = 8 * 1024 * 1024
/** Larger ones are not kept. */
export const MAX_RECORD_SIZE = 16 * 1024
/** Counted for each record besides its text. */
const OVERHEAD = 256

interface Known {
  readonly stored: Stored<object>
  readonly name: Name
  /** The newest commit that reads showed then. */
  readonly since: number
}

/** `share`: the part of the memory that it may take here. */
export function openRecordCache(changes: Changes, share = 1): RecordCache {
  const known = new LRUCache<string, Known>({
    maxSize: MAX_SIZE * share,
    maxEntrySize: MAX_RECORD_SIZE,
    sizeCalculation: ({ stored }) => stored.bytes.length + OVERHEAD,
  })
  /** How many commits under way touch a record. */
  const touched = new Map<string, number>()

  function read<T extends object>(
    type: RecordType<T>,
    ids: readonly Id[],
    find: () => Stored<T> | undefined,
  ): Stored<T> | undefined {
    const label = recordLabel(type, ids)
    const cached = known.get(label)
    // Under the label of a type are its records alone.
    if (cached !== undefined && changes.isUnchanged(cached.name, cached.since))
      return cached.stored as Stored<T>

    const since = changes.now()
    const stored = find()
    if (stored === undefined) known.delete(label)
    else if (admits(known, label)) known.set(label, { stored, name: nameOfText(label), since })
    return stored
  }

  return {
    read,
    readNewest: (type, ids, find) =>
      touched.size > 0 && touched.has(recordLabel(type, ids)) ? find() : read(type, ids, find),
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

/** Tells records apart. */
export function recordLabel({ name }: RecordType, ids: readonly Id[]): string {
  return ids.length === 1 ? `${name}\0${ids[0]}` : `${name}\0${ids.join('\0')}`
}

export function recordName(type: RecordType, ids: readonly Id[]): Name {
  return nameOfText(recordLabel(type, ids))
}

/** Of any record of the type. */
export function typeName({ name }: RecordType): Name {
  return nameOfText(name)
}

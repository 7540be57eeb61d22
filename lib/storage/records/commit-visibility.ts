// Decides which commits reads show. A commit becomes visible when it is acknowledged, or earlier when a read starts on a
// state that includes it; the state itself holds the number of its last commit. At that moment everything that the commit
// touched counts as changed at once. Until then every cached value is what reads would show. Reads therefore use caches
// while a commit is running, and no reader sees an older state than an earlier reader.

import type { Id, RecordType } from '../../schema/values.ts'
import { type Changes, type Name, nameOfBytes, nameOfText, openChanges } from './change-tracker.ts'
import { lastCommitKey } from './format.ts'
import { encodeCounter, readCounter } from './record-bytes.ts'
import { lastPartAt } from './keys.ts'
import type { Kv, KvWriter } from './kv.ts'
import { openRecordCache, type RecordCache, recordLabel, typeName } from './record-cache.ts'
import { MANY_NAMES, openFollow, tell, tellAll } from './shared-log.ts'

export interface Shown {
  readonly changes: Changes
  readonly cache: RecordCache
  /** Makes reads show everything that any process has committed, either now or when the promise resolves. */
  renew(): void | Promise<void>
  /** Call inside the commit, so that numbers rise in commit order. */
  begin(): UnderWay
  /** Invalidates everything, because all records of a type may have changed. */
  forget(): Promise<void>
}

/**
 * The processes that use the store: only this one ('alone'); this writer and reader processes ('writes'); this reader
 * beside a writer ('reads'); several writers, each with a local copy ('replicated', see cluster/).
 */
export type Sharing = 'alone' | 'writes' | 'reads' | 'replicated'

/** Other processes follow the commits of this process. */
const TELLING: ReadonlySet<Sharing> = new Set(['writes', 'replicated'])

export interface UnderWay {
  /** Call before a record is written or removed. */
  touch(type: RecordType, ids: readonly Id[]): void
  /** Call when an index row is written or removed whose last part is a numeric identifier. */
  touchRow(key: Buffer): void
  /** Writes the commit number, if anything was touched. Call last. */
  write(writer: KvWriter): void
  /** Larger commits can no longer be described in full (shared-log.ts). */
  isFull(): boolean
  /** The commit is acknowledged. */
  show(): void
  /** Call when the outcome is known, successful or not. */
  end(): void
}

export function openShown(kv: Kv, sharing: Sharing, cacheShare: number): Shown {
  const changes = openChanges(readCounter(kv, lastCommitKey()))
  const cache = openRecordCache(changes, cacheShare)
  /** Names that each invisible commit changes, in commit order. */
  const hidden = new Map<number, ReadonlySet<Name>>()
  let issued = changes.now()

  function showUpTo(last: number): void {
    for (const [number, names] of hidden) {
      if (number > last) return
      hidden.delete(number)
      changes.note(names, number)
    }
  }

  /** Numbers rise in commit order: call only inside a commit. */
  function issue(): number {
    issued = Math.max(issued, changes.now()) + 1
    return issued
  }

  function showNewest(): void {
    if (hidden.size > 0) showUpTo(readCounter(kv, lastCommitKey()))
  }

  // In a replicated copy only the state says what is new, for own commits as for those of other processes. The number of a
  // commit without changes is reused by another process and would wrongly count as known.
  const isToldByState = sharing === 'replicated'
  if (!isToldByState) kv.onNewer(showNewest)

  return {
    changes,
    cache,
    renew: renewal(kv, changes, { sharing, showNewest, isHiding: () => hidden.size > 0 }),
    begin() {
      const number = issue()
      const touching = cache.begin()
      const names = new Set<Name>()
      hidden.set(number, names)
      return {
        touch(type, ids) {
          const label = recordLabel(type, ids)
          touching.touch(label)
          names.add(nameOfText(label))
          names.add(typeName(type))
        },
        touchRow: (key) => void names.add(nameOfBytes(key, lastPartAt(key))),
        write(writer) {
          if (names.size === 0) return
          writer.put(lastCommitKey(), encodeCounter(number))
          // Numbers of types and indexes are not records, so what other processes have read may be wrong.
          if (TELLING.has(sharing))
            tell(writer, number, writer.known.hasGiven() ? undefined : names)
        },
        isFull: () => names.size >= MANY_NAMES,
        show() {
          if (!isToldByState) showUpTo(number)
        },
        end() {
          hidden.delete(number)
          touching.end()
        },
      }
    },
    async forget() {
      cache.clear()
      changes.forget(TELLING.has(sharing) ? await tellAll(kv, issue) : undefined)
    },
  }
}

interface Renewing {
  readonly sharing: Sharing
  readonly showNewest: () => void
  /** Whether there are commits that reads do not show yet. */
  readonly isHiding: () => boolean
}

function renewal(kv: Kv, changes: Changes, { sharing, showNewest, isHiding }: Renewing) {
  if (sharing === 'reads' || sharing === 'replicated') {
    const follow = openFollow(kv, changes)
    // The engine may renew a snapshot by itself.
    kv.onNewer(follow)
    if (sharing === 'replicated') return () => kv.renew()
    return (): void => {
      void kv.renew()
      follow()
    }
  }
  // Without other processes nothing can be visible that this process does not know.
  if (sharing === 'alone') return () => undefined
  return (): void => {
    if (!isHiding()) return
    void kv.renew()
    showNewest()
  }
}

// Decides which commits reads show. A commit becomes visible when it is acknowledged, or earlier when a read starts on a
// state that includes it; the state itself holds the number of its last commit. At that moment everything that the commit
// touched counts as changed at once. Until then every cached value is what reads would show. Reads therefore use caches
// while a commit is running, and no reader sees an older state than an earlier reader.

import type { Id, RecordType } from '../../schema/values.ts'
import { type Changes, type Name, nameOfBytes, nameOfText, openChanges } from './change-tracker.ts'
import { lastCommitKey, CHANGED_SLOTS, changedKey } from './format.ts'
import { encodeCounter, readCounter, COUNTER_BYTES } from './record-bytes.ts'
import { lastPartAt } from './keys.ts'
import type { Kv, KvWriter, KvReader } from './kv.ts'
import { openRecordCache, type RecordCache, recordLabel, typeName } from './record-cache.ts'

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
  /** Larger commits can no longer be described in full */
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

// Changes of recent commits, for processes that read beside the writing process: each commit writes a row with its own
// changes. Cache invalidation in readers therefore follows the stored state and needs no messages.

/** Names listed for one commit; a larger commit counts as a change of everything. */
const MAX_NAMES = 2_000
/** A commit that has touched this many names accepts no further plan. */
const MANY_NAMES = MAX_NAMES / 2
const NAME_BYTES = 4

/** Writes the row of the commit with this number; undefined means that everything may have changed. */
function tell(writer: KvWriter, number: number, names: ReadonlySet<Name> | undefined): void {
  const isAll = names === undefined || names.size > MAX_NAMES
  const value = encodeCounter(number, isAll ? 1 : names.size * NAME_BYTES)
  if (!isAll) {
    let at = COUNTER_BYTES
    for (const name of names) at = value.writeUInt32BE(name, at)
  }
  writer.put(changedKey(number), value)
}

/** Makes a separate commit that may have changed everything; `issue` returns its number inside the commit. */
function tellAll(kv: Kv, issue: () => number): Promise<number> {
  return kv.commit((writer) => {
    const number = issue()
    writer.put(lastCommitKey(), encodeCounter(number))
    tell(writer, number, undefined)
    return number
  })
}

/** Follows the commits of another process: after each call `changes` knows everything that reads show. */
function openFollow(kv: Kv, changes: Changes): () => void {
  function forget(number: number): void {
    kv.known.clear()
    changes.forget(number)
  }

  return () => {
    const newest = readCounter(kv, lastCommitKey())
    const seen = changes.now()
    if (newest === seen) return
    if (newest - seen >= CHANGED_SLOTS) return forget(newest)
    for (let number = seen + 1; number <= newest; number += 1) {
      const names = namesOf(kv, number)
      if (names === undefined) forget(number)
      else changes.note(names, number)
    }
    changes.note([], newest)
  }
}

/** Returns undefined if everything may have changed. */
function namesOf(kv: KvReader, number: number): readonly Name[] | undefined {
  const value = kv.get(changedKey(number))
  const told = value?.readUIntBE(0, COUNTER_BYTES) ?? 0
  // The number was not used by any commit.
  if (value === undefined || told < number) return []
  // The row was overwritten by a later commit, or stands for a change of everything.
  if (told > number || (value.length - COUNTER_BYTES) % NAME_BYTES !== 0) return undefined
  const names: Name[] = []
  for (let at = COUNTER_BYTES; at < value.length; at += NAME_BYTES)
    names.push(value.readUInt32BE(at))
  return names
}

// Decides which commits reads show. A commit becomes visible when it is acknowledged, or earlier when a read starts on a
// state that includes it; the state itself holds the number of its last commit. At that moment everything that the commit
// touched counts as changed at once. Until then every cached value is what reads would show. Reads therefore use caches
// while a commit is running, and no reader sees an older state than an earlier reader. The use of a cached value counts as
// a read, so that values read without a wait always belong to one state.

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
 * beside a writer ('reads'); several writers, each with a copy of its own ('replicated').
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
  /** The plans have run: reads show committed states again. */
  leave(): void
  /** The commit is acknowledged. */
  show(): void
  /** Call when the outcome is known, successful or not. */
  end(): void
}

export function openShown(kv: Kv, sharing: Sharing, cacheShare: number): Shown {
  return new CommitVisibility(kv, sharing, cacheShare)
}

class CommitVisibility implements Shown {
  readonly changes: Changes
  readonly cache: RecordCache
  readonly #kv: Kv
  readonly #sharing: Sharing
  /**
   * In a replicated copy only the stored state shows what is new, for own commits and for commits of other processes. The
   * number of a commit without changes is reused by another process and would wrongly count as known.
   */
  readonly #isToldByState: boolean
  /** Shows the commits of the state that reads see. */
  readonly #showNewer: () => void
  /** Names that each invisible commit changes, in commit order. */
  readonly #hidden = new Map<number, ReadonlySet<Name>>()
  #issued: number
  /** A plan is running: reads show what is not committed yet. */
  #isPlanning = false

  constructor(kv: Kv, sharing: Sharing, cacheShare: number) {
    this.#kv = kv
    this.#sharing = sharing
    this.#isToldByState = sharing === 'replicated'
    this.changes = openChanges(readCounter(kv, lastCommitKey()), () => this.#settle())
    this.cache = openRecordCache(this.changes, cacheShare)
    this.#issued = this.changes.now()
    this.#showNewer =
      this.#isToldByState || sharing === 'reads'
        ? openFollow(kv, this.changes)
        : () => this.#showNewest()
    // The engine may renew a snapshot by itself.
    kv.onNewer(this.#showNewer)
  }

  renew(): void | Promise<void> {
    // Without other processes nothing can be visible that this process does not know.
    if (this.#sharing === 'alone') return undefined
    if (this.#sharing === 'writes' && this.#hidden.size === 0) return undefined
    const renewed = this.#kv.renew()
    if (!this.#isToldByState) this.#showNewer()
    return renewed
  }

  begin(): UnderWay {
    this.#isPlanning = true
    const number = this.#issue()
    const touching = this.cache.begin()
    const names = new Set<Name>()
    this.#hidden.set(number, names)
    return {
      touch(type, ids) {
        const label = recordLabel(type, ids)
        touching.touch(label)
        names.add(nameOfText(label))
        names.add(typeName(type))
      },
      touchRow: (key) => void names.add(nameOfBytes(key, lastPartAt(key))),
      write: (writer) => {
        if (names.size === 0) return
        writer.put(lastCommitKey(), encodeCounter(number))
        // Numbers of types and indexes are not records, so what other processes have read may be wrong.
        if (TELLING.has(this.#sharing))
          markChanged(writer, number, writer.known.hasGiven() ? undefined : names)
      },
      isFull: () => names.size >= MANY_NAMES,
      leave: () => {
        this.#isPlanning = false
      },
      show: () => {
        if (!this.#isToldByState) this.#showUpTo(number)
      },
      end: () => {
        this.#hidden.delete(number)
        touching.end()
      },
    }
  }

  async forget(): Promise<void> {
    this.cache.clear()
    const number = TELLING.has(this.#sharing)
      ? await markAllChanged(this.#kv, () => this.#issue())
      : undefined
    this.changes.forget(number)
  }

  /** Numbers rise in commit order: call only inside a commit. */
  #issue(): number {
    this.#issued = Math.max(this.#issued, this.changes.now()) + 1
    return this.#issued
  }

  #settle(): void {
    // A copy is written in one turn of the event loop, at the end of which `onNewer` is called.
    if (!this.#isPlanning && !this.#isToldByState) this.#showNewer()
  }

  #showNewest(): void {
    if (this.#hidden.size > 0) this.#showUpTo(readCounter(this.#kv, lastCommitKey()))
  }

  #showUpTo(last: number): void {
    for (const [number, names] of this.#hidden) {
      if (number > last) return
      this.#hidden.delete(number)
      this.changes.note(names, number)
    }
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
function markChanged(writer: KvWriter, number: number, names: ReadonlySet<Name> | undefined): void {
  const isAll = names === undefined || names.size > MAX_NAMES
  const value = encodeCounter(number, isAll ? 1 : names.size * NAME_BYTES)
  if (!isAll) {
    let at = COUNTER_BYTES
    for (const name of names) at = value.writeUInt32BE(name, at)
  }
  writer.put(changedKey(number), value)
}

/** Makes a separate commit that may have changed everything; `issue` returns its number inside the commit. */
function markAllChanged(kv: Kv, issue: () => number): Promise<number> {
  return kv.commit((writer) => {
    const number = issue()
    writer.put(lastCommitKey(), encodeCounter(number))
    markChanged(writer, number, undefined)
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

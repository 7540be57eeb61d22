// The little that records need from an engine: ordered bytes and an atomic, durable commit.
// Everything above it (record format, indexes, counters, search) is shared by all engines.

import type { Known, KnownKeys } from './known-keys.ts'

export interface KeyRange {
  /** Included. */
  readonly start: Buffer
  /** Not included. */
  readonly end: Buffer
  /** From the end to the start; the bounds keep their meaning. */
  readonly reverse?: boolean
  readonly limit?: number | undefined
  /** So many keys are passed over first; for `keys` alone. */
  readonly offset?: number
}

export interface Pair {
  readonly key: Buffer
  readonly value: Buffer
}

/** Keys compare as unsigned bytes. A returned buffer belongs to the caller. */
export interface KvReader {
  /** Of the keys in it: one for all that read the store; in a plan that of its commit (Known.begin). */
  readonly known: KnownKeys
  get(key: Buffer): Buffer | undefined
  /**
   * Gives the value to `use` where the engine has it, without memory of its own: it is right until `use`
   * returns, and nobody may write into it. `use` reads nothing else from the engine.
   */
  peek<T>(key: Buffer, use: (value: Uint8Array) => T): T | undefined
  /**
   * The values of these keys, one after the other in as little memory as they have together: for who keeps all of them,
   * or none. Where they are more than `maxBytes` it ends with the one that reaches it.
   */
  getAll(keys: readonly Buffer[], maxBytes: number): readonly (Buffer | undefined)[]
  /** Must be consumed in the same turn of the event loop: an iterator holds a snapshot. */
  keys(range: KeyRange): Iterable<Buffer>
  /** Likewise. */
  pairs(range: KeyRange): Iterable<Pair>
  count(range: KeyRange): number
}

export interface KvWriter extends KvReader {
  /** Takes a copy: key and value are the caller's again on return. */
  put(key: Buffer, value: Buffer): void
  remove(key: Buffer): void
}

export interface WantedNumbers {
  readonly name: string
  readonly count: number
  readonly above: number
}

export interface Kv extends KvReader {
  readonly known: Known
  /**
   * `listener` is called, and may read, before anything is read of a newer state than before: never between two
   * reads of one state.
   */
  onNewer(listener: () => void): void
  /**
   * Reads are of the newest state that any process has committed: from now on, or from when it resolves where that
   * has to be asked for.
   */
  renew(): void | Promise<void>
  /**
   * Of an engine to which several processes write: takes so many numbers above `above` that nobody was ever given
   * under this name, and gives the last of them.
   */
  takeNumbers?(wanted: WantedNumbers): Promise<number>
  /**
   * Runs `plan` on the newest state, seeing its own writes, and commits: all or nothing, durable when
   * the promise resolves. A throw of `plan` aborts and rejects with the same error.
   */
  commit<T>(plan: (writer: KvWriter) => T): Promise<T>
  close(): Promise<void>
}

// The interface that records need from an engine: ordered bytes and an atomic, durable commit. Everything above it (record
// format, indexes, counters, search) is shared by all engines.

import type { Known, KnownKeys } from './known-keys.ts'

export interface KeyRange {
  /** Included. */
  readonly start: Buffer
  /** Not included. */
  readonly end: Buffer
  /** From the end to the start; the bounds keep their meaning. */
  readonly reverse?: boolean
  readonly limit?: number | undefined
  /** Number of keys to skip first; only for `keys`. */
  readonly offset?: number
}

export interface Pair {
  readonly key: Buffer
  readonly value: Buffer
}

/** Keys compare as unsigned bytes. A returned buffer belongs to the caller. */
export interface KvReader {
  /** Known key prefixes: shared by all readers of the store; a plan has those of its commit (Known.begin). */
  readonly known: KnownKeys
  get(key: Buffer): Buffer | undefined
  /**
   * Passes the value to `use` in the engine's own memory, without a copy: the value is valid only until `use` returns, and
   * must not be modified. `use` must not read anything else from the engine.
   */
  peek<T>(key: Buffer, use: (value: Uint8Array) => T): T | undefined
  /**
   * Values of these keys in one block of memory, for callers that keep all of them or none. Ends with the value that
   * exceeds `maxBytes`.
   */
  getAll(keys: readonly Buffer[], maxBytes: number): readonly (Buffer | undefined)[]
  /** Must be consumed in the same turn of the event loop, because an iterator holds a snapshot. */
  keys(range: KeyRange): Iterable<Buffer>
  /** Must be consumed in the same turn of the event loop. */
  pairs(range: KeyRange): Iterable<Pair>
  /** The pairs of a range, with their values in one block of memory as in `getAll`. */
  pairsTogether(range: KeyRange, maxBytes: number): readonly Pair[]
  count(range: KeyRange): number
}

export interface KvWriter extends KvReader {
  /** Copies key and value: the caller may reuse both on return. */
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
  /** Calls `listener` before anything of a newer state is read, never between two reads of one state. The listener may read. */
  onNewer(listener: () => void): void
  /**
   * Makes reads show the newest state that any process has committed, either now or, if another server must be asked, when
   * the promise resolves.
   */
  renew(): void | Promise<void>
  /**
   * For an engine with several writing processes: reserves numbers above `above` that were never handed out under this
   * name. Returns the last of them.
   */
  takeNumbers?(wanted: WantedNumbers): Promise<number>
  /**
   * Runs `plan` on the newest state and commits: all or nothing, durable when the promise resolves. The plan sees its own
   * writes. An error thrown by `plan` aborts the commit and rejects the promise.
   */
  commit<T>(plan: (writer: KvWriter) => T): Promise<T>
  close(): Promise<void>
}

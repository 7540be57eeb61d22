// The storage contract. Operations know only these ports; every engine passes the suite in test/storage/contract.ts.

import type { Readable } from 'node:stream'
import type { Match } from '../schema/match.ts'
import type {
  Id,
  JsonObject,
  KeyPart,
  NewestRange,
  OfRecord,
  RecordType,
  Searchable,
  SearchedBy,
  Stored,
} from '../schema/values.ts'

export interface Query<T extends JsonObject = JsonObject> {
  readonly match?: Match | undefined
  /**
   * The match of the request, if `match` was derived from it and from records of other types. Cursors belong to this match,
   * and pages of such a search are not cached here, because other records decide them.
   */
  readonly asked?: Match | undefined
  /**
   * The indexed field to sort by, then by identifier; null: only by identifier. Undefined: by identifier, unless a range
   * or a prefix of one indexed field finds more than 1,000 records. In that case the order is by that field, so that a
   * page costs the same for any number of records.
   */
  readonly orderBy?: string | null | undefined
  readonly descending?: boolean | undefined
  /** Further fields. The identifier is sorted like the last field. Refused if a run of equal values is too long: search-runs.ts. */
  readonly thenBy?: readonly Pick<Query<T>, 'orderBy' | 'descending'>[] | undefined
  /** Page number from 1; pages have `length` records. Excludes `cursor`. */
  readonly start?: number | undefined
  readonly length: number
  /** Only `ids` of the page are wanted: `records` lacks those that need no look, because the index proves the match. */
  readonly onlyIds?: boolean | undefined
  /** Position where an earlier page of the same query ended. */
  readonly cursor?: string | undefined
  /** Count all matching records, at any cost. */
  readonly count?: boolean | undefined
  /** Return `plan` with the page. */
  readonly explain?: boolean | undefined
  /** Bytes that a response adds to the stored bytes of a record. Both sums together limit a page. */
  readonly reckonedBytes?: OfRecord<Stored<T>, number> | undefined
  /** Conditions beside `match`. `examine` may take long: the search pauses where it yields, and ends its page after `searchMs`. */
  readonly isWanted?: OfRecord<T, boolean> | undefined
  readonly examine?: OfRecord<T, Generator<void, boolean>> | undefined
  /** Hides records from the caller. The filter affects only `scanned` of the page, not its order, end, cursor or total. */
  readonly isVisible?: OfRecord<T, boolean> | undefined
  /** The values that `match` and the order compare, if the caller may not see all fields of a record. */
  readonly compared?: OfRecord<T, JsonObject> | undefined
  /** Indexes and values that find all records for which `compared` returns other values than the stored ones. */
  readonly masked?: readonly { readonly index: string; readonly value: KeyPart }[] | undefined
}

export interface Page<T extends JsonObject = JsonObject> {
  readonly records: readonly Stored<T>[]
  /** The identifiers of all records of the page, for callers that need no values. */
  readonly ids: readonly number[]
  /** Number of all matching records, if it is known. */
  readonly total: number | undefined
  /** Start of the next page; undefined on the last page. */
  readonly next: string | undefined
  /** The page ended because the search had examined enough records, not because the page was full: more may follow. */
  readonly isSpent?: boolean
  /** Visible records that were examined. Hidden records influence the number, so only callers who see all may learn it. */
  readonly scanned: number
  readonly plan?: SearchedBy | undefined
}

/** Reads the newest committed state or, inside a commit, the state with the commit's own changes. */
export interface Reader {
  get<T extends object>(type: RecordType<T>, ...ids: readonly Id[]): Stored<T> | undefined
  /** Identifiers of the records whose index rows begin with these values, in index order. */
  lookup(
    type: RecordType,
    index: string,
    values: readonly KeyPart[],
    limit?: number,
  ): readonly (readonly Id[])[]
  /** Identifiers of the records with exactly these index values, the highest first. */
  newest(type: RecordType, range: NewestRange): readonly number[]
  /** The highest value of a single-value index; null if no record has a value, undefined if there are no records. */
  highest(type: RecordType, index: string): KeyPart | undefined
  /** Identifiers with this prefix, in order: for example the versions of one file. */
  list(type: RecordType, prefix: readonly Id[], limit?: number): readonly (readonly Id[])[]
  /** Number of records of a type; every commit keeps it exact. */
  count(type: RecordType): number
  /** The highest identifier ever committed, even if its record is gone; 0 if there is none. */
  highestId(type: RecordType): number
}

/** A record that a commit has put or removed. */
export interface Change {
  readonly type: RecordType
  readonly ids: readonly Id[]
  /** The record before the commit; undefined if it is new. */
  readonly before: Stored<object> | undefined
  /** Undefined if the record was removed. The revision of a new record is 1. */
  readonly stored: Stored<object> | undefined
}

/** A commit under construction. */
export interface Unit extends Reader {
  /** Puts and removals so far, in order. */
  readonly changes: readonly Change[]
  /** A large record that was read and parsed before this commit. If it is still the newest, `get` need not parse it again. */
  reuse<T extends object>(type: RecordType<T>, ids: readonly Id[], stored: Stored<T>): void
  /**
   * Writes a record and its index rows. Returns the record as it will be stored, which must not be modified. `text`: the JSON of the record, if it is encoded already. `above`: the revision of a returning record.
   */
  put<T extends object>(
    type: RecordType<T>,
    ids: readonly Id[],
    record: NoInfer<T>,
    text?: string,
    above?: number,
  ): Stored<T>
  /** Removing a missing record is no error. */
  remove(type: RecordType, ...ids: readonly Id[]): void
  /** Makes small bytes durable inline, together with the records of this commit; see Sealed.inline. */
  putInline(name: ContentName, bytes: Uint8Array): void
}

export interface Traced {
  readonly records: Records
  /** Approximate memory of the noted reads, for the accounting of a cache. */
  sizeBytes(): number
  /** True if no change has become visible since then. The result also holds for later reads. */
  isNewest(): boolean
  /** Call after the last read. The result returns true if all reads would return the same, and false if unknown. */
  close(): () => boolean
}

export interface Records extends Reader {
  /** The uuid of the site, kept by backups, moves and cluster nodes. */
  siteId(): string
  /**
   * Makes everything visible that any process has committed. Call at the start of each request. If another server must be
   * asked, the state is current when the promise resolves; the promise rejects with unavailable if no server answers.
   */
  renew(): void | Promise<void>
  /** The same records with a trace of the reads, which tells whether the reads would still return the same. */
  trace(): Traced
  /** The same records, read past caches and traces: a read of all records of a site would evict everything else. */
  uncached(): Records
  search<T extends JsonObject>(
    type: RecordType<T>,
    searchable: Searchable,
    query: Query<NoInfer<T>>,
  ): Page<T> | Promise<Page<T>>
  /**
   * A number that no record of this type ever had; gaps are allowed. Call only inside a plan: outside of a plan another
   * process may get the same number. A type takes its numbers either here or from `newIds`, never from both.
   */
  nextId(type: RecordType): number
  /** Reserves `count` unused numbers, for callers that need them before the plan. */
  newIds(type: RecordType, count: number): readonly number[] | Promise<readonly number[]>
  /** Reserves one number that no record of the other type has and that this process gives to no other caller meanwhile. */
  newIdApart(type: RecordType, other: RecordType): Promise<number>
  /** Releases the newest reserved numbers, which no commit has used, for reuse. A cluster keeps the gap. */
  returnIds(type: RecordType, ids: readonly number[]): void
  /**
   * Runs `plan` on the newest state and commits its puts and removals: all or nothing, durable when the promise resolves with the value of
   * `plan`. A plan is synchronous, has no side effects and may run more than once. An error that it throws aborts the commit and is rethrown
   * here. Rejects with disk-full if nothing changed for lack of space, and with outcome-unknown if the engine failed during the commit.
   */
  commit<T>(plan: (unit: Unit) => T): Promise<T>
  /**
   * Writes the rows of some indexes for all records, in small commits that interleave with other commits. Every put keeps the rows of its
   * own record up to date meanwhile, so the indexes are complete when this resolves. May be interrupted and run again.
   */
  buildIndexes(type: RecordType, indexes: readonly string[], signal: AbortSignal): Promise<void>
  /** Removes the rows of an index that no type has any more, or all rows of a type, also in small commits. */
  dropIndex(typeName: string, index: string, signal: AbortSignal): Promise<void>
  dropType(typeName: string, signal: AbortSignal): Promise<void>
}

/** Bytes stored under `uid`, and their description. */
export interface Sealed {
  readonly uid: string
  /** Small bytes that are not durable yet, which the commit must store inline (Unit.putInline); otherwise undefined. */
  readonly inline?: Uint8Array | undefined
  readonly sizeBytes: number
  readonly sha256: string
  /** Valid UTF-8 without NUL. */
  readonly isText: boolean
  /** Media type detected from the bytes, if any. */
  readonly sniffedType: string | undefined
}

export interface WriteOptions {
  /** The asset file that the bytes belong to. */
  readonly fileId: number
  /** `stml` is checked before it is sealed and rejected with stml-invalid. */
  readonly type: string
  readonly sha256?: string | undefined
}

export interface ReceiveOptions {
  readonly maxBytes: number
  /** Called with all bytes as they arrive, once and in order. */
  readonly onChunk?: ((chunk: Buffer) => void) | undefined
}

export interface OpenContent {
  readonly sizeBytes: number
  /**
   * The bytes from `start` to `end`, both included. A chunk is valid until the next one is requested or the iteration
   * ends: its memory is reused, also for other contents. Closes the content at the end, or when the reader stops.
   */
  chunks(range?: { readonly start: number; readonly end: number }): AsyncIterable<Buffer>
  close(): Promise<void>
}

export interface ContentName {
  readonly fileId: number
  readonly uid: string
}

export interface Expected {
  readonly sizeBytes: number
  readonly sha256: string
}

export interface ExpectedContent extends Expected {
  readonly type: string
  /** The bytes themselves if they are in memory: comparing them costs less than hashing again. */
  readonly bytes?: Uint8Array | undefined
}

export interface ReadOptions extends Expected {
  /** The bytes were compared with their hash before: only their size is checked. Otherwise they are hashed again. */
  readonly isVerified?: boolean
}

export interface Lent {
  readonly bytes: Buffer
  /** Returns the memory for reuse. A caller that cannot tell when all bytes are read must not call it. Undefined: the bytes stay valid. */
  readonly giveBack: (() => void) | undefined
  /** The bytes came from their final place, not from a temporary one. */
  readonly isFinal: boolean
}

export interface LabeledContent extends ContentName {
  /** Name in the header of a diff. */
  readonly label: string
}

export interface Contents {
  /** Throws read-only after a failed write to the disk. */
  requireWritable(): void
  /**
   * Receives the bytes of a stream into a temporary place, not yet durable. Then exactly one of `seal` (makes them
   * durable) and `discard` (drops them) must be called.
   */
  receive(stream: Readable, options: ReceiveOptions): Promise<Received>
  /** Writes under a new name: nothing is ever overwritten. Durable on return, except for bytes in Sealed.inline. */
  write(
    source: { readonly text: string } | { readonly bytes: Uint8Array },
    options: WriteOptions,
  ): Promise<Sealed>
  /** Reads the whole content; undefined if the bytes are not those expected. Only for content known to be small. */
  read(name: ContentName, expected: ReadOptions): Promise<Buffer | undefined>
  /** Like `read`, for callers that need the bytes only briefly. */
  lend(name: ContentName, expected: ReadOptions): Promise<Lent | undefined>
  open(name: ContentName): Promise<OpenContent | undefined>
  /** Path of the bytes below the data directory, with "/"; undefined if the bytes are not in a file, or not yet. */
  placeOf(name: ContentName): string | undefined
  /** The text as a JSON string, or the word null if the string would exceed `maxBytes`; undefined if the bytes are not those expected. */
  encode(
    name: ContentName,
    expected: Expected & { readonly maxBytes: number },
  ): Promise<string | Uint8Array | undefined>
  /** Whether the stored bytes are the expected ones. Throws stml-invalid if they are, but are not a page of `type` stml. */
  verify(name: ContentName, expected: ExpectedContent): Promise<boolean>
  /** A unified diff of two texts. */
  diff(left: LabeledContent, right: LabeledContent): Promise<string>
  /** Resolves when no running backup needs removed contents any more; undefined if contents may be removed at once. */
  held(): Promise<void> | undefined
  /** Durable on return; removing a missing content is no error. */
  remove(names: readonly ContentName[]): Promise<void>
}

/** A write of the bytes of a version, or of records alone. */
export type Need = 'content' | 'record'

export interface Room {
  /** Throws disk-full if the disks are too full for the write, or for this many more bytes. */
  require(need: Need, sizeBytes?: number): void
}

export interface Received {
  readonly sizeBytes: number
  /** All bytes, if they are few enough to be kept in memory. */
  readonly bytes?: Buffer
  seal(options: WriteOptions): Promise<Sealed>
  discard(): Promise<void>
}

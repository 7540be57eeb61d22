// The storage contract. Operations know these two ports and nothing of what is behind them; every
// engine passes the suite in test/storage/contract.ts.

import type { Readable } from 'node:stream'
import type { Match } from '../schema/match.ts'
import type {
  Id,
  JsonObject,
  KeyPart,
  OfRecord,
  RecordType,
  Searchable,
  Stored,
} from '../schema/values.ts'

export interface Query<T extends JsonObject = JsonObject> {
  readonly match?: Match | undefined
  /**
   * The field to sort by, an indexed one, then by identifier; null: by identifier alone. Undefined: by
   * identifier, but where a range or a prefix of one indexed field finds more than 1,000 records, by
   * that field, so that a page costs the same however many there are.
   */
  readonly orderBy?: string | null | undefined
  readonly descending?: boolean | undefined
  /** Further fields. The identifier goes the way of the last; refused where a run is too long: search-runs.ts. */
  readonly thenBy?: readonly Pick<Query<T>, 'orderBy' | 'descending'>[] | undefined
  /** Page number from 1; pages have `length` records. Not together with `cursor`. */
  readonly start?: number | undefined
  readonly length: number
  /** Where an earlier page of the same query ended. */
  readonly cursor?: string | undefined
  /** Count all matching records, at whatever cost. */
  readonly count?: boolean | undefined
  /** What an answer adds to the stored bytes of a record: a page ends early by both together. */
  readonly reckonedBytes?: OfRecord<Stored<T>, number> | undefined
  /** Leaves out what does not fit, beside what `match` says. */
  readonly isWanted?: OfRecord<T, boolean> | undefined
  /** Leaves out what the caller may not see. Of the page it changes `scanned` alone: no order, end, cursor or total. */
  readonly isVisible?: OfRecord<T, boolean> | undefined
  /** What `match` and the order compare, where the caller may not see all of a record. */
  readonly compared?: OfRecord<T, JsonObject> | undefined
  /** An index and its value for the records to which `compared` gives other values than nulls. */
  readonly masked?: { readonly index: string; readonly value: KeyPart } | undefined
}

export interface Page<T extends JsonObject = JsonObject> {
  readonly records: readonly Stored<T>[]
  /** Number of all matching records, where it is known. */
  readonly total: number | undefined
  /** Where the next page begins; undefined when this is the last one. */
  readonly next: string | undefined
  /** The page ended because the search had looked at enough, not because it was full: more may follow. */
  readonly isSpent?: boolean
  /** Visible records that were looked at. Hidden records shape the number, so only callers who see all may be told. */
  readonly scanned: number
}

/** Reading: the newest committed state, or inside a commit the state with the commit's own changes. */
export interface Reader {
  get<T extends object>(type: RecordType<T>, ...ids: readonly Id[]): Stored<T> | undefined
  /**
   * Identifiers of the records under these values of an index, in its order. The values may be the first
   * ones of a row: by folder alone in an index of folder and name, for example.
   */
  lookup(
    type: RecordType,
    index: string,
    values: readonly KeyPart[],
    limit?: number,
  ): readonly (readonly Id[])[]
  /** The highest value of an index of one value; null where no record has one, undefined without records. */
  highest(type: RecordType, index: string): KeyPart | undefined
  /** Identifiers that begin with these, in order: the versions of one file, for example. */
  list(type: RecordType, prefix: readonly Id[], limit?: number): readonly (readonly Id[])[]
  /** Number of records of a type, kept exact by every commit. */
  count(type: RecordType): number
  /** The highest identifier that a commit has put a record under, be it gone; 0: none yet. */
  highestId(type: RecordType): number
}

/** One record that a commit has put or removed. */
export interface Change {
  readonly type: RecordType
  readonly ids: readonly Id[]
  /** As it was before; undefined where it is new. */
  readonly before: Stored<object> | undefined
  /** Undefined where the record was removed. Its revision is 1 when the record is new. */
  readonly stored: Stored<object> | undefined
}

/** A commit under construction. */
export interface Unit extends Reader {
  /** What it has put and removed so far, in that order. */
  readonly changes: readonly Change[]
  /**
   * Writes a record and its index rows; returns the record as it will be stored. The record is shared
   * from then on: nobody may change it.
   */
  put<T extends object>(type: RecordType<T>, ids: readonly Id[], record: NoInfer<T>): Stored<T>
  /** Removing what is not there is no error. */
  remove(type: RecordType, ...ids: readonly Id[]): void
  /** Makes small bytes durable together with the records of this commit; see Sealed.carried. */
  carry(name: ContentName, bytes: Uint8Array): void
}

export interface Traced {
  readonly records: Records
  /** What it takes in memory to note what was read, about: to be counted with what is kept. */
  sizeBytes(): number
  /** True where no change is shown since. So it is, too, of what will be read yet. */
  isNewest(): boolean
  /**
   * To be called when all is read. Gives a question that may be asked from then on: true where all of it is still
   * what would be read; false, too, where that is not known any more.
   */
  close(): () => boolean
}

export interface Records extends Reader {
  /** The uuid of the site, which backups, moves and the nodes of a cluster keep. */
  siteId(): string
  /**
   * Reads show what any process has committed: to be called at the start of each request. Where that has to be asked for
   * it is so when the promise resolves, which rejects with unavailable where nobody answers.
   */
  renew(): void | Promise<void>
  /** The same records, and whether what was read through them is still what would be read. */
  trace(): Traced
  search<T extends JsonObject>(
    type: RecordType<T>,
    searchable: Searchable,
    query: Query<NoInfer<T>>,
  ): Promise<Page<T>>
  /**
   * A number that no record of this type ever had; gaps are allowed. To be asked inside a plan: outside of one, another
   * process may be given the same number. A type takes its numbers here or from `newIds`, never from both.
   */
  nextId(type: RecordType): number
  /** So many numbers likewise, which nobody else is given, for who needs them before the plan. */
  newIds(type: RecordType, count: number): readonly number[] | Promise<readonly number[]>
  /** One number likewise, which no record of the other type has, and which this process gives to none meanwhile. */
  newIdApart(type: RecordType, other: RecordType): Promise<number>
  /** The newest numbers of a type, which no commit has used, are given again. A cluster keeps the gap. */
  returnIds(type: RecordType, ids: readonly number[]): void
  /**
   * Runs `plan` on the newest state and commits what it puts and removes: all or nothing, durable
   * when the promise resolves with the value of `plan`. A plan is synchronous, has no side effects
   * and may run more than once; what it throws aborts the commit and is thrown here.
   * Errors: disk-full (nothing changed), outcome-unknown (the engine failed during the commit).
   */
  commit<T>(plan: (unit: Unit) => T): Promise<T>
  /**
   * Writes the rows of some indexes for all records, in small commits between which others go on. Every
   * put keeps the rows of its own record meanwhile, so the indexes are complete when this resolves. May be
   * interrupted and run again.
   */
  buildIndexes(type: RecordType, indexes: readonly string[], signal: AbortSignal): Promise<void>
  /** Removes the rows of an index that no type has any more, or all of a type, in the same way. */
  dropIndex(typeName: string, index: string, signal: AbortSignal): Promise<void>
  dropType(typeName: string, signal: AbortSignal): Promise<void>
}

/** Bytes under `uid`, and what they are. */
export interface Sealed {
  readonly uid: string
  /**
   * Small bytes that are not yet durable: the commit that names them must carry them (Unit.carry), and
   * makes them so. Undefined when they are durable already.
   */
  readonly carried?: Uint8Array | undefined
  readonly sizeBytes: number
  readonly sha256: string
  /** Valid UTF-8 without NUL. */
  readonly isText: boolean
  /** Media type by the bytes, where they tell one. */
  readonly sniffedType: string | undefined
}

export interface WriteOptions {
  /** The asset file that the bytes belong to. */
  readonly fileId: number
  /** `stml` is checked before it is sealed; stml-invalid otherwise. */
  readonly type: string
  /** Of the bytes, where it is known already. */
  readonly sha256?: string | undefined
}

export interface ReceiveOptions {
  readonly maxBytes: number
  /** Called with all bytes, once and in their order, as they come. */
  readonly onChunk?: ((chunk: Buffer) => void) | undefined
}

export interface OpenContent {
  readonly sizeBytes: number
  /**
   * The bytes from `start` to `end`, both included. A chunk is good until the next is asked for, or the end: its
   * memory is used again, then for other contents, too. Closes the content at the end, or when who reads goes away.
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
  /** The bytes themselves, where they are at hand: to compare them costs less than another hash. */
  readonly bytes?: Uint8Array | undefined
}

export interface ReadOptions extends Expected {
  /** The bytes were compared with their hash a while ago: their size is enough. Else they are looked at anew. */
  readonly isVerified?: boolean
}

export interface Lent {
  readonly bytes: Buffer
  /** Their memory is used again then: not for who cannot tell when all is read. Undefined: they stay as they are. */
  readonly giveBack: (() => void) | undefined
  /** They came from where they will be read from again, and not from a place on the way there. */
  readonly isFinal: boolean
}

export interface LabelledContent extends ContentName {
  /** In the head of a diff. */
  readonly label: string
}

export interface Contents {
  /** Throws read-only after the disk has failed to write. */
  requireWritable(): void
  /**
   * Receives the bytes of a stream into a temporary place, not yet durable. `seal` makes them so,
   * `discard` drops them; exactly one of the two must be called.
   */
  receive(stream: Readable, options: ReceiveOptions): Promise<Received>
  /** Under a new name: nothing is ever overwritten. Durable on return, but for what Sealed.carried holds. */
  write(
    source: { readonly text: string } | { readonly bytes: Uint8Array },
    options: WriteOptions,
  ): Promise<Sealed>
  /** The whole content; undefined when the bytes are not those expected. Only for content known to be small. */
  read(name: ContentName, expected: ReadOptions): Promise<Buffer | undefined>
  /** The same for who needs the bytes for a moment only. */
  lend(name: ContentName, expected: ReadOptions): Promise<Lent | undefined>
  open(name: ContentName): Promise<OpenContent | undefined>
  /** Where the bytes lie below the data directory, with "/"; undefined where they are no file, or not yet. */
  placeOf(name: ContentName): string | undefined
  /**
   * The text as a JSON string, quotes included, or the word null where that would have more than `maxBytes`;
   * undefined when the bytes are not those expected.
   */
  encode(
    name: ContentName,
    expected: Expected & { readonly maxBytes: number },
  ): Promise<string | Uint8Array | undefined>
  /** Whether the bytes that lie there now are those expected. Throws stml-invalid where they are, and no page of `type` stml. */
  verify(name: ContentName, expected: ExpectedContent): Promise<boolean>
  /** A unified diff of two texts. */
  diff(left: LabelledContent, right: LabelledContent): Promise<string>
  /** Resolves when a backup that is being made needs no bytes that a version had; undefined: they may be removed at once. */
  held(): Promise<void> | undefined
  /** Durable on return; removing what is not there is no error. */
  remove(names: readonly ContentName[]): Promise<void>
}

/** What a request writes: bytes of a version, or records alone. */
export type Need = 'content' | 'record'

export interface Room {
  /** Throws disk-full where the disks should not take it, or not so many bytes more. */
  require(need: Need, sizeBytes?: number): void
}

export interface Received {
  readonly sizeBytes: number
  /** All of them, where they are so few that they wait in memory. */
  readonly bytes?: Buffer
  seal(options: WriteOptions): Promise<Sealed>
  discard(): Promise<void>
}

/** The whole site as it was at one moment, to be read once: a tar file. */
export interface Archive {
  /** RFC 3339. Whatever was acknowledged before it is in the archive. */
  readonly moment: string
  /** Fails when it could not be completed; ends the archive when who reads goes away. */
  chunks(): AsyncIterable<Uint8Array>
  /** Ends it where no byte is wanted. */
  close(): Promise<void>
}

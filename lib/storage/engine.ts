// What every engine is, once it is open, and what it is opened with.

import type { AssetFileVersion } from '../schema/asset-file.ts'
import type { JsonObject } from '../schema/values.ts'
import type { Pool } from '../workers/pool.ts'
import type { Scrubbed } from '../workers/scrub.ts'
import type { Archive, ContentName, Contents, Records, Room } from './port.ts'
import type { SharedCounts } from './counts.ts'
import type { CommitTimes, StorageStatus, WatchStatus } from './status.ts'

export interface Storage {
  readonly records: Records
  readonly contents: Contents
  /** What the start found and did. */
  readonly recovered: Recovered
  /** Undefined where no other process writes. */
  readonly others?: Others
  /** A directory for this user alone, of which each start removes all that it finds. */
  readonly tmpDir: string
  status(): StorageStatus
  /** What a server wants to be told while it runs. */
  keepWatch(options: WatchOptions): Promise<Watch>
  /** Answers commands of the command line from now on. */
  serveCommands(handler: CommandHandler): void
  /** A backup as a tar file, one at a time; holds what is removed meanwhile. */
  openArchive(): Promise<Archive>
  /** What is shared with other processes that write the records; undefined where none does. */
  readonly nodes?: Nodes
  /** Finishes what needs the pool; to be called before the pool is closed. */
  settle(): Promise<void>
  close(): Promise<void>
}

/** The other processes that write the same records, each on a machine of its own. */
export interface Others {
  readonly counts: SharedCounts
  /** Tells that there may be a commit, of whatever process; now and then it does not. */
  onCommit(listener: () => void): void
  /** Tells of each record that one of them has put, before a plan runs on the state that has it. */
  onPut(listener: PutListener): void
}

export interface PutListener {
  /** Nothing is told while it is false. */
  readonly isWaiting: () => boolean
  /** Nothing is decoded of types that nobody wants. */
  readonly wants: (typeName: string) => boolean
  readonly notice: (put: OtherPut) => void
  /** Something was put of which nothing can be told. */
  readonly lose: () => void
}

export interface OtherPut {
  readonly typeName: string
  readonly record: JsonObject
  readonly isNew: boolean
}

/** Which processes live, by the clock of the database. */
export interface NodeLife {
  /** Of this process, for as long as it runs. */
  readonly own: string
  /** Those that lived at the newest beat. */
  alive(): ReadonlySet<string>
  /** By its own clock this one counts as living, with some time to spare. */
  isLiving(): boolean
  /** Says that it lives, and asks who else does. Throws unavailable. */
  beat(): Promise<void>
  /** Called each time it counts as living no more. */
  onSilent(listener: () => void): void
}

export interface Nodes extends NodeLife {
  /** Removes from the store of contents what no version names; for one process at a time. */
  removeOrphans(asked: SharedWork): Promise<object>
}

/** What one process does for all. */
export interface SharedWork {
  /** By which it commits. */
  readonly records: Records
  readonly signal: AbortSignal
}

export interface Recovered {
  /** The last stop was a crash, so everything was compared. */
  readonly wasCrash: boolean
  readonly temporaryFiles: number
  readonly quarantined: number
  readonly damagedVersions: number
  /** Index rows and counters that were wrong, and now follow from the records again. */
  readonly mended: number
}

/** Answers a command of the command line; what it throws is told to the caller. */
export type CommandHandler = (command: unknown, asker: Asker) => Promise<unknown>

/** Who sent a command. */
export interface Asker {
  /** Aborted when it has gone, or when this owner ends. */
  readonly gone: AbortSignal
  /** Sends a line before the answer. */
  tell(value: unknown): void
}

export interface Watch {
  readonly room: Room
  /** Of a node: compares contents whenever that is due, until the signal; for one process at a time. Undefined: it is done. */
  readonly scrub?: (asked: SharedWork) => Promise<void>
  status(): WatchStatus
  /** To be called before the storage is closed. */
  close(): Promise<void>
}

export interface WatchOptions {
  readonly headroom: HeadroomLimits
  readonly scrub: ScrubLimits
  readonly log: WatchLog
}

export interface HeadroomLimits {
  /** New content is refused below it; 0: never. */
  readonly minFreeBytes: number
  /** And below this part of the disk. */
  readonly minFreeRatio: number
}

export interface ScrubLimits {
  /** A pass begins this long after the last one ended; 0: never. */
  readonly everyMs: number
  readonly bytesPerSecond: number
}

/** Where contents lie that are compared with their hashes. */
export interface ScrubPlace {
  /** In their order, no faster than the limits have it; fewer when it is told to stop. Throws where there is no reading now. */
  compare(versions: readonly AssetFileVersion[], signal: AbortSignal): Promise<Scrubbed>
  /** Throws where all of it is away: then nothing is damaged. */
  requireThere(): void | Promise<void>
  /** Takes wrong bytes out of the way, once no version counts on them. */
  setApart(name: ContentName): void
  /** What has become of them, for the log. */
  readonly apart: string
}

interface WatchLog {
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

export interface EngineOptions {
  readonly dataDir: string
  /** A commit that takes longer is given up; undefined: however long it takes. */
  readonly commitTimeoutMs?: number | undefined
  readonly limits: StorageLimits
  readonly pool: Pool
  /** Other processes read beside this one, and are to be told what changes. */
  readonly isShared: boolean
  readonly onFailure: (cause: unknown) => void
  /** Something could not be done, which the operator has to know of; nothing is lost. */
  readonly onTrouble: (message: string, cause: unknown) => void
  readonly onCommit?: ((times: CommitTimes) => void) | undefined
  readonly onOutage?: OnOutage | undefined
  /** An owner in another container may have died; the start waits for its heartbeat. */
  readonly onWait?: ((wait: LeaseWait) => void) | undefined
  /** Converts a directory of an earlier format, which is refused without it; tells how far it is. */
  readonly onUpgrade?: ((progress: UpgradeProgress) => void) | undefined
}

/** The database or the store of a cluster does not answer this node, or does again. */
export type Outage = { readonly part: 'database' | 'store'; readonly host: string } & (
  | { readonly reason: string }
  | { readonly awaySeconds: number }
)

export type OnOutage = (outage: Outage) => void

export interface LeaseWait {
  /** Process that holds the lease, as its own container numbers it. */
  readonly pid: number
  readonly maxSeconds: number
}

export interface UpgradeProgress {
  /** They follow each other: rows get other keys, then the dates of the audit trail are looked at. */
  readonly step: 'keys' | 'audit'
  /** Rows of the records, or of the trail. */
  readonly done: number
  readonly total: number
}

export interface StorageLimits extends ContentLimits {
  /** Stored bytes of one page of a search, but for its first record. */
  readonly listBytes: number
  /** Records that a search looks at for one page, and its time beyond them: limits.ts. */
  readonly scannedRecords: number
  readonly searchMs: number
}

export interface ContentLimits {
  /** Up to this size bytes ride in the commit that names them. */
  readonly carriedBytes: number
  /** Up to this size an upload is kept in memory until it is sealed. */
  readonly inlineUploadBytes: number
  /** Up to this size bytes are looked at as text. */
  readonly pageBytes: number
  /** Up to this size a page is encoded on the main thread. */
  readonly inlineJsonBytes: number
}

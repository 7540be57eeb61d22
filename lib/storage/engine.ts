// The interface of an open storage engine, and the options with which it is opened.

import type { AssetFileVersion } from '../schema/asset-file.ts'
import type { JsonObject } from '../schema/values.ts'
import type { Pool } from '../workers/pool.ts'
import type { Scrubbed } from '../workers/scrub.ts'
import type { UpgradeStep } from './embedded/upgrade-steps.ts'
import type { FormStore, PictureStore } from './form-store.ts'
import type { Partials } from './partials.ts'
import type { ContentName, Contents, Records, Room } from './port.ts'
import type { Archive } from './site-archive.ts'
import type { SharedCounts } from './counts.ts'
import type { CommitTimes, StorageStatus, WatchStatus } from './status.ts'

export interface Storage {
  readonly records: Records
  readonly contents: Contents
  /** Undefined if this process writes nothing. */
  readonly forms?: FormStore
  /** Undefined if this process writes nothing. */
  readonly pictures?: PictureStore
  /** Undefined if this process writes nothing. */
  readonly partials?: Partials
  /** Findings and actions of the recovery at start. */
  readonly recovered: Recovered
  /** Undefined if no other process writes. */
  readonly others?: Others
  /** A private directory that each start empties. */
  readonly tmpDir: string
  status(): StorageStatus
  /** Starts the monitoring that a server needs while it runs. */
  keepWatch(options: WatchOptions): Promise<Watch>
  /** Starts answering commands of the command line. */
  serveCommands(handler: CommandHandler): void
  /** A backup as a tar file, one at a time; contents are not removed meanwhile. */
  openArchive(): Promise<Archive>
  /** State shared with other processes that write the records; undefined on a single server. */
  readonly nodes?: Nodes
  /** Finishes work that needs the pool. Call before the pool is closed. */
  settle(): Promise<void>
  close(): Promise<void>
}

/** The other processes that write the same records, each on its own machine. */
export interface Others {
  readonly counts: SharedCounts
  /** Calls the listener when any process may have committed. Notifications can be lost. */
  onCommit(listener: () => void): void
  /** Reports each record that another process has put, before a plan runs on the state with that record. */
  onPut(listener: PutListener): void
}

export interface PutListener {
  /** Nothing is reported while this returns false. */
  readonly isWaiting: () => boolean
  /** Records of unwanted types are not decoded. */
  readonly wants: (typeName: string) => boolean
  readonly notice: (put: ForeignPut) => void
  /** Called for a put that cannot be decoded. */
  readonly lose: () => void
}

export interface ForeignPut {
  readonly typeName: string
  readonly record: JsonObject
  readonly isNew: boolean
}

/** Liveness of the nodes, by the clock of the database. */
export interface NodeLife {
  /** Identity of this process while it runs. */
  readonly own: string
  /** Nodes that were alive at the newest heartbeat. */
  alive(): ReadonlySet<string>
  /** Whether this node counts as alive by its own clock, with a safety margin. */
  isLiving(): boolean
  /** Writes a heartbeat and reads those of the other nodes. Throws unavailable. */
  beat(): Promise<void>
  /** Called each time this node stops counting as alive. */
  onSilent(listener: () => void): void
}

export interface Nodes extends NodeLife {
  /** Removes objects from the store that no version refers to; only one process may run it at a time. */
  removeOrphans(asked: SharedWork): Promise<object>
}

/** Work that one process does for all. */
export interface SharedWork {
  /** The records through which the work commits. */
  readonly records: Records
  readonly signal: AbortSignal
}

export interface Recovered {
  /** The last stop was a crash, so records and contents were compared. */
  readonly wasCrash: boolean
  readonly temporaryFiles: number
  readonly quarantined: number
  readonly damagedVersions: number
  /** Index rows and counters that were wrong and were rebuilt from the records. */
  readonly mended: number
}

/** Answers a command of the command line. Errors are sent to the asker. */
export type CommandHandler = (command: unknown, asker: Asker) => Promise<unknown>

/** The sender of a command. */
export interface Asker {
  /** Aborts when the asker disconnects or this owner ends. */
  readonly gone: AbortSignal
  /** Sends a line before the answer. */
  tell(value: unknown): void
}

export interface Watch {
  readonly room: Room
  /** On a node: scrubs contents whenever a pass is due, until the signal aborts; only one process may run it at a time. Undefined if the engine scrubs by itself. */
  readonly scrub?: (asked: SharedWork) => Promise<void>
  status(): WatchStatus
  /** Call before the storage is closed. */
  close(): Promise<void>
}

export interface WatchOptions {
  readonly headroom: HeadroomLimits
  readonly scrub: ScrubLimits
  readonly log: WatchLog
}

export interface HeadroomLimits {
  /** New content is refused below this free space; 0 disables the limit. */
  readonly minFreeBytes: number
  /** New content is also refused below this part of the disk. */
  readonly minFreeRatio: number
}

export interface ScrubLimits {
  /** Time from the end of one pass to the start of the next; 0 disables the scrub. */
  readonly everyMs: number
  readonly bytesPerSecond: number
}

/** The storage of contents as the scrub sees it. */
export interface ScrubPlace {
  /** Compares in order, at most at the rate of the limits; compares fewer if it is stopped. Throws if nothing can be read now. */
  compare(versions: readonly AssetFileVersion[], signal: AbortSignal): Promise<Scrubbed>
  /** Throws if the whole storage is missing: in that case no content is damaged. */
  requireThere(): void | Promise<void>
  /** Moves wrong bytes out of the way when no version relies on them any more. */
  setApart(name: ContentName): void
  /** Log message for such bytes. */
  readonly apart: string
}

interface WatchLog {
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

export interface EngineOptions {
  readonly dataDir: string
  /** A commit that takes longer is abandoned; undefined means no limit. */
  readonly commitTimeoutMs?: number | undefined
  readonly limits: StorageLimits
  readonly pool: Pool
  /** Size of the cache of pictures in other sizes and formats. */
  readonly pictureCacheBytes: number
  /** Reader processes run beside this one and must be told about changes. */
  readonly isShared: boolean
  readonly onFailure: (cause: unknown) => void
  /** Reports a failed action that the operator must know about; no data is lost. */
  readonly onTrouble: (message: string, cause: unknown) => void
  readonly onCommit?: ((times: CommitTimes) => void) | undefined
  readonly onOutage?: OnOutage | undefined
  /** An owner in another container may have died; the start waits for its lease to expire. */
  readonly onWait?: ((wait: LeaseWait) => void) | undefined
  /** Upgrades a directory of an earlier format and receives the progress. Without it such a directory is refused. */
  readonly onUpgrade?: ((progress: UpgradeProgress) => void) | undefined
  /** Conversions of earlier formats. Default: UPGRADE_STEPS. */
  readonly upgradeSteps?: readonly UpgradeStep[] | undefined
}

/** The database or the store of a cluster stopped answering this node, or answers again. */
export type Outage = { readonly part: 'database' | 'store'; readonly host: string } & (
  | { readonly reason: string }
  | { readonly awaySeconds: number }
)

export type OnOutage = (outage: Outage) => void

export interface LeaseWait {
  /** Process that holds the lease, as numbered in its own container. */
  readonly pid: number
  readonly maxSeconds: number
}

export interface UpgradeProgress {
  /** The formats of the running step. */
  readonly from: number
  readonly to: number
  /** Rows. */
  readonly done: number
  readonly total: number
}

export interface StorageLimits extends ContentLimits {
  /** Stored bytes of one page of a search, not counting its first record. */
  readonly listBytes: number
  /** Records that a search examines for one page, and its time limit beyond them: limits.ts. */
  readonly scannedRecords: number
  readonly searchMs: number
}

export interface ContentLimits {
  /** Up to this size bytes are stored inline in the commit that refers to them. */
  readonly inlineContentBytes: number
  /** Up to this size an upload is kept in memory until it is sealed. */
  readonly inlineUploadBytes: number
  /** Up to this size bytes are examined as text. */
  readonly pageBytes: number
  /** Up to this size a page is encoded on the main thread. */
  readonly inlineJsonBytes: number
}

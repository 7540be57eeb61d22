// What an engine tells of itself to who watches the server: /ready, /metrics, the log.

import type { Need } from './port.ts'

export interface CommitTimes {
  /** From the call until its turn. */
  readonly queuedMs: number
  /** From the call until it is durable, or refused. */
  readonly totalMs: number
}

export interface DiskStatus {
  /** What lies on it. */
  readonly name: 'contents' | 'records'
  readonly sizeBytes: number
  readonly freeBytes: number
  readonly inodes: number
  readonly freeInodes: number
}

/** What was compared with its hash since the start. */
export interface ScrubStatus {
  readonly contents: number
  readonly bytes: number
  readonly damaged: number
  readonly unreadable: number
  /** When all contents had been compared; undefined: never yet. */
  readonly lastEnded: string | undefined
}

export interface WatchStatus {
  readonly disks: readonly DiskStatus[]
  /** What is refused for want of room. */
  readonly refused: Need | undefined
  readonly scrub: ScrubStatus
  /** Counted now and then; undefined before the first time. */
  readonly count: ContentsCount | undefined
}

export interface ContentsCount {
  readonly contents: number
  readonly bytes: number
  /** Versions that are marked as damaged. */
  readonly damaged: number
}

/** What an engine tells of itself to who watches the server. */
export interface StorageStatus {
  /** The disk has failed to write: no change is taken until the next start. */
  readonly isReadOnly: boolean
  /** Commits that wait or run, and how long the oldest of them has. */
  readonly commits: { readonly waiting: number; readonly oldestMs: number }
  /** Small contents that are durable in the records and not yet files. */
  readonly waitingBytes: number
  readonly recordsFileBytes: number
  /** Milliseconds since the epoch of the last backup by the command, 0 before the first. Undefined on a node of a cluster. */
  readonly lastBackupMs?: number
  /** Of a node of a cluster alone. */
  readonly cluster?: ClusterStatus
}

export interface ClusterStatus {
  readonly database: DatabaseStatus
  readonly store: StoreStatus
  readonly cache: CacheStatus
}

/** As the copy of this node has heard of it: nothing is asked for it. */
export interface DatabaseStatus {
  readonly isUp: boolean
  /** Of the newest commit that is shown here. */
  readonly seq: number
  /** Since it was last heard that there is no newer one. */
  readonly lagSeconds: number
  readonly renewals: number
  /** How often another server of the database was gone over to. */
  readonly failovers: number
}

export interface StoreStatus {
  readonly isUp: boolean
  /** Calls that have failed, each after all its attempts. */
  readonly errors: number
}

export interface CacheStatus {
  readonly files: number
  readonly bytes: number
  /** Reads of contents that were on this machine. */
  readonly hits: number
  readonly misses: number
}

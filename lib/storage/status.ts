// Status that an engine reports to monitoring: /ready, /metrics and the log.

import type { Need } from './port.ts'

export interface CommitTimes {
  /** From the call until the commit starts. */
  readonly queuedMs: number
  /** From the call until the commit is durable or refused. */
  readonly totalMs: number
}

export interface DiskStatus {
  /** Data stored on this disk. */
  readonly name: 'contents' | 'records'
  readonly sizeBytes: number
  readonly freeBytes: number
  readonly inodes: number
  readonly freeInodes: number
}

/** Contents compared with their hashes since the start. */
export interface ScrubStatus {
  readonly contents: number
  readonly bytes: number
  readonly damaged: number
  readonly unreadable: number
  /** End of the last complete pass; undefined before the first. */
  readonly lastEnded: string | undefined
}

export interface WatchStatus {
  readonly disks: readonly DiskStatus[]
  /** Kind of write that is refused for lack of disk space. */
  readonly refused: Need | undefined
  readonly scrub: ScrubStatus
  /** Updated periodically; undefined before the first count. */
  readonly count: ContentsCount | undefined
}

export interface ContentsCount {
  readonly contents: number
  readonly bytes: number
  /** Versions that are marked as damaged. */
  readonly damaged: number
  /** Bytes of the files in the trash; included in `bytes`. */
  readonly trashBytes: number
}

/** Status of a storage engine. */
export interface StorageStatus {
  /** A disk failed to write: changes are refused until the next start. */
  readonly isReadOnly: boolean
  /** Commits that wait or run, and the age of the oldest. */
  readonly commits: { readonly waiting: number; readonly oldestMs: number }
  /** Small contents that are durable inline in the records and not yet files. */
  readonly waitingBytes: number
  readonly recordsFileBytes: number
  /** Milliseconds since the epoch of the last backup by the command, 0 before the first. Undefined on a node of a cluster. */
  readonly lastBackupMs?: number
  /** Only on a cluster node. */
  readonly cluster?: ClusterStatus
}

export interface ClusterStatus {
  readonly database: DatabaseStatus
  readonly store: StoreStatus
  readonly cache: CacheStatus
}

/** State of the database as last observed, without a query. */
export interface DatabaseStatus {
  readonly isUp: boolean
  /** Number of the newest visible commit. */
  readonly seq: number
  /** Time since this node last confirmed that no newer commit exists. */
  readonly lagSeconds: number
  readonly renewals: number
  /** Number of changes to another database server. */
  readonly failovers: number
}

export interface StoreStatus {
  readonly isUp: boolean
  /** Calls that failed after all attempts. */
  readonly errors: number
}

export interface CacheStatus {
  readonly files: number
  readonly bytes: number
  /** Reads of contents that were in the local cache. */
  readonly hits: number
  readonly misses: number
}

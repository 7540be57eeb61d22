// The entry point to the storage for the server and the command line, and the only place that selects an engine. Each
// module is imported on demand, so that a command loads only what it uses.

import type { Config } from '../config/config.ts'
import type { Pool } from '../workers/pool.ts'
import type {
  BackupOptions,
  BackupReport,
  RotationOptions,
  RotationReport,
} from '../storage/backup/backup.ts'
import type { RestoreOptions, RestoreReport } from '../storage/backup/restore.ts'
import { dataPathsOf } from '../storage/embedded/data-paths.ts'
import { isClosed, refusalOf } from '../storage/embedded/permission-error.ts'
import { becomeOwner, type Task } from '../storage/embedded/owner.ts'
import { InUseError, RefusedError } from '../storage/embedded/refusal.ts'
import { isFirstStart, requireDirectory, requireSite } from '../storage/embedded/require-site.ts'
import { openCluster } from '../cluster/open-cluster.ts'
import type { EngineOptions, Storage } from '../storage/engine.ts'
import type { CheckOptions, CheckReport } from '../storage/integrity/check.ts'
import type { BesideOptions, StorageBeside } from '../storage/open-beside.ts'

export interface StorageOptions {
  readonly config: Pick<Config, 'dataDir'> &
    Partial<
      Pick<
        Config,
        | 'commitTimeoutMs'
        | 'readOnly'
        | 'upgrade'
        | 'cluster'
        | 'contentCacheBytes'
        | 'pictureCacheBytes'
      >
    >
  readonly limits: Parameters<typeof openCluster>[0]['limits']
  readonly pool: Pool
  /** Whether other processes of this server read the same directory. */
  readonly isShared?: boolean
  /** Called once, when the storage can no longer be trusted. The process must end. */
  readonly onFailure: (cause: unknown) => void
  /** Called when something failed that the operator should know about. No data is lost. */
  readonly onTrouble: EngineOptions['onTrouble']
  /** Called after each commit. */
  readonly onCommit?: EngineOptions['onCommit']
  /** Called on a cluster node when the database or the object store stops answering, and when it answers again. */
  readonly onOutage?: EngineOptions['onOutage']
  readonly onWait?: EngineOptions['onWait']
  /** Called with the progress of an upgrade, if the configuration allows one. */
  readonly onUpgrade?: EngineOptions['onUpgrade']
  readonly upgradeSteps?: EngineOptions['upgradeSteps']
}

export async function openStorage({
  config,
  limits,
  pool,
  isShared = false,
  onFailure,
  onTrouble,
  onCommit,
  onOutage,
  onUpgrade = () => undefined,
  upgradeSteps,
  onWait,
}: StorageOptions): Promise<Storage> {
  const { dataDir, commitTimeoutMs, readOnly = false, upgrade = false } = config
  const on = { onFailure, onTrouble, onCommit, onOutage, onWait }
  const { cluster, contentCacheBytes = 0, pictureCacheBytes = 0 } = config
  const own = { dataDir, commitTimeoutMs, limits, pool, isShared, upgradeSteps }
  const options = { ...own, pictureCacheBytes, ...on }
  if (cluster !== undefined) return openCluster({ ...options, cluster, contentCacheBytes })
  if (readOnly) {
    const { openReading } = await import('../storage/open-reading.ts')
    return openReading(options)
  }
  const { openEmbedded } = await import('../storage/open-embedded.ts')
  return openEmbedded({ ...options, onUpgrade: upgrade ? onUpgrade : undefined })
}

export function startsFirst(dataDir: string): boolean {
  return isFirstStart(dataPathsOf(dataDir))
}

/** Opens a directory for reading that another process of this server owns. */
export async function openStorageBeside(options: BesideOptions): Promise<StorageBeside> {
  const { openBeside } = await import('../storage/open-beside.ts')
  return openBeside(options)
}

/** Switches from root to the user that owns the directory, so that the service of that user can access new files. */
export function workAsOwner(dataDir: string, task: Task): void {
  becomeOwner(dataDir, task)
}

/**
 * Why a directory was not opened, if the error is meant for the operator: the data is damaged or not a data directory, or
 * another process owns the directory.
 */
export function whyNotOpened(error: unknown): 'refused' | 'in use' | undefined {
  if (error instanceof RefusedError) return 'refused'
  return error instanceof InUseError ? 'in use' : undefined
}

/**
 * lmdb rejects a second promise for a commit that failed; nobody awaits it. The code that made the commit
 * handles the failure.
 */
export function isEchoOfCommit(error: unknown): boolean {
  return (error as { commitError?: unknown } | null)?.commitError !== undefined
}

/**
 * Sends a command to the server that owns the directory, and returns its answer. Undefined if no server owns the directory:
 * then the site may be opened, and this process runs as the owner of the directory. Throws if there is no site.
 */
export async function askServer(
  dataDir: string,
  command: object,
): Promise<{ readonly value: unknown } | undefined> {
  requireDirectory(dataDir)
  becomeOwner(dataDir, 'command')
  const { askOwner } = await import('../storage/embedded/lock.ts')
  const answer = await askOwner(dataDir, command).catch((error: unknown) => {
    throw refusalOf(dataDir, error)
  })
  if (answer === undefined) requireSite(dataPathsOf(dataDir))
  return answer
}

/** Checks everything in a directory that no server owns, and repairs what can be repaired if requested. */
export async function checkStorage(options: CheckOptions): Promise<CheckReport> {
  const { checkEmbedded } = await import('../storage/integrity/check.ts')
  return withRefusals([options.dataDir], () => checkEmbedded(options))
}

/** Copies a snapshot of a directory into an empty directory, also while a server owns the source. */
export async function backUpStorage(options: BackupOptions): Promise<BackupReport> {
  const { backupEmbedded } = await import('../storage/backup/backup.ts')
  return withRefusals([options.dataDir, options.target], () => backupEmbedded(options))
}

/** Adds a backup to a directory of backups and removes the oldest ones. */
export async function rotateBackups(options: RotationOptions): Promise<RotationReport> {
  const { rotateBackups: rotate } = await import('../storage/backup/backup.ts')
  return withRefusals([options.dataDir, options.directory], () => rotate(options))
}

/** Creates a data directory from a backup. */
export async function restoreStorage(options: RestoreOptions): Promise<RestoreReport> {
  const { restoreEmbedded } = await import('../storage/backup/restore.ts')
  return withRefusals([options.dataDir, options.backup], () => restoreEmbedded(options))
}

/** Turns a permission error of the operating system into an error that names the directory and its owner. */
async function withRefusals<T>(
  directories: readonly [string, ...string[]],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw refusalOf(directories.find(isClosed) ?? directories[0], error)
  }
}

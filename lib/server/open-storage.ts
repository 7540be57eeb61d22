// The door of the storage: what the server and the command line may do with a data directory, and the one place
// that names the engine. Each way of using it is loaded when it is asked for, so that none waits for another.

import type { Config } from '../config/config.ts'
import { CmsError } from '../base/errors.ts'
import type { Pool } from '../workers/pool.ts'
import type { BackupOptions, BackupReport } from '../storage/backup/backup.ts'
import type { RestoreOptions, RestoreReport } from '../storage/backup/restore.ts'
import type { RotationOptions, RotationReport } from '../storage/backup/rotation.ts'
import { StoreFault } from '../cluster/store-faults.ts'
import { dataPathsOf } from '../storage/embedded/data-paths.ts'
import { isClosed, refusalOf } from '../storage/embedded/permission-error.ts'
import { becomeOwner, type Task } from '../storage/embedded/owner.ts'
import { InUseError, RefusedError } from '../storage/embedded/refusal.ts'
import { isFirstStart, requireDirectory, requireSite } from '../storage/embedded/require-site.ts'
import type { ClusterCheckOptions } from '../cluster/check-cluster.ts'
import type { EngineOptions, Storage } from '../storage/engine.ts'
import type { CheckOptions, CheckReport } from '../storage/integrity/check.ts'
import type { MoveOptions, MoveReport } from '../cluster/moving/move.ts'
import type { BesideOptions, StorageBeside } from '../storage/open-beside.ts'
import type { DistributedOptions } from '../cluster/open-node.ts'

export interface StorageOptions {
  readonly config: Pick<Config, 'dataDir'> &
    Partial<
      Pick<Config, 'commitTimeoutMs' | 'readOnly' | 'upgrade' | 'cluster' | 'contentCacheBytes'>
    >
  readonly limits: DistributedOptions['limits']
  readonly pool: Pool
  /** Other processes of this server read beside this one. */
  readonly isShared?: boolean
  /** Called once, when the storage can no longer be trusted: the process must end. */
  readonly onFailure: (cause: unknown) => void
  /** Something could not be done, which the operator has to know of; nothing is lost. */
  readonly onTrouble: EngineOptions['onTrouble']
  /** Called after each commit. */
  readonly onCommit?: EngineOptions['onCommit']
  /** Called on a node of a cluster when the database or the store goes away, and when it is back. */
  readonly onOutage?: EngineOptions['onOutage']
  readonly onWait?: EngineOptions['onWait']
  /** Where the configuration asks for an upgrade: how far it is. */
  readonly onUpgrade?: EngineOptions['onUpgrade']
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
  onWait,
}: StorageOptions): Promise<Storage> {
  const { dataDir, commitTimeoutMs, readOnly = false, upgrade = false } = config
  const on = { onFailure, onTrouble, onCommit, onOutage, onWait }
  const options = { dataDir, commitTimeoutMs, limits, pool, isShared, ...on }
  const { cluster, contentCacheBytes = 0 } = config
  if (cluster !== undefined) {
    const { openDistributed } = await import('../cluster/open-node.ts')
    return openDistributed({ ...options, cluster, contentCacheBytes })
  }
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

/** Opens a directory that another process of this server owns, to read beside it. */
export async function openStorageBeside(options: BesideOptions): Promise<StorageBeside> {
  const { openBeside } = await import('../storage/open-beside.ts')
  return openBeside(options)
}

/** Goes on as the owner of the directory, where root works beside the service of another user. */
export function workAsOwner(dataDir: string, task: Task): void {
  becomeOwner(dataDir, task)
}

/**
 * Why a directory was not opened, where the error is one that says it to the operator: the data is damaged or not
 * what it should be, or another process owns it.
 */
export function whyNotOpened(error: unknown): 'refused' | 'in use' | undefined {
  if (error instanceof RefusedError) return 'refused'
  return error instanceof InUseError ? 'in use' : undefined
}

/** What the store of contents said to a call that failed: operation, HTTP status and code. */
export function whatStoreSaid(error: unknown): string | undefined {
  const { cause } = error as { readonly cause?: unknown }
  return error instanceof CmsError && cause instanceof StoreFault ? cause.message : undefined
}

/**
 * lmdb rejects a second promise for a commit that failed; nobody holds it. What it means is decided where
 * the commit was made.
 */
export function isEchoOfCommit(error: unknown): boolean {
  return (error as { commitError?: unknown } | null)?.commitError !== undefined
}

/**
 * Sends a command to the server that owns the directory, and returns its answer. Undefined where none does: then
 * there is a site, which may be opened, and this process is one of its owner. Throws where there is no site.
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

/** Looks at everything in a directory that no server owns, and mends what can be mended where that is asked for. */
export async function checkStorage(options: CheckOptions): Promise<CheckReport> {
  const { checkEmbedded } = await import('../storage/integrity/check.ts')
  return withRefusals([options.dataDir], () => checkEmbedded(options))
}

/** The same for a cluster, while its nodes go on; only the marks of contents are mended there. */
export async function checkCluster(options: ClusterCheckOptions): Promise<CheckReport> {
  const { checkDistributed } = await import('../cluster/check-cluster.ts')
  return checkDistributed(options)
}

/** Copies one moment of a directory into an empty one, also while a server owns it. */
export async function backUpStorage(options: BackupOptions): Promise<BackupReport> {
  const { backupEmbedded } = await import('../storage/backup/backup.ts')
  return withRefusals([options.dataDir, options.target], () => backupEmbedded(options))
}

/** The same beside the backups of a directory, of which the oldest are removed. */
export async function rotateBackups(options: RotationOptions): Promise<RotationReport> {
  const { rotateBackups: rotate } = await import('../storage/backup/rotation.ts')
  return withRefusals([options.dataDir, options.directory], () => rotate(options))
}

/** Makes a data directory from a backup. */
export async function restoreStorage(options: RestoreOptions): Promise<RestoreReport> {
  const { restoreEmbedded } = await import('../storage/backup/restore.ts')
  return withRefusals([options.dataDir, options.backup], () => restoreEmbedded(options))
}

/** What the operating system does not allow names the directory that it is about, and its owner. */
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

export interface MigrateOptions extends MoveOptions {
  readonly target: 'directory' | 'cluster'
}

/** Moves a whole site between a directory and a cluster; may be cut off at any point and called again. */
export async function migrateStorage({ target, ...options }: MigrateOptions): Promise<MoveReport> {
  if (target === 'cluster') {
    const { moveToCluster } = await import('../cluster/moving/to-cluster.ts')
    return moveToCluster(options)
  }
  const { moveToDirectory } = await import('../cluster/moving/to-directory.ts')
  return moveToDirectory(options)
}

// Opens a cluster node: its local directory, its copy of the records in the database, and its cache of the contents in
// the object store.

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '../base/make-directory.ts'
import type { ClusterSettings } from '../config/cluster-settings.ts'
import { CmsError } from '../base/errors.ts'
import { rethrowDatabaseFault } from './database-fault.ts'
import { hostsOf } from './database-url.ts'
import { wasCutOff } from './local-copy.ts'
import { makeNodeDirectory, type NodePaths, requireNodeDirectory } from './node-directory.ts'
import { openSharedRecords, type SharedRecords } from './replicated-kv.ts'
import { type ClusterContents, openClusterContents } from './open-s3-contents.ts'
import { settleSite } from './site-mark.ts'
import { openFormStore, withForms } from '../storage/embedded/coded-forms.ts'
import { openPictureStore } from '../storage/embedded/picture-store.ts'
import { withDeadline } from '../storage/embedded/commit-deadline.ts'
import { acquireLock } from '../storage/embedded/lock.ts'
import { refusalOf } from '../storage/embedded/permission-error.ts'
import { RefusedError } from '../storage/embedded/refusal.ts'
import type { EngineOptions, Recovered, Storage } from '../storage/engine.ts'
import { searchLimitsOf } from '../storage/records/search.ts'
import { buildMatchElsewhere } from '../workers/patterns.ts'
import type { StorageStatus } from '../storage/status.ts'
import { openNodeWatch } from '../storage/storage-monitor.ts'

export interface DistributedOptions extends EngineOptions {
  readonly cluster: ClusterSettings
  readonly contentCacheBytes: number
  readonly limits: EngineOptions['limits'] & {
    /** A node counts as alive for this long after its last heartbeat. */
    readonly nodeLivesMs: number
  }
}

export async function openDistributed(options: DistributedOptions): Promise<Storage> {
  try {
    return await openNode(options)
  } catch (error) {
    throw refusalOf(options.dataDir, error)
  }
}

async function openNode(options: DistributedOptions): Promise<Storage> {
  const { dataDir, commitTimeoutMs } = options
  requireAddress(options.cluster)
  requireNodeDirectory(dataDir)
  makeDirectory(dataDir)
  const lock = await acquireLock(dataDir)
  let shared: SharedRecords | undefined
  let cluster: ClusterContents | undefined

  try {
    const paths = await makeNodeDirectory(dataDir)
    const wasCrash = wasCutOff(paths.copy)
    // Contents are opened after the records, which report inline contents.
    const late: { cluster?: ClusterContents } = {}
    const onInline = (sizeBytes: number): void => late.cluster?.onInline(sizeBytes)
    shared = await openRecordsOf(options, paths, onInline)
    cluster = await openContentsOf(options, paths, shared)
    late.cluster = cluster

    const { records, kv } = shared
    const { tmp } = paths
    const forms = openFormStore({ directory: paths.forms, tmp })
    const maxBytes = options.pictureCacheBytes
    const pictures = openPictureStore({ directory: paths.pictures, tmp, maxBytes })
    const opened = { shared, cluster, paths }
    const settle = once(cluster.close)
    return {
      records:
        commitTimeoutMs === undefined
          ? records
          : withDeadline(records, commitTimeoutMs, 'database'),
      contents: withForms(cluster.contents, forms, pictures),
      forms,
      partials: cluster.partials,
      pictures,
      others: kv.others,
      recovered: { ...NOTHING_DONE, wasCrash },
      status: () => statusOf(opened),
      keepWatch: (asked) =>
        openNodeWatch(
          { dataDir, recordsDir: paths.copy, kv, placeOf: opened.cluster.scrubPlace },
          asked,
        ),
      tmpDir: paths.tmp,
      serveCommands: lock.serve,
      openArchive: () => Promise.reject(noArchive()),
      nodes: { ...kv.life, removeOrphans: cluster.removeOrphans },
      settle,
      async close() {
        await settle()
        await opened.shared.close()
        await lock.release()
      },
    }
  } catch (error) {
    await cluster?.close()
    await shared?.close()
    await lock.release()
    throw error
  }
}

/** The directory of a node contains nothing that exists only there, so leftovers of a crash are discarded. */
const NOTHING_DONE: Omit<Recovered, 'wasCrash'> = {
  temporaryFiles: 0,
  quarantined: 0,
  damagedVersions: 0,
  mended: 0,
}

function requireAddress({ databaseUrl }: ClusterSettings): void {
  try {
    hostsOf(databaseUrl)
  } catch (error) {
    throw new RefusedError((error as TypeError).message)
  }
}

async function openRecordsOf(
  { cluster, limits, pool, onFailure, onCommit, onOutage }: DistributedOptions,
  { copy }: NodePaths,
  onInline: (sizeBytes: number) => void,
): Promise<SharedRecords> {
  const { databaseUrl } = cluster
  const ofSearch = searchLimitsOf(limits)
  const { nodeLivesMs: livesMs } = limits
  const on = { onFailure, onCommit, onInline, onOutage }
  const matchElsewhere = buildMatchElsewhere(pool)
  const all = { databaseUrl, directory: copy, livesMs, ...on, limits: ofSearch, matchElsewhere }
  return openSharedRecords(all).catch(rethrowDatabaseFault)
}

async function openContentsOf(
  { cluster, contentCacheBytes, limits, pool, onTrouble, onOutage }: DistributedOptions,
  { cache }: NodePaths,
  { kv, records }: Pick<SharedRecords, 'kv' | 'records'>,
): Promise<ClusterContents> {
  return openClusterContents({
    settings: { ...cluster.store, cacheBytes: contentCacheBytes },
    settle: (place) => settleSite(kv, place),
    cacheDir: cache,
    kv,
    records,
    pool,
    limits,
    onTrouble,
    onOutage,
  })
}

interface Opened {
  readonly shared: SharedRecords
  readonly cluster: ClusterContents
  readonly paths: NodePaths
}

function statusOf({ shared, cluster, paths }: Opened): StorageStatus {
  const { isReadOnly, waitingBytes, store, cache } = cluster.status()
  return {
    isReadOnly,
    waitingBytes,
    commits: shared.kv.commits(),
    recordsFileBytes: statSync(join(paths.copy, 'data.mdb')).size,
    cluster: { database: shared.kv.database(), store, cache },
  }
}

function noArchive(): CmsError {
  const detail =
    'A cluster node cannot make a backup. Back up the database with its log archive (PITR), then the bucket, as docs/cluster.md describes.'
  return new CmsError('unavailable', detail)
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= work()
    return done
  }
}

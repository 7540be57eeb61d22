// Starts the site, and resumes interrupted work: at the start, and in a cluster also when another process has
// stopped.

import { assetFile } from '../../schema/asset-file.ts'
import { NOBODY } from '../../schema/audit.ts'
import {
  type CascadeWork,
  pendingWork,
  type PurgeWork,
  type Work,
} from '../../schema/pending-work.ts'
import type { Records } from '../../storage/port.ts'
import type { Services } from '../context.ts'
import { removeOrphanedComments } from '../comments/orphans.ts'
import { expireLinks } from '../links/file-links.ts'
import { expireUploads } from '../files/upload-expiry.ts'
import { indexAllLinks, isAllIndexed, putAllIndexed, readNewLinks } from '../files/link-rows.ts'
import { retainVersions } from '../files/version-retention.ts'
import { rootRemovalOf, runForget } from '../files/file-removal.ts'
import { type Purge, purgeTask } from '../folders/folder-rules.ts'
import { type NewWork, startModuleWorks } from '../modules/module-work.ts'
import {
  finishWork,
  newWorkId,
  type PendingTask,
  putWork,
  requireWork,
  runRemove,
  runWork,
} from '../pending-work.ts'
import {
  dropMark,
  removeDependent,
  type RemoveRoot,
  runCascade,
} from '../references/long-removal.ts'
import { contentBytes } from '../trash/trash-items.ts'
import { prepareSite } from '../people/first-start.ts'
import { noteRevoked, revokeTask } from '../people/revoking.ts'
import { expireSessions } from '../people/session-records.ts'
import { expireAudit, expireDeletedHistories } from '../trail/audit-rules.ts'
import { discardTask } from '../restoring/discard-item.ts'
import { expireTrash } from '../restoring/expire-trash.ts'
import { runRestore } from '../restoring/finish-restore.ts'
import { beginChangeLog } from '../trail/change-log.ts'
import { expireRows as expireIdempotency } from '../trail/idempotency.ts'
import { expireDeliveries } from '../webhooks/delivery-log.ts'

/** Deletions that finish before the server listens are not interrupted. */
const NEVER = new AbortController().signal

interface Begun {
  /** Token of the first-start link, as long as nobody can sign in. */
  readonly welcome: string | undefined
  /** Number of interrupted tasks that were resumed. */
  readonly resumed: number
}

export async function beginSite(
  services: Services,
  { readOnly }: { readonly readOnly: boolean },
): Promise<Begun> {
  if (readOnly) {
    hidePendingRemovals(services)
    return { welcome: undefined, resumed: 0 }
  }
  await prepareSite(services.records, services.now())
  await beginChangeLog(services.records)
  await planFileStates(services)
  await planLinks(services)
  const welcome = await services.welcome.begin(services.records)
  return { welcome, resumed: await resumeWork(services) }
}

/**
 * Finishes work that a stop interrupted, of this process or of one that no longer runs. Deletions finish before the
 * promise resolves, which is before the server listens, unless a full disk delays them; index work continues in the background.
 */
export async function resumeWork(services: Services): Promise<number> {
  const found = findWorks(services)
  const claimed = new Set(await services.leases.claim(found.map(({ id }) => id)))
  const works = found.filter(({ id }) => claimed.has(id))
  const ofModules: NewWork[] = []
  for (const { id: workId, work } of works) {
    const task = taskBeforeListening(services, workId, work)
    if (task !== undefined) await requireWork(services, task, NEVER)
    else if (work.kind === 'cascade') await resumeCascade(services, workId, work)
    else if (work.kind === 'restore') {
      const run = (signal: AbortSignal) => runRestore(services, workId, work, signal)
      void runWork(services, { name: 'restore', workId, run })
    } else if (work.kind === 'discard') void runWork(services, discardTask(services, workId, work))
    else if (work.kind === 'index-file-states') await indexFileStates(services, workId)
    else if (work.kind === 'index-links')
      void services.background.run(work.kind, (signal) => indexAllLinks(services, workId, signal))
    else if ('module' in work || 'type' in work) ofModules.push({ id: workId, work })
  }
  void startModuleWorks(services, ofModules)
  return works.length
}

/** The task of work that must end before the server listens; undefined for other work. */
function taskBeforeListening(
  services: Services,
  workId: string,
  work: Work,
): PendingTask | undefined {
  const { kind: name } = work
  if (name === 'purge') return purgeTask(services, workId, purgeOf(work))
  if (name === 'revoke') {
    // The server listens although a full disk delays the work, and then accepts no descendant of these keys, either.
    noteRevoked(services, work)
    return revokeTask(services, workId, work)
  }
  if (name === 'remove')
    return { name, workId, run: () => runRemove(services, workId, work.contents) }
  if (name === 'forget') return { name, workId, run: () => runForget(services, workId, work) }
  return undefined
}

/** A deletion with many dependents continues in the background, because it may take long. */
async function resumeCascade(services: Services, workId: string, work: CascadeWork): Promise<void> {
  const { target, stage, doer } = work
  if (stage === 'checking') {
    const run = (): Promise<void> => dropMark(services, workId, target)
    return requireWork(services, { name: 'cascade', workId, run }, NEVER)
  }
  const isFile = target.object === 'asset_file'
  const sizes = isFile ? await contentBytes(services, [target.id]) : undefined
  const sizeBytes = sizes?.get(target.id) ?? 0
  const removeRoot: RemoveRoot = isFile
    ? rootRemovalOf(services, { fileId: target.id, doer, sizeBytes })
    : (unit) => void removeDependent(services, unit, target)
  void runWork(services, {
    name: 'cascade',
    workId,
    run: (signal) => runCascade(services, workId, work, { removeRoot, signal }),
  })
}

/** Indexes with a row for every file. */
const LATER_INDEXES = [
  'state',
  'publish_at',
  'unpublish_at',
  'stage_at',
  'schedule_failed_at',
] as const

/** Plans the indexes of states and times if an earlier build stored files without them. */
async function planFileStates({ records }: Pick<Services, 'records'>): Promise<void> {
  const { recordType: type } = assetFile
  if (records.count(type) === 0) return
  if (LATER_INDEXES.every((index) => records.highest(type, index) !== undefined)) return
  await records.commit((unit) => putWork(unit, newWorkId(), { kind: 'index-file-states' }))
}

function indexFileStates({ records, background }: Services, workId: string): Promise<void> {
  return background.run('index-file-states', async (signal) => {
    await records.buildIndexes(assetFile.recordType, [...LATER_INDEXES, 'live_in'], signal)
    await finishWork(records, workId)
  })
}

/** Plans the rows with the links of all pages if an earlier build stored pages without them. */
async function planLinks({ records }: Pick<Services, 'records'>): Promise<void> {
  if (isAllIndexed({ records })) return
  await records.commit((unit) => {
    if (unit.count(assetFile.recordType) === 0) putAllIndexed(unit)
    else putWork(unit, newWorkId(), { kind: 'index-links' })
  })
}

function purgeOf({
  asset_category_id: categoryId,
  doer = NOBODY,
  trash_id: trashId,
}: PurgeWork): Purge {
  return { categoryId, doer, trashId }
}

/** Runs no work, but hides what the work will remove: contents of folders, and keys. */
function hidePendingRemovals(services: Pick<Services, 'records' | 'purging' | 'revoking'>): void {
  for (const { work } of findWorks(services)) {
    if (work.kind === 'purge') services.purging.add(work.asset_category_id)
    if (work.kind === 'revoke') noteRevoked(services, work)
  }
}

function findWorks({ records }: Pick<Services, 'records'>) {
  return records.list(pendingWork, []).flatMap(([key]) => {
    const id = String(key)
    const stored = records.get(pendingWork, id)
    return stored === undefined ? [] : [{ id, work: stored.value }]
  })
}

interface PendingRemovals extends Pick<Services, 'purging' | 'revoking'> {
  /** Call it when the records show the newest state. */
  renew(): void
}

/**
 * Tracks subtrees that are being removed and keys that are being revoked when other processes do this work. The
 * pending-work rows are written in the commit that begins the work, so every process knows from that commit on.
 */
export function openPendingRemovals(records: Records): PendingRemovals {
  const purging = new Set<number>()
  const revoking = new Set<number>()
  let isCurrent = (): boolean => false

  return {
    purging,
    revoking,
    renew(): void {
      if (isCurrent()) return
      const trace = records.trace()
      purging.clear()
      revoking.clear()
      hidePendingRemovals({ records: trace.records, purging, revoking })
      isCurrent = trace.close()
    },
  }
}

/**
 * Removes expired rows in the background while the server runs; in a cluster, one process does it.
 */
export function expireRows(
  services: Services,
  { auditDays: days, auditRows: rows }: { readonly auditDays: number; readonly auditRows: number },
): void {
  const run = (name: string, work: ExpiryWork): void =>
    void services.background.run(name, (signal) =>
      services.leases.hold(name, signal, (held) =>
        work({ ...services, records: held.records }, held.signal),
      ),
    )
  run('expire-audit', (own, signal) => expireAudit(own, { days, rows }, signal))
  run('expire-history', expireDeletedHistories)
  run('expire-idempotency', expireIdempotency)
  run('expire-sessions', expireSessions)
  run('expire-deliveries', expireDeliveries)
  run('expire-links', expireLinks)
  run('orphaned-comments', removeOrphanedComments)
  run('version-retention', retainVersions)
  run('expire-uploads', expireUploads)
  run('expire-trash', expireTrash)
  run('read-links', readNewLinks)
}

type ExpiryWork = (services: Services, signal: AbortSignal) => Promise<void>

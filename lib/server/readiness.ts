// The state of the storage and of the sites, as /ready reports it.

import { type NotReady, sitesHidden } from '../api/health.ts'
import { ANONYMOUS } from '../auth/anonymous.ts'
import type { Site } from '../config/flag-values.ts'
import type { Context } from '../operations/context.ts'
import { visibleSites } from '../operations/site/site-place.ts'
import type { StorageStatus, WatchStatus } from '../storage/status.ts'

export const STARTING: NotReady = { reason: 'starting', detail: 'The server is starting.' }
export const STOPPING: NotReady = { reason: 'stopping', detail: 'The server is stopping.' }
export const FAILED: NotReady = {
  reason: 'storage-failed',
  detail: 'The storage failed; the server is stopping.',
}

const READ_ONLY: NotReady = {
  reason: 'read-only',
  detail:
    'A write to the disk failed. All changes are rejected until the server is restarted. Check the disk, then restart the server.',
}

const DATABASE_AWAY: NotReady = {
  reason: 'database-away',
  detail: 'The database does not respond. Until it responds, nothing can be read or changed.',
}

const STORE_AWAY: NotReady = {
  reason: 'store-away',
  detail:
    'The object store does not respond. Content that is not on this machine cannot be read, and new content is rejected.',
}

/** The storage is slow if a commit has waited for this part of the commit timeout. */
const SLOW_RATIO = 1 / 3

/** Returns why the storage does not accept all changes; undefined if it does. */
export function findTrouble(
  { commits, isReadOnly, cluster }: StorageStatus,
  { refused }: WatchStatus,
  { commitTimeoutMs }: { readonly commitTimeoutMs: number },
): NotReady | undefined {
  if (isReadOnly) return READ_ONLY
  if (cluster?.database.isUp === false) return DATABASE_AWAY
  if (cluster?.store.isUp === false) return STORE_AWAY
  if (commits.oldestMs > commitTimeoutMs * SLOW_RATIO) {
    const seconds = Math.round(commits.oldestMs / 1_000)
    const what = cluster === undefined ? 'disk' : 'database'
    const detail = `The ${what} does not respond. A change has been waiting for ${seconds} s. Reads still work.`
    return { reason: 'storage-slow', detail }
  }
  if (refused === undefined) return undefined
  const [what, kept] =
    refused === 'content'
      ? ['New content is rejected', '--min-free-mb and --min-free-percent require']
      : ['All changes except deletes are rejected', 'a quarter of --min-free-mb']
  const detail = `The disk is nearly full. ${what} until the free space is more than ${kept}. Reads still work.`
  return { reason: 'disk-full', detail }
}

/** Counts the sites. Their origins and folders are not named, because /ready needs no key. */
export function findSiteWarnings(
  { records }: Pick<Context, 'records'>,
  { sites }: { readonly sites: readonly Site[] },
) {
  const hidden = sites.length - visibleSites({ records, caller: ANONYMOUS }, sites).length
  return hidden === 0 ? [] : [sitesHidden(hidden)]
}

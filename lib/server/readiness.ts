// What keeps the server from taking all requests, as /ready tells it.

import type { StorageStatus, WatchStatus } from '../storage/status.ts'
import type { NotReady } from '../api/health.ts'

export const STARTING: NotReady = { reason: 'starting', detail: 'The server is starting.' }
export const STOPPING: NotReady = { reason: 'stopping', detail: 'The server is stopping.' }
export const FAILED: NotReady = {
  reason: 'storage-failed',
  detail: 'The storage failed; the server is stopping.',
}

const READ_ONLY: NotReady = {
  reason: 'read-only',
  detail:
    'The disk has failed to write. All changes are refused until the server is started again.',
}

const DATABASE_AWAY: NotReady = {
  reason: 'database-away',
  detail: 'The database does not answer. Nothing can be read or changed until it does.',
}

const STORE_AWAY: NotReady = {
  reason: 'store-away',
  detail:
    'The store of the contents does not answer. What is not on this machine cannot be read, and no new content is taken.',
}

/** Of the time that a commit may take. */
const SLOW_RATIO = 1 / 3

/** What keeps the storage from taking all changes, while reads go on. */
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
    const detail = `The ${what} does not answer: a change has been waiting for ${seconds} s. Reads go on.`
    return { reason: 'storage-slow', detail }
  }
  if (refused === undefined) return undefined
  const [what, kept] =
    refused === 'content'
      ? ['New content is refused', '--min-free-mb and --min-free-percent keep']
      : ['All changes but deletes are refused', 'a quarter of --min-free-mb']
  const detail = `There is too little room on the disk. ${what} until there is more than ${kept}; reads go on.`
  return { reason: 'disk-full', detail }
}

// Ordered keys over LMDB. The settings and the shape of a commit come from measured behaviour:
// - overlappingSync off: a refused commit is rolled back and never seen; a clone of the disk cannot
//   revive a state that was not synced.
// - childTransaction only: transaction() keeps the writes of a callback that threw.
// - synchronous callbacks only: an asynchronous one lets other code write into the transaction.
// - own bytes in and out (binary), so that no encoder has state that an abort leaves behind.

import { type Database, open, type RootDatabase } from 'lmdb'
import { CmsError } from '../../errors.ts'
import type { KeyRange, Kv, KvReader, KvWriter } from '../kv.ts'
import type { CommitTimes } from '../port.ts'
import { type CommitWatch, openCommitWatch } from './commit-times.ts'

export interface LmdbKv extends Kv {
  /** Called inside every commit; throws when this process may not write any more, which is a failure. */
  fence: (reader: KvReader) => void
  /** Becomes true when a commit failed in a way that leaves its outcome unknown. */
  readonly hasFailed: () => boolean
  readonly commits: CommitWatch['status']
}

export interface LmdbOptions {
  readonly path: string
  /** Called once, when the storage can no longer be trusted: the process must end. */
  readonly onFailure: (cause: unknown) => void
  readonly readOnly?: boolean
  readonly onCommit?: ((times: CommitTimes) => void) | undefined
}

/** LMDB and system error numbers that mean: no room; the commit was rolled back cleanly. */
const NO_ROOM: ReadonlySet<unknown> = new Set([28, 27, 122, -30792, 'ENOSPC', 'EFBIG', 'EDQUOT'])

export function openLmdb({
  path,
  onFailure,
  readOnly = false,
  onCommit = () => undefined,
}: LmdbOptions): LmdbKv {
  const root: RootDatabase = open({
    path,
    overlappingSync: false,
    safeRestore: true,
    maxReaders: 512,
    maxDbs: 32,
    noMemInit: false,
    readOnly,
  } as Parameters<typeof open>[0])
  const db = root.openDB<Buffer, Buffer>({ name: 'kv', keyEncoding: 'binary', encoding: 'binary' })
  // Reading alone, in a file that no commit has reached, lmdb finds no database and gives none.
  const reader = (db as typeof db | undefined) === undefined ? NOTHING : readerOf(db)
  const writer = writerOf(db, reader)
  const watch = openCommitWatch(onCommit)
  let failure: unknown

  function fail(cause: unknown): CmsError {
    if (failure === undefined) {
      failure = cause
      onFailure(cause)
    }
    return unknownOutcome(cause)
  }

  const kv: LmdbKv = {
    ...reader,
    fence: () => undefined,
    hasFailed: () => failure !== undefined,
    commits: watch.status,

    async commit(plan) {
      if (failure !== undefined) throw unknownOutcome(failure)
      let refusal: { readonly error: unknown } | undefined
      const running = watch.begin()

      try {
        return await db.childTransaction(() => {
          running.hasTurn()
          kv.fence(reader)
          try {
            return plan(writer)
          } catch (error) {
            refusal = { error }
            throw error
          }
        })
      } catch (error) {
        if (refusal !== undefined) throw refusal.error
        ignoreRejection((error as { commitError?: unknown }).commitError)
        throw isNoRoom(error) ? noRoom(error) : fail(error)
      } finally {
        running.end()
      }
    },

    close: () => root.close(),
  }
  return kv
}

const NOTHING: KvReader = {
  get: () => undefined,
  keys: () => [],
  pairs: () => [],
  count: () => 0,
}

function readerOf(db: Database<Buffer, Buffer>): KvReader {
  return {
    get: (key) => db.getBinary(key),
    keys: (range) => db.getKeys(lmdbRange(range)),
    pairs: (range) => db.getRange(lmdbRange(range)),
    count: (range) => db.getKeysCount(lmdbRange(range)),
  }
}

function writerOf(db: Database<Buffer, Buffer>, reader: KvReader): KvWriter {
  return {
    ...reader,
    put: (key, value) => void db.put(key, value),
    remove: (key) => void db.remove(key),
  }
}

/** LMDB walks backwards from `start` (included) to `end` (not included); ours keeps the meaning of both. */
function lmdbRange({ start, end, reverse = false, limit }: KeyRange) {
  const bounds = reverse
    ? { start: end, end: start, reverse, exclusiveStart: true, inclusiveEnd: true }
    : { start, end }
  return limit === undefined ? bounds : { ...bounds, limit }
}

/** True for a failure that LMDB rolled back because a page could not be written for want of room. */
export function isNoRoom(error: unknown): boolean {
  return NO_ROOM.has((error as { code?: unknown } | null)?.code)
}

function noRoom(cause: unknown): CmsError {
  return new CmsError('disk-full', 'There is no room for the change. Nothing was changed.', {
    cause,
  })
}

function unknownOutcome(cause: unknown): CmsError {
  const detail =
    'The storage failed while the change was committed. Read the record to see whether it happened.'
  return new CmsError('outcome-unknown', detail, { cause })
}

/** lmdb rejects a second promise for the same failure; nobody else listens to it. */
function ignoreRejection(promise: unknown): void {
  if (promise instanceof Promise) promise.catch(() => undefined)
}

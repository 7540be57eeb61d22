// An ordered key-value store on LMDB. The settings and the structure of a commit follow from measured behaviour:
// - overlappingSync off: a refused commit is rolled back and never visible; a clone of the disk cannot revive a state that
//   was not synced.
// - childTransaction only: transaction() keeps the writes of a callback that threw.
// - Synchronous callbacks only: an asynchronous callback lets other code write into the transaction.
// - Binary encoding, so that no encoder has state that an abort leaves behind.

import { statfsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, open, type RootDatabase } from 'lmdb'
import { CmsError } from '../../base/errors.ts'
import { openKnown } from '../records/known-keys.ts'
import type { Kv, KvReader, KvWriter } from '../records/kv.ts'
import type { CommitTimes } from '../status.ts'
import { type CommitWatch, openCommitWatch } from './commit-times.ts'
import { readOnlyDisk } from './file-errors.ts'
import { DATABASE, NOTHING, onSnapshot, readerOf, writerOf } from './lmdb-keys.ts'

export interface LmdbKv extends Kv {
  /** Called inside every commit. Returns an error if this process may not write any more. */
  fence: (reader: KvReader) => Error | undefined
  /** True after a commit failed with an unknown outcome. */
  readonly hasFailed: () => boolean
  /** The disk accepts no more writes. No commit is started; committed data is still read. */
  readonly isReadOnly: () => boolean
  readonly commits: CommitWatch['status']
  /** Copies a snapshot into an empty directory, off this thread, while other work continues; not synced. */
  copyTo(directory: string): Promise<void>
}

export interface LmdbOptions {
  readonly path: string
  /** Called once when the storage can no longer be trusted: the process must end. */
  readonly onFailure: (cause: unknown) => void
  /** Called once when the disk has become read-only. */
  readonly onReadOnly?: (cause: unknown) => void
  readonly readOnly?: boolean
  readonly onCommit?: ((times: CommitTimes) => void) | undefined
}

/** EFBIG, EDQUOT and MDB_MAP_FULL: out of space, and LMDB rolled the commit back. */
const NO_ROOM: ReadonlySet<unknown> = new Set([27, 122, -30792])
/**
 * ENOSPC, and EIO, which LMDB reports for a partially written page. EIO means a lack of space if the disk is full;
 * otherwise the disk has failed.
 */
const NO_ROOM_IF_FULL: ReadonlySet<unknown> = new Set([28, 5])
/** EROFS: the system has remounted the disk read-only, and LMDB rolled the commit back before its last page. */
const READ_ONLY = 30
const ANY_KEY = Buffer.from([0])
const FULL_BYTES = 16 * 1024 * 1024

function openRoot(path: string, readOnly: boolean): RootDatabase {
  return open({
    path,
    overlappingSync: false,
    safeRestore: true,
    maxReaders: 512,
    maxDbs: 32,
    noMemInit: false,
    readOnly,
  } as Parameters<typeof open>[0])
}

// oxlint-disable-next-line eslint/max-lines-per-function -- what it returns shares the state of a failure
export function openLmdb({
  path,
  onFailure,
  onReadOnly = () => undefined,
  readOnly = false,
  onCommit = () => undefined,
}: LmdbOptions): LmdbKv {
  const root = openRoot(path, readOnly)
  const db = root.openDB<Buffer, Buffer>(DATABASE)
  // In read-only mode lmdb returns no database for a file without any commit.
  const known = openKnown()
  const reader = {
    ...((db as typeof db | undefined) === undefined ? NOTHING : readerOf(db)),
    known,
  }
  const writer = writerOf(db, reader)
  const watch = openCommitWatch(onCommit)
  let failure: unknown
  let refusal: unknown
  let isTold = false

  function fail(cause: unknown): CmsError {
    failure ??= cause
    if (!isTold) onFailure(failure)
    isTold = true
    return unknownOutcome(cause)
  }

  /** Nothing was changed, and all changes are refused until the next start. */
  function refuse(cause: unknown): CmsError {
    if (refusal === undefined) onReadOnly(cause)
    refusal ??= cause
    return readOnlyDisk(refusal)
  }

  /** Translates the error of an unfinished LMDB commit. */
  function meaningOf(cause: unknown): CmsError {
    if (failure !== undefined) return fail(cause)
    if (codeOf(cause) === READ_ONLY && isUsable(db)) return refuse(cause)
    return isNoRoom(cause, path) && isUsable(db) ? noRoom(cause) : fail(cause)
  }

  /** Recorded inside the transaction: a commit that ends before this one is reported must not be acknowledged. */
  function requireFence(): void {
    const lost = kv.fence(reader)
    if (lost === undefined) return
    failure ??= lost
    throw lost
  }

  const kv: LmdbKv = {
    ...reader,
    fence: () => undefined,
    hasFailed: () => failure !== undefined,
    isReadOnly: () => refusal !== undefined,
    commits: watch.status,
    onNewer(listener) {
      for (const store of [root, db]) onSnapshot(store, listener)
    },

    renew: () => db.resetReadTxn(),

    async commit(plan) {
      if (failure !== undefined) throw unknownOutcome(failure)
      if (refusal !== undefined) throw readOnlyDisk(refusal)
      const guarded = keepRefusal(plan)
      const running = watch.begin()
      const learning = known.begin()

      try {
        const result = await db.childTransaction(() => {
          running.hasTurn()
          requireFence()
          return learning.run(() => guarded.run({ ...writer, known: learning }))
        })
        if (failure === undefined) {
          learning.confirm()
          return result
        }
      } catch (error) {
        guarded.rethrow()
        throw meaningOf(await causeOf(error))
      } finally {
        running.end()
      }
      // Another commit failed meanwhile: later answers of the disk prove nothing.
      throw unknownOutcome(failure)
    },

    copyTo: (directory) => root.backup(directory, false),
    close: () => root.close(),
  }
  return kv
}

/** An error thrown by a plan is a refusal, which must be distinguished from a failure of LMDB. */
function keepRefusal<T>(plan: (writer: KvWriter) => T) {
  let refusal: { readonly error: unknown } | undefined
  return {
    run(writer: KvWriter): T {
      try {
        return plan(writer)
      } catch (error) {
        refusal = { error }
        throw error
      }
    },
    rethrow(): void {
      if (refusal !== undefined) throw refusal.error
    },
  }
}

const CAUSE_TIMEOUT_MS = 1_000

/** The LMDB error behind lmdb's rejection, which carries no error number. */
async function causeOf(error: unknown): Promise<unknown> {
  const { commitError } = error as { commitError?: unknown }
  if (!(commitError instanceof Promise)) return error
  const cause = commitError.then(
    () => error,
    (reason: unknown) => reason,
  )
  return Promise.race([cause, sleep(CAUSE_TIMEOUT_MS, error, { ref: false })])
}

function codeOf(cause: unknown): unknown {
  return (cause as { code?: unknown } | null)?.code
}

/** True if LMDB rolled the commit back because it lacked space for a page. */
function isNoRoom(cause: unknown, path: string): boolean {
  const code = codeOf(cause)
  if (NO_ROOM.has(code)) return true
  if (!NO_ROOM_IF_FULL.has(code)) return false
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize < FULL_BYTES
}

/**
 * False if LMDB has given up, as after a failed write of the meta page. Regardless of the error, a database that cannot
 * be read cannot be trusted.
 */
function isUsable(db: Database<Buffer, Buffer>): boolean {
  // Without this reset the open snapshot would still be readable.
  db.resetReadTxn()
  try {
    db.getBinary(ANY_KEY)
    return true
  } catch {
    return false
  }
}

function noRoom(cause: unknown): CmsError {
  return new CmsError(
    'disk-full',
    'There is not enough disk space for the change. Nothing was changed.',
    {
      cause,
    },
  )
}

function unknownOutcome(cause: unknown): CmsError {
  const detail =
    'The storage failed while the change was being committed. Read the record to see whether the change was made.'
  return new CmsError('outcome-unknown', detail, { cause })
}

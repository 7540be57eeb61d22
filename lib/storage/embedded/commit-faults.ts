// The meaning of failed LMDB commits: a failure with an unknown outcome ends all commits, a read-only disk refuses them, and
// a lack of space concerns a single commit.

import { statfsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from 'lmdb'
import { CmsError } from '../../base/errors.ts'
import { readOnlyDisk } from './file-errors.ts'

export interface CommitFaultOptions {
  readonly path: string
  readonly db: Database<Buffer, Buffer>
  readonly onFailure: (cause: unknown) => void
  readonly onReadOnly: (cause: unknown) => void
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

const CAUSE_TIMEOUT_MS = 1_000

export function openCommitFaults(options: CommitFaultOptions): CommitFaults {
  return new CommitFaults(options)
}

class CommitFaults {
  readonly #options: CommitFaultOptions
  #failure: unknown
  #refusal: unknown
  #isTold = false

  constructor(options: CommitFaultOptions) {
    this.#options = options
  }

  hasFailed(): boolean {
    return this.#failure !== undefined
  }

  isReadOnly(): boolean {
    return this.#refusal !== undefined
  }

  /** Throws if no commit may be started. */
  requireNone(): void {
    if (this.#failure !== undefined) throw this.unknownOutcome()
    if (this.#refusal !== undefined) throw readOnlyDisk(this.#refusal)
  }

  /** Recorded inside the transaction: a commit that ends before this one is reported must not be acknowledged. */
  requireFence(lost: Error | undefined): void {
    if (lost === undefined) return
    this.#failure ??= lost
    throw lost
  }

  /** Translates the error of an unfinished LMDB commit. */
  async meaningOf(error: unknown): Promise<CmsError> {
    const { path, db } = this.#options
    const cause = await causeOf(error)
    if (this.#failure !== undefined) return this.#fail(cause)
    if (codeOf(cause) === READ_ONLY && isUsable(db)) return this.#refuse(cause)
    return isNoRoom(cause, path) && isUsable(db) ? noRoom(cause) : this.#fail(cause)
  }

  unknownOutcome(cause = this.#failure): CmsError {
    const detail =
      'The storage failed while the change was being committed. Read the record to see whether the change was made.'
    return new CmsError('outcome-unknown', detail, { cause })
  }

  #fail(cause: unknown): CmsError {
    this.#failure ??= cause
    if (!this.#isTold) this.#options.onFailure(this.#failure)
    this.#isTold = true
    return this.unknownOutcome(cause)
  }

  /** Nothing was changed, and all changes are refused until the next start. */
  #refuse(cause: unknown): CmsError {
    if (this.#refusal === undefined) this.#options.onReadOnly(cause)
    this.#refusal ??= cause
    return readOnlyDisk(this.#refusal)
  }
}

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

// The disk of the contents, as its answers to writes show it. Want of room is an answer like others (507),
// and keeps nobody from going on. A disk that itself fails is none: after one failed sync the system may say
// that all is well though bytes are gone, so nothing that it says later proves that they are there. From then
// on no change is taken until the server is started again, which looks at everything; reads go on, and so
// does what was acknowledged before.

import { CmsError } from '../../base/errors.ts'
import type { Pool } from '../../workers/pool.ts'
import { readOnlyDisk } from './file-errors.ts'

export interface ContentDisk {
  readonly pool: Pool
  /** Throws read-only where the disk has failed. */
  requireWritable(): void
  /** Throws what a write outside of the pool has thrown, as what it means. */
  refuse(error: unknown): never
  /** The disk of the records has failed so. */
  note(cause: unknown): void
  isReadOnly(): boolean
  /** Bytes that no version names may have been left behind. */
  hasFailed(): boolean
}

/** The disk failed, or the system has taken the right to write to it for that reason. */
const FAILURES: ReadonlySet<unknown> = new Set(['EIO', 'EROFS'])

/** For new changes. writeOut and removeFiles are of changes that were acknowledged. */
const REFUSED_TASKS: ReadonlySet<string> = new Set(['writeContent', 'sealUpload'])
const WRITING_TASKS: ReadonlySet<string> = new Set([...REFUSED_TASKS, 'writeOut', 'removeFiles'])

export function watchContentDisk(pool: Pool, onReadOnly: (cause: unknown) => void): ContentDisk {
  let failure: unknown
  let hasFailed = false

  function requireWritable(): void {
    if (failure !== undefined) throw readOnlyDisk(failure)
  }

  function refuse(error: unknown): never {
    if (!isFailure(error)) throw error
    note(error)
    throw readOnlyDisk(error)
  }

  function note(cause: unknown): void {
    if (failure === undefined) onReadOnly(cause)
    failure ??= cause
  }

  const run: Pool['run'] = (name, input, options) => {
    if (REFUSED_TASKS.has(name)) requireWritable()
    return pool.run(name, input, options).catch((error: unknown) => {
      // Want of room, or of descriptors, keeps nobody from removing what was begun.
      hasFailed ||= error instanceof CmsError && error.code === 'internal'
      if (WRITING_TASKS.has(name)) refuse(error)
      throw error
    })
  }

  return {
    pool: { ...pool, run },
    requireWritable,
    refuse,
    note,
    isReadOnly: () => failure !== undefined,
    hasFailed: () => hasFailed || failure !== undefined,
  }
}

/** A task tells the code of the system as the cause of its error. */
function isFailure(error: unknown): boolean {
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  return FAILURES.has(code) || FAILURES.has(cause)
}

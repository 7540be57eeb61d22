// State of the contents' disk, as its write errors show. A full disk is an ordinary error (507) and has no further
// consequences. A failed disk is different: after one failed sync the system may report success although bytes are lost,
// so no later answer proves that bytes are there. From then on changes are refused until the server is restarted, which
// verifies everything. Reads continue, and so does the flush of contents that were acknowledged before.

import { CmsError } from '../../base/errors.ts'
import type { Pool } from '../../workers/pool.ts'
import { readOnlyDisk } from './file-errors.ts'

export interface ContentDisk {
  readonly pool: Pool
  /** Throws read-only if the disk has failed. */
  requireWritable(): void
  /** Translates and throws the error of a write outside of the pool. */
  refuse(error: unknown): never
  /** Call if the disk of the records has failed in the same way. */
  note(cause: unknown): void
  isReadOnly(): boolean
  /** Unreferenced bytes may have been left behind. */
  hasFailed(): boolean
}

/** The disk failed, or the system has remounted it read-only for that reason. */
const FAILURES: ReadonlySet<unknown> = new Set(['EIO', 'EROFS'])

/** Tasks of new changes. writeOut and removeFiles belong to acknowledged changes and may run. */
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
      // A full disk or a lack of descriptors does not prevent the removal of a partial file.
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

/** A task reports the error code of the system as the cause of its error. */
function isFailure(error: unknown): boolean {
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  return FAILURES.has(code) || FAILURES.has(cause)
}

// Opens a data directory in a reader process beside the server process that owns it (--processes). Nothing is verified,
// locked or repaired here: the owner has done that, and outlives this process.

import { HandOver } from '../base/errors.ts'
import type { Pool } from '../workers/pool.ts'
import { openFormStore } from './embedded/coded-forms.ts'
import { openPictureStore } from './embedded/picture-store.ts'
import { openContents } from './embedded/file-contents.ts'
import { dataPathsOf } from './embedded/data-paths.ts'
import { openHolds } from './embedded/backup-holds.ts'
import { NO_WRITE_OUT, NO_WRITING, openToRead } from './embedded/read-only.ts'
import type { StorageLimits } from './engine.ts'
import type { FormStore, PictureStore } from './form-store.ts'
import type { Contents, Records } from './port.ts'
import { openRecords } from './records/records.ts'
import { searchLimitsOf } from './records/search.ts'

export interface BesideOptions {
  readonly dataDir: string
  readonly limits: StorageLimits
  /** The part of the cache memory that this process may use. */
  readonly cacheShare: number
  /** Called once if the records can no longer be read: the process must end. */
  readonly onFailure: (cause: unknown) => void
}

export interface StorageBeside {
  readonly records: Records
  readonly contents: Contents
  readonly forms: FormStore
  readonly pictures: Pick<PictureStore, 'read'>
  close(): Promise<void>
}

export function openBeside({
  dataDir,
  limits,
  cacheShare,
  onFailure,
}: BesideOptions): StorageBeside {
  const dataPaths = dataPathsOf(dataDir)
  const kv = openToRead(dataPaths, onFailure)
  const records = openRecords(kv, {
    sharing: 'reads',
    cacheShare,
    limits: searchLimitsOf(limits),
    matchElsewhere: () => {
      throw new HandOver()
    },
  })
  const disk = { ...NO_WRITING, pool: NO_POOL }
  const holds = openHolds()
  const contents = openContents({ dataPaths, disk, limits, kv, writeOut: NO_WRITE_OUT, holds })
  const { tmp } = dataPaths
  const forms = openFormStore({ directory: dataPaths.forms, tmp })
  // Nothing is written here, so nothing is removed.
  const maxBytes = Number.POSITIVE_INFINITY
  const pictures = openPictureStore({ directory: dataPaths.pictures, tmp, maxBytes })
  return { records, contents: orHandOver(contents), forms, pictures, close: () => kv.close() }
}

/** Missing or wrong bytes may have been removed meanwhile: the request is handed over to the owner, which knows. */
function orHandOver(contents: Contents): Contents {
  const there = <T>(found: T | undefined): T => {
    if (found === undefined) throw new HandOver()
    return found
  }
  return {
    ...contents,
    read: async (name, expected) => there(await contents.read(name, expected)),
    open: async (name) => there(await contents.open(name)),
    encode: async (name, options) => there(await contents.encode(name, options)),
  }
}

/** All processes share the threads of the owner. */
const NO_POOL: Pool = {
  run: () => Promise.reject(new HandOver()),
  status: () => ({ waiting: 0, running: 0 }),
  close: async () => undefined,
}

// The scrub of contents that are files of a disk: a thread of the lowest priority reads them, and those that are wrong go
// to quarantine.

import { existsSync } from 'node:fs'
import { openPool } from '../../workers/pool.ts'
import { contentPath, type DataPaths } from '../embedded/data-paths.ts'
import type { ScrubPlace } from '../engine.ts'
import type { Kv } from '../records/kv.ts'
import type { Records } from '../port.ts'
import type { ScrubStatus } from '../status.ts'
import { quarantine } from './recovery.ts'
import { openScrub, type ScrubOptions } from './scrub.ts'

export interface FileScrubOptions extends Pick<ScrubOptions, 'limits' | 'onDamage'> {
  readonly dataPaths: DataPaths
  readonly kv: Kv
  readonly records: Records
}

export interface FileScrub {
  status(): ScrubStatus
  /** Ends the pass where it is; the next start goes on from there. */
  close(): Promise<void>
}

export function openFileScrub(options: FileScrubOptions): FileScrub {
  const { dataPaths, kv, records, limits, onDamage } = options
  const closing = new AbortController()
  // A thread of its own, so that tasks of requests do not wait behind one that waits.
  const pool = openPool(1, { idleThreads: 0, idleMs: 1_000 })
  /** Tells the task, which waits most of the time, to end. */
  const stop = new Int32Array(new SharedArrayBuffer(4))
  const place: ScrubPlace = {
    compare: (versions) =>
      pool.run('scrubFiles', {
        files: versions.map(({ asset_file_id: fileId, uid, size: sizeBytes, sha256 }) => ({
          path: contentPath(dataPaths, { fileId, uid }),
          sizeBytes,
          sha256,
        })),
        bytesPerSecond: limits.bytesPerSecond,
        stop,
      }),
    requireThere() {
      // A disk that is not there any more has damaged nothing.
      if (!existsSync(dataPaths.instance))
        throw new Error(`${dataPaths.dataDir} is not there any more.`)
    },
    setApart(name) {
      const path = contentPath(dataPaths, name)
      if (existsSync(path)) quarantine(dataPaths, [path])
    },
    apart: 'a content is damaged and set apart',
  }
  const scrub = openScrub({ place, kv, limits, onDamage })
  const running = scrub.run(records, closing.signal)

  return {
    status: scrub.status,
    async close() {
      closing.abort()
      Atomics.store(stop, 0, 1)
      Atomics.notify(stop, 0)
      await running
      await pool.close()
    },
  }
}

// Scrubs contents that are files: a thread of the lowest priority reads them, and damaged files go to quarantine.

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
  /** Stops the pass; the next start resumes it. */
  close(): Promise<void>
}

export function openFileScrub(options: FileScrubOptions): FileScrub {
  const { dataPaths, kv, records, limits, onDamage } = options
  const closing = new AbortController()
  // A thread of its own, so that tasks of requests do not queue behind a pausing task.
  const pool = openPool(1, { idleThreads: 0, idleMs: 1_000 })
  /** Ends the task, which pauses most of the time. */
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
      // A missing disk has damaged nothing.
      if (!existsSync(dataPaths.instance))
        throw new Error(`${dataPaths.dataDir} does not exist any more.`)
    },
    setApart(name) {
      const path = contentPath(dataPaths, name)
      if (existsSync(path)) quarantine(dataPaths, [path])
    },
    apart: 'damaged content moved to quarantine',
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

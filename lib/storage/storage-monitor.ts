// Monitoring of a running server: free disk space, scrub of contents, and counts of contents. Commands that open the
// directory briefly do not need it.

import { existsSync } from 'node:fs'
import type { Kv } from './records/kv.ts'
import type { ScrubPlace, Watch, WatchOptions } from './engine.ts'
import type { Need, Records } from './port.ts'
import { openCensus } from './integrity/census.ts'
import { type Headroom, type HeadroomOptions, openHeadroom } from './embedded/free-space.ts'
import { type DataPaths, contentPath } from './embedded/data-paths.ts'
import { openScrub, type ScrubOptions } from './integrity/scrub.ts'
import { openPool } from '../workers/pool.ts'
import type { ScrubStatus } from './status.ts'
import { quarantine } from './integrity/recovery.ts'

/** For a cluster node, which has a copy of the records and some contents on its disk. One node at a time scrubs the store. */
export async function openNodeWatch(
  { dataDir, recordsDir, kv, placeOf }: WatchedNode,
  { headroom: limits, scrub: scrubLimits, log }: WatchOptions,
): Promise<Watch> {
  const headroom = await openRoom({ dataDir, records: recordsDir }, limits, log)
  const census = openCensus(kv)
  const scrub = openScrub({
    place: placeOf(scrubLimits.bytesPerSecond),
    kv,
    limits: scrubLimits,
    onDamage: (facts, message) => log.error(facts, message),
  })
  return {
    room: headroom,
    scrub: ({ records, signal }) => scrub.run(records, signal),
    status: () => ({
      disks: headroom.disks(),
      refused: headroom.refused(),
      scrub: scrub.status(),
      count: census.latest(),
    }),
    async close() {
      headroom.close()
      await census.close()
    },
  }
}

interface WatchedNode {
  readonly dataDir: string
  readonly recordsDir: string
  readonly kv: Kv
  readonly placeOf: (bytesPerSecond: number) => ScrubPlace
}

interface Watched {
  readonly dataPaths: DataPaths
  readonly kv: Kv
  readonly records: Records
}

export async function openWatch(
  watched: Watched,
  { headroom: limits, scrub: scrubLimits, log }: WatchOptions,
): Promise<Watch> {
  const headroom = await openRoom(watched.dataPaths, limits, log)
  const scrub = openFileScrub({
    ...watched,
    limits: scrubLimits,
    onDamage: (facts, message) => log.error(facts, message),
  })
  const census = openCensus(watched.kv)

  return {
    room: headroom,
    status: () => ({
      disks: headroom.disks(),
      refused: headroom.refused(),
      scrub: scrub.status(),
      count: census.latest(),
    }),
    async close() {
      headroom.close()
      await Promise.all([scrub.close(), census.close()])
    },
  }
}

function openRoom(
  dataPaths: HeadroomOptions['dataPaths'],
  limits: WatchOptions['headroom'],
  log: WatchOptions['log'],
): Promise<Headroom> {
  return openHeadroom({
    dataPaths,
    limits,
    onChange: (refused, disks) => log.warn({ refused, disks }, messageOf(refused)),
  })
}

function messageOf(refused: Need | undefined): string {
  if (refused === undefined) return 'disk space is available again; changes are accepted'
  return refused === 'content'
    ? 'disk nearly full; new content is refused until free space exceeds --min-free-mb and --min-free-percent'
    : 'disk full; all changes except deletes are refused until free space exceeds a quarter of --min-free-mb'
}

// Scrubs contents that are files: a thread of the lowest priority reads them, and damaged files go to quarantine.

interface FileScrubOptions extends Pick<ScrubOptions, 'limits' | 'onDamage'> {
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

// Monitoring of a running server: free disk space, scrub of contents, and counts of contents. Commands that open the
// directory briefly do not need it.

import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { contentNameOf } from '../schema/asset-file.ts'
import type { Kv } from './records/kv.ts'
import type { ScrubPlace, Watch, WatchOptions, HeadroomLimits } from './engine.ts'
import type { Need, Records, Room } from './port.ts'
import { openCensus } from './integrity/census.ts'
import { type DataPaths, contentPath } from './embedded/data-paths.ts'
import { openScrub, type ScrubOptions } from './integrity/scrub.ts'
import { openPool } from '../workers/pool.ts'
import type { ScrubStatus, DiskStatus } from './status.ts'
import { quarantine } from './integrity/recovery.ts'
import { CmsError } from '../base/errors.ts'

/** For a cluster node, which has a copy of the records and some contents on its disk. One node at a time scrubs the store. */
export async function openNodeWatch(
  { dataDir, recordsDir, kv, placeOf }: WatchedNode,
  options: WatchOptions,
): Promise<Watch> {
  const { scrub: limits, log } = options
  const disk = await openDiskWatch({ dataDir, records: recordsDir }, kv, options)
  const scrub = openScrub({
    place: placeOf(limits.bytesPerSecond),
    kv,
    limits,
    onDamage: (facts, message) => log.error(facts, message),
  })
  return {
    room: disk.room,
    scrub: ({ records, signal }) => scrub.run(records, signal),
    status: () => ({ ...disk.status(), scrub: scrub.status() }),
    close: disk.close,
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

export async function openWatch(watched: Watched, options: WatchOptions): Promise<Watch> {
  const { scrub: limits, log } = options
  const disk = await openDiskWatch(watched.dataPaths, watched.kv, options)
  const scrub = openFileScrub({
    ...watched,
    limits,
    onDamage: (facts, message) => log.error(facts, message),
  })
  return {
    room: disk.room,
    status: () => ({ ...disk.status(), scrub: scrub.status() }),
    async close() {
      await Promise.all([disk.close(), scrub.close()])
    },
  }
}

/** Free disk space and counts of contents, which every watch has. */
async function openDiskWatch(
  dataPaths: HeadroomOptions['dataPaths'],
  kv: Kv,
  { headroom: limits, log }: WatchOptions,
) {
  const room = await openHeadroom({
    dataPaths,
    limits,
    onChange: (refused, disks) => log.warn({ refused, disks }, messageOf(refused)),
  })
  const census = openCensus(kv)
  return {
    room,
    status: () => ({ disks: room.disks(), refused: room.refused(), count: census.latest() }),
    async close() {
      room.close()
      await census.close()
    },
  }
}

function messageOf(refused: Need | undefined): string {
  if (refused === undefined) return 'disk space is available again; changes are accepted'
  return refused === 'content'
    ? 'disk nearly full; new content is rejected until free space exceeds --min-free-mb and --min-free-percent'
    : 'disk nearly full; all changes except deletes are rejected until free space exceeds a quarter of --min-free-mb'
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
        files: versions.map((version) => ({
          path: contentPath(dataPaths, contentNameOf(version)),
          sizeBytes: version.size,
          sha256: version.sha256,
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

// Checks the free space of the disks every two seconds. Below the first limit new content is refused. Below a quarter of
// it all changes are refused except deletes, which need little space themselves. No restart is needed: changes are
// accepted again as soon as a check finds enough space.

export interface Headroom extends Room {
  disks(): readonly DiskStatus[]
  /** Kind of write that is refused at present. */
  refused(): Need | undefined
  close(): void
}

interface HeadroomOptions {
  readonly dataPaths: Pick<DataPaths, 'dataDir' | 'records'>
  readonly limits: HeadroomLimits
  /** Called when the refused kind changes. */
  readonly onChange: (refused: Need | undefined, disks: readonly DiskStatus[]) => void
}

const LOOK_EVERY_MS = 2_000
/** Below this part of minFreeBytes all changes except deletes are refused. */
const FLOOR_RATIO = 1 / 4
/** A disk can also run out of inodes; file systems that create inodes on demand report a total of 0. */
const MIN_FREE_INODES_RATIO = 0.01

export async function openHeadroom({
  dataPaths,
  limits,
  onChange,
}: HeadroomOptions): Promise<Headroom> {
  const look = () =>
    Promise.all([lookAt('contents', dataPaths.dataDir), lookAt('records', dataPaths.records)])
  const isFull = (need: Need, sizeBytes: number): boolean =>
    disks.some((disk) => lacksRoom(disk, limits, need, sizeBytes))
  const refusedNow = (): Need | undefined => {
    if (isFull('record', 0)) return 'record'
    return isFull('content', 0) ? 'content' : undefined
  }
  let disks: readonly DiskStatus[] = await look()
  let refused: Need | undefined
  let isLooking = false

  function tell(): void {
    const now = refusedNow()
    if (now === refused) return
    refused = now
    onChange(now, disks)
  }

  /** Keeps the last result if a disk does not answer; waiting commits report that themselves. */
  async function lookAgain(): Promise<void> {
    if (isLooking) return
    isLooking = true
    disks = await look().finally(() => {
      isLooking = false
    })
    tell()
  }

  tell()
  const timer = setInterval(() => void lookAgain().catch(() => undefined), LOOK_EVERY_MS).unref()

  return {
    disks: () => disks,
    refused: () => refused,
    require(need, sizeBytes = 0) {
      if (isFull(need, sizeBytes)) throw noRoom(need)
    },
    close: () => clearInterval(timer),
  }
}

async function lookAt(name: DiskStatus['name'], path: string): Promise<DiskStatus> {
  const { bsize, blocks, bavail, files, ffree } = await statfs(path)
  return {
    name,
    sizeBytes: blocks * bsize,
    freeBytes: bavail * bsize,
    inodes: files,
    freeInodes: ffree,
  }
}

function lacksRoom(
  { sizeBytes, freeBytes, inodes, freeInodes }: DiskStatus,
  { minFreeBytes, minFreeRatio }: HeadroomLimits,
  need: Need,
  moreBytes: number,
): boolean {
  if (minFreeBytes === 0) return false
  if (need === 'record') return freeBytes < minFreeBytes * FLOOR_RATIO
  return (
    freeBytes - moreBytes < Math.max(minFreeBytes, sizeBytes * minFreeRatio) ||
    freeInodes < inodes * MIN_FREE_INODES_RATIO
  )
}

function noRoom(need: Need): CmsError {
  const detail =
    need === 'content'
      ? 'There is too little disk space for new content. Deletes and changes without new content still work. Ask the operator to free space or to lower --min-free-mb and --min-free-percent.'
      : 'The disk is almost full. Only reads and deletes work. Ask the operator to free space or to lower --min-free-mb.'
  return new CmsError('disk-full', detail)
}

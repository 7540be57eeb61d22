// How much room the disks have, looked at every two seconds. New content is refused while there is room
// left for everything else, and below a quarter of that all changes but deletes, which need a little
// room themselves. Nothing has to be restarted: a look that finds room again lifts it.

import { statfs } from 'node:fs/promises'
import { CmsError } from '../../base/errors.ts'
import type { HeadroomLimits } from '../engine.ts'
import type { Need, Room } from '../port.ts'
import type { DiskStatus } from '../status.ts'
import type { DataPaths } from './data-paths.ts'

export interface Headroom extends Room {
  disks(): readonly DiskStatus[]
  /** What is refused at present. */
  refused(): Need | undefined
  close(): void
}

export interface HeadroomOptions {
  readonly dataPaths: Pick<DataPaths, 'dataDir' | 'records'>
  readonly limits: HeadroomLimits
  /** What is refused has changed. */
  readonly onChange: (refused: Need | undefined, disks: readonly DiskStatus[]) => void
}

const LOOK_EVERY_MS = 2_000
/** Below this part of minFreeBytes all changes but deletes are refused. */
const FLOOR_RATIO = 1 / 4
/** A disk can also be full of files; some file systems make them as they need them, and count none. */
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

  /** A disk that does not answer leaves what was known; the commits that wait for it tell of that. */
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
      ? 'There is too little room on the disk for new content. Deletes and changes without new content go on; the operator has to make room, or to keep less free (--min-free-mb, --min-free-percent).'
      : 'There is hardly any room on the disk. Only reads and deletes go on until the operator has made room, or keeps less free (--min-free-mb).'
  return new CmsError('disk-full', detail)
}

// Checks the free space of the disks every two seconds. Below the first limit new content is refused. Below a quarter of
// it all changes are refused except deletes, which need little space themselves. No restart is needed: changes are
// accepted again as soon as a check finds enough space.

import { statfs } from 'node:fs/promises'
import { CmsError } from '../../base/errors.ts'
import type { HeadroomLimits } from '../engine.ts'
import type { Need, Room } from '../port.ts'
import type { DiskStatus } from '../status.ts'
import type { DataPaths } from './data-paths.ts'

export interface Headroom extends Room {
  disks(): readonly DiskStatus[]
  /** Kind of write that is refused at present. */
  refused(): Need | undefined
  close(): void
}

export interface HeadroomOptions {
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

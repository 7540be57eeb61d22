// Moves the contents that the records of a site refer to and then reads each of them back completely. Inline contents
// were moved with the rows. Damaged contents are reported and stay where they are.

import pMap from 'p-map'
import { CmsError } from '../../base/errors.ts'
import type { AssetFileVersion } from '../../schema/asset-file.ts'
import { eachFile } from '../../storage/backup/moment.ts'
import { nameOf } from '../../storage/integrity/verify-contents.ts'
import type { Kv } from '../../storage/records/kv.ts'

/** `there`: the content was at the target before. */
export type Brought = 'moved' | 'there' | 'missing' | 'wrong'

export interface ContentMover {
  /** If the result is `moved` or `there`, the content is durable. */
  bring(version: AssetFileVersion): Promise<Brought>
  /** Reads the content back from the target. */
  isRight(version: AssetFileVersion): Promise<boolean>
}

export interface ContentsProgress {
  readonly count: number
  readonly total: number
  readonly bytes: number
  readonly totalBytes: number
}

export interface MoveContents {
  /** Holds the rows of the site. */
  readonly kv: Kv
  readonly mover: ContentMover
  readonly totals: ContentTotals
  /** Only compare; move nothing. */
  readonly isCompare: boolean
  readonly signal: AbortSignal
  readonly onBrought: (progress: ContentsProgress) => void
  readonly onRead: (progress: ContentsProgress) => void
}

export interface MovedContents {
  readonly count: number
  readonly bytes: number
  readonly moved: number
  readonly faults: readonly string[]
  /** Contents that were already marked as damaged. */
  readonly known: number
}

export interface ContentTotals {
  readonly count: number
  readonly bytes: number
}

const IN_FLIGHT = 8

export function totalsOf(kv: Kv): ContentTotals {
  let [count, bytes] = [0, 0]
  for (const versions of eachFile(kv)) {
    count += versions.length
    for (const { size } of versions) bytes += size
  }
  return { count, bytes }
}

export async function moveContents(options: MoveContents): Promise<MovedContents> {
  const { mover, isCompare } = options
  const lost = new Set<string>()
  const faults: string[] = []
  const done = { moved: 0, known: 0, count: 0, bytes: 0 }

  if (!isCompare)
    await eachInTurn(options, options.onBrought, async (version) => {
      const brought = await mover.bring(version)
      if (brought === 'moved') done.moved += 1
      if (brought !== 'missing' && brought !== 'wrong') return
      lost.add(version.uid)
      if (version.damaged) done.known += 1
      else faults.push(`${nameOf(version)}: the bytes are ${brought}.`)
    })

  await eachInTurn(options, options.onRead, async (version) => {
    if (lost.has(version.uid)) return
    if (!(await readBack(options, version))) {
      if (!isCompare) throw notKept(version)
      if (version.damaged) done.known += 1
      else faults.push(`${nameOf(version)}: the bytes are missing or wrong.`)
      return
    }
    done.count += 1
    done.bytes += version.size
  })
  return { ...done, faults }
}

/** An interrupted run may have left wrong bytes: the content is moved a second time. */
async function readBack(
  { mover, isCompare }: MoveContents,
  version: AssetFileVersion,
): Promise<boolean> {
  if (await mover.isRight(version)) return true
  if (isCompare) return false
  const brought = await mover.bring(version)
  return (brought === 'moved' || brought === 'there') && mover.isRight(version)
}

async function eachInTurn(
  { kv, totals, signal }: MoveContents,
  onProgress: (progress: ContentsProgress) => void,
  work: (version: AssetFileVersion) => Promise<void>,
): Promise<void> {
  let [count, bytes] = [0, 0]
  const one = async (version: AssetFileVersion): Promise<void> => {
    signal.throwIfAborted()
    await work(version)
    count += 1
    bytes += version.size
    onProgress({ count, bytes, total: totals.count, totalBytes: totals.bytes })
  }
  // Most files have one version, so concurrent moves are of different files.
  await pMap(eachVersion(kv), one, { concurrency: IN_FLIGHT })
}

function* eachVersion(kv: Kv): Iterable<AssetFileVersion> {
  for (const versions of eachFile(kv)) yield* versions
}

function notKept(version: AssetFileVersion): CmsError {
  const detail = `${nameOf(version)}: the bytes read back differ from the bytes that were written. The move is incomplete. Check the disk or store of the target, then run the same command again.`
  return new CmsError('content-damaged', detail)
}

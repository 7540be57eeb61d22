// Copies the contents of a snapshot from one data directory to another, several at a time, and reports the contents that
// could not be copied. A fault does not stop the rest.

import pMap from 'p-map'
import { type AssetFileVersion, contentNameOf } from '../../schema/asset-file.ts'
import type { Pool } from '../../workers/pool.ts'
import { contentPath, type DataPaths } from '../embedded/data-paths.ts'
import { nameOf } from '../integrity/verify-contents.ts'

export type OnProgress = (count: number, total: number, bytes: number) => void

export interface CopyContents {
  readonly from: DataPaths
  readonly to: DataPaths
  /** An older backup, whose files are hard-linked if their bytes are right. */
  readonly older?: DataPaths | undefined
  readonly isFromBackup?: boolean
  /** Contents that the records refer to; iterated twice. */
  readonly files: () => Iterable<readonly AssetFileVersion[]>
  readonly pool: Pool
  /** Stops the copying. */
  readonly signal: AbortSignal
  readonly onProgress: OnProgress
}

export interface CopiedContents {
  readonly count: number
  readonly bytes: number
  /** How many of them are hard links. */
  readonly linked: number
  readonly faults: readonly string[]
  /** Contents that were already marked as damaged. */
  readonly known: number
}

const IN_FLIGHT = 8

export async function copyContents(options: CopyContents): Promise<CopiedContents> {
  const { from, to, older, isFromBackup = false, pool, signal, onProgress } = options
  const total = countOf(options.files())
  const faults: string[] = []
  const done = { count: 0, bytes: 0, linked: 0, known: 0 }

  async function copy(version: AssetFileVersion): Promise<void> {
    signal.throwIfAborted()
    const name = contentNameOf(version)
    const outcome = await pool.run('copyContent', {
      from: contentPath(from, name),
      to: contentPath(to, name),
      older: older && contentPath(older, name),
      sizeBytes: version.size,
      sha256: version.sha256,
      isFromBackup,
    })
    if (outcome === 'missing' || outcome === 'wrong') {
      if (version.damaged) done.known += 1
      else faults.push(`${nameOf(version)}: the bytes are ${outcome}.`)
      return
    }
    done.count += 1
    done.bytes += version.size
    if (outcome === 'linked') done.linked += 1
    onProgress(done.count, total, done.bytes)
  }

  for (const versions of options.files()) await pMap(versions, copy, { concurrency: IN_FLIGHT })
  return { ...done, faults }
}

function countOf(files: Iterable<readonly AssetFileVersion[]>): number {
  let count = 0
  for (const versions of files) count += versions.length
  return count
}

// The live and the stage pointer of a file: two version numbers in its record.

import type { AssetFile } from '../../schema/asset-file.ts'

export type FileState = 'publish' | 'stage'

interface Move {
  readonly now: string
  /** Undefined stands for the latest version. */
  readonly version?: number | undefined
}

/**
 * The record with its pointers moved; the same object if nothing changes. Publishing moves both, so that the stage is
 * never behind the live site; publishing an older version moves only the live pointer.
 */
export function movePointer(file: AssetFile, state: FileState, { now, version }: Move): AssetFile {
  const target = version ?? file.version
  const live_version = state === 'publish' ? target : file.live_version
  const staged_version = state === 'stage' ? target : Math.max(target, file.staged_version ?? 0)

  const isLiveMoved = live_version !== file.live_version
  const isStageMoved = staged_version !== file.staged_version
  if (!isLiveMoved && !isStageMoved && file.fileState === state) return file
  return {
    ...file,
    fileState: state,
    live_version,
    staged_version,
    date_published: isLiveMoved ? now : file.date_published,
    date_staged: isStageMoved ? now : file.date_staged,
    date_modified: now,
  }
}

// `cms-server migrate`: moves a whole site from a data directory to a database and an object store, or back. The site
// stays the same: identifiers, versions, dates, the audit trail, the change log, keys, sessions and pending work are
// rows, and all rows are moved byte for byte.
//
// The source is neither changed by the move nor by others meanwhile: a directory is locked or served read-only; a
// cluster is blocked by the lock of its newest commit. The target must be empty or hold an interrupted run of this move,
// and is marked so that nothing else opens it: `.moving` in a directory, cms_move in a database. Steps:
//
// 1. Move the rows, then compare all of them (move-rows.ts).
// 2. Move the contents that the rows refer to, then read each of them back (move-contents.ts).
// 3. Turn the target into a site.

import type { ClusterSettings } from '../../config/cluster-settings.ts'
import { CmsError } from '../../base/errors.ts'
import type { Pool } from '../../workers/pool.ts'
import { reasonsOf } from '../database-fault.ts'
import { RefusedError } from '../../storage/embedded/refusal.ts'
import type { ContentsProgress, ContentTotals, MovedContents } from './move-contents.ts'
import type { ComparedRows } from './move-rows.ts'

export type MovingStep = 'rows' | 'rows compared' | 'contents' | 'contents read back'

export interface MovingProgress {
  readonly step: MovingStep
  readonly done: number
  readonly total: number
  readonly bytes: number
  readonly totalBytes: number
}

export interface MoveOptions {
  readonly dataDir: string
  readonly cluster: ClusterSettings
  /** Move the rest even if contents are damaged in the source. */
  readonly leaveDamaged: boolean
  readonly pool: Pool
  readonly signal: AbortSignal
  readonly onProgress: (progress: MovingProgress) => void
  /** Receives notes for the operator while the move runs. */
  readonly onNote: (line: string) => void
}

export interface MoveReport {
  readonly site: string
  readonly rows: ComparedRows
  /** Rows that were written. */
  readonly movedRows: number
  readonly contents: MovedContents
  /** Small contents that are stored inline in the rows. */
  readonly inline: number
  /** False if there are faults and the target is no site yet. */
  readonly isWhole: boolean
}

/** Advice after a failure of the database. */
export const GO_ON = 'Everything moved so far is kept. Run the same command again to resume.'

/** Throws the error for a move that failed in its last step. */
export function failedAtLast(error: unknown): never {
  if (error instanceof RefusedError) throw error
  const detail = `All rows and contents were moved and compared; the last step failed: ${reasonsOf(error)} Run the same command again: it compares everything and completes the move.`
  throw new CmsError('unavailable', detail, { cause: error })
}

/** Builds the progress callbacks of the steps. */
export function buildProgress({ onProgress }: MoveOptions) {
  let step: MovingStep = 'rows'
  const contentsProgress =
    (of: MovingStep) =>
    ({ count, total, bytes, totalBytes }: ContentsProgress): void =>
      onProgress({ step: of, done: count, total, bytes, totalBytes })
  return {
    rows: (totals: ContentTotals) => ({
      onRows: (rows: number, bytes: number): void =>
        onProgress({ step, done: rows, total: totals.count, bytes, totalBytes: totals.bytes }),
      onCompare: (): void => {
        step = 'rows compared'
      },
    }),
    onBrought: contentsProgress('contents'),
    onRead: contentsProgress('contents read back'),
  }
}

// `cms-server migrate`: a whole site, from a data directory to a database and a store, or back. Nothing of it becomes
// another: identifiers, versions, dates, the audit trail and the log of changes, keys, sessions and pending work are
// rows, and all rows are moved, with their bytes.
//
// The source stays as it is, and is not changed meanwhile: of a directory by its lock, or by a server that only reads;
// of a cluster by the lock of its newest commit. The target is empty, or the half of this very move, and says so to
// who would open it: `.moving` in a directory, cms_move in a database. In this order:
//
// 1. The rows, then once more all of them to compare (rows.ts).
// 2. The contents that the rows name, then each read back from its new place (contents.ts).
// 3. The target is a site from here on.

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
  /** Contents that are damaged in the source keep nobody from the rest. */
  readonly leaveDamaged: boolean
  readonly pool: Pool
  readonly signal: AbortSignal
  readonly onProgress: (progress: MovingProgress) => void
  /** What the operator has to know while it goes on. */
  readonly onNote: (line: string) => void
}

export interface MoveReport {
  readonly site: string
  readonly rows: ComparedRows
  /** Rows that were written. */
  readonly movedRows: number
  readonly contents: MovedContents
  /** Small contents that ride in the rows. */
  readonly carried: number
  /** False: there are faults, and the target is no site yet. */
  readonly isWhole: boolean
}

/** Where the database failed. */
export const GO_ON = 'What was moved so far stays; run the same command again to go on.'

/** Throws for a move of which nothing is left to do but the last step. */
export function failedAtLast(error: unknown): never {
  if (error instanceof RefusedError) throw error
  const detail = `All rows and contents were moved and compared; the last step failed: ${reasonsOf(error)} Run the same command again: it compares, and makes the site.`
  throw new CmsError('unavailable', detail, { cause: error })
}

/** How each step tells how far it is. */
export function openTelling({ onProgress }: MoveOptions) {
  let step: MovingStep = 'rows'
  const tellContents =
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
    onBrought: tellContents('contents'),
    onRead: tellContents('contents read back'),
  }
}

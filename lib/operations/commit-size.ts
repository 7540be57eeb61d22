// The bytes of the records in a commit. Parsing and writing a mebibyte takes about 5 ms, during which nothing else runs, so a
// series of changes ends its commit here and continues in the next one.

import type { Unit } from '../storage/port.ts'

/** Records before and after their changes; about 20 ms. */
export const MAX_COMMIT_BYTES = 4 * 1024 * 1024
const MAX_COMMIT_MS = 20

export interface CommitSize {
  /** Whether the changes so far are as many bytes as one commit should have. */
  isFull(): boolean
  /** Also true after 20 ms: reading large records takes time too, even if nothing changes. */
  isOver(): boolean
}

export function openCommitSize({ changes }: Pick<Unit, 'changes'>): CommitSize {
  const end = performance.now() + MAX_COMMIT_MS
  let [counted, sizeBytes] = [0, 0]
  const isFull = (): boolean => {
    for (const { before, stored } of changes.slice(counted))
      sizeBytes += (before?.sizeBytes ?? 0) + (stored?.sizeBytes ?? 0)
    counted = changes.length
    return sizeBytes >= MAX_COMMIT_BYTES
  }
  return { isFull, isOver: () => isFull() || performance.now() >= end }
}

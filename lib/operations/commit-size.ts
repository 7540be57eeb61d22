// The bytes of the records in a commit. Parsing and writing a mebibyte takes about 5 ms, during which nothing else runs, so a
// series of changes ends its commit here and continues in the next one.

import type { ObjectType } from '../schema/object.ts'
import type { Reader, Unit } from '../storage/port.ts'

/** Records before and after their changes; about 20 ms. */
const MAX_COMMIT_BYTES = 4 * 1024 * 1024

export interface CommitSize {
  /** Whether the changes so far are as many bytes as one commit should have. */
  isFull(): boolean
}

export function openCommitSize({ changes }: Pick<Unit, 'changes'>): CommitSize {
  let [counted, sizeBytes] = [0, 0]
  return {
    isFull() {
      for (const { before, stored } of changes.slice(counted))
        sizeBytes += (before?.sizeBytes ?? 0) + (stored?.sizeBytes ?? 0)
      counted = changes.length
      return sizeBytes >= MAX_COMMIT_BYTES
    },
  }
}

/** The first of the records, at least one, that one commit should read. */
export function smallEnough(
  reader: Pick<Reader, 'get'>,
  { recordType }: Pick<ObjectType, 'recordType'>,
  ids: readonly number[],
): readonly number[] {
  let sizeBytes = 0
  const end = ids.findIndex((id) => {
    const isFull = sizeBytes >= MAX_COMMIT_BYTES
    sizeBytes += reader.get(recordType, id)?.sizeBytes ?? 0
    return isFull
  })
  return end === -1 ? ids : ids.slice(0, end)
}

// Changes of a commit that other changes of the same commit imply, so that the audit trail does not repeat them.

import { pendingWork, type Work } from '../../schema/pending-work.ts'
import { trash } from '../../schema/trash.ts'
import type { Change } from '../../storage/port.ts'

/** Deletions and restores are recorded themselves, so only the removal for good of an item of the trash is recorded. */
export function isImplied({ type, stored }: Change, changes: readonly Change[]): boolean {
  if (type !== trash.recordType) return false
  const isDiscarded = changes.some(
    (other) => other.type === pendingWork && (other.stored?.value as Work)?.kind === 'discard',
  )
  return stored !== undefined || !isDiscarded
}

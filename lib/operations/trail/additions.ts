// Rows that the commit of a request writes in addition to its change: the audit row, and the response for a retry. They are
// in the same commit, so they exist exactly if the change does.

import { withMembers } from '../../base/with-members.ts'
import type { Change, Records, Unit } from '../../storage/port.ts'

/**
 * Runs at the end of each run of a plan, with its result. An error aborts the commit and makes other requests in the same group commit
 * run again, so checks that may refuse belong before the plan.
 */
export type Addition = (unit: Unit, changes: readonly Change[], result?: unknown) => void

/** Shared by several records of one request, so that only the first commit of all of them ends with the additions. */
export interface AdditionProgress {
  isDone: boolean
}

/**
 * The same records; the first commit that changes something ends with the additions. Later commits are work that this
 * commit promised, not changes that a client asked for.
 */
export function withAdditions(
  records: Records,
  additions: readonly Addition[],
  requireRoom: (unit: Unit) => void = () => undefined,
  progress: AdditionProgress = { isDone: false },
): Records {
  return withMembers(records, {
    async commit<T>(plan: (unit: Unit) => T): Promise<T> {
      if (progress.isDone) return records.commit(plan)
      let hasChanges = false
      const outcome = await records.commit((unit) => {
        requireRoom(unit)
        const result = plan(unit)
        // Puts of the additions are not part of the recorded changes.
        const changes = [...unit.changes]
        hasChanges = changes.length > 0
        if (hasChanges) for (const add of additions) add(unit, changes, result)
        return result
      })
      if (hasChanges) progress.isDone = true
      return outcome
    },
  })
}

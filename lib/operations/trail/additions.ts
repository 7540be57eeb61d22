// What the commit of a request writes beside its change: who did it, or what was answered. The rows are
// in the same commit, so they are there exactly when the change is.

import type { Change, Records, Unit } from '../../storage/port.ts'

/**
 * Runs at the end of a plan, and as often as the plan does. What it throws aborts the commit, and makes those of others
 * that ride in it run again: what may refuse is asked before the plan.
 */
export type Addition = (unit: Unit, changes: readonly Change[]) => void

/**
 * The same records; the first commit that changes something ends with the additions. What is committed
 * after it is work that it has promised, and no change that anybody asked for.
 */
export function withAdditions(
  records: Records,
  additions: readonly Addition[],
  requireRoom: (unit: Unit) => void = () => undefined,
): Records {
  let isDone = false
  return {
    ...records,
    async commit(plan) {
      if (isDone) return records.commit(plan)
      let hasChanges = false
      const outcome = await records.commit((unit) => {
        requireRoom(unit)
        const result = plan(unit)
        // What the additions put is no change of theirs to tell.
        const changes = [...unit.changes]
        hasChanges = changes.length > 0
        if (hasChanges) for (const add of additions) add(unit, changes)
        return result
      })
      isDone = hasChanges
      return outcome
    },
  }
}

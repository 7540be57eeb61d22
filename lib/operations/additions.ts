// What the commit of a request writes beside its change: who did it, or what was answered. The rows are
// in the same commit, so they are there exactly when the change is.

import type { Id, Records, RecordType, Stored, Unit } from '../storage/port.ts'

/** One record that a commit has put or removed. */
export interface Change {
  readonly type: RecordType
  readonly ids: readonly Id[]
  /** As it was before; undefined where it is new. */
  readonly before: Stored | undefined
  /** Undefined where the record was removed. Its revision is 1 when the record is new. */
  readonly stored: Stored | undefined
}

/** Runs at the end of a plan, and as often as the plan does. What it throws aborts the commit. */
export type Addition = (unit: Unit, changes: readonly Change[]) => void

/**
 * The same records; the first commit that changes something ends with the additions. What is committed
 * after it is work that it has promised, and no change that anybody asked for.
 */
export function withAdditions(records: Records, additions: readonly Addition[]): Records {
  let isDone = false
  return {
    ...records,
    async commit(plan) {
      if (isDone) return records.commit(plan)
      let hasChanges = false
      const outcome = await records.commit((unit) => {
        const changes: Change[] = []
        const result = plan(noteChanges(unit, changes))
        hasChanges = changes.length > 0
        if (hasChanges) for (const add of additions) add(unit, changes)
        return result
      })
      isDone = hasChanges
      return outcome
    },
  }
}

function noteChanges(unit: Unit, changes: Change[]): Unit {
  return {
    ...unit,
    put(type, ids, record) {
      const before = unit.get(type, ...ids)
      const stored = unit.put(type, ids, record)
      changes.push({ type, ids, before, stored })
      return stored
    },
    remove(type, ...ids) {
      const before = unit.get(type, ...ids)
      unit.remove(type, ...ids)
      if (before !== undefined) changes.push({ type, ids, before, stored: undefined })
    },
  }
}

// What the commit of a request writes beside its change: who did it, or what was answered. The rows are
// in the same commit, so they are there exactly when the change is.

import type { Id, Records, RecordType, Stored, Unit } from '../storage/port.ts'

/** One record that a commit has put or removed. */
export interface Change {
  readonly type: RecordType
  readonly ids: readonly Id[]
  /** Undefined where the record was removed. Its revision is 1 when the record is new. */
  readonly stored: Stored | undefined
}

/** Runs at the end of a plan, and as often as the plan does. What it throws aborts the commit. */
export type Addition = (unit: Unit, changes: readonly Change[]) => void

/** The same records; each commit that changes something ends with the additions. */
export function withAdditions(records: Records, additions: readonly Addition[]): Records {
  return {
    ...records,
    commit: (plan) =>
      records.commit((unit) => {
        const changes: Change[] = []
        const result = plan(noteChanges(unit, changes))
        if (changes.length > 0) for (const add of additions) add(unit, changes)
        return result
      }),
  }
}

function noteChanges(unit: Unit, changes: Change[]): Unit {
  return {
    ...unit,
    put(type, ids, record) {
      const stored = unit.put(type, ids, record)
      changes.push({ type, ids, stored })
      return stored
    },
    remove(type, ...ids) {
      unit.remove(type, ...ids)
      changes.push({ type, ids, stored: undefined })
    },
  }
}

// What the expansion of many rules may cost: so many steps, and no time, so that the same request always
// gets the same answer. A step is a day that is looked at or a start that is found, 0.1 to 0.25 µs.

import { CmsError, requestEnded } from '../base/errors.ts'

export interface Work {
  /** The entry that the next steps are for. */
  begin(entryId: number): void
  /** Throws too-large where there are none left, and unavailable where the task is to end. */
  spend(steps: number): void
}

export interface WorkOptions {
  readonly maxSteps: number
  /** Shared with who waits for the work: a number other than 0 ends it. */
  readonly stop?: Int32Array | undefined
}

/** So often the flag is looked at. */
const STEPS_A_LOOK = 10_000

/** An entry with a larger part of all the work is named. */
const LARGE_PART = 1 / 10

export function openWork({ maxSteps, stop }: WorkOptions): Work {
  let spent = 0
  let nextLook = STEPS_A_LOOK
  let current = { entryId: 0, from: 0 }
  let largest = { entryId: 0, steps: 0 }

  function endEntry(): void {
    const steps = spent - current.from
    if (steps > largest.steps) largest = { entryId: current.entryId, steps }
  }

  return {
    begin(entryId) {
      endEntry()
      current = { entryId, from: spent }
    },
    spend(steps) {
      spent += steps
      if (spent > maxSteps) {
        endEntry()
        throw tooMuch(largest.steps > maxSteps * LARGE_PART ? largest.entryId : undefined)
      }
      if (spent < nextLook) return
      nextLook = spent + STEPS_A_LOOK
      if (stop !== undefined && Atomics.load(stop, 0) !== 0) throw requestEnded()
    },
  }
}

function tooMuch(entryId: number | undefined): CmsError {
  if (entryId === undefined)
    return new CmsError(
      'too-large',
      'The rules of these entries are more work than one request may cause. Ask for a shorter time, or narrow it with qry.',
    )
  return new CmsError(
    'too-large',
    `The rrule of entry ${entryId} takes most of the work that one request may cause. Make the rule simpler, ask for a shorter time, or leave the entry out with qry.`,
    { members: { calendar_entry_id: entryId } },
  )
}

// The budget for expanding rules, in steps instead of time, so that the same request always gets the same answer. A
// step is an examined day or a found start, 0.1 to 0.25 µs.

import { CmsError, requestEnded } from '../base/errors.ts'

export interface ExpansionBudget {
  /** Attributes the following steps to this entry. */
  begin(entryId: number): void
  /** Throws too-large if no steps are left, and unavailable if the task must stop. */
  spend(steps: number): void
}

export interface BudgetOptions {
  readonly maxSteps: number
  /** Memory shared with the waiting caller: a number other than 0 stops the work. */
  readonly stop?: Int32Array | undefined
}

/** Steps between two checks of the stop flag. */
const STEPS_A_LOOK = 10_000

/** An entry that used more than this part of the budget is named in the error. */
const LARGE_PART = 1 / 10

export function openExpansionBudget({ maxSteps, stop }: BudgetOptions): ExpansionBudget {
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
      'Expanding the rules of these entries takes more work than one request may cause. Request a shorter period, or filter the entries with qry.',
    )
  return new CmsError(
    'too-large',
    `The rrule of entry ${entryId} takes most of the work that one request may cause. Simplify the rule, request a shorter period, or exclude the entry with qry.`,
    { members: { calendar_entry_id: entryId } },
  )
}

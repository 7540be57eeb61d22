// Runs several changes in one commit, each by itself: a change that is refused does not prevent the others. Large records are
// changed in several commits.

import { withMembers } from '../../base/with-members.ts'
import { CmsError } from '../../base/errors.ts'
import { openTimeSlice } from '../../schema/time-slicing.ts'
import type { Stored } from '../../schema/values.ts'
import type { Change, Reader, Records, Unit } from '../../storage/port.ts'
import { openCommitSize } from '../commit-size.ts'
import type { ChangeContext } from '../context.ts'

type Plan = (unit: Unit) => unknown

/** The error refused the change. */
type Settled = 'changed' | 'unchanged' | CmsError

/**
 * Returns the result of each change, in order. Each change must have one commit, whose plan throws before its first write
 * if it refuses. A dry run carries out the same checks and writes nothing.
 */
export async function commitEach(
  context: ChangeContext,
  changes: readonly ((context: ChangeContext) => Promise<unknown>)[],
  isDryRun: boolean,
): Promise<readonly Settled[]> {
  const settled: (Settled | undefined)[] = []
  const plans = new Map<number, Plan>()
  const slice = openTimeSlice()
  for (const [index, change] of changes.entries()) {
    const planned = await planOf(context, change)
    if (planned instanceof CmsError) settled[index] = planned
    else plans.set(index, planned)
    if (slice.isOver(0)) await slice.next()
  }
  const { records } = context
  const entries = [...plans]
  const outcomes: Settled[] = []
  while (outcomes.length < entries.length) {
    const rest = entries.slice(outcomes.length)
    if (isDryRun) outcomes.push(...rest.map(([, plan]) => settle(plan, dryUnit(records))))
    else {
      const some = commitSome(records, rest).catch((error: unknown) => {
        throw outcomes.length === 0 ? error : interrupted(error)
      })
      outcomes.push(...(await some))
    }
  }
  for (const [place, [index]] of entries.entries()) settled[index] = outcomes[place]
  return settled.map((one) => one ?? 'unchanged')
}

/** The error if a commit fails after others have changed records. */
export function interrupted(cause: unknown): CmsError {
  return new CmsError(
    'outcome-unknown',
    'The request failed unexpectedly, and some files were changed. Send it with dry_run to see what is left.',
    { cause },
  )
}

/** Runs the first plans, at least one. */
function commitSome(
  records: Records,
  entries: readonly (readonly [number, Plan])[],
): Promise<readonly Settled[]> {
  return records.commit((unit) => {
    const size = openCommitSize(unit)
    const outcomes: Settled[] = []
    for (const [, plan] of entries) {
      if (outcomes.length > 0 && size.isFull()) break
      outcomes.push(settle(plan, unit))
    }
    return outcomes
  })
}

/** Runs the change up to its commit. Returns the plan of the commit, or the error that refused the change before. */
async function planOf(
  context: ChangeContext,
  change: (context: ChangeContext) => Promise<unknown>,
): Promise<Plan | CmsError> {
  return new Promise((resolve, reject) => {
    const records: Records = withMembers(context.records, {
      // The change ends here: its result is that of the commit of all changes.
      commit: (plan: Plan): Promise<never> => {
        resolve(plan)
        return new Promise(() => undefined)
      },
    })
    change(withMembers(context, { records, isJoint: true })).catch((error: unknown) => {
      if (error instanceof CmsError) resolve(error)
      else reject(error)
    })
  })
}

function settle(plan: Plan, unit: Unit): Settled {
  const before = unit.changes.length
  try {
    plan(unit)
  } catch (error) {
    const isClean = unit.changes.length === before
    if (error instanceof CmsError && isClean) return error
    throw error
  }
  return unit.changes.length === before ? 'unchanged' : 'changed'
}

const NO_BYTES = Buffer.alloc(0)

/** A commit that writes nothing: it notes the changes of one plan. The plan reads the present records, so it must not read what it has written. */
function dryUnit(reader: Reader): Unit {
  const changes: Change[] = []
  return withMembers(reader, {
    changes,
    reuse: () => undefined,
    put<T extends object>(type: Change['type'], ids: Change['ids'], value: T): Stored<T> {
      const stored = { value, revision: 1, sizeBytes: 0, bytes: NO_BYTES, text: '' }
      changes.push({ type, ids, before: undefined, stored })
      return stored
    },
    remove(type: Change['type'], ...ids: Change['ids']) {
      changes.push({ type, ids, before: undefined, stored: undefined })
    },
    putInline: () => undefined,
  })
}

// Runs several changes in one commit: each change runs as if it were alone, up to its commit, and then waits. When every
// change waits, one commit runs all their plans. So a change needs no second definition for its use in a batch.

import { withMembers } from '../../base/with-members.ts'
import { CmsError } from '../../base/errors.ts'
import { openTimeSlice } from '../../schema/time-slicing.ts'
import type { Records, Unit } from '../../storage/port.ts'
import { MAX_JOINT_ROWS } from '../../shared/limits.ts'
import { openCommitSize } from '../commit-size.ts'
import type { ChangeContext } from '../context.ts'

interface Joining {
  readonly index: number
  readonly plan: (unit: Unit) => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/**
 * Returns the result of each change, in order. If a change is refused, before the commit or in it, nothing is changed, and
 * the error is that of the change, through `placed`. Commits that follow from a change run by themselves, afterwards.
 */
export async function commitJointly<T>(
  context: ChangeContext,
  changes: readonly ((context: ChangeContext) => Promise<T>)[],
  placed: (error: unknown, index: number) => unknown,
): Promise<readonly T[]> {
  const joined: Joining[] = []
  const results: Promise<T>[] = []
  const drop = (error: unknown): unknown => {
    for (const { reject } of joined) reject(error)
    return error
  }

  const slice = openTimeSlice()
  for (const [index, change] of changes.entries()) {
    let result: Promise<T> | undefined
    const atCommit = new Promise<void>((resolve) => {
      const records = joinedRecords(context.records, (joining) => {
        joined.push({ index, ...joining })
        resolve()
      })
      result = change(withMembers(context, { records, isJoint: true }))
      results.push(result)
    })
    try {
      await Promise.race([atCommit, result])
    } catch (error) {
      throw drop(placed(error, index))
    }
    // If another change is refused, this promise rejects as well, and nothing waits for it.
    result?.catch(() => undefined)
    if (slice.isOver(0)) await slice.next()
  }
  await commitAll(context.records, joined, placed).catch((error: unknown) => {
    throw drop(error)
  })
  return Promise.all(results)
}

async function commitAll(
  records: Records,
  joined: readonly Joining[],
  placed: (error: unknown, index: number) => unknown,
): Promise<void> {
  const outcomes = await records.commit((unit) => {
    const size = openCommitSize(unit)
    return joined.map(({ plan, index }) => {
      try {
        if (size.isFull()) throw tooManyRows()
        const outcome = plan(unit)
        if (unit.changes.length > MAX_JOINT_ROWS) throw tooManyRows()
        return outcome
      } catch (error) {
        throw placed(error, index)
      }
    })
  })
  for (const [place, { resolve }] of joined.entries()) resolve(outcomes[place])
}

function tooManyRows(): CmsError {
  return new CmsError(
    'too-large',
    'The operations up to here change more rows, or more bytes of rows, than one commit may. A delete changes a row for each version. Send fewer operations, or mode "each".',
  )
}

/** The first commit joins; later commits are work that follows from it. */
function joinedRecords(records: Records, join: (joining: Omit<Joining, 'index'>) => void): Records {
  let hasJoined = false
  return withMembers(records, {
    commit<R>(plan: (unit: Unit) => R): Promise<R> {
      if (hasJoined) return records.commit(plan)
      hasJoined = true
      return new Promise<R>((resolve, reject) => {
        join({ plan, resolve: resolve as Joining['resolve'], reject })
      })
    },
  })
}

// A time limit for commits, even if the disk hangs: a commit that has not started by then is canceled, and the outcome of
// a started commit is unknown. Reads of data in memory need no disk and continue.

import { CmsError } from '../../base/errors.ts'
import type { Records } from '../port.ts'

export function withDeadline(
  records: Records,
  timeoutMs: number,
  slow: 'disk' | 'database' = 'disk',
): Records {
  return {
    ...records,
    commit: (plan) =>
      new Promise((resolve, reject) => {
        let state: 'waiting' | 'begun' | 'late' = 'waiting'
        const timer = setTimeout(() => {
          reject(state === 'begun' ? unknownOutcome(slow) : calledOff(slow))
          state = 'late'
        }, timeoutMs)
        const commit = records.commit((unit) => {
          if (state === 'late') throw calledOff(slow)
          state = 'begun'
          return plan(unit)
        })
        commit.then(
          (outcome) => {
            clearTimeout(timer)
            resolve(outcome)
          },
          (error: unknown) => {
            clearTimeout(timer)
            reject(error)
          },
        )
      }),
  }
}

function calledOff(slow: string): CmsError {
  return new CmsError(
    'unavailable',
    `The ${slow} does not respond. Nothing was changed: try again.`,
    {
      headers: { 'retry-after': '10' },
    },
  )
}

function unknownOutcome(slow: string): CmsError {
  const detail = `The ${slow} did not finish the change in time, but may still do so. Read the record to see whether the change was made.`
  return new CmsError('outcome-unknown', detail)
}

// Commits end within a time, whatever the disk does: one that has not begun by then is called off, and of
// one that has, nobody knows whether it happens. Reads need no disk for what is in memory, and go on.

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
    `The ${slow} does not answer. Nothing was changed: try again.`,
    {
      headers: { 'retry-after': '10' },
    },
  )
}

function unknownOutcome(slow: string): CmsError {
  const detail = `The ${slow} did not finish the change in time, and may do so yet. Read the record to see whether it happened.`
  return new CmsError('outcome-unknown', detail)
}

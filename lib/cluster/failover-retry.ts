// Lets a move survive a failover of the database, because a move can take hours: each query is repeated until another
// server has become the primary. All queries of a move may be repeated (move-tables.ts).

import { setTimeout as sleep } from 'node:timers/promises'
import { CmsError } from '../base/errors.ts'
import { RefusedError } from '../storage/embedded/refusal.ts'
import { isOfServer, type Lane } from './primary.ts'

interface PatienceOptions {
  /** The move has been cancelled. */
  readonly isOver: () => boolean
  readonly onNote: ((line: string) => void) | undefined
}

const WITHIN_MS = 60_000
const AFTER_MS = 200

/** Before the first answer nothing is retried: the address may be wrong. */
export function openPatience({ isOver, onNote }: PatienceOptions): (lane: Lane) => Lane {
  let isKnown = false
  let awaySince: number | undefined

  function requirePatience(error: unknown): void {
    const isSaid = error instanceof RefusedError || error instanceof CmsError
    if (!isKnown || isSaid || !isOfServer(error) || isOver()) throw error
    const now = performance.now()
    if (awaySince === undefined)
      onNote?.(`The database does not answer. Retrying for ${WITHIN_MS / 1_000} s.`)
    awaySince ??= now
    if (now - awaySince >= WITHIN_MS) throw error
  }

  return (lane) => ({
    async query(text, options) {
      for (;;)
        try {
          const rows = await lane.query(text, options)
          isKnown = true
          awaySince = undefined
          return rows
        } catch (error) {
          requirePatience(error)
          await sleep(AFTER_MS)
        }
    },
  })
}

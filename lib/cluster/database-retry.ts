// Retries work with a database that may soon answer again: during its start or a failover.

import { setTimeout as sleep } from 'node:timers/promises'
import { CmsError } from '../base/errors.ts'

const AFTER_MS = 100

interface Trying<T> {
  readonly work: () => Promise<T>
  readonly withinMs: number
  /** Throws if a retry is pointless. */
  readonly before?: () => void
}

/** Throws unavailable if all tries failed. */
export async function tryAgain<T>({ work, withinMs, before }: Trying<T>): Promise<T> {
  const until = performance.now() + withinMs
  for (;;) {
    before?.()
    try {
      return await work()
    } catch (error) {
      before?.()
      if (performance.now() >= until) throw unavailable(error)
      await sleep(AFTER_MS)
    }
  }
}

/** Keeps an error that says more than that the database is unavailable. */
export function unavailable(cause: unknown): CmsError {
  if (cause instanceof CmsError && cause.code === 'unavailable') return cause
  const detail = 'The database does not respond. Nothing was changed: try again.'
  return new CmsError('unavailable', detail, { cause, headers: { 'retry-after': '1' } })
}

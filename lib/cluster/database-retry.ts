// Work with a database that may be about to answer again: at its start, or while another server takes its place.

import { setTimeout as sleep } from 'node:timers/promises'
import { CmsError } from '../base/errors.ts'

const AFTER_MS = 100

interface Trying<T> {
  readonly work: () => Promise<T>
  readonly withinMs: number
  /** Throws where it is of no use to go on. */
  readonly before?: () => void
}

/** Throws unavailable where it has failed all the time. */
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

/** An error that says more than that the database is away stays what it is. */
export function unavailable(cause: unknown): CmsError {
  if (cause instanceof CmsError && cause.code === 'unavailable') return cause
  const detail = 'The database does not answer. Nothing was changed: try again.'
  return new CmsError('unavailable', detail, { cause, headers: { 'retry-after': '1' } })
}

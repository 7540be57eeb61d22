// Long commands that a signal stops between two steps with a message, so that they can clean up.

import { CmsError } from '../base/errors.ts'

const STOPPING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** A signal aborts the work, which then throws an error with the message `told`. */
export async function stoppable<T>(
  told: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController()
  const onSignal = (): void => stop.abort(new CmsError('unavailable', told))
  for (const signal of STOPPING) process.once(signal, onSignal)
  try {
    return await work(stop.signal)
  } finally {
    for (const signal of STOPPING) process.off(signal, onSignal)
  }
}

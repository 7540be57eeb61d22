// Long commands that a signal ends between two steps, with a line of their own, so that nothing of them is left behind.

import { CmsError } from '../base/errors.ts'

const STOPPING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** A signal aborts the work, which then throws `told`. */
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

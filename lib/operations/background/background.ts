// Runs work after an answer. The work is stored (pending-work.ts), so a stop may interrupt it anywhere: the next
// start resumes it.

import { setMaxListeners } from 'node:events'

export interface Background {
  /** The promise resolves when the work has ended, with or without success. */
  readonly run: (name: string, work: (signal: AbortSignal) => Promise<void>) => Promise<void>
  /** Interrupts running work and waits for it. */
  readonly close: () => Promise<void>
}

export function openBackground(onError: (name: string, error: unknown) => void): Background {
  const stop = new AbortController()
  // Each work that waits adds a listener; Node reports more than ten as a leak.
  setMaxListeners(0, stop.signal)
  const running = new Set<Promise<void>>()

  return {
    run(name, work) {
      const task = work(stop.signal)
        .catch((error: unknown) => {
          if (!stop.signal.aborted) onError(name, error)
        })
        .finally(() => running.delete(task))
      running.add(task)
      return task
    },
    async close() {
      stop.abort()
      await Promise.all(running)
    },
  }
}

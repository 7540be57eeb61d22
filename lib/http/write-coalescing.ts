// Answers leave together, at the end of the turn of the event loop in which they were made. To wake a client that sleeps
// costs the system more than most reads cost the server, and a client that is sent one answer after each 50 µs of work is
// asleep each time; while answers come one after the other it is awake for all but the first. In
// a long turn those that wait leave with the next one that is made LONGEST_MS after the first of them. A large one does not wait:
// it would hold its memory, and leave the cache of the processor before it is written.

import { heldBytes, type Reply } from './reply.ts'

export interface Departures {
  /** When the answer is to be written; undefined: at once. */
  wait(reply: Reply): Promise<void> | undefined
}

const LONGEST_MS = 1
const LARGE_BYTES = 64 * 1024

/** `uptimeMs`: the milliseconds since some moment. */
export function openDepartures(uptimeMs: () => number = () => performance.now()): Departures {
  let waiting: (() => void)[] = []
  let firstMs = 0

  function leave(): void {
    const leaving = waiting
    waiting = []
    for (const resolve of leaving) resolve()
  }

  return {
    wait(reply) {
      if (heldBytes(reply) >= LARGE_BYTES) return undefined
      return new Promise((resolve) => {
        const nowMs = uptimeMs()
        if (waiting.push(resolve) === 1) {
          firstMs = nowMs
          setImmediate(leave)
        } else if (nowMs - firstMs > LONGEST_MS) leave()
      })
    },
  }
}

// Coalesces response writes: responses produced in one event-loop iteration are written together at its end. Waking a
// sleeping client costs the system more than most reads cost the server. A client that gets one response after each 50 µs of
// work falls asleep each time, but with consecutive writes it is awake for all but the first. In a long iteration, waiting
// responses are written with the first response produced LONGEST_MS after the oldest one. A large response does not wait,
// because it would hold its memory and drop out of the CPU cache before it is written.

import { heldBytes, type Reply } from './reply.ts'

export interface Departures {
  /** Resolves when the reply may be written; undefined if it may be written at once. */
  wait(reply: Reply): Promise<void> | undefined
}

const LONGEST_MS = 1
const LARGE_BYTES = 64 * 1024

/** `uptimeMs`: a monotonic clock in milliseconds. */
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

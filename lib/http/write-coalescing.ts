// Coalesces response writes: responses produced in one event-loop iteration are written together at its end. Waking a
// sleeping client costs the system more than most reads cost the server. A client that gets one response after each 50 µs of
// work falls asleep each time, but with consecutive writes it is awake for all but the first. In a long iteration, waiting
// responses are written with the first response produced LONGEST_MS after the oldest one. A large response does not wait,
// because it would hold its memory and drop out of the CPU cache before it is written.

import { heldBytes, type Reply } from './reply.ts'

export interface WriteCoalescing {
  /** Calls `write` when the reply may be written, which may be at once. `write` must not throw. */
  schedule(reply: Reply, write: () => void): void
}

const LONGEST_MS = 1
const LARGE_BYTES = 64 * 1024

/** `uptimeMs`: a monotonic clock in milliseconds. */
export function openWriteCoalescing(
  uptimeMs: () => number = () => performance.now(),
): WriteCoalescing {
  let waiting: (() => void)[] = []
  let firstMs = 0

  function writeAll(): void {
    const writes = waiting
    waiting = []
    for (const write of writes) write()
  }

  return {
    schedule(reply, write) {
      if (heldBytes(reply) >= LARGE_BYTES) return write()
      const nowMs = uptimeMs()
      if (waiting.push(write) === 1) {
        firstMs = nowMs
        setImmediate(writeAll)
      } else if (nowMs - firstMs > LONGEST_MS) writeAll()
    },
  }
}

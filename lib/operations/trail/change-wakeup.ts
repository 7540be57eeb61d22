// Wakes callers that wait for a change, in any process: while there are waiters, the newest number in the shared
// store is polled every 20 ms. No messages between processes are needed; a message, if there is one, triggers the
// check at once. Waiters resume one after the other, each in its own time slice.

import { setMaxListeners } from 'node:events'
import { nextSlice } from '../../schema/time-slicing.ts'
import { audit } from '../../schema/audit.ts'
import type { Records } from '../../storage/port.ts'

export interface ChangeWatch {
  /** Resolves when there is a change after that number, or when the signal or `closing` aborts. */
  wait(after: number, signal: AbortSignal): Promise<void>
  /** Aborts when the server stops. */
  readonly closing: AbortSignal
  close(): void
}

const LOOK_EVERY_MS = 20

export interface Looking {
  readonly everyMs?: number
  /** Calls the listener when there may be a change. */
  readonly onNews?: (listener: () => void) => void
}

interface Waiting {
  readonly after: number
  readonly wake: () => void
}

export function openChangeWatch(
  records: Pick<Records, 'renew' | 'highestId'>,
  { everyMs = LOOK_EVERY_MS, onNews }: Looking = {},
): ChangeWatch {
  const end = new AbortController()
  // Each waiter adds a listener; Node reports more than ten as a leak.
  setMaxListeners(0, end.signal)
  const waiting = new Set<Waiting>()
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    await records.renew()
    const newest = records.highestId(audit.recordType)
    for (const one of waiting) {
      if (newest <= one.after) continue
      leave(one)
      void nextSlice().then(one.wake)
    }
  }

  // A failed check is followed by the next one.
  const lookNow = (): void => void look().catch(() => undefined)
  onNews?.(() => {
    if (waiting.size > 0) lookNow()
  })

  function leave(one: Waiting): void {
    waiting.delete(one)
    if (waiting.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    closing: end.signal,
    close: () => end.abort(),
    async wait(after, signal) {
      await records.renew()
      if (signal.aborted || end.signal.aborted || records.highestId(audit.recordType) > after)
        return
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          leave(one)
          signal.removeEventListener('abort', wake)
          end.signal.removeEventListener('abort', wake)
          resolve()
        }
        const one = { after, wake }
        waiting.add(one)
        signal.addEventListener('abort', wake)
        end.signal.addEventListener('abort', wake)
        timer ??= setInterval(lookNow, everyMs)
      })
    },
  }
}

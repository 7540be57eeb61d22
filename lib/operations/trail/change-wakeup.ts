// Wakes who waits for a change, in whatever process it waits: while somebody does, the newest number is looked at a few
// times in a second, in the store, which all processes share. So nothing has to be sent from one to another; where it is
// all the same, it is looked at then, too. Those who wait go on one after the other: each reads and answers in a turn of its own.

import { setMaxListeners } from 'node:events'
import { nextSlice } from '../../schema/time-slicing.ts'
import { audit } from '../../schema/audit.ts'
import type { Records } from '../../storage/port.ts'

export interface ChangeWatch {
  /** Resolves when there is a change behind that number, or the signal or `closing` is given. */
  wait(after: number, signal: AbortSignal): Promise<void>
  /** Given when the server stops: nobody waits any more. */
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
  // Of each who waits; Node takes more than ten for a leak.
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

  // A look that fails is followed by the next.
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

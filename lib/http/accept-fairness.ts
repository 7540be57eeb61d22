// Connections before requests. libuv accepts one connection in a turn of its loop, and a turn is as long as the requests
// take that came in with it: of 50 clients that come at once and ask for lists, the last was accepted after 50 turns of up
// to 25 ms each, while the first were served over and over. So requests wait while connections come in, which
// takes a moment where nothing else is done; nobody waits longer than LONGEST_MS for that, however many come.

import { setImmediate } from 'node:timers/promises'

export interface Arrivals {
  /** A connection has come. */
  note(): void
  /** What a request has to wait for; undefined, as nearly always: nothing. */
  held(): Promise<void> | undefined
}

const LONGEST_MS = 10

/** `isExpecting`: whether more are known to be on their way, beside those that the system has. */
export function openArrivals(isExpecting: () => boolean = () => false): Arrivals {
  let hasCome = false
  let holding: Promise<void> | undefined

  async function hold(): Promise<void> {
    const endMs = performance.now() + LONGEST_MS
    do {
      hasCome = false
      // To the end of this turn, and of the next one, which accepts the next.
      await setImmediate()
      await setImmediate()
    } while ((hasCome || isExpecting()) && performance.now() < endMs)
    holding = undefined
  }

  return {
    note() {
      hasCome = true
      holding ??= hold()
    },
    held: () => holding,
  }
}

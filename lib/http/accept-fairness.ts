// Accepts connections before running requests. libuv accepts one connection per event-loop iteration, and an iteration takes
// as long as its requests. When 50 clients connected at once and requested lists, the last client was accepted after 50
// iterations of up to 25 ms each. Meanwhile, the first clients were served repeatedly. Requests therefore wait while
// connections arrive, which is quick if nothing else runs. A request waits at most LONGEST_MS, however many connections
// arrive.

import { setImmediate } from 'node:timers/promises'

export interface AcceptFairness {
  /** Called for each new connection. */
  note(): void
  /** A promise that a request must wait for; nearly always undefined. */
  held(): Promise<void> | undefined
}

const LONGEST_MS = 10

/** `isExpecting`: whether another process is about to pass more connections. */
export function openAcceptFairness(isExpecting: () => boolean = () => false): AcceptFairness {
  let hasCome = false
  let holding: Promise<void> | undefined

  async function hold(): Promise<void> {
    const endMs = performance.now() + LONGEST_MS
    do {
      hasCome = false
      // Waits for the end of this iteration and of the next one, which accepts the next connection.
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

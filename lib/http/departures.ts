// Answers leave together, at the end of the turn of the event loop in which they were made. To wake a client that sleeps
// costs the system more than most reads cost the server, and a client that is sent one answer after each 50 µs of work is
// asleep each time; while answers come one after the other it is awake for all but the first. Where
// a turn is long, those that wait leave as soon as the first of them has waited LONGEST_MS.

export interface Departures {
  /** Resolves when the answer is to be written. */
  wait(): Promise<void>
}

const LONGEST_MS = 1

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
    wait: () =>
      new Promise((resolve) => {
        const nowMs = uptimeMs()
        if (waiting.push(resolve) === 1) {
          firstMs = nowMs
          setImmediate(leave)
        } else if (nowMs - firstMs > LONGEST_MS) leave()
      }),
  }
}

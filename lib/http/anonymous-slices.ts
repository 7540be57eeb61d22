// Requests without a key run for at most SLICE_MS of an event-loop iteration. Further ones wait for the next iteration, in
// their order. A crawler can send more requests at once than the server answers in 200 ms, and people who are signed in would
// wait for all of them, several times for each request: to connect, to send, and for each commit. Cached responses do not
// count, because they take less time than the wait.

export interface AnonymousSlices {
  /**
   * A promise that a request without a key, or a chunk of its response, must wait for; undefined if it may run at once.
   */
  turn(): Promise<void> | undefined
}

const SLICE_MS = 5

/** `uptimeMs`: a monotonic clock in milliseconds. */
export function openAnonymousSlices(
  uptimeMs: () => number = () => performance.now(),
): AnonymousSlices {
  const waiting: (() => void)[] = []
  /** The end of the slice of this iteration; 0 if no request has run in it. */
  let endMs = 0

  function begin(): void {
    endMs = uptimeMs() + SLICE_MS
    setImmediate(nextIteration)
  }

  function nextIteration(): void {
    endMs = 0
    if (waiting.length === 0) return
    begin()
    void release()
  }

  async function release(): Promise<void> {
    while (waiting.length > 0 && uptimeMs() < endMs) {
      waiting.shift()?.()
      // The request runs in the microtasks before this continues.
      await Promise.resolve()
    }
  }

  return {
    turn() {
      if (endMs === 0) begin()
      else if (waiting.length > 0 || uptimeMs() >= endMs)
        return new Promise((resolve) => waiting.push(resolve))
      return undefined
    },
  }
}

// Coalesces concurrent requests for the same answer into one call. A caller that arrives during a running call waits for
// the next call, because the answer of the running call may be older than its request.

export function coalesceRequests(ask: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  function begin(): Promise<void> {
    next = undefined
    const own = ask().finally(() => {
      if (running === own) running = undefined
    })
    running = own
    return own
  }

  return () => {
    if (running === undefined) return begin()
    next ??= running.then(begin, begin)
    return next
  }
}

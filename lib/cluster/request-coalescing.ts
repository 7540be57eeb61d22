// One question for all who want to know at the same moment. Who asks while it is on its way waits for the next one:
// the answer may be older than the asker.

export function openSharedAsks(ask: () => Promise<void>): () => Promise<void> {
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

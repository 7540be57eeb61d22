// A counting semaphore with waiters in FIFO order.

export interface Slots {
  /** Resolves to a function that releases the slot. */
  readonly take: () => Promise<() => void>
}

export function openSlots(count: number): Slots {
  let free = count
  const waiting: (() => void)[] = []

  function release(): void {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }

  return {
    async take() {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => void waiting.push(resolve))
      return release
    },
  }
}

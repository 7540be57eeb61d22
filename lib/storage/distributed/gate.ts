// So many at a time; the others wait in the order in which they came.

export interface Gate {
  run<T>(work: () => Promise<T>): Promise<T>
}

export function openGate(places: number): Gate {
  const waiting: (() => void)[] = []
  let free = places
  return {
    async run(work) {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        return await work()
      } finally {
        // The place goes to the next one, and is free where there is none.
        const next = waiting.shift()
        if (next === undefined) free += 1
        else next()
      }
    },
  }
}

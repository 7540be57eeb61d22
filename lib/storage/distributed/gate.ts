// So many at a time; the others wait in the order in which they came.

import pMap from 'p-map'

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

/**
 * Does the work for each item, so many at once. After a failure none is begun, and those that were are waited for:
 * nothing goes on, and reads memory, behind who is told of it.
 */
export async function runAll<I, T>(
  items: readonly I[],
  places: number,
  work: (item: I, index: number) => Promise<T>,
): Promise<readonly T[]> {
  const failures: unknown[] = []
  const done: T[] = []
  await pMap(
    items,
    async (item, index) => {
      if (failures.length > 0) return
      try {
        done[index] = await work(item, index)
      } catch (error) {
        failures.push(error)
      }
    },
    { concurrency: places },
  )
  if (failures.length > 0) throw failures[0]
  return done
}

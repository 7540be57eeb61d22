// So many at a time; the others wait in the order in which they came, and not for ever: where a store hangs, so do
// those that hold the places, one after the other.

import pMap from 'p-map'
import { toStoreFault } from './store-faults.ts'

export interface Gate {
  run<T>(work: () => Promise<T>): Promise<T>
}

export function openGate(places: number, waitMs: number): Gate {
  const waiting = new Set<() => void>()
  let free = places

  function wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(enter)
        reject(toStoreFault(new Error('None of those before was done in time.')))
      }, waitMs)
      const enter = (): void => {
        clearTimeout(timer)
        resolve()
      }
      waiting.add(enter)
    })
  }

  return {
    async run(work) {
      if (free > 0) free -= 1
      else await wait()
      try {
        return await work()
      } finally {
        // The place goes to the next one, and is free where there is none.
        const [next] = waiting
        if (next === undefined) free += 1
        else {
          waiting.delete(next)
          next()
        }
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

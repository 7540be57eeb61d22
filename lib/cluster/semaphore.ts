// Bounds concurrency. Waiting callers are served in order and time out, because a hanging store would otherwise block
// every slot in turn.

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
        reject(toStoreFault(new Error('No earlier request to the store finished in time.')))
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
        // The slot passes to the next waiting caller, or becomes free.
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
 * Runs the work for all items with bounded concurrency. After a failure no further item is started, and running items are
 * awaited, so that no work still runs and reads memory when the caller learns of the failure.
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

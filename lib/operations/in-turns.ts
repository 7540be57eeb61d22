// Work on much, between the parts of which others are served: after every mebibyte of records, or after
// about 10 ms.

import { setImmediate } from 'node:timers/promises'
import type { Stored } from '../storage/port.ts'

const BYTES_PER_TURN = 1024 * 1024

export async function mapInTurns<T>(
  records: readonly Stored[],
  map: (stored: Stored) => T,
): Promise<readonly T[]> {
  const results: T[] = []
  let sizeBytes = 0
  for (const stored of records) {
    if (sizeBytes >= BYTES_PER_TURN) {
      await setImmediate()
      sizeBytes = 0
    }
    sizeBytes += stored.bytes.length
    results.push(map(stored))
  }
  return results
}

const SLICE_MS = 10

/** Runs work that yields where it could stop. */
export async function inSlices<T>(work: Generator<void, T>): Promise<T> {
  let sliceEnd = performance.now() + SLICE_MS
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    if (performance.now() < sliceEnd) continue
    await setImmediate()
    sliceEnd = performance.now() + SLICE_MS
  }
}

/** Runs it without a stop, for the inside of a commit. */
export function allOf<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

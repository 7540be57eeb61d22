// Long work does not stop the server: between its parts others are served, after every mebibyte, or after about
// 10 ms. Work that reads is a generator that yields wherever it could stop.

import { setImmediate } from 'node:timers/promises'
import type { Stored } from './schema/values.ts'

export const BYTES_PER_TURN = 1024 * 1024
const SLICE_MS = 10

/** To be asked between two parts, with the bytes of the one before: is there a turn for others to be taken? */
export interface Turns {
  isOver(sizeBytes: number): boolean
  next(): Promise<void>
}

export function openTurns(): Turns {
  let sliceEnd = performance.now() + SLICE_MS
  let turnBytes = 0
  return {
    isOver(sizeBytes) {
      turnBytes += sizeBytes
      return turnBytes >= BYTES_PER_TURN || performance.now() >= sliceEnd
    },
    async next() {
      await setImmediate()
      turnBytes = 0
      sliceEnd = performance.now() + SLICE_MS
    },
  }
}

export async function mapInTurns<R extends object, T>(
  records: readonly Stored<R>[],
  map: (stored: Stored<R>) => T,
): Promise<readonly T[]> {
  const results: T[] = []
  const turns = openTurns()
  for (const stored of records) {
    results.push(map(stored))
    if (turns.isOver(stored.bytes.length)) await turns.next()
  }
  return results
}

let pauses = 0

/** The same number as before where nothing else has run meanwhile: what was read still holds. */
export function turn(): number {
  return pauses
}

/** Runs work that yields where it could stop. */
export async function inSlices<T>(work: Generator<void, T>): Promise<T> {
  let sliceEnd = performance.now() + SLICE_MS
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    if (performance.now() < sliceEnd) continue

    pauses += 1
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

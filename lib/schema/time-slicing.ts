// Time slicing for long work: other requests are served between its slices. A slice ends after about 5 ms or a mebibyte.
// One iteration of the event loop runs one slice, however many requests have long work: six searches that each took a
// slice per iteration delayed other requests by 237 ms. Work that reads is a generator that yields wherever it can pause.

import type { Stored } from './values.ts'

export const BYTES_PER_SLICE = 1024 * 1024
const SLICE_MS = 5

const waiting: (() => void)[] = []

/**
 * Resolves when this work may run its next slice, in FIFO order. Callers that would all start in one event-loop
 * iteration, for example the waiters of a change, await it first.
 */
export function nextSlice(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(startSlice)
  })
}

function startSlice(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(startSlice)
}

/** Decides between two parts, given the bytes of the last part, whether to pause for other work. */
export interface TimeSlice {
  isOver(sizeBytes: number): boolean
  next(): Promise<void>
}

export function openTimeSlice(): TimeSlice {
  let sliceEnd = performance.now() + SLICE_MS
  let sliceBytes = 0
  return {
    isOver(sizeBytes) {
      sliceBytes += sizeBytes
      return sliceBytes >= BYTES_PER_SLICE || performance.now() >= sliceEnd
    },
    async next() {
      await nextSlice()
      sliceBytes = 0
      sliceEnd = performance.now() + SLICE_MS
    },
  }
}

export async function mapInSlices<R extends object, T>(
  records: readonly Stored<R>[],
  map: (stored: Stored<R>) => T,
): Promise<readonly T[]> {
  const results: T[] = []
  const slice = openTimeSlice()
  for (const stored of records) {
    results.push(map(stored))
    if (slice.isOver(stored.bytes.length)) await slice.next()
  }
  return results
}

/** Shorter texts are converted faster together. */
const LONG_TEXT = 4 * 1024

/**
 * Texts of the records. Long texts are converted to bytes in the slice that made them: to convert and join 16 MiB in one
 * turn takes 50 ms.
 */
export function textsInSlices<R extends object>(
  records: readonly Stored<R>[],
  textOf: (stored: Stored<R>) => string,
): Promise<readonly (string | Uint8Array)[]> {
  return mapInSlices(records, (stored) => {
    const text = textOf(stored)
    return text.length < LONG_TEXT ? text : Buffer.from(text)
  })
}

let pauses = 0

/**
 * Counts pauses. The same number as before means that nothing else has run, so that values read before are
 * still current.
 */
export function turn(): number {
  return pauses
}

/** A point where work may pause, or a promise that it waits for. */
export type Pause = void | Promise<unknown>

/** Runs work that yields wherever it can pause. */
export async function inSlices<T>(work: Generator<Pause, T>): Promise<T> {
  let sliceEnd = performance.now() + SLICE_MS
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    if (step.value === undefined && performance.now() < sliceEnd) continue

    pauses += 1
    await orThrowInto(work, step.value)
    await nextSlice()
    sliceEnd = performance.now() + SLICE_MS
  }
}

/** A failure is thrown into the waiting work, so that it closes what it has open. */
async function orThrowInto(work: Generator<Pause, unknown>, pause: Pause): Promise<void> {
  try {
    await pause
  } catch (error) {
    work.throw(error)
  }
}

/** Runs the work without pauses, for use inside a commit. */
export function allOf<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

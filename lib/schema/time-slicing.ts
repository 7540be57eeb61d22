// Time slicing for long work: other requests are served between its slices. A slice ends after about 5 ms or a mebibyte.
// One iteration of the event loop runs one slice, however many requests have long work: six searches that each took a
// slice per iteration delayed other requests by 237 ms. Work that reads is a generator that yields wherever it can pause.

import type { Stored } from './values.ts'

export const BYTES_PER_SLICE = 1024 * 1024
const SLICE_MS = 5
const LONG_SLICE_MS = 20

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

/** Returns the results themselves if the first slice is enough. */
export function mapInSlices<R extends object, T>(
  records: readonly Stored<R>[],
  map: (stored: Stored<R>) => T,
): readonly T[] | Promise<readonly T[]> {
  return inSlices(mapping(records, map))
}

function* mapping<R extends object, T>(
  records: readonly Stored<R>[],
  map: (stored: Stored<R>) => T,
): Generator<Pause, readonly T[]> {
  const results: T[] = []
  let sliceBytes = 0
  for (const stored of records) {
    results.push(map(stored))
    sliceBytes += stored.sizeBytes
    if (sliceBytes < BYTES_PER_SLICE) yield
    else {
      yield END_OF_SLICE
      sliceBytes = 0
    }
  }
  return results
}

/** Work yields it to end its slice, for example after a mebibyte. */
export const END_OF_SLICE = Promise.resolve()

/** Shorter texts are converted faster together. */
const LONG_TEXT = 4 * 1024

/**
 * Texts of the records. Long texts are converted to bytes in the slice that made them: to convert and join 16 MiB in one
 * turn takes 50 ms.
 */
export function textsInSlices<R extends object>(
  records: readonly Stored<R>[],
  textOf: (stored: Stored<R>) => string,
): readonly (string | Uint8Array)[] | Promise<readonly (string | Uint8Array)[]> {
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

/** The value of a promise, for work that yields; any other value is returned at once. */
export function* settled<T>(value: T | Promise<T>): Generator<Pause, T> {
  if (!(value instanceof Promise)) return value
  const found: T[] = []
  yield value.then((item) => found.push(item))
  return found[0] as T
}

/** Runs work that yields wherever it can pause. Returns the value itself if the work ends in its first slice. */
export function inSlices<T>(work: Generator<Pause, T>): T | Promise<T> {
  const step = runSlice(work)
  return step.done === true ? step.value : continueInSlices(work, step.value)
}

async function continueInSlices<T>(work: Generator<Pause, T>, first: Pause): Promise<T> {
  let pause = first
  for (;;) {
    pauses += 1
    await orThrowInto(work, pause)
    await nextSlice()
    const step = runSlice(work)
    if (step.done === true) return step.value
    pause = step.value
  }
}

/** Runs the work to its end, or to the pause at which its slice is over. */
function runSlice<T>(work: Generator<Pause, T>): IteratorResult<Pause, T> {
  const sliceEnd = Math.max(performance.now() + SLICE_MS, longSliceEnd)
  for (;;) {
    const step = work.next()
    if (step.done === true) return step
    const isPause = step.value !== undefined && !(step.value === END_OF_SLICE && longSliceEnd > 0)
    if (isPause || performance.now() >= sliceEnd) return step
  }
}

/** Greater than 0 while inLongSlice runs. */
let longSliceEnd = 0

/**
 * Calls the work, whose slices until it returns may take 20 ms together, whatever their bytes. For reads that must end
 * without a pause; await `nextSlice` first, so that no other work runs in this iteration of the event loop.
 */
export function inLongSlice<T>(work: () => T): T {
  longSliceEnd = performance.now() + LONG_SLICE_MS
  try {
    return work()
  } finally {
    longSliceEnd = 0
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

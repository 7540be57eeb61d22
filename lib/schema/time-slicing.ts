// Long work does not stop the server: between its slices other requests are served. A slice ends after about 5 ms or a
// mebibyte, and one iteration of the event loop runs one slice, however many requests have long work: six searches
// that each took a slice per iteration held other requests for 237 ms. Work that reads is a generator that yields
// wherever it could stop.

import type { Stored } from './values.ts'

export const BYTES_PER_TURN = 1024 * 1024
const SLICE_MS = 5

const waiting: (() => void)[] = []

/**
 * Resolves when it is the turn of this work: first come, first served. Callers that would all begin in one turn of the
 * event loop, for example those that a change wakes, await it before they begin.
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
      await nextSlice()
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

/** A place where work may stop, or what it has to wait for. */
export type Pause = void | Promise<unknown>

/** Runs work that yields where it could stop. */
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

/** A failure ends the work where it waits, so that what it has open is closed. */
async function orThrowInto(work: Generator<Pause, unknown>, pause: Pause): Promise<void> {
  try {
    await pause
  } catch (error) {
    work.throw(error)
  }
}

/** Runs it without a stop, for the inside of a commit. */
export function allOf<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

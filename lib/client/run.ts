// One run of import or export: how far it is, what failed, and what stops it as a whole. It counts
// files, or the rows of one file.

import { setMaxListeners } from 'node:events'
import { isFatal, reasonOf } from './client-error.ts'

const MAX_LISTED_FAILURES = 20

export type OnProgress = (done: number, total: number, bytes: number) => void

export interface RunOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: OnProgress | undefined
}

interface Failure {
  /** Below the source, or below the folder that is exported. */
  readonly path: string
  readonly detail: string
}

/** What the summaries of import and export have in common. */
export interface RunResult {
  /** Files, with all those in a folder that failed. */
  readonly failed: number
  /** The first ones, and the number of those that are not listed. */
  readonly failures: readonly Failure[]
  readonly moreFailures: number
  /** Of content, without what belongs to the protocol. */
  readonly bytes: number
  readonly seconds: number
}

export interface Run {
  /** Aborted by the caller or by an error that every other file would meet too. */
  readonly signal: AbortSignal
  readonly addTotal: (files: number) => void
  readonly addDone: (files: number) => void
  /** Negative for what an attempt that was lost had counted. */
  readonly addBytes: (bytes: number) => void
  /** What `work` answers; undefined when it failed, which is noted, or when the run has stopped. */
  readonly attempt: <T>(part: Part, work: () => Promise<T>) => Promise<T | undefined>
  readonly fail: (part: Part, detail: string) => void
  /** Aborts the signal; what counts is the first reason. */
  readonly stop: (reason: unknown) => void
  readonly result: () => RunResult
  /** Throws what stopped the run. */
  readonly finish: () => RunResult
}

interface Part {
  readonly path: string
  /** Files that are lost when this part fails; 1 unless it is a folder. */
  readonly files?: number
}

export function openRun({ signal: stoppedByCaller, onProgress }: RunOptions): Run {
  const startedMs = performance.now()
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, ...(stoppedByCaller ? [stoppedByCaller] : [])])
  // Every request in flight listens.
  setMaxListeners(0, signal)
  const failures: Failure[] = []
  const count = { done: 0, total: 0, bytes: 0, failed: 0, moreFailures: 0 }
  const report = (): void => onProgress?.(count.done, count.total, count.bytes)

  function fail({ path, files = 1 }: Part, detail: string): void {
    const lost = files > 1 ? `${detail} [${files} files in it are left out]` : detail
    if (failures.length < MAX_LISTED_FAILURES) failures.push({ path, detail: lost })
    else count.moreFailures += 1
    count.failed += Math.max(1, files)
    add('done', files)
  }

  function add(what: 'done' | 'total' | 'bytes', amount: number): void {
    count[what] += amount
    report()
  }

  function result(): RunResult {
    const seconds = (performance.now() - startedMs) / 1000
    const { failed, moreFailures, bytes } = count
    return { failed, failures, moreFailures, bytes, seconds }
  }

  return {
    signal,
    fail,
    result,
    stop: (reason) => stop.abort(reason),
    addTotal: (files) => add('total', files),
    addDone: (files) => add('done', files),
    addBytes: (bytes) => add('bytes', bytes),
    async attempt(part, work) {
      if (signal.aborted) return undefined
      try {
        return await work()
      } catch (error) {
        if (isFatal(error)) stop.abort(error)
        else fail(part, reasonOf(error))
        return undefined
      }
    },
    finish() {
      signal.throwIfAborted()
      return result()
    },
  }
}

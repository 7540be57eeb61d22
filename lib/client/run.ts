// One run of import or export: its progress, its failures and the reason that stops it. A run counts files, or
// the rows of one file.

import { setMaxListeners } from 'node:events'
import { isFatal, reasonOf } from './client-error.ts'

const MAX_LISTED_FAILURES = 20

export type OnProgress = (done: number, total: number, bytes: number) => void

export interface RunOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: OnProgress | undefined
}

interface Failure {
  /** Path below the source, or below the exported folder. */
  readonly path: string
  readonly detail: string
}

/** Members that the summaries of import and export share. */
export interface RunResult {
  /** Files that failed, including all files in a folder that failed. */
  readonly failed: number
  /** The first failures, and the number of failures that are not listed. */
  readonly failures: readonly Failure[]
  readonly moreFailures: number
  /** Bytes of content, without protocol overhead. */
  readonly bytes: number
  readonly seconds: number
}

export interface Run {
  /** Aborted by the caller, or by an error that would fail every other file. */
  readonly signal: AbortSignal
  readonly addTotal: (files: number) => void
  readonly addDone: (files: number) => void
  /** Negative to take back the bytes of a lost attempt. */
  readonly addBytes: (bytes: number) => void
  /**
   * Returns the result of `work`, or undefined if `work` failed, which is recorded, or if the run has stopped.
   */
  readonly attempt: <T>(part: Part, work: () => Promise<T>) => Promise<T | undefined>
  readonly fail: (part: Part, detail: string) => void
  /** Aborts the signal; only the first reason counts. */
  readonly stop: (reason: unknown) => void
  readonly result: () => RunResult
  /** Throws the reason that stopped the run. */
  readonly finish: () => RunResult
}

interface Part {
  readonly path: string
  /** Files that are lost if this part fails; default: 1. */
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
    const lost = files > 1 ? `${detail} [${files} files in it were skipped]` : detail
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

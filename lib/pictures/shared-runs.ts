// Equal requests at the same time share one run, which is aborted when all of them have left.

import { CmsError } from '../base/errors.ts'

interface Run<T> {
  readonly result: Promise<T>
  readonly abort: AbortController
  requests: number
}

export interface SharedRuns<T> {
  /** Joins the run of this name, or begins it. Rejects with unavailable if the run was aborted. */
  join(name: string, wanted: AbortSignal, begin: (signal: AbortSignal) => Promise<T>): Promise<T>
  abortAll(): void
}

export function openSharedRuns<T>(): SharedRuns<T> {
  const runs = new Map<string, Run<T>>()

  function forget(name: string, run: Run<T>): void {
    if (runs.get(name) === run) runs.delete(name)
  }

  return {
    async join(name, wanted, begin) {
      let run = runs.get(name)
      if (run === undefined) {
        const abort = new AbortController()
        run = { result: begin(abort.signal), abort, requests: 0 }
        runs.set(name, run)
      }
      const joined = run
      joined.requests += 1
      const leave = (): void => {
        joined.requests -= 1
        if (joined.requests > 0) return
        forget(name, joined)
        joined.abort.abort(notWanted())
      }
      if (wanted.aborted) leave()
      else wanted.addEventListener('abort', leave, { once: true })
      try {
        return await joined.result
      } finally {
        wanted.removeEventListener('abort', leave)
        forget(name, joined)
      }
    },
    abortAll() {
      for (const { abort } of runs.values()) abort.abort(notWanted())
    },
  }
}

function notWanted(): CmsError {
  return new CmsError('unavailable', 'The work was ended, because nobody waits for it.')
}

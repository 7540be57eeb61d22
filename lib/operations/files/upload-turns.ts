// One request at a time appends to a resumable upload. A newer request stops the running one: after a lost connection, a
// proxy may keep the old request open, and the client must not wait for its timeout.

import type { Partials } from '../../storage/partials.ts'
import type { Records } from '../../storage/port.ts'

/** Services for resumable uploads, in a process that writes. */
export interface UploadStore {
  /** Commits through these records write no audit row: only the finished file is a change. */
  readonly records: Records
  readonly partials: Partials
  readonly turns: UploadTurns
  readonly expiries: UploadExpiries
}

/** Unfinished uploads that this process removed because nobody could continue them. */
export interface UploadExpiries {
  add(count: number): void
  count(): number
}

export function openUploadExpiries(): UploadExpiries {
  let total = 0
  return {
    add(count) {
      total += count
    },
    count: () => total,
  }
}

export interface UploadTurns {
  /** Stops the running request of the upload and waits until it has ended. */
  take(uid: string): Promise<UploadTurn>
}

export interface UploadTurn {
  /** Aborts when a newer request wants the upload. */
  readonly signal: AbortSignal
  end(): void
}

interface Running {
  readonly controller: AbortController
  readonly ended: Promise<void>
}

export function openUploadTurns(): UploadTurns {
  const running = new Map<string, Running>()
  return {
    async take(uid) {
      for (let other = running.get(uid); other !== undefined; other = running.get(uid)) {
        other.controller.abort()
        await other.ended
      }
      const controller = new AbortController()
      const { promise: ended, resolve } = withResolve()
      running.set(uid, { controller, ended })
      return {
        signal: controller.signal,
        end() {
          running.delete(uid)
          resolve()
        },
      }
    },
  }
}

function withResolve(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

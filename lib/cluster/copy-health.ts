// Health of the local copy. After a failure nothing is read or changed any more, and the process ends.

import { unavailable } from './database-retry.ts'

export interface Soundness {
  /** Throws unavailable. */
  require(): void
  /** Reports the first failure and throws its cause. */
  fail(cause: unknown): never
  /** Refuses all further requests. */
  close(): void
}

export function openSoundness(onFailure: (cause: unknown) => void): Soundness {
  let failure: { readonly cause: unknown } | undefined
  let isClosed = false
  return {
    require() {
      if (failure !== undefined || isClosed) throw unavailable(failure?.cause)
    },
    fail(cause) {
      if (failure === undefined) onFailure(cause)
      failure ??= { cause }
      throw cause
    },
    close() {
      isClosed = true
    },
  }
}

// Whether the copy can be gone on with. Where it cannot, nothing more is read or changed, and the process ends.

import { unavailable } from './database-retry.ts'

export interface Soundness {
  /** Throws unavailable. */
  require(): void
  /** Tells it, once, and throws the cause. */
  fail(cause: unknown): never
  /** Nothing more is asked for. */
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

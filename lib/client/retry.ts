// Retry policy: exponential back-off with jitter, for as long as the server may come back.
//
// The outcome of a lost attempt is unknown, so repeated work first reads the current state.

import { setTimeout as sleep } from 'node:timers/promises'
import { ClientError, errnoOf, isTransient } from './client-error.ts'

const FIRST_DELAY_MS = 100
const MAX_DELAY_MS = 5_000
/** How long one piece of work may keep failing: ample time for a restart. */
const LIMIT_MS = 60_000
/** Before the first response, a wrong address is more likely than a restart. */
const FIRST_CONTACT_LIMIT_MS = 10_000

/** `attempt` counts from 1. */
export type Work<T> = (attempt: number) => Promise<T>

export interface Retry {
  readonly run: <T>(work: Work<T>) => Promise<T>
  /** Must be called for every response that shows that the server works. */
  readonly noteAnswer: () => void
}

export function openRetry(origin: string, signal: AbortSignal): Retry {
  let answeredMs: number | undefined

  function checkLimit(failingSinceMs: number, error: unknown): void {
    // A server that sends 429 is running; uploads of other clients may take hours.
    if (error instanceof ClientError && error.status === 429) return
    const limitMs = answeredMs === undefined ? FIRST_CONTACT_LIMIT_MS : LIMIT_MS
    if (performance.now() - failingSinceMs < limitMs) return
    // If other requests were answered meanwhile, only this request fails.
    if (answeredMs !== undefined && answeredMs > failingSinceMs) throw error
    throw unreachable(origin, limitMs, error)
  }

  async function run<T>(work: Work<T>): Promise<T> {
    let failingSinceMs: number | undefined

    for (let attempt = 1; ; attempt++) {
      try {
        return await work(attempt)
      } catch (error) {
        signal.throwIfAborted()
        if (!isTransient(error)) throw error
        failingSinceMs ??= performance.now()
        checkLimit(failingSinceMs, error)
        await sleep(delayMs(attempt, error), undefined, { signal })
      }
    }
  }

  return {
    run,
    noteAnswer() {
      answeredMs = performance.now()
    },
  }
}

function delayMs(attempt: number, error: unknown): number {
  const longestMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1))
  const askedMs = error instanceof ClientError ? (error.retryAfterMs ?? 0) : 0
  // Jitter is also added to the delay that the server asked for, because otherwise all clients would return at
  // once.
  return Math.min(askedMs, LIMIT_MS) + longestMs * (0.5 + Math.random() / 2)
}

function unreachable(origin: string, limitMs: number, cause: unknown): ClientError {
  const reason = errnoOf(cause) ?? (cause instanceof Error ? cause.message : String(cause))
  const seconds = limitMs / 1000
  const advice =
    'Repeat the command when the server is running: data that has arrived is not sent again.'
  const detail = `${origin} has not responded for ${seconds} seconds (${reason}). If the server has another address, use --url. ${advice}`
  return new ClientError('unreachable', detail, { cause })
}

// Checks every answer to `fetch` in this process, whatever the caller. Clients of a cluster may
// meet a node that is gone, or that returns 503 with Retry-After while it stops. Any other failure
// is a fault, except for answers that the clients judge themselves.

import { subscribe, unsubscribe } from 'node:diagnostics_channel'

export interface Answers {
  readonly faults: readonly string[]
  /** The number of expected refusals of each kind. */
  readonly refusals: Readonly<Record<string, number>>
  close(): void
}

interface Asked {
  readonly origin: string
  readonly method: string
  readonly path: string
}

/** The messages of undici, which implements fetch. */
interface Told {
  readonly request: Asked
  readonly response?: { readonly statusCode: number; readonly headers: readonly Buffer[] }
  readonly error?: Error & { readonly code?: string | number }
}

/**
 * A missing record, an ended key, or the same request in progress elsewhere: the clients judge
 * these answers.
 */
const JUDGED = new Set([401, 404, 409])
const HEADERS = 'undici:request:headers'
const ERROR = 'undici:request:error'

export function watchAnswers(isLeaving: (url: string) => boolean): Answers {
  const faults: string[] = []
  const refusals: Record<string, number> = {}

  function note({ origin, method, path }: Asked, what: string, isExpected: boolean): void {
    const all = isExpected ? refusals : undefined
    if (all !== undefined) all[what] = (all[what] ?? 0) + 1
    else faults.push(`${new Date().toISOString()} ${origin} ${method} ${path}: ${what}`)
  }

  function onHeaders(message: unknown): void {
    const { request, response } = message as Told
    // /ready is polled while a node starts.
    if (response === undefined || request.path === '/ready') return
    const { statusCode: status, headers } = response
    if (status < 300 || JUDGED.has(status)) return
    const saysWhen = headers.some((name) => /^retry-after$/i.test(name.toString()))
    note(request, String(status), status === 503 && saysWhen && isLeaving(request.origin))
  }

  function onError(message: unknown): void {
    const { request, error } = message as Told
    note(request, String(error?.code ?? error?.message), isLeaving(request.origin))
  }

  subscribe(HEADERS, onHeaders)
  subscribe(ERROR, onError)
  return {
    faults,
    refusals,
    close() {
      unsubscribe(HEADERS, onHeaders)
      unsubscribe(ERROR, onError)
    },
  }
}

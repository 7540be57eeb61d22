// Looks at every answer that fetch in this process is given, whoever asks. A client of a cluster may meet a node that is
// gone, or that says 503 with Retry-After as it goes; whatever else is no success and no answer to what was asked is a
// fault.

import { subscribe, unsubscribe } from 'node:diagnostics_channel'

export interface Answers {
  readonly faults: readonly string[]
  /** How often each kind of refusal came that was to be expected. */
  readonly refusals: Readonly<Record<string, number>>
  close(): void
}

interface Asked {
  readonly origin: string
  readonly method: string
  readonly path: string
}

/** What undici, which is fetch, tells. */
interface Told {
  readonly request: Asked
  readonly response?: { readonly statusCode: number; readonly headers: readonly Buffer[] }
  readonly error?: Error & { readonly code?: string | number }
}

/** Not there any more, a key that was ended, the same request under way elsewhere: the clients judge these. */
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
    // Of a node that starts it is asked whether it is ready.
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

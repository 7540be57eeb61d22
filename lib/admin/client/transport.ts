// The way of a request to the server: it is signed; once more with another secret where the first one was refused; and
// where nobody answers, what only reads waits until somebody does. So a page asks once, and need not know of any of it.

import type { Connection } from './connection.ts'
import { NoConnection } from './problem.ts'
import type { Session } from './session.ts'

export interface Transport {
  /** As that of the browser, but for the above. Throws NoConnection. */
  readonly fetch: (request: Request) => Promise<Response>
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/** What a proxy says when the server behind it is gone. */
const GONE: ReadonlySet<number> = new Set([502, 504])

export function openTransport(session: Session, connection: Connection): Transport {
  /** The secret that was sent comes with the answer. */
  async function sendSigned(request: Request): Promise<readonly [Response, string]> {
    const secret = await session.secret(request.signal)
    const signed = request.clone()
    signed.headers.set('authorization', `Bearer ${secret}`)
    const response = await fetch(signed).catch((error: unknown) => {
      if (request.signal.aborted) throw error
      throw new NoConnection(error)
    })
    if (GONE.has(response.status)) throw new NoConnection(response.status)
    return [response, secret]
  }

  /** Where it is not valid any more. A renewed one that is refused, too, is a key that may not: that is an answer. */
  async function sendTwice(request: Request): Promise<Response> {
    const [response, secret] = await sendSigned(request)
    if (response.status !== 401) return response
    session.drop(secret)
    const [again] = await sendSigned(request)
    return again
  }

  return {
    async fetch(request) {
      for (;;) {
        try {
          return await sendTwice(request)
        } catch (error) {
          if (!(error instanceof NoConnection)) throw error
          connection.lose()
          if (!READS.has(request.method)) throw error
          await connection.back(request.signal)
        }
      }
    },
  }
}

// Sends requests: signs each request, and repeats a request with a new secret if the server rejected the first. While
// the server is unreachable, safe requests wait for the connection. Callers need not handle any of this.

import type { Connection } from './connection.ts'
import { NoConnection } from './problem.ts'
import type { Session } from './session.ts'

export interface Transport {
  /** Like the browser's fetch() with signing and retries. Throws NoConnection. */
  readonly fetch: (request: Request) => Promise<Response>
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/** Status codes of a proxy whose upstream is unreachable. */
const GONE: ReadonlySet<number> = new Set([502, 504])

export function openTransport(session: Session, connection: Connection): Transport {
  /** Returns the response with the secret that signed the request. */
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

  /**
   * Repeats a request whose secret has expired. If a renewed secret is rejected too, the rejection is the response.
   */
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

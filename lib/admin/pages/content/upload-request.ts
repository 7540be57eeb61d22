// One request with a large body, by XMLHttpRequest, which reports progress and streams a file from disk.

import type { Speaking } from '../../client/client-context.ts'
import { NoConnection, Problem, readProblem } from '../../client/problem.ts'

export interface UploadRequest {
  readonly method: 'POST' | 'HEAD' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: FormData | Blob | null
  readonly signal: AbortSignal
  readonly onSent?: (bytes: number) => void
}

export const MOST_TRIES = 4

/** Repeats the work after temporary errors. Throws Problem, NoConnection, or the reason of the signal. */
export async function withRetries<T>(
  client: Speaking,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      signal.throwIfAborted()
      if (tries === MOST_TRIES) throw error
      await untilAgain(client, signal, error)
    }
  }
}

/** Waits after temporary errors; rethrows all others. */
export async function untilAgain(
  client: Speaking,
  signal: AbortSignal,
  error: unknown,
): Promise<void> {
  if (error instanceof NoConnection) {
    client.connection.lose()
    await client.connection.back(signal)
    return
  }
  const seconds = error instanceof Problem ? error.facts.retrySeconds : undefined
  if (seconds === undefined) throw error
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
}

/** Sends the request with a secret of the session. Throws Problem if the response is no success. */
export async function sendSigned(client: Speaking, request: UploadRequest): Promise<Response> {
  const secret = await client.session.secret(request.signal)
  const response = await send(secret, request)
  if (response.status !== 401) return requireSuccess(response)
  client.session.drop(secret)
  return requireSuccess(await send(await client.session.secret(request.signal), request))
}

async function requireSuccess(response: Response): Promise<Response> {
  if (response.ok) return response
  throw await readProblem(response)
}

function send(
  secret: string,
  { method, url, headers, body, signal, onSent }: UploadRequest,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = (): void => request.abort()
    signal.addEventListener('abort', abort, { once: true })
    request.open(method, url)
    request.setRequestHeader('authorization', `Bearer ${secret}`)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    if (onSent !== undefined)
      request.upload.addEventListener('progress', ({ loaded }) => onSent(loaded))
    request.addEventListener('loadend', () => {
      signal.removeEventListener('abort', abort)
      if (signal.aborted) reject(signal.reason as Error)
      else if (request.status === 0) reject(new NoConnection(undefined))
      else resolve(answerOf(request))
    })
    request.send(body)
  })
}

const READ_HEADERS = ['retry-after', 'location', 'upload-offset', 'upload-asset-file-id'] as const

function answerOf(request: XMLHttpRequest): Response {
  const headers = new Headers()
  for (const name of READ_HEADERS) {
    const value = request.getResponseHeader(name)
    if (value !== null) headers.set(name, value)
  }
  // A response without content may have no body at all.
  const body = request.status === 204 ? null : request.responseText
  return new Response(body, { status: request.status, headers })
}

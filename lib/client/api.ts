// The HTTP client of import and export: a pool of persistent connections, the key on every request, and an
// error with status, code and detail for every unsuccessful response (RFC 9457).

import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Dispatcher, Pool } from 'undici'
import { ClientError, errnoOf, isTransient } from './client-error.ts'

/** Idle timeout: a connection without a byte for this long counts as lost. */
const STALL_TIMEOUT_MS = 60_000
const MAX_SHOWN_TEXT = 200
const KEY_CHARACTERS = /^[\x21-\x7e]+$/

interface ApiOptions {
  /** Address of the server; may contain a path, to which /api/v2, /upload and /file are appended. */
  readonly url: string
  /** Undefined: only what everybody may read. */
  readonly key: string | undefined
  readonly concurrency: number
  readonly signal: AbortSignal
}

export interface ApiRequest {
  readonly method: 'GET' | 'HEAD' | 'POST'
  /** Path below the url, with its query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer | Readable
}

export type ApiReply = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'>

export interface Api {
  /** Sends once. The body of the response must be read to its end; 304 counts as a success. */
  readonly send: (request: ApiRequest) => Promise<ApiReply>
  /** Sends once, and parses the JSON object of the response. */
  readonly sendJson: (request: ApiRequest) => Promise<JsonObject>
  readonly retrying: <T>(work: Work<T>) => Promise<T>
  readonly close: () => Promise<void>
}

export type JsonObject = Readonly<Record<string, unknown>>

export function openApi({ url, key, concurrency, signal }: ApiOptions): Api {
  const { origin, prefix } = parseAddress(url)
  if (key !== undefined && !KEY_CHARACTERS.test(key)) {
    throw new ClientError('key-invalid', 'The API key is empty or contains invalid characters.')
  }
  const retry = openRetry(origin, signal)
  const pool = new Pool(origin, {
    connections: concurrency,
    headersTimeout: STALL_TIMEOUT_MS,
    bodyTimeout: STALL_TIMEOUT_MS,
  })

  async function send({ method, path, headers, body }: ApiRequest): Promise<ApiReply> {
    const reply = await pool
      .request({
        method,
        path: prefix + path,
        headers: { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers },
        body: body ?? null,
        signal,
      })
      .catch((error: unknown) => {
        throw signal.aborted ? error : lostConnection(origin, error)
      })
    const error = isSuccess(reply.statusCode) ? undefined : await readError(reply)
    if (!isTransient(error)) retry.noteAnswer()
    if (error !== undefined) throw error
    return reply
  }

  return {
    send,
    retrying: retry.run,
    async sendJson(request) {
      const { body } = await send(request)
      return parseObject(await body.text()) ?? refuseAnswer(origin)
    },
    close: () => pool.destroy(),
  }
}

function parseAddress(url: string): { readonly origin: string; readonly prefix: string } {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    throw new ClientError(
      'bad-url',
      'Give the address of the server, such as http://localhost:8080.',
    )
  }
  return { origin: parsed.origin, prefix: parsed.pathname.replace(/\/+$/, '') }
}

function isSuccess(status: number): boolean {
  return (status >= 200 && status < 300) || status === 304
}

async function readError({ statusCode: status, headers, body }: ApiReply): Promise<ClientError> {
  const text = await body.text()
  const members = parseObject(text) ?? {}
  const { code, detail } = members

  return new ClientError(
    typeof code === 'string' ? code : 'http-error',
    typeof detail === 'string' ? detail + faultsOf(members) : describeStatus(status, headers, text),
    { status, members, retryAfterMs: parseRetryAfter(headers['retry-after']) },
  )
}

/** Lists what the problem document says about each property of the body. */
function faultsOf({ errors }: JsonObject): string {
  if (!Array.isArray(errors)) return ''
  const faults = errors.map((fault: { pointer?: unknown; detail?: unknown } | null) =>
    `${String(fault?.pointer ?? '').slice(1)} ${String(fault?.detail ?? '')}`.trim(),
  )
  return faults.length === 0 ? '' : ` (${faults.join('; ')})`
}

/** For a response without a problem document, which comes from a proxy or from another kind of server. */
function describeStatus(status: number, headers: ApiReply['headers'], text: string): string {
  const location = headers['location']
  if (location !== undefined)
    return `The server answered ${status} and redirects to another address: ${String(location)}`
  const shown = text.replace(/\s+/g, ' ').trim().slice(0, MAX_SHOWN_TEXT)
  return `The server answered ${status}${shown === '' ? '' : `: ${shown}`}`
}

/** Seconds or a date (RFC 9110, 10.2.3). */
function parseRetryAfter(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string') return undefined
  const waitMs = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : undefined
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as JsonObject) : undefined
  } catch {
    // Not JSON: the callers report what they expected.
    return undefined
  }
}

function refuseAnswer(origin: string): never {
  const detail = `${origin} does not respond like a content server: check the address.`
  throw new ClientError('not-a-content-server', detail)
}

/** OpenSSL codes, as Node names them, for a certificate that this machine does not trust. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

const TRUST_IT =
  'If the certificate is your own, set NODE_EXTRA_CA_CERTS to the file of the certificate or of its authority.'

// A ClientError thrown while the body is produced is the caller's own error and passes unchanged.
function lostConnection(origin: string, error: unknown): unknown {
  if (error instanceof ClientError) return error
  const code = isTransient(error) ? (errnoOf(error) ?? 'connection') : 'connection'
  const reason = error instanceof Error ? error.message || code : String(error)
  const advice = UNTRUSTED.has(errnoOf(error) ?? '') ? `. ${TRUST_IT}` : ''
  const detail = `The connection to ${origin} failed: ${reason}${advice}`
  return new ClientError(code, detail, { cause: error })
}

const FIRST_DELAY_MS = 100
const MAX_DELAY_MS = 5_000
/** How long one piece of work may keep failing: ample time for a restart. */
const LIMIT_MS = 60_000
/** Before the first response, a wrong address is more likely than a restart. */
const FIRST_CONTACT_LIMIT_MS = 10_000

/** `attempt` counts from 1. */
type Work<T> = (attempt: number) => Promise<T>

interface Retry {
  readonly run: <T>(work: Work<T>) => Promise<T>
  /** Must be called for every response that shows that the server works. */
  readonly noteAnswer: () => void
}

/**
 * Retry policy: exponential back-off with jitter, for as long as the server may come back.
 *
 * The outcome of a lost attempt is unknown, so repeated work first reads the current state.
 */
function openRetry(origin: string, signal: AbortSignal): Retry {
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

// Sends one POST to an address that a user has given. The check applies to the address of the actual connection, at
// connect time: earlier and later DNS answers do not matter. Redirects are not followed, and proxies of the
// environment are ignored. undici is loaded with the first request.

import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { Agent, buildConnector, Dispatcher } from 'undici'
import type { Addresses } from './addresses.ts'

export interface PostRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal: AbortSignal
}

export interface Posted {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly location: string | undefined
  /** The beginning of the answer, as text. */
  readonly answer: string
}

export interface Poster {
  /** Throws PostError if no response arrived. */
  readonly post: (request: PostRequest) => Promise<Posted>
  /** Why the address is refused whatever it resolves to; undefined if only the connection can decide. */
  readonly faultOf: (url: string) => string | undefined
  readonly close: () => Promise<void>
}

/** No answer. The message is for the user who gave the address. */
class PostError extends Error {}

export interface PosterOptions {
  readonly addresses: Addresses
  /** Time until the answer has been read. */
  readonly timeoutMs: number
  /** Bytes read of an answer, and bytes kept. */
  readonly maxAnswerBytes: number
  readonly keptAnswerBytes: number
  /** Resolves names; the system's lookup unless a test replaces it. */
  readonly lookup?: LookupAll
}

/** The signature of lookup in node:dns with `all`. */
type LookupAll = (
  hostname: string,
  options: { readonly all: true; readonly family?: number | undefined },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

export function openPoster(options: PosterOptions): Poster {
  let agent: Promise<Agent> | undefined

  async function post({ url, headers, body, signal }: PostRequest): Promise<Posted> {
    agent ??= openAgent(options)
    const dispatcher = await agent
    const { origin, pathname, search } = new URL(url)
    const sent = { origin, path: pathname + search, method: 'POST', headers, body } as const
    const end = timeoutSignal(signal, options.timeoutMs)
    try {
      return await read(await dispatcher.request({ ...sent, signal: end.signal }), options)
    } catch (error) {
      throw new PostError(reasonOf(error), { cause: error })
    } finally {
      end.clear()
    }
  }

  return {
    post,
    faultOf: (url) => faultOf(new URL(url), options.addresses),
    close: async () => (await agent)?.destroy(),
  }
}

/** Uses a separate signal, because a signal joined to a long-lived one is not released. */
function timeoutSignal(signal: AbortSignal, timeoutMs: number) {
  const own = new AbortController()
  const stop = (): void => own.abort(new PostError('the server was stopped'))
  const detail = `no complete response arrived within ${timeoutMs / 1_000} s`
  const timer = setTimeout(() => own.abort(new PostError(detail)), timeoutMs)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  return {
    signal: own.signal,
    clear(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    },
  }
}

async function openAgent({ addresses, lookup, timeoutMs }: PosterOptions): Promise<Agent> {
  // Uses the default export: in the bundle, a CommonJS import has no named exports.
  const { default: undici } = await import('undici')
  const connectorFor = (protocol: string): buildConnector.connector => {
    const isAllowed = protocol === 'http:' ? addresses.isNamed : addresses.isAllowed
    const checked = checkedLookup(isAllowed, lookup ?? systemLookup)
    return undici.buildConnector({ lookup: checked, timeout: timeoutMs })
  }
  const connectors = { 'http:': connectorFor('http:'), 'https:': connectorFor('https:') }

  return new undici.Agent({
    connect(target, callback) {
      // Literal addresses are not looked up, so they are checked here.
      const fault = faultOf({ ...target, hostname: target.hostname }, addresses)
      if (fault !== undefined) callback(new PostError(fault), null)
      else connectors[target.protocol as keyof typeof connectors](target, callback)
    },
  })
}

/** Returns only allowed addresses, to connect to exactly these. */
function checkedLookup(isAllowed: (address: string) => boolean, lookup: LookupAll): LookupFunction {
  return (hostname, { all, family }, callback) => {
    const wanted = typeof family === 'number' ? family : undefined
    lookup(hostname, { all: true, family: wanted }, (error, found) => {
      const allowed = error === null ? found.filter(({ address }) => isAllowed(address)) : []
      const [first] = allowed
      if (error !== null) callback(error, '', 0)
      else if (first === undefined) callback(new PostError(refusal(hostname)), '', 0)
      else if (all === true) callback(null, allowed)
      else callback(null, first.address, first.family)
    })
  }
}

function faultOf(
  { protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>,
  { isNamed, isAllowed, hasNames }: Addresses,
): string | undefined {
  if (protocol === 'http:' && !hasNames)
    return 'must begin with https, because --webhook-allow names no address'
  const address = hostname.replace(/^\[|\]$/g, '')
  if (isIP(address) === 0) return undefined
  return (protocol === 'http:' ? isNamed : isAllowed)(address) ? undefined : refusal(address)
}

function refusal(host: string): string {
  return (
    `this server does not send to ${host}: the address is not public or the URL uses http, and ` +
    'the operator has not allowed the address with --webhook-allow'
  )
}

async function read(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  { maxAnswerBytes, keptAnswerBytes }: PosterOptions,
): Promise<Posted> {
  const kept: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (sizeBytes < keptAnswerBytes) kept.push(chunk)
    sizeBytes += chunk.length
    // Leaving the loop closes the connection.
    if (sizeBytes >= maxAnswerBytes) break
  }
  return {
    status: statusCode,
    retryAfter: firstValue(headers['retry-after']),
    location: firstValue(headers['location']),
    answer: Buffer.concat(kept).subarray(0, keptAnswerBytes).toString(),
  }
}

function firstValue(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'object' ? value[0] : value
}

/** The reason in words, or the code or message of Node or OpenSSL. */
function reasonOf(error: unknown): string {
  if (error instanceof PostError) return error.message
  const { code, message } = error as Partial<NodeJS.ErrnoException>
  const words = REASONS[code ?? '']
  return words ?? `no response arrived: ${code ?? message ?? 'unknown reason'}`
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the DNS server does not respond',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed before a response arrived',
  UND_ERR_SOCKET: 'the connection was closed before a response arrived',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
}

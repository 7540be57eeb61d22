// One request that the server itself sends: a POST to an address that somebody has given. Judged is the address that the
// connection is made to, when it is made: what a name resolved to before, or would resolve to next, counts for nothing. No redirect is
// followed, no proxy of the environment is asked. undici is loaded with the first request.

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
  /** How the answer begins, as text. */
  readonly answer: string
}

export interface Poster {
  /** Throws PostError where there was no answer. */
  readonly post: (request: PostRequest) => Promise<Posted>
  /** Why nothing is sent there whatever it resolves to; undefined where only the connection can tell. */
  readonly faultOf: (url: string) => string | undefined
  readonly close: () => Promise<void>
}

/** No answer. The message is for who has given the address. */
class PostError extends Error {}

export interface PosterOptions {
  readonly addresses: Addresses
  /** From the beginning until all of the answer is there that is read. */
  readonly timeoutMs: number
  /** What is read of an answer, and what is kept of it. */
  readonly maxAnswerBytes: number
  readonly keptAnswerBytes: number
  /** What names resolve to; that of the system unless a test has its own. */
  readonly lookup?: LookupAll
}

/** As lookup of node:dns with `all`. */
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
    const end = endsBy(signal, options.timeoutMs)
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

/** A signal of its own: one that is joined to a signal that lives long is not let go by it. */
function endsBy(signal: AbortSignal, timeoutMs: number) {
  const own = new AbortController()
  const stop = (): void => own.abort(new PostError('the server was stopped'))
  const detail = `there was no whole answer within ${timeoutMs / 1_000} s`
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
  // By its default: in the bundle an import of CommonJS has no other names.
  const { default: undici } = await import('undici')
  const connectorFor = (protocol: string): buildConnector.connector => {
    const isAllowed = protocol === 'http:' ? addresses.isNamed : addresses.isAllowed
    const checked = checkedLookup(isAllowed, lookup ?? systemLookup)
    return undici.buildConnector({ lookup: checked, timeout: timeoutMs })
  }
  const connectors = { 'http:': connectorFor('http:'), 'https:': connectorFor('https:') }

  return new undici.Agent({
    connect(target, callback) {
      // An address that needs no lookup is not looked up.
      const fault = faultOf({ ...target, hostname: target.hostname }, addresses)
      if (fault !== undefined) callback(new PostError(fault), null)
      else connectors[target.protocol as keyof typeof connectors](target, callback)
    },
  })
}

/** Gives those addresses alone that are allowed, to be connected to as they are. */
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
    return 'must begin with https: --webhook-allow names nothing'
  const address = hostname.replace(/^\[|\]$/g, '')
  if (isIP(address) === 0) return undefined
  return (protocol === 'http:' ? isNamed : isAllowed)(address) ? undefined : refusal(address)
}

function refusal(host: string): string {
  return (
    `${host} is no address that this server sends to: it is not public, or asked for by http, and ` +
    'the operator has not named it with --webhook-allow'
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
    // The connection ends with it.
    if (sizeBytes >= maxAnswerBytes) break
  }
  return {
    status: statusCode,
    retryAfter: oneOf(headers['retry-after']),
    location: oneOf(headers['location']),
    answer: Buffer.concat(kept).subarray(0, keptAnswerBytes).toString(),
  }
}

function oneOf(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'object' ? value[0] : value
}

/** What Node and OpenSSL call it: a code where there is one. */
function reasonOf(error: unknown): string {
  if (error instanceof PostError) return error.message
  const { code, message } = error as Partial<NodeJS.ErrnoException>
  const words = REASONS[code ?? '']
  return words ?? `there was no answer: ${code ?? message ?? 'no reason is known'}`
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name is not known to the DNS',
  EAI_AGAIN: 'the DNS does not answer',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was ended before there was an answer',
  UND_ERR_SOCKET: 'the connection was ended before there was an answer',
  UND_ERR_CONNECT_TIMEOUT: 'there was no connection in time',
}

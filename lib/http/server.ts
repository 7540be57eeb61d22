// The node:http server with every limit set: what Node leaves open by default is closed here, and
// what its parser lets pass is refused before a route is looked for.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { CmsError, PROBLEMS } from '../base/errors.ts'
import { FRAME_FAULTS } from './parser-errors.ts'
import { checkAuthority } from './authority.ts'
import { headerValues } from './header-values.ts'
import { type Begin, lingerAtEnd, openTurns, type TurnOptions, type Turns } from './pipelining.ts'
import type { Arrivals } from './accept-fairness.ts'

export interface ServerLimits {
  readonly headerBytes: number
  readonly headerCount: number
  readonly uriBytes: number
  readonly drainBytes: number
  readonly dropTimeoutMs: number
  readonly headersTimeoutMs: number
  readonly requestTimeoutMs: number
  readonly keepAliveTimeoutMs: number
  readonly connectionsCheckMs: number
}

type DropLimits = Pick<ServerLimits, 'drainBytes' | 'dropTimeoutMs'>

/** What is made of requests, and what they wait for. */
export interface Serving extends Pick<TurnOptions, 'handle' | 'refuse'> {
  readonly arrivals?: Pick<Arrivals, 'held'>
}

export function buildServer(limits: ServerLimits, { handle, refuse, arrivals }: Serving): Server {
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.connectionsCheckMs,
    keepAlive: true,
    noDelay: true,
    // Node would answer without a body: checkFrame asks for it.
    requireHostHeader: false,
    insecureHTTPParser: false,
    joinDuplicateHeaders: false,
  })

  // Who sends a request and ends its own side waits for the answer; Node would end the other side at once.
  Object.assign(server, { httpAllowHalfOpen: true })

  const turns = openTurns({
    refuse,
    isLast: isDoubtful,
    lingerMs: limits.keepAliveTimeoutMs,
    handle: (request, response, continueBody) => {
      const run = (): Promise<void> => handle(request, response, continueBody)
      const held = arrivals?.held()
      return (held === undefined ? run() : held.then(run)).finally(() => dropRest(request, limits))
    },
  })
  const expectNothing: Begin = (request, response) => {
    closeUnlessRead(request, response, limits)
    return () => undefined
  }
  /** Who is refused must not send its body first; who never asked for it cannot keep the connection. */
  const expectContinue: Begin = (request, response) => {
    const { shouldKeepAlive } = response
    response.shouldKeepAlive = false
    return () => {
      if (request.destroyed) return
      response.shouldKeepAlive = shouldKeepAlive
      closeUnlessRead(request, response, limits)
      response.writeContinue()
    }
  }
  server.on('request', (request, response) => turns.take(request, response, expectNothing))
  server.on('checkContinue', (request, response) => turns.take(request, response, expectContinue))
  server.on('checkExpectation', (request, response) => turns.take(request, response, expectNothing))
  refuseOn(server, turns, limits.uriBytes)
  return server
}

const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PATCH'])

/**
 * An answer that comes before a large body was read is the last on its connection, and says so. What the client still
 * sends is dropped for a while (RFC 9112, 9.6): if the connection were closed at once, the system would tell the client of
 * a broken one, and many clients send everything before they read.
 */
function closeUnlessRead(
  request: IncomingMessage,
  response: ServerResponse,
  { drainBytes, dropTimeoutMs }: DropLimits,
): void {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers
  const { shouldKeepAlive } = response
  // Of chunks nobody knows how many come; where no body is expected they are few.
  const isLarge =
    coding === undefined ? Number(length ?? 0) > drainBytes : WITH_BODY.has(request.method ?? '')
  if (!isLarge || !shouldKeepAlive || request.complete) return
  response.shouldKeepAlive = false
  lingerAtEnd(request.socket, dropTimeoutMs)
  request.once('end', () => {
    response.shouldKeepAlive = true
  })
}

/** What is no request, and CONNECT, for which Node has no response: one answer, then the end. */
function refuseOn(server: Server, turns: Turns, uriBytes: number): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // A broken connection is destroyed already, and nobody waits for an answer.
    if (!socket.destroyed) turns.fail(frameError(error, uriBytes), socket)
  })

  // Node knows nothing of these connections any more.
  const parted = new Set<Socket>()
  server.on('connect', (_, socket: Socket) => {
    parted.add(socket)
    socket.once('close', () => parted.delete(socket))
    const detail = 'This server is no proxy: it opens no tunnel.'
    turns.fail(new CmsError('not-implemented', detail), socket)
  })
  const closeKnown = server.closeAllConnections.bind(server)
  server.closeAllConnections = () => {
    closeKnown()
    for (const socket of parted) socket.destroy()
  }
}

/** Refuses what two parsers could read in two ways, and what is over a limit. */
export function checkFrame(
  message: IncomingMessage,
  limits: Pick<ServerLimits, 'headerCount' | 'uriBytes'>,
): void {
  const { rawHeaders, url = '', httpVersion, headers } = message
  if (rawHeaders.length / 2 > limits.headerCount) {
    throw new CmsError(
      'headers-too-large',
      `A request may have at most ${limits.headerCount} header lines.`,
    )
  }
  if (url.length > limits.uriBytes)
    throw new CmsError('uri-too-long', PROBLEMS['uri-too-long'].explanation)
  // Node takes a line without a version, where nothing follows it, for HTTP/0.9.
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    throw new CmsError('bad-request', 'Send the request in HTTP/1.1.')
  checkHost(headerValues(message, 'host'), httpVersion)
  checkCoding(message)
  const { expect } = headers
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    throw new CmsError('bad-request', 'The only expectation that is understood is 100-continue.')
  }
}

/** RFC 9112, 3.2. */
function checkHost([host, ...others]: readonly string[], httpVersion: string): void {
  if (others.length > 0 || (host === undefined && httpVersion === '1.1'))
    throw new CmsError('bad-request', 'Send one Host header.')
  // Empty where the target has no authority.
  if (host !== undefined && host !== '') checkAuthority(host)
}

/**
 * Node's parser takes more as chunked than that alone: any list that ends in it, and no coding at all (on Node 20
 * with a length beside it, too). A proxy in front may have read another length, and one of HTTP/1.0 none; so 400
 * to all, also where RFC 9112, 6.1, would have 501 or the request be processed.
 */
function checkCoding(message: IncomingMessage): void {
  if (message.headers['transfer-encoding'] === undefined || !isDoubtfulCoding(message)) return
  const detail = 'The only transfer encoding is chunked, told once, without a length, in HTTP/1.1.'
  throw new CmsError('bad-request', detail)
}

/**
 * What follows on the connection may be taken for something that it is not: after a body whose end two parsers
 * could see in two places, and after an Upgrade. That is passed over here, as RFC 9110, 7.8, allows, but Node's
 * parser drops what came in one piece with such a request, be it half of the next.
 */
function isDoubtful(message: IncomingMessage): boolean {
  const { upgrade, 'transfer-encoding': coding } = message.headers
  return upgrade !== undefined || (coding !== undefined && isDoubtfulCoding(message))
}

function isDoubtfulCoding(message: IncomingMessage): boolean {
  const [coding, ...others] = headerValues(message, 'transfer-encoding')
  const isChunked = others.length === 0 && coding?.toLowerCase() === 'chunked'
  return !isChunked || 'content-length' in message.headers || message.httpVersion === '1.0'
}

/** Reads and drops what is left of a small body after the answer, so that the connection goes on; one that grows ends it. */
function dropRest(request: IncomingMessage, { drainBytes, dropTimeoutMs }: DropLimits): void {
  if (request.complete || request.destroyed) return
  const { socket } = request
  const timer = setTimeout(() => request.destroy(), dropTimeoutMs)
  request.once('close', () => clearTimeout(timer))
  let left = drainBytes
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left >= 0) return
    lingerAtEnd(socket, dropTimeoutMs)
    socket.destroySoon()
  })
  request.on('error', () => undefined)
  request.resume()
}

/**
 * The parser does not tell an address that is too long from headers that are. A request line that begins in the bytes
 * at hand is recognised; where it began earlier, the problem names both.
 */
function isLongAddress(cause: Error, uriBytes: number): boolean {
  const { rawPacket } = cause as { readonly rawPacket?: unknown }
  if (!Buffer.isBuffer(rawPacket)) return false
  const [, address = ''] = /^[A-Z]+ (\S*)/.exec(rawPacket.toString('latin1')) ?? []
  return address.length > uriBytes
}

/** What the parser of Node says, in words that tell the client what to mend. */
function frameError(cause: NodeJS.ErrnoException, uriBytes: number): CmsError {
  const isAddress = cause.code === 'HPE_HEADER_OVERFLOW' && isLongAddress(cause, uriBytes)
  const fault = isAddress ? (['uri-too-long'] as const) : FRAME_FAULTS[cause.code ?? '']
  const [code, detail] = fault ?? ['bad-request']
  return new CmsError(code, detail ?? PROBLEMS[code].explanation, { cause })
}

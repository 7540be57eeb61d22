// The node:http server with every limit set: what Node leaves open by default is closed here, and
// what its parser lets pass is refused before a route is looked for.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { CmsError, PROBLEMS } from '../errors.ts'
import { FRAME_FAULTS } from './frame-faults.ts'
import { headerValues } from './header-values.ts'

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

/** `continueBody` must be called before the body is read: the client may be waiting for it. */
export type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  continueBody: () => void,
) => Promise<void>

export interface Handlers {
  readonly handle: Handler
  /** Answers what is no request, or none that is served here; it is the last on its connection. */
  readonly refuse: (error: CmsError, socket: Socket) => void
}

export function buildServer(limits: ServerLimits, { handle, refuse }: Handlers): Server {
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

  // Requests that a client sends without waiting are done one after the other, as RFC 9112, 9.3.2,
  // wants it for all but safe methods; Node would start them together.
  const lastOf = new WeakMap<Socket, Promise<void>>()

  const handleInTurn = (
    request: IncomingMessage,
    response: ServerResponse,
    continueBody: () => void,
  ): void => {
    const { socket } = request
    const run = (): Promise<void> =>
      handle(request, response, continueBody).finally(() => {
        dropRest(request, limits)
        if (lastOf.get(socket) === mine) lastOf.delete(socket)
      })
    const mine: Promise<void> = lastOf.get(socket)?.then(run, run) ?? run()
    lastOf.set(socket, mine)
  }
  server.on('request', (request, response) => handleInTurn(request, response, () => undefined))
  server.on('checkContinue', (request, response) => {
    // Who is refused must not send its body first; who never asked for it cannot keep the connection.
    const { shouldKeepAlive } = response
    response.shouldKeepAlive = false
    handleInTurn(request, response, () => {
      response.shouldKeepAlive = shouldKeepAlive
      response.writeContinue()
    })
  })
  server.on('checkExpectation', (request, response) =>
    handleInTurn(request, response, () => undefined),
  )
  refuseOn(server, limits, refuse)
  return server
}

/** What is no request, and CONNECT, for which Node has no response: one answer, then the end. */
function refuseOn(
  server: Server,
  { keepAliveTimeoutMs }: ServerLimits,
  refuse: Handlers['refuse'],
): void {
  const refused = new WeakSet<Socket>()

  function refuseLast(error: CmsError, socket: Socket): void {
    // Of what still comes in nothing is read, and it cannot keep the answer from the client.
    if (refused.has(socket)) return
    refused.add(socket)
    const timer = setTimeout(() => socket.destroy(), keepAliveTimeoutMs)
    socket.on('close', () => clearTimeout(timer))
    socket.on('error', () => socket.destroy())
    refuse(error, socket)
    socket.resume()
  }

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const isGone = error.code === 'ECONNRESET' || (!socket.writable && !refused.has(socket))
    if (isGone) socket.destroy()
    else refuseLast(frameError(error), socket)
  })
  server.on('connect', (_, socket: Socket) => {
    const detail = 'This server is no proxy: it opens no tunnel.'
    refuseLast(new CmsError('not-implemented', detail), socket)
  })
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
    throw new CmsError('uri-too-long', `The address may have at most ${limits.uriBytes} bytes.`)
  // Node takes a line without a version, where nothing follows it, for HTTP/0.9.
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    throw new CmsError('bad-request', 'Send the request in HTTP/1.1.')
  const hosts = headerValues(message, 'host').length
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1'))
    throw new CmsError('bad-request', 'Send one Host header.')
  const { expect } = headers
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    throw new CmsError('bad-request', 'The only expectation that is understood is 100-continue.')
  }
}

/**
 * Reads and drops what is left of a body after the answer, so that a client which sends first and
 * reads later sees the answer; past the limits the connection ends.
 */
function dropRest(
  request: IncomingMessage,
  { drainBytes, dropTimeoutMs }: Pick<ServerLimits, 'drainBytes' | 'dropTimeoutMs'>,
): void {
  if (request.complete || request.destroyed) return
  const timer = setTimeout(() => request.destroy(), dropTimeoutMs)
  request.once('close', () => clearTimeout(timer))
  let left = drainBytes
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) request.destroy()
  })
  request.on('error', () => undefined)
  request.resume()
}

/** What the parser of Node says, in words that tell the client what to mend. */
function frameError(cause: NodeJS.ErrnoException): CmsError {
  const [code, detail] = FRAME_FAULTS[cause.code ?? ''] ?? ['bad-request']
  return new CmsError(code, detail ?? PROBLEMS[code].explanation, { cause })
}

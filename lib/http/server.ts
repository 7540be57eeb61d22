// The node:http server with every limit set: what Node leaves open by default is closed here, and
// what its parser lets pass is refused before a route is looked for.

import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Socket } from 'node:net'
import { CmsError, type ErrorCode, PROBLEMS } from '../errors.ts'
import { headerValues } from './header-values.ts'

export interface ServerLimits {
  readonly headerBytes: number
  readonly headerCount: number
  readonly uriBytes: number
  readonly drainBytes: number
  readonly headersTimeoutMs: number
  readonly requestTimeoutMs: number
  readonly keepAliveTimeoutMs: number
  readonly maxConnections: number
}

/** `continueBody` must be called before the body is read: the client may be waiting for it. */
export type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  continueBody: () => void,
) => Promise<void>

export function buildServer(limits: ServerLimits, handler: Handler): Server {
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    // Timeouts are looked at this often; Node's own 30 s would stretch each of them by as much.
    connectionsCheckingInterval: 1_000,
    keepAlive: true,
    noDelay: true,
    requireHostHeader: true,
    insecureHTTPParser: false,
    joinDuplicateHeaders: false,
  })
  server.maxConnections = limits.maxConnections

  // Requests that a client sends without waiting are done one after the other, as RFC 9112, 9.3.2,
  // wants it for all but safe methods; Node would start them together.
  const lastOf = new WeakMap<Socket, Promise<void>>()

  const handle = (
    request: IncomingMessage,
    response: ServerResponse,
    continueBody: () => void,
  ): void => {
    const { socket } = request
    const run = (): Promise<void> =>
      handler(request, response, continueBody).finally(() => {
        dropRest(request, limits.drainBytes)
        if (lastOf.get(socket) === mine) lastOf.delete(socket)
      })
    const mine: Promise<void> = lastOf.get(socket)?.then(run, run) ?? run()
    lastOf.set(socket, mine)
  }
  server.on('request', (request, response) => handle(request, response, () => undefined))
  server.on('checkContinue', (request, response) => {
    // Who is refused must not send its body first; who never asked for it cannot keep the connection.
    const { shouldKeepAlive } = response
    response.shouldKeepAlive = false
    handle(request, response, () => {
      response.shouldKeepAlive = shouldKeepAlive
      response.writeContinue()
    })
  })
  server.on('checkExpectation', (request, response) => handle(request, response, () => undefined))
  server.on('clientError', answerBadFrame)
  server.on('connect', (_, socket) => socket.destroy())
  return server
}

/** Refuses what two parsers could read in two ways, and what is over a limit. */
export function checkFrame(
  message: IncomingMessage,
  limits: Pick<ServerLimits, 'headerCount' | 'uriBytes'>,
): void {
  const { rawHeaders, url = '', method, headers } = message
  if (rawHeaders.length / 2 > limits.headerCount) {
    throw new CmsError(
      'headers-too-large',
      `A request may have at most ${limits.headerCount} header lines.`,
    )
  }
  if (url.length > limits.uriBytes)
    throw new CmsError('uri-too-long', `The address may have at most ${limits.uriBytes} bytes.`)
  if (!url.startsWith('/') && !(url === '*' && method === 'OPTIONS')) {
    throw new CmsError('bad-request', 'The address must begin with "/": this server is no proxy.')
  }
  if (url.includes('#') && /^[^?]*#/.test(url))
    throw new CmsError('bad-request', 'Send the address without its #.')
  if (headerValues(message, 'host').length > 1)
    throw new CmsError('bad-request', 'Send one Host header.')
  const { expect } = headers
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    throw new CmsError('bad-request', 'The only expectation that is understood is 100-continue.')
  }
}

/**
 * Reads and drops what is left of a body after the answer, so that a client which sends first and
 * reads later sees the answer; past the limit the connection ends.
 */
function dropRest(request: IncomingMessage, drainBytes: number): void {
  if (request.complete || request.destroyed) return
  let left = drainBytes
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) request.destroy()
  })
  request.on('error', () => undefined)
  request.resume()
}

const BAD_FRAMES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
}

/** Bytes that are no request: one answer where the socket still takes it, then the end. */
function answerBadFrame(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const code = BAD_FRAMES[error.code ?? ''] ?? 'bad-request'
  const { status, title, explanation } = PROBLEMS[code]
  const body = JSON.stringify({
    type: `/problems/${code}`,
    title,
    status,
    detail: explanation,
    code,
  })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

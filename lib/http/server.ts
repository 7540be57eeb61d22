// The node:http server with every limit set: what Node leaves open by default is closed here, and
// what its parser lets pass is refused before a route is looked for.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { CmsError } from '../errors.ts'

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

  const handle = (
    request: IncomingMessage,
    response: ServerResponse,
    continueBody: () => void,
  ): void => {
    void handler(request, response, continueBody).finally(() =>
      dropRest(request, limits.drainBytes),
    )
  }
  server.on('request', (request, response) => handle(request, response, () => undefined))
  server.on('checkContinue', (request, response) => {
    // Who is refused must not send its body first; who never asked for it cannot keep the connection.
    response.shouldKeepAlive = false
    handle(request, response, () => {
      response.shouldKeepAlive = true
      response.writeContinue()
    })
  })
  server.on('checkExpectation', (request, response) => handle(request, response, () => undefined))
  server.on('clientError', answerBadFrame)
  server.on('connect', (_, socket) => socket.destroy())
  server.on('upgrade', (_, socket) => socket.destroy())
  return server
}

/** Refuses what two parsers could read in two ways, and what is over a limit. */
export function checkFrame(
  { rawHeaders, url = '', method, headers }: IncomingMessage,
  limits: Pick<ServerLimits, 'headerCount' | 'uriBytes'>,
): void {
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
  const hosts = rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host',
  )
  if (hosts.length > 1) throw new CmsError('bad-request', 'Send one Host header.')
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

const BAD_FRAMES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** Bytes that are no request: one plain answer where the socket still takes it, then the end. */
function answerBadFrame(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const status = BAD_FRAMES[error.code ?? ''] ?? '400 Bad Request'
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

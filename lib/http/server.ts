// The node:http server with all limits set. Limits that Node leaves open by default are set here, and input that its parser
// accepts but that is ambiguous is rejected before routing.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { CmsError, type ErrorCode } from '../base/errors.ts'
import { PROBLEMS } from '../base/problem-table.ts'
import { checkAuthority } from './request-target.ts'
import { hasBody } from './body.ts'
import { headerValues } from './header-values.ts'
import {
  type Begin,
  lingerAtEnd,
  openPipelines,
  type PipelineOptions,
  type Pipelines,
} from './pipelining.ts'
import type { AcceptFairness } from './accept-fairness.ts'

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

/** The request handlers, and what requests wait for. */
export interface Serving extends Pick<PipelineOptions, 'handle' | 'refuse'> {
  readonly acceptFairness?: Pick<AcceptFairness, 'held'>
}

export function buildServer(
  limits: ServerLimits,
  { handle, refuse, acceptFairness }: Serving,
): Server {
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.connectionsCheckMs,
    keepAlive: true,
    noDelay: true,
    // Node would answer without a body, so checkFrame checks the Host header.
    requireHostHeader: false,
    insecureHTTPParser: false,
    joinDuplicateHeaders: false,
  })

  // A client that half-closes its connection waits for the response. By default, Node would close the connection at once.
  Object.assign(server, { httpAllowHalfOpen: true })

  const pipelines = openPipelines({
    refuse,
    isLast: isDoubtful,
    lingerMs: limits.keepAliveTimeoutMs,
    handle: (request, response, { continueBody, end }) => {
      const endAndDrop = (): void => {
        end()
        dropRest(request, limits)
      }
      const run = (): void => handle(request, response, { continueBody, end: endAndDrop })
      const held = acceptFairness?.held()
      if (held === undefined) run()
      else void held.then(run)
    },
  })
  const expectNothing: Begin = (request, response) => {
    closeUnlessRead(request, response, limits)
    return () => undefined
  }
  /** A rejected client must not send its body. If the body was never requested, the connection cannot be reused. */
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
  server.on('request', (request, response) => pipelines.take(request, response, expectNothing))
  server.on('checkContinue', (request, response) =>
    pipelines.take(request, response, expectContinue),
  )
  server.on('checkExpectation', (request, response) =>
    pipelines.take(request, response, expectNothing),
  )
  refuseOn(server, pipelines, limits.uriBytes)
  return server
}

const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PATCH'])

/**
 * If the response is sent before a large body was read, the connection ends with the response. Further input is dropped for
 * a while (RFC 9112, 9.6): many clients send everything before they read, and an immediate close would reset the connection.
 */
function closeUnlessRead(
  request: IncomingMessage,
  response: ServerResponse,
  { drainBytes, dropTimeoutMs }: DropLimits,
): void {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers
  const { shouldKeepAlive } = response
  // The size of a chunked body is unknown. Methods without a body are assumed to have few chunks.
  const isLarge =
    coding === undefined ? Number(length ?? 0) > drainBytes : WITH_BODY.has(request.method ?? '')
  if (!isLarge || !shouldKeepAlive || request.complete) return
  response.shouldKeepAlive = false
  lingerAtEnd(request.socket, dropTimeoutMs)
  request.once('end', () => {
    response.shouldKeepAlive = true
  })
}

/** Answers invalid requests and CONNECT, for which Node has no response object, and ends the connection. */
function refuseOn(server: Server, pipelines: Pipelines, uriBytes: number): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // The socket of a broken connection is already destroyed and needs no response.
    if (!socket.destroyed) pipelines.fail(frameError(error, uriBytes), socket)
  })

  // Node no longer tracks these connections.
  const parted = new Set<Socket>()
  server.on('connect', (_, socket: Socket) => {
    parted.add(socket)
    socket.once('close', () => parted.delete(socket))
    const detail = 'This server is not a proxy and does not support CONNECT.'
    pipelines.fail(new CmsError('not-implemented', detail), socket)
  })
  const closeKnown = server.closeAllConnections.bind(server)
  server.closeAllConnections = () => {
    closeKnown()
    for (const socket of parted) socket.destroy()
  }
}

/** Rejects requests that two parsers could read differently, and requests over a limit. */
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
  // Node accepts a request line without a version as HTTP/0.9.
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    throw new CmsError('bad-request', 'Send the request in HTTP/1.1.')
  checkHost(headerValues(message, 'host'), httpVersion)
  checkCoding(message)
  const { expect } = headers
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    throw new CmsError('bad-request', 'The header Expect must be 100-continue or absent.')
  }
}

/** Requires one Host header (RFC 9112, 3.2). */
function checkHost([host, ...others]: readonly string[], httpVersion: string): void {
  if (others.length > 0 || (host === undefined && httpVersion === '1.1'))
    throw new CmsError('bad-request', 'Send one Host header.')
  // The header is empty if the target has no authority.
  if (host !== undefined && host !== '') checkAuthority(host)
}

/**
 * Accepts only the transfer encoding "chunked". The parser of Node also accepts any list that ends in chunked, and an empty
 * list (on Node 20 even together with a Content-Length). A proxy may have read another length, and a proxy for HTTP/1.0
 * none. All such requests get 400, even if RFC 9112, 6.1, would allow 501 or processing the request.
 */
function checkCoding(message: IncomingMessage): void {
  if (message.headers['transfer-encoding'] === undefined || !isDoubtfulCoding(message)) return
  const detail =
    'The only transfer encoding is chunked, sent once, without Content-Length, in HTTP/1.1.'
  throw new CmsError('bad-request', detail)
}

/**
 * Whether later input on the connection cannot be trusted: after a body whose end two parsers could see in different places,
 * and after an Upgrade. The server ignores Upgrade, as RFC 9110, 7.8, allows, but the parser of Node drops the input that
 * arrived together with such a request, even half of the next request.
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

/** Drops the rest of a small body after the response, so that the connection can be reused. A larger rest ends it. */
function dropRest(request: IncomingMessage, { drainBytes, dropTimeoutMs }: DropLimits): void {
  // The end of a request without a body may not have been parsed yet.
  if (request.complete || request.destroyed || !hasBody(request)) return
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
 * The parser does not distinguish a URL that is too long from headers that are too long. A request line that begins in the
 * current packet is recognized; otherwise the problem names both causes.
 */
function isLongAddress(cause: Error, uriBytes: number): boolean {
  const { rawPacket } = cause as { readonly rawPacket?: unknown }
  if (!Buffer.isBuffer(rawPacket)) return false
  const [, address = ''] = /^[A-Z]+ (\S*)/.exec(rawPacket.toString('latin1')) ?? []
  return address.length > uriBytes
}

/** Translates an error of the parser of Node to an error that tells the client what to correct. */
function frameError(cause: NodeJS.ErrnoException, uriBytes: number): CmsError {
  const isAddress = cause.code === 'HPE_HEADER_OVERFLOW' && isLongAddress(cause, uriBytes)
  const fault = isAddress ? (['uri-too-long'] as const) : FRAME_FAULTS[cause.code ?? '']
  const [code, detail] = fault ?? ['bad-request']
  return new CmsError(code, detail ?? PROBLEMS[code].explanation, { cause })
}

// Maps the error codes of the parser of Node (llhttp) to problem codes and details.

const LINES = 'End each header line with CR LF, and do not continue a header on the next line.'
const LENGTH =
  'Send the length of the body once: as a whole number in Content-Length, or by chunked encoding.'

/** Without a detail, the explanation of the problem code is used. */
const FRAME_FAULTS: Readonly<Record<string, readonly [ErrorCode, string?]>> = {
  HPE_HEADER_OVERFLOW: ['headers-too-large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request-timeout'],
  HPE_INVALID_METHOD: ['bad-request', 'The method is not an HTTP method.'],
  HPE_INVALID_URL: [
    'bad-request',
    'The request target contains a character that must be percent-encoded.',
  ],
  HPE_INVALID_CONSTANT: [
    'bad-request',
    'The request line must have a method, a target with spaces as %20, and HTTP/1.1.',
  ],
  HPE_INVALID_VERSION: ['bad-request', 'The version must be HTTP/1.1 or HTTP/1.0.'],
  HPE_PAUSED_H2_UPGRADE: ['bad-request', 'The version must be HTTP/1.1 or HTTP/1.0.'],
  HPE_INVALID_HEADER_TOKEN: [
    'bad-request',
    'A header line must have a name, a colon directly after the name, and a value without control characters.',
  ],
  HPE_CR_EXPECTED: ['bad-request', LINES],
  HPE_LF_EXPECTED: ['bad-request', LINES],
  HPE_STRICT: ['bad-request', LINES],
  HPE_INVALID_CONTENT_LENGTH: ['bad-request', LENGTH],
  HPE_UNEXPECTED_CONTENT_LENGTH: ['bad-request', LENGTH],
  HPE_INVALID_TRANSFER_ENCODING: [
    'bad-request',
    'The only transfer encoding is chunked, and it must not be combined with Content-Length.',
  ],
  HPE_INVALID_CHUNK_SIZE: [
    'bad-request',
    'Each chunk of the body must begin with its size in hexadecimal digits.',
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    'bad-request',
    'Chunk extensions are ignored and may have at most 16 KiB.',
  ],
  HPE_INVALID_EOF_STATE: ['bad-request', 'The connection ended before the request was complete.'],
}

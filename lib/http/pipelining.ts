// Runs pipelined requests of a connection one after the other, as RFC 9112, 9.3.2, requires for unsafe methods (Node would
// start them concurrently), and ends connections.
//
// An event that ends a connection (a parse error, a last request) never overtakes a response in progress: it waits for all
// earlier responses. Later input is neither read nor run, because no response could report it. If the body of a request has
// a parse error, the request fails with that error, and its response is the only one.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { CmsError } from '../base/errors.ts'

export interface RequestCallbacks {
  /** Must be called before the body is read, because the client may wait for 100 Continue. */
  readonly continueBody: () => void
  /** Must be called once: when the response is handed to the socket, or when it cannot be sent. */
  readonly end: () => void
}

/** Must not throw. */
type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  callbacks: RequestCallbacks,
) => void

/** Called when the request starts; returns the `continueBody` of the request. */
export type Begin = (request: IncomingMessage, response: ServerResponse) => () => void

export interface PipelineOptions {
  readonly handle: Handler
  /** Answers invalid input and ends the connection. */
  readonly refuse: (error: CmsError, socket: Socket) => void
  /** Whether later input on the connection cannot be trusted to be a request. */
  readonly isLast: (request: IncomingMessage) => boolean
  /** After the last response, input is dropped for this time before the connection is closed. */
  readonly lingerMs: number
}

export interface Pipelines {
  readonly take: (request: IncomingMessage, response: ServerResponse, begin: Begin) => void
  /** Answers invalid input after all requests in progress. */
  readonly fail: (fault: CmsError, socket: Socket) => void
}

interface PipelinedRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  isBegun: boolean
  isEnded: boolean
  /** Resolves when a request that waited for earlier responses has begun or cannot be answered. */
  begun: Promise<void> | undefined
}

interface Connection {
  /** The last request, until it is answered and its body is read or dropped. */
  newest: PipelinedRequest | undefined
  /** No request after `newest` is run. */
  isOver: boolean
}

export function openPipelines({ handle, refuse, isLast, lingerMs }: PipelineOptions): Pipelines {
  const connections = new WeakMap<Socket, Connection>()

  function connectionOf(socket: Socket): Connection {
    const known = connections.get(socket)
    if (known !== undefined) return known
    const made: Connection = { newest: undefined, isOver: false }
    connections.set(socket, made)
    return made
  }

  function take(request: IncomingMessage, response: ServerResponse, begin: Begin): void {
    const { socket } = request
    const connection = connectionOf(socket)
    if (connection.isOver || !socket.writable) return stopReading(socket, lingerMs)
    if (isLast(request) || !response.shouldKeepAlive) {
      connection.isOver = true
      response.shouldKeepAlive = false
      lingerAtEnd(socket, lingerMs)
    }

    const before = connection.newest
    const pipelined = newRequest(request, response)
    connection.newest = pipelined
    const end = (): void => {
      pipelined.isEnded = true
      if (connection.newest === pipelined && request.complete) connection.newest = undefined
    }
    const run = (): void => {
      pipelined.isBegun = true
      handle(request, response, { continueBody: begin(request, response), end })
    }
    if (before === undefined || (before.isEnded && before.request.complete)) run()
    else {
      lingerAtEnd(socket, lingerMs)
      pipelined.begun = settled(before).then(() => (isHopeless(pipelined) ? undefined : run()))
    }
  }

  async function answer(fault: CmsError, socket: Socket): Promise<void> {
    const connection = connectionOf(socket)
    const { newest, isOver } = connection
    connection.isOver = true
    // Node has removed its own error listener.
    if (!isOver) socket.on('error', () => socket.destroy())
    stopReading(socket, lingerMs)
    const isWithin = newest !== undefined && isUnfinished(newest)
    // The connection is already ending.
    if (isOver && !isWithin) return
    if (isWithin) cut(newest, fault)

    if (newest !== undefined) await settled(newest)
    if (!socket.writable) return
    if (!isWithin || !newest.isBegun) refuse(fault, socket)
    linger(socket, lingerMs)
  }

  return {
    take,
    fail(fault, socket) {
      void answer(fault, socket)
    },
  }
}

function newRequest(request: IncomingMessage, response: ServerResponse): PipelinedRequest {
  return { request, response, isBegun: false, isEnded: false, begun: undefined }
}

/** Whether the request cannot be answered: an earlier response was the last, the client is gone, or the body is invalid. */
function isHopeless({ request }: PipelinedRequest): boolean {
  return request.destroyed || !request.socket.writable
}

function isUnfinished({ request }: PipelinedRequest): boolean {
  return !request.complete && !request.destroyed
}

/** Ends the body with this error for current and later readers. The connection stays open for the response. */
function cut({ request, response }: PipelinedRequest, fault: CmsError): void {
  response.shouldKeepAlive = false
  request.on('error', () => undefined)
  // The _destroy of Node would destroy the connection.
  request._destroy = (error, done) => done(error)
  request.destroy(fault)
}

/**
 * Resolves when the response has ended or cannot be sent. Waiting for the written bytes alone is not enough, because Node
 * ends the connection after the last response.
 */
async function settled(pipelined: PipelinedRequest): Promise<void> {
  await pipelined.begun
  const { request, response, isBegun } = pipelined
  const { socket } = request
  if (!isBegun || response.closed || socket.destroyed) return
  await new Promise<void>((resolve) => {
    function end(): void {
      response.off('close', end)
      socket.off('close', end)
      resolve()
    }
    response.on('close', end)
    socket.on('close', end)
  })
}

/** Stops parsing input. Further input is dropped, so that it cannot prevent the client from reading the response. */
function stopReading(socket: Socket, lingerMs: number): void {
  lingerAtEnd(socket, lingerMs)
  // The parser may be running now and resumes reading at the end of a request, so the pause must follow it.
  process.nextTick(() => {
    if (!LINGERING.has(socket)) socket.pause()
  })
}

const LINGERING = new WeakSet<Socket>()

/** Node calls destroySoon after the last response and would close the connection at once. */
export function lingerAtEnd(socket: Socket, lingerMs: number): void {
  socket.destroySoon = () => linger(socket, lingerMs)
}

/**
 * Ends the connection in stages (RFC 9112, 9.6). If a connection is closed while input arrives, the system resets it, and
 * the client may lose the response.
 */
function linger(socket: Socket, lingerMs: number): void {
  if (LINGERING.has(socket) || socket.destroyed) return
  LINGERING.add(socket)
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.on('close', () => clearTimeout(timer))
  // Detaches the parser.
  socket.removeAllListeners('data')
  socket.on('data', () => undefined)
  socket.resume()
  // If a body was not requested yet, Node has stopped reading below the stream. This starts it again.
  socket._read(0)
  if (!socket.writableEnded) socket.end()
}

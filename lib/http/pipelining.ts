// The requests of a connection, one after the other, as RFC 9112, 9.3.2, wants it for all but safe
// methods (Node would start them together), and the end of a connection.
//
// What ends one (a fault of the frame, a request that is the last) never overtakes an answer that is
// under way: it waits for those, and what comes in behind it is neither read nor run, because no answer
// could tell of it. A request whose own body is at fault fails by that, and its answer is the only one.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { CmsError } from '../base/errors.ts'

/** `continueBody` must be called before the body is read: the client may be waiting for it. */
type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  continueBody: () => void,
) => Promise<void>

/** Called when the turn begins; gives what is to be called before the body is read. */
export type Begin = (request: IncomingMessage, response: ServerResponse) => () => void

export interface TurnOptions {
  /** Must not reject. */
  readonly handle: Handler
  /** Answers what is no request, or none that is served here; it is the last on its connection. */
  readonly refuse: (error: CmsError, socket: Socket) => void
  /** Nothing behind it on its connection can be trusted to be a request. */
  readonly isLast: (request: IncomingMessage) => boolean
  /** What a client still sends after the last answer is dropped for so long, and the connection closed then. */
  readonly lingerMs: number
}

export interface Turns {
  readonly take: (request: IncomingMessage, response: ServerResponse, begin: Begin) => void
  /** What came in is no request: answered after all that is under way. */
  readonly fail: (fault: CmsError, socket: Socket) => void
}

interface Turn {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  isBegun: boolean
  done: Promise<void>
}

interface Connection {
  /** Until it is answered, and its body is read or dropped. */
  newest: Turn | undefined
  /** Nothing behind `newest` is run. */
  isOver: boolean
}

export function openTurns({ handle, refuse, isLast, lingerMs }: TurnOptions): Turns {
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
    const turn: Turn = { request, response, isBegun: false, done: Promise.resolve() }
    connection.newest = turn
    const run = async (): Promise<void> => {
      turn.isBegun = true
      await handle(request, response, begin(request, response))
      if (connection.newest === turn && request.complete) connection.newest = undefined
    }
    if (before === undefined) turn.done = run()
    else {
      lingerAtEnd(socket, lingerMs)
      turn.done = settled(before).then(() => (isHopeless(turn) ? undefined : run()))
    }
  }

  async function answer(fault: CmsError, socket: Socket): Promise<void> {
    const connection = connectionOf(socket)
    const { newest, isOver } = connection
    connection.isOver = true
    // Node has taken its own listener away.
    if (!isOver) socket.on('error', () => socket.destroy())
    stopReading(socket, lingerMs)
    const isWithin = newest !== undefined && isUnfinished(newest)
    // Its end is on its way already.
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

/** Where an answer before was the last, or the client is gone, or the body is known to be at fault. */
function isHopeless({ request }: Turn): boolean {
  return request.destroyed || !request.socket.writable
}

function isUnfinished({ request }: Turn): boolean {
  return !request.complete && !request.destroyed
}

/** The body ends with this fault, for whoever reads it now or later; the connection lives on for the answer. */
function cut({ request, response }: Turn, fault: CmsError): void {
  response.shouldKeepAlive = false
  request.on('error', () => undefined)
  // Node's own would destroy the connection.
  request._destroy = (error, done) => done(error)
  request.destroy(fault)
}

/**
 * The answer is with the system, or never will be. Its end is waited for, not only that its bytes are written: Node
 * ends the connection in between, where the answer was the last.
 */
async function settled(turn: Turn): Promise<void> {
  await turn.done
  const { request, response, isBegun } = turn
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

/** Of what still comes in nothing is made; it cannot keep the answer from the client. */
function stopReading(socket: Socket, lingerMs: number): void {
  lingerAtEnd(socket, lingerMs)
  // The parser, which may be at work in this very turn, starts the reading again at the end of a request.
  process.nextTick(() => {
    if (!LINGERING.has(socket)) socket.pause()
  })
}

const LINGERING = new WeakSet<Socket>()

/** Node calls this when the last answer is written, and would close at once. */
export function lingerAtEnd(socket: Socket, lingerMs: number): void {
  socket.destroySoon = () => linger(socket, lingerMs)
}

/**
 * RFC 9112, 9.6: closed while bytes come in, the system would tell the client of a broken connection instead of
 * giving it the answer.
 */
function linger(socket: Socket, lingerMs: number): void {
  if (LINGERING.has(socket) || socket.destroyed) return
  LINGERING.add(socket)
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.on('close', () => clearTimeout(timer))
  // The parser gets nothing more.
  socket.removeAllListeners('data')
  socket.on('data', () => undefined)
  socket.resume()
  // Where a body was not wanted yet, Node has stopped the reading beneath the stream, for the parser that is gone now.
  socket._read(0)
  if (!socket.writableEnded) socket.end()
}

// Limits the number of open connections, in total and per address, so that a single client cannot take all of them. An
// excess connection gets an error response when its request begins, without a parser, and is closed. Only a few excess
// connections may wait for this at once; all further connections are closed without a response.

import type { DropArgument, Server, Socket } from 'node:net'
import { CmsError } from '../base/errors.ts'
import type { AcceptFairness } from './accept-fairness.ts'
import { ownNetwork, plainAddress } from './client-address.ts'

export interface ConnectionOptions {
  readonly all: number
  /** 0 means no limit. */
  readonly perAddress: number
  /** Maximum number of excess connections that wait for their error response. */
  readonly refused: number
  /** Excess connections are closed after this time. */
  readonly refusalTimeoutMs: number
  /** Whether many clients may share an address. */
  readonly isShared: (address: string) => boolean
  /** Answers an excess connection and ends it. */
  readonly refuse: (error: CmsError, socket: Socket) => void
  /** Called for each connection that is closed without a response. */
  readonly onDrop: (address: string) => void
  /** Notified of each new connection. */
  readonly acceptFairness?: Pick<AcceptFairness, 'note'>
}

/** Serves an admitted connection; must call `leave` when the connection closes. */
export type Admit = (socket: Socket, leave: () => void) => void

type Listener = (this: Server, socket: Socket) => void

/** Limits a server that serves its connections itself. */
export function limitConnections(server: Server, options: ConnectionOptions): void {
  // Only the listener of Node, which parses requests, is registered before the server listens.
  const serve = server.listeners('connection') as unknown as readonly Listener[]
  server.removeAllListeners('connection')
  admitConnections(server, options, (socket, leave) => {
    socket.once('close', leave)
    for (const listener of serve) listener.call(server, socket)
  })
}

/** Limits a server that passes its connections on. */
export function admitConnections(server: Server, options: ConnectionOptions, take: Admit): void {
  const { refuse, onDrop, acceptFairness } = options
  const admit = openAdmission(options)
  let refused = 0

  function refuseFirst(error: CmsError, socket: Socket): void {
    if (refused >= options.refused) {
      onDrop(plainAddress(socket.remoteAddress))
      socket.destroy()
      return
    }
    refused += 1
    const timer = setTimeout(() => socket.destroy(), options.refusalTimeoutMs)
    socket.once('close', () => {
      clearTimeout(timer)
      refused -= 1
    })
    socket.on('error', () => socket.destroy())
    socket.once('end', () => socket.end())
    // A response must not precede its request. The rest of the input is read and dropped, because otherwise the system would
    // reset the connection and the client would lose the response.
    socket.once('data', () => refuse(error, socket))
    socket.resume()
  }

  server.maxConnections = options.all + options.refused
  server.on('drop', (dropped?: DropArgument) => onDrop(plainAddress(dropped?.remoteAddress)))
  server.on('connection', (socket: Socket) => {
    const admitted = admit(socket)
    acceptFairness?.note()
    if (admitted instanceof CmsError) refuseFirst(admitted, socket)
    else take(socket, admitted)
  })
}

/**
 * The limit for one address: the configured number, but at most a share of all connections. 0 means no limit.
 */
export function mostOfAddress(perAddress: number, all: number, share: number): number {
  return perAddress === 0 ? 0 : Math.min(perAddress, Math.ceil(all * share))
}

/** Counts open connections. Returns a function that ends the count of a connection, or the error if a limit is reached. */
function openAdmission({ all, perAddress, isShared }: ConnectionOptions) {
  const ofNetwork = new Map<string, number>()
  let open = 0

  function leave(network: string | undefined): void {
    open -= 1
    if (network === undefined) return
    const count = (ofNetwork.get(network) ?? 0) - 1
    if (count > 0) ofNetwork.set(network, count)
    else ofNetwork.delete(network)
  }

  return (socket: Socket): CmsError | (() => void) => {
    const address = plainAddress(socket.remoteAddress)
    const network = perAddress === 0 || isShared(address) ? undefined : ownNetwork(address)
    const count = network === undefined ? 0 : (ofNetwork.get(network) ?? 0)
    if (network !== undefined && count >= perAddress) return tooManyOfAddress(perAddress)
    if (open >= all) return tooManyOfAll()

    open += 1
    if (network !== undefined) ofNetwork.set(network, count + 1)
    return () => leave(network)
  }
}

function tooManyOfAddress(perAddress: number): CmsError {
  const detail = `This address has ${perAddress} open connections, which is the limit per address. Reuse these connections, or close some.`
  return new CmsError('too-many-requests', detail, { headers: { 'retry-after': '1' } })
}

function tooManyOfAll(): CmsError {
  return new CmsError('unavailable', 'The server has reached its limit of connections. Try again.')
}

// How many connections may be open: all together, and of one address, so that a single client cannot take
// them all. One too many is told so when its request begins, and closed. It costs no parser, and few may
// wait for that at once: more than those are closed without a word, before anything is made for them.

import type { DropArgument, Server, Socket } from 'node:net'
import { CmsError } from '../base/errors.ts'
import type { Arrivals } from './accept-fairness.ts'
import { ownNetwork, plainAddress } from './client-address.ts'

export interface ConnectionOptions {
  readonly all: number
  /** 0: any number. */
  readonly perAddress: number
  /** Connections that wait for their refusal at once. */
  readonly refused: number
  /** They are closed by then, whatever they send. */
  readonly refusalTimeoutMs: number
  /** True where many clients may be behind an address. */
  readonly isShared: (address: string) => boolean
  /** Answers a connection that is one too many; the answer is the last on it. */
  readonly refuse: (error: CmsError, socket: Socket) => void
  /** Told of each connection that is closed without an answer. */
  readonly onDrop: (address: string) => void
  /** Told of each that has come. */
  readonly arrivals?: Pick<Arrivals, 'note'>
}

/** What is done with a connection that may be open; `leave` is to be called when it is no more. */
export type Admit = (socket: Socket, leave: () => void) => void

type Listener = (this: Server, socket: Socket) => void

/** For a server that serves what it accepts. */
export function limitConnections(server: Server, options: ConnectionOptions): void {
  // Node's own, which makes requests of what comes in: nobody else listens before the server does.
  const serve = server.listeners('connection') as unknown as readonly Listener[]
  server.removeAllListeners('connection')
  admitConnections(server, options, (socket, leave) => {
    socket.once('close', leave)
    for (const listener of serve) listener.call(server, socket)
  })
}

/** For one that hands on what it accepts. */
export function admitConnections(server: Server, options: ConnectionOptions, take: Admit): void {
  const { refuse, onDrop, arrivals } = options
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
    // An answer that comes before its request would be one to nothing. What follows is read and dropped, or
    // the system would tell the client of a broken connection instead.
    socket.once('data', () => refuse(error, socket))
    socket.resume()
  }

  server.maxConnections = options.all + options.refused
  server.on('drop', (dropped?: DropArgument) => onDrop(plainAddress(dropped?.remoteAddress)))
  server.on('connection', (socket: Socket) => {
    const admitted = admit(socket)
    arrivals?.note()
    if (admitted instanceof CmsError) refuseFirst(admitted, socket)
    else take(socket, admitted)
  })
}

/**
 * What one address may have of all: so many as the operator says, but no more than its share where there are few in all.
 * 0: any number.
 */
export function mostOfAddress(perAddress: number, all: number, share: number): number {
  return perAddress === 0 ? 0 : Math.min(perAddress, Math.ceil(all * share))
}

/** Counts connections while they are open: gives what ends that, or where one is too many the reason, and does not count it. */
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
  const detail = `This address has ${perAddress} connections open, which is all that one may have. Send requests on those, or close some.`
  return new CmsError('too-many-requests', detail, { headers: { 'retry-after': '1' } })
}

function tooManyOfAll(): CmsError {
  return new CmsError('unavailable', 'As many connections are open as there may be. Try again.')
}

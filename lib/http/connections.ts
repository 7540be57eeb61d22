// Connections of one address: they have a limit, so that a single client cannot take them all.

import type { Server } from 'node:http'
import type { DropArgument, Socket } from 'node:net'
import { ownNetwork, plainAddress } from './client-address.ts'

export interface ConnectionLimit {
  /** 0: any number. */
  readonly perAddress: number
  /** True where many clients may be behind an address. */
  readonly isShared: (address: string) => boolean
  /** Told of each connection that is closed at once: of one address too many, or of all. */
  readonly onDrop: (address: string) => void
}

export function limitConnections(
  server: Server,
  { perAddress, isShared, onDrop }: ConnectionLimit,
): void {
  const open = new Map<string, number>()

  function close(network: string): void {
    const count = (open.get(network) ?? 0) - 1
    if (count > 0) open.set(network, count)
    else open.delete(network)
  }

  server.on('drop', (dropped?: DropArgument) => onDrop(plainAddress(dropped?.remoteAddress)))
  if (perAddress === 0) return
  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress)
    if (isShared(address)) return
    const network = ownNetwork(address)
    const count = (open.get(network) ?? 0) + 1
    if (count > perAddress) {
      onDrop(address)
      socket.destroy()
      return
    }
    open.set(network, count)
    socket.once('close', () => close(network))
  })
}

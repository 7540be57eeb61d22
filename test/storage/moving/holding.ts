// A proxy to a PostgreSQL server that holds all traffic after a given number of bytes until it is
// released, so that a test knows how far a move is.

import { connect, createServer, type Socket } from 'node:net'

export interface Holding {
  readonly port: number
  /** Returns whether bytes are held back. */
  isHeld(): boolean
  letGo(): void
  /** Closes all connections and accepts no more. */
  close(): void
}

export interface HoldingOptions {
  readonly port: number
  readonly direction: 'to server' | 'to client'
  /** The limit applies to all connections together. */
  readonly afterBytes: number
}

export async function openHolding(options: HoldingOptions): Promise<Holding> {
  const { port, direction, afterBytes } = options
  const sockets = new Set<Socket>()
  const waiting = new Set<Socket>()
  let left = afterBytes

  function pass(from: Socket, to: Socket): void {
    from.on('data', (bytes: Buffer) => {
      to.write(bytes)
      left -= bytes.length
      if (left > 0) return
      from.pause()
      waiting.add(from)
    })
  }

  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket
        .on('error', () => socket.destroy())
        .on('close', () => {
          sockets.delete(socket)
          waiting.delete(socket)
          for (const other of [client, upstream]) other.destroy()
        })
    }
    const [held, other] = direction === 'to server' ? [client, upstream] : [upstream, client]
    pass(held, other)
    other.on('data', (bytes) => void held.write(bytes))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('There is no port.')
  return {
    port: address.port,
    isHeld: () => waiting.size > 0,
    letGo() {
      left = Number.POSITIVE_INFINITY
      for (const socket of waiting) socket.resume()
      waiting.clear()
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

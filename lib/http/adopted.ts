// A server that does not listen: its connections are accepted elsewhere and handed to it.

import type { Server } from 'node:http'
import type { Socket } from 'node:net'

export interface Adopted {
  /** Serves a connection that nothing was read of; `onClose` is called when it is no more. */
  take(socket: Socket, onClose: () => void): void
  /** Requests that run get the time to finish; resolves when no connection is open. */
  drain(timeoutMs: number): Promise<void>
}

const LOOK_MS = 100

export function adoptConnections(server: Server): Adopted {
  const open = new Set<Socket>()
  let onEmpty: () => void = () => undefined
  // Node watches over the times of heads and of idle connections from here on, whoever accepts them.
  server.emit('listening')

  return {
    take(socket, onClose) {
      open.add(socket)
      socket.once('close', () => {
        open.delete(socket)
        onClose()
        if (open.size === 0) onEmpty()
      })
      // A client that ends its own side waits for the answer.
      socket.allowHalfOpen = true
      server.emit('connection', socket)
      socket.resume()
    },

    async drain(timeoutMs) {
      const closed = new Promise<void>((resolve) => {
        onEmpty = resolve
      })
      server.closeIdleConnections()
      if (open.size === 0) return
      // A connection that answers later is idle only then.
      const idle = setInterval(() => server.closeIdleConnections(), LOOK_MS)
      const deadline = setTimeout(() => {
        server.closeAllConnections()
        for (const socket of open) socket.destroy()
      }, timeoutMs)
      await closed
      clearInterval(idle)
      clearTimeout(deadline)
    },
  }
}

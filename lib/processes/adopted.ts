// An HTTP server that does not listen itself: another server or process accepts its connections.

import type { Server } from 'node:http'
import type { Socket } from 'node:net'

export interface Adopted {
  /** Serves a connection from which nothing was read; `onClose` is called when the connection closes. */
  take(socket: Socket, onClose: () => void): void
  /** Lets running requests finish within the timeout; resolves when no connection is open. */
  drain(timeoutMs: number): Promise<void>
}

const LOOK_MS = 100

export function adoptConnections(server: Server): Adopted {
  const open = new Set<Socket>()
  let onEmpty: () => void = () => undefined
  // The event starts the timeouts of Node for headers and idle connections, although this server does not listen.
  server.emit('listening')

  return {
    take(socket, onClose) {
      open.add(socket)
      socket.once('close', () => {
        open.delete(socket)
        onClose()
        if (open.size === 0) onEmpty()
      })
      // A client that half-closes the connection still waits for the response.
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
      // A connection with a running request becomes idle later.
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

// Ends a connection on which no byte moves for a while: a client that neither sends nor reads must
// not hold a file, a descriptor and memory.

import type { Socket } from 'node:net'

export async function withStallLimit<T>(
  socket: Socket,
  timeoutMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const onStall = (): void => void socket.destroy()
  socket.setTimeout(timeoutMs, onStall)
  try {
    return await work()
  } finally {
    // Or each request on a kept connection would leave one behind.
    socket.off('timeout', onStall)
    // After the end of an answer Node has set another time: for a connection that waits to be used again.
    if (socket.timeout === timeoutMs) socket.setTimeout(0)
  }
}

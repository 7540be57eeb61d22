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
    // With the listener, or each request on a kept connection would leave one behind.
    socket.setTimeout(0, onStall)
  }
}

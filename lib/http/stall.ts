// Ends a connection on which no byte moves for a while, or an upload that hardly does: a client that neither
// sends nor reads must not hold a file, a descriptor and memory.

import type { IncomingMessage } from 'node:http'
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

export interface LeastRate {
  readonly windowMs: number
  readonly windowBytes: number
}

/** A window in which the reading was paused, because the disk was slower than the client, does not count. */
export async function withLeastRate<T>(
  request: IncomingMessage,
  { windowMs, windowBytes }: LeastRate,
  work: () => Promise<T>,
): Promise<T> {
  const { socket } = request
  let bytesBefore = socket.bytesRead
  let wasPaused = false
  const onPause = (): void => {
    wasPaused = true
  }
  const timer = setInterval(() => {
    const isSlow = socket.bytesRead - bytesBefore < windowBytes
    if (isSlow && !wasPaused && !request.complete) socket.destroy()
    bytesBefore = socket.bytesRead
    wasPaused = request.isPaused()
  }, windowMs)
  request.on('pause', onPause)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    request.off('pause', onPause)
  }
}

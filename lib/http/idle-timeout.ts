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

/** Looks at an answer so often in its time: it may be that much longer. */
const LOOKS = 4

/**
 * The same for an answer: what comes in meanwhile does not count, or a client that never reads could hold it by
 * sending a byte now and then.
 */
export async function withSendLimit<T>(
  socket: Socket,
  timeoutMs: number,
  work: () => Promise<T>,
): Promise<T> {
  let taken = takenBytes(socket)
  let still = 0
  const timer = setInterval(() => {
    const before = taken
    taken = takenBytes(socket)
    still = taken === before ? still + 1 : 0
    if (still >= LOOKS) socket.destroy()
  }, timeoutMs / LOOKS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

/** By the system, also of a piece that it takes in parts: of those Node tells nobody but itself. */
function takenBytes(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { readonly _handle?: Handle | null }
  return socket.bytesWritten - socket.writableLength - (handle?.writeQueueSize ?? 0)
}

interface Handle {
  readonly writeQueueSize?: number
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

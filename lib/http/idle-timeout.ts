// Closes a connection on which no byte moves for a while, and an upload below a minimum rate. A client that neither sends
// nor reads must not hold a file, a descriptor and memory.

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
    // Otherwise each request on a keep-alive connection would leave a listener behind.
    socket.off('timeout', onStall)
    // After the end of a response, Node has already set its own timeout for idle keep-alive connections.
    if (socket.timeout === timeoutMs) socket.setTimeout(0)
  }
}

/** The number of checks per timeout. The effective timeout may be longer by one interval. */
const LOOKS = 4

/**
 * The timeout while a response is sent. Received bytes do not count, because a client that never reads could otherwise keep
 * the connection by sending a byte now and then.
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

/** The bytes that the system has accepted, including parts of a write, which only the internal handle reports. */
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

/** A window in which reading was paused does not count, because the disk was slower than the client. */
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

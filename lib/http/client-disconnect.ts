// Whether the client of a request is still there: nobody wants an answer when it has gone.
//
// A client that closes its connection and one that has only ended its own side of it, and waits for the
// answer, look the same: the system tells the difference where something is sent. So then the client is
// sent an interim answer, which it must pass over (RFC 9110 section 15.2), until the system says that nobody
// takes it.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface Client {
  readonly socket: Socket
  /** Sends an interim answer. */
  probe(): void
}

const PROBE_MS = 250

export function clientOf(message: IncomingMessage, response: ServerResponse): Client {
  // HTTP/1.0 has no interim answers: there the work goes on to its end.
  const isOld = message.httpVersionMajor === 1 && message.httpVersionMinor === 0
  return {
    socket: message.socket,
    probe: () => {
      if (!isOld && !response.headersSent) response.writeProcessing()
    },
  }
}

/** Does the work with a signal that is aborted where the client goes before it is done. */
export async function whilePresent<T>(
  { socket, probe }: Client,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const gone = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const abort = (): void => gone.abort()
  const ask = (): void => {
    probe()
    timer ??= setInterval(probe, PROBE_MS)
  }
  socket.once('close', abort)
  socket.once('end', ask)
  if (socket.destroyed) abort()
  else if (socket.readableEnded) ask()
  try {
    return await work(gone.signal)
  } finally {
    clearInterval(timer)
    socket.off('close', abort)
    socket.off('end', ask)
  }
}

// Detects that the client of a request has disconnected, so that work for it can be aborted.
//
// A client that closes its connection and a client that half-closes it and waits for the response look the same until the
// server sends something. The server therefore sends interim responses, which the client must ignore (RFC 9110, 15.2),
// until the system reports that the connection is closed.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface Client {
  readonly socket: Socket
  /** Sends an interim response. */
  probe(): void
}

const PROBE_MS = 250

export function clientOf(message: IncomingMessage, response: ServerResponse): Client {
  // HTTP/1.0 has no interim responses, so the work runs to its end.
  const isOld = message.httpVersionMajor === 1 && message.httpVersionMinor === 0
  return {
    socket: message.socket,
    probe: () => {
      if (!isOld && !response.headersSent) response.writeProcessing()
    },
  }
}

/** Runs the work with a signal that is aborted if the client disconnects. */
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

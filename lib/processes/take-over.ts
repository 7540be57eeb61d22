// Takes the requests that other processes hand over (hand-over.ts): a server on a Unix socket that only this user can
// reach, and that serves them as if their clients had sent them here.

import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingMessage, Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tellPeer } from '../http/client-address.ts'
import { buildServer, type ServerLimits } from '../http/server.ts'
import type { TurnOptions } from '../http/turns.ts'
import { PEER_HEADER } from './messages.ts'

export interface TakingOver {
  /** Of the socket. */
  readonly address: string
  /** Requests that are being answered. */
  running(): number
  /** To be called when nobody hands over any more. */
  close(): Promise<void>
}

/** For the header that is added, and what is written of those of the connection. */
const HEADER_BYTES = 256

export async function openTakingOver(
  limits: ServerLimits,
  serve: Pick<TurnOptions, 'handle' | 'refuse'>,
): Promise<TakingOver> {
  let running = 0
  const server = buildServer(
    { ...limits, headerBytes: limits.headerBytes + HEADER_BYTES },
    {
      refuse: serve.refuse,
      handle: (message, response, continueBody) => {
        running += 1
        return serve.handle(message, response, continueBody).finally(() => {
          running -= 1
        })
      },
    },
  )
  // Idle connections stay: one that is closed just as a request comes in would lose it.
  server.keepAliveTimeout = 0
  for (const event of ['request', 'checkContinue', 'checkExpectation'])
    server.prependListener(event, takePeer)

  // Only this user may look into a directory that is made so.
  const directory = mkdtempSync(join(tmpdir(), 'cms-server-'))
  const address = join(directory, 'writer')
  await listen(server, address)
  return {
    address,
    running: () => running,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** It stands behind all that the client has sent; what follows finds the request as it was sent. */
function takePeer(message: IncomingMessage): void {
  const { rawHeaders } = message
  const at = rawHeaders.lastIndexOf(PEER_HEADER)
  if (at === -1) return
  const [, peer = ''] = rawHeaders.splice(at, 2)
  tellPeer(message, peer)
}

function listen(server: Server, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(address, resolve)
  })
}

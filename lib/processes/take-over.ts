// Serves the requests that reader processes hand over (hand-over.ts): an HTTP server on a Unix socket that only this user
// can access. The requests are handled as if the clients had sent them to this process.

import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingMessage, Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSocketPath } from '../base/socket-path.ts'
import { setHandedOver } from '../http/client-address.ts'
import { buildServer, type ServerLimits, type Serving } from '../http/server.ts'
import { COUNTED_MARK, PEER_HEADER } from './messages.ts'

export interface TakingOver {
  /** The address of the socket. */
  readonly address: string
  /** Number of running requests. */
  running(): number
  /** Must be called after all reader processes have ended. */
  close(): Promise<void>
}

/** Additional space for the headers that hand-over.ts adds. */
const HEADER_BYTES = 256

/** `directory`: a private directory that each start empties. */
export async function openTakingOver(
  limits: ServerLimits,
  serve: Serving,
  directory: string,
): Promise<TakingOver> {
  let running = 0
  const server = buildServer(
    { ...limits, headerBytes: limits.headerBytes + HEADER_BYTES },
    {
      ...serve,
      handle: (message, response, { continueBody, end }) => {
        running += 1
        const leave = (): void => {
          running -= 1
          end()
        }
        serve.handle(message, response, { continueBody, end: leave })
      },
    },
  )
  // Idle connections stay open, because closing a connection while a request arrives would lose the request.
  server.keepAliveTimeout = 0
  for (const event of ['request', 'checkContinue', 'checkExpectation'])
    server.prependListener(event, takePeer)

  const place = await listenIn(server, directory)
  return {
    address: place.address,
    running: () => running,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
      place.remove()
    },
  }
}

/** Errors for a directory that is read-only or missing. */
const NOT_WRITABLE: ReadonlySet<string | undefined> = new Set(['EROFS', 'EACCES', 'ENOENT'])

/**
 * Listens in the directory, where the next start removes the socket of a killed server. If the directory is not writable,
 * listens in a new temporary directory that only this user can access.
 */
async function listenIn(server: Server, directory: string) {
  const address = join(directory, 'requests')
  const socket = openSocketPath(address)
  try {
    rmSync(address, { force: true })
    await listen(server, socket.path)
    return { address, remove: socket.close }
  } catch (error) {
    socket.close()
    if (!NOT_WRITABLE.has((error as NodeJS.ErrnoException).code)) throw error
    const own = mkdtempSync(join(tmpdir(), 'cms-server-'))
    await listen(server, join(own, 'requests'))
    const remove = (): void => rmSync(own, { recursive: true, force: true })
    return { address: join(own, 'requests'), remove }
  }
}

/** Removes the peer header, which is the last header, so that the request is as the client sent it. */
function takePeer(message: IncomingMessage): void {
  const { rawHeaders } = message
  const at = rawHeaders.lastIndexOf(PEER_HEADER)
  if (at === -1) return
  const [, told = ''] = rawHeaders.splice(at, 2)
  const [peer = '', ...marks] = told.split(' ')
  setHandedOver(message, { peer, isCounted: marks.includes(COUNTED_MARK) })
}

function listen(server: Server, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(address, resolve)
  })
}

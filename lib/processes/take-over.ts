// Takes the requests that other processes hand over (hand-over.ts): a server on a Unix socket that only this user can
// reach, and that serves them as if their clients had sent them here.

import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingMessage, Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSocketPath } from '../base/socket-path.ts'
import { tellHandedOver } from '../http/handed-over.ts'
import { buildServer, type ServerLimits, type Serving } from '../http/server.ts'
import { COUNTED_MARK, PEER_HEADER } from './messages.ts'

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

/** `directory`: where nobody but this user may look, and where each start clears away what it finds. */
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

/** Where nothing can be bound to, or the directory is missing, as in what is only read. */
const NOT_WRITABLE: ReadonlySet<string | undefined> = new Set(['EROFS', 'EACCES', 'ENOENT'])

/** What a killed server leaves there, its next start removes; else in a directory that only this user may look into. */
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

/** It stands behind all that the client has sent; what follows finds the request as it was sent. */
function takePeer(message: IncomingMessage): void {
  const { rawHeaders } = message
  const at = rawHeaders.lastIndexOf(PEER_HEADER)
  if (at === -1) return
  const [, told = ''] = rawHeaders.splice(at, 2)
  const [peer = '', ...marks] = told.split(' ')
  tellHandedOver(message, { peer, isCounted: marks.includes(COUNTED_MARK) })
}

function listen(server: Server, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(address, resolve)
  })
}

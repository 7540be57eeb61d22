// The listener of a server, with one process or with additional reader processes.

import type { ChildProcess } from 'node:child_process'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { CmsError } from '../base/errors.ts'
import { openAcceptFairness } from '../http/accept-fairness.ts'
import { admitConnections, type ConnectionOptions, limitConnections } from '../http/connections.ts'
import type { PipelineOptions } from '../http/pipelining.ts'
import { buildServer, type ServerLimits } from '../http/server.ts'
import type { ProcessMetrics } from '../metrics/metrics.ts'
import { adoptConnections, type Adopted } from './adopted.ts'
import type { Connection, ServingProcess } from './reader-process.ts'
import { openReaders, type Readers, type ReadersOptions } from './readers.ts'
import { openTakingOver } from './take-over.ts'

export interface Door {
  listen(port: number, host: string): Promise<AddressInfo>
  /** Stops accepting connections and lets open connections finish their requests within the timeout. */
  close(timeoutMs: number): Promise<void>
  /** Number of reader processes that should run and do not. */
  missing(): number
  /** The metrics of the reader processes. */
  measure(): Promise<readonly ProcessMetrics[]>
  /** Tells the reader processes that invalid keys come from this address: see openReadingGuard of auth/guard.ts. */
  noteGuessing(source: string, seconds: number): void
}

export interface DoorOptions {
  readonly limits: ServerLimits
  readonly connections: ConnectionOptions
  readonly serve: Pick<PipelineOptions, 'handle' | 'refuse'>
}

export function openDoor({ limits, connections, serve }: DoorOptions): Door {
  const acceptFairness = openAcceptFairness()
  const server = buildServer(limits, { ...serve, acceptFairness })
  limitConnections(server, { ...connections, acceptFairness })
  return {
    listen: (port, host) => listen(server, port, host),
    async close(timeoutMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      // A connection with a running request becomes idle later.
      const idle = setInterval(() => server.closeIdleConnections(), 100)
      const deadline = setTimeout(() => server.closeAllConnections(), timeoutMs)
      await closed
      clearInterval(idle)
      clearTimeout(deadline)
    },
    missing: () => 0,
    measure: async () => [],
    noteGuessing: () => undefined,
  }
}

export interface SharedDoorOptions extends DoorOptions {
  /** The directory of the socket over which requests are handed over. */
  readonly directory: string
  readonly readers: Omit<ReadersOptions, 'address' | 'acceptFairness'>
}

/** Starts the reader processes. */
export async function openSharedDoor(options: SharedDoorOptions): Promise<Door> {
  const { limits } = options
  const acceptFairness = openAcceptFairness(() => readers.isGiving())
  const serve = { ...options.serve, acceptFairness }
  const connections = { ...options.connections, acceptFairness }
  const own = adoptConnections(buildServer(limits, serve))
  const takingOver = await openTakingOver(limits, serve, options.directory)
  const readers = openReaders({ ...options.readers, address: takingOver.address, acceptFairness })
  const acceptor = buildAcceptor({ connections, readers, own, takenOver: takingOver.running })
  return {
    listen: (port, host) => listen(acceptor, port, host),
    async close(timeoutMs) {
      acceptor.close()
      // Requests that reader processes hand over are served until these processes have ended.
      await Promise.all([own.drain(timeoutMs), readers.stop(timeoutMs)])
      await takingOver.close()
    },
    missing: () => options.readers.count - readers.ready().length,
    measure: readers.measure,
    noteGuessing: readers.noteGuessing,
  }
}

/** Starts a reader process: see cli/start-run.ts. */
export type Fork = () => ChildProcess

/** Throws if another program uses the port. Called before a first start creates a site. */
export async function requireFreePort(port: number, host: string): Promise<void> {
  if (port === 0) return
  const server = createServer()
  await listen(server, port, host)
  await new Promise<void>((resolve) => server.close(() => resolve()))
}

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') return reject(error)
      const detail = `Another program uses port ${port} of ${host}. Stop that program, or choose another port: --port ${port + 1}`
      reject(new CmsError('unavailable', detail, { cause: error }))
    })
    server.listen(port, host, () => resolve(server.address() as AddressInfo))
  })
}

interface AcceptOptions {
  readonly connections: ConnectionOptions
  readonly readers: Pick<Readers, 'ready'>
  /** The HTTP server of this process. */
  readonly own: Adopted
  /** Number of running requests that reader processes have handed over to this process. */
  readonly takenOver: () => number
}

/**
 * Returns a server that does not listen yet. It accepts and counts all connections, and passes each connection to the process
 * with the fewest. The writer process, which runs the acceptor, also serves connections.
 */
function buildAcceptor({ connections, readers, own, takenOver }: AcceptOptions): Server {
  let served = 0
  /** Round-robin position among the processes with equally few connections. */
  let turn = 0
  const here: ServingProcess = {
    connections: () => served + takenOver(),
    give({ socket, leave }) {
      served += 1
      own.take(socket, () => {
        served -= 1
        leave()
      })
    },
  }

  // The options of an HTTP server in Node. Connections are paused until a process takes them.
  const server = createServer({
    pauseOnConnect: true,
    allowHalfOpen: true,
    noDelay: true,
    keepAlive: true,
  })
  function give(connection: Connection): void {
    // A connection may come back from a reader process while the server stops.
    if (!server.listening) {
      connection.socket.destroy()
      return connection.leave()
    }
    const all = [...readers.ready(), here]
    turn += 1
    const inTurn = [...all.slice(turn % all.length), ...all.slice(0, turn % all.length)]
    const fewest = inTurn.reduce((least, other) =>
      other.connections() < least.connections() ? other : least,
    )
    fewest.give(connection)
  }

  admitConnections(server, connections, (socket, leave) => {
    const connection: Connection = { socket, leave, giveAgain: () => give(connection) }
    give(connection)
  })
  return server
}

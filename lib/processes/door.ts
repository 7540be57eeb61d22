// The listener of a server, with one process or with additional reader processes.

import type { ChildProcess } from 'node:child_process'
import { type AddressInfo, createServer, type Server as NetServer } from 'node:net'
import { CmsError } from '../base/errors.ts'
import { adoptConnections } from './adopted.ts'
import { openAcceptFairness } from '../http/accept-fairness.ts'
import { type ConnectionOptions, limitConnections } from '../http/connections.ts'
import { buildServer, type ServerLimits } from '../http/server.ts'
import type { PipelineOptions } from '../http/pipelining.ts'
import type { ProcessMetrics } from '../metrics/metrics.ts'
import { buildAcceptor } from './accept.ts'
import { openReaders, type ReadersOptions } from './readers.ts'
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

function listen(server: NetServer, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') return reject(error)
      const detail = `Another program uses port ${port} of ${host}. Stop that program, or choose another port: --port ${port + 1}`
      reject(new CmsError('unavailable', detail, { cause: error }))
    })
    server.listen(port, host, () => resolve(server.address() as AddressInfo))
  })
}

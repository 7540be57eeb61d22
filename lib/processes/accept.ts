// The acceptor of a server with several processes: it accepts and counts all connections and passes each connection to the
// process with the fewest. The writer process, which runs the acceptor, also serves connections.

import { createServer, type Server } from 'node:net'
import type { Adopted } from './adopted.ts'
import { admitConnections, type ConnectionOptions } from '../http/connections.ts'
import type { Connection, ServingProcess } from './reader-process.ts'
import type { Readers } from './readers.ts'

export interface AcceptOptions {
  readonly connections: ConnectionOptions
  readonly readers: Pick<Readers, 'ready'>
  /** The HTTP server of this process. */
  readonly own: Adopted
  /** Number of running requests that reader processes have handed over to this process. */
  readonly takenOver: () => number
}

/** Returns a server that does not listen yet. */
export function buildAcceptor({ connections, readers, own, takenOver }: AcceptOptions): Server {
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

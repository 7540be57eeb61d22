// The door of a server of several processes: connections are accepted and counted here, once for all, and each goes to
// the process that has the fewest. This one serves some of them, too.

import { createServer, type Server } from 'node:net'
import type { Adopted } from '../http/adopted.ts'
import { admitConnections, type ConnectionOptions } from '../http/connections.ts'
import type { Connection, ServingProcess } from './reader-process.ts'
import type { Readers } from './readers.ts'

export interface AcceptOptions {
  readonly connections: ConnectionOptions
  readonly readers: Pick<Readers, 'ready'>
  /** What this process serves itself. */
  readonly own: Adopted
  /** Requests of the others that this process is at. */
  readonly takenOver: () => number
}

/** To be told to listen. */
export function buildAcceptor({ connections, readers, own, takenOver }: AcceptOptions): Server {
  let served = 0
  /** Of those that have equally few, each gets one in turn. */
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

  // As Node sets up connections of HTTP; nothing is read before it is known who does.
  const server = createServer({
    pauseOnConnect: true,
    allowHalfOpen: true,
    noDelay: true,
    keepAlive: true,
  })
  function give(connection: Connection): void {
    // One that came back while the server stops.
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

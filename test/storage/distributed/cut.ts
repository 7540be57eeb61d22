// A proxy to a PostgreSQL server that cuts connections around a commit. With "before", the server does
// not receive the commit message. With "after", the server receives the message, and the client
// receives no answer, so the outcome is unknown. With "begun", the proxy cuts a transaction after
// its first answer, and also the next commit before its message.

import { connect, createServer, type Socket } from 'node:net'

type When = 'begun' | 'before' | 'after'

export interface Cutting {
  readonly port: number
  /** Cuts the next `count` commits, on the way to the server or on the way back. */
  cutNext(when: When, count?: number): void
  readonly cuts: () => number
  /** Closes all connections and accepts no more. */
  close(): void
}

/** The text that ends each commit of this server; no other message contains it. */
const COMMIT = Buffer.from('; commit\0')
/** Only the first query of a commit has this text. */
const BEGIN = 'for update'

export async function openCutting(port: number): Promise<Cutting> {
  const sockets = new Set<Socket>()
  let left = 0
  let cuts = 0
  let when: When = 'after'

  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    let isDeaf = false
    let isLast = false
    const end = (): void => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', end).on('close', () => {
        sockets.delete(socket)
        end()
      })
    }
    client.on('data', (bytes) => {
      if (left > 0 && when === 'begun' && bytes.includes(BEGIN)) {
        cuts += 1
        when = 'before'
        isLast = true
      }
      if (left > 0 && bytes.subarray(-COMMIT.length).equals(COMMIT)) {
        left -= 1
        cuts += 1
        if (when === 'before') return end()
        isDeaf = true
      }
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      if (isDeaf) end()
      else if (isLast) client.end(bytes, end)
      else client.write(bytes)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('There is no port.')
  return {
    port: address.port,
    cutNext(where, count = 1) {
      when = where
      left = count
    },
    cuts: () => cuts,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

// A proxy to a PostgreSQL server that cuts connections around a commit: before the server receives
// the commit message, or after the server has received it and before the client receives the
// answer, when the outcome is unknown.

import { connect, createServer, type Socket } from 'node:net'

export interface Cutting {
  readonly port: number
  /** Cuts the next `count` commits, on the way to the server or on the way back. */
  cutNext(when: 'before' | 'after', count?: number): void
  readonly cuts: () => number
  /** Closes all connections and accepts no more. */
  close(): void
}

/** The text that ends each commit of this server; no other message contains it. */
const COMMIT = Buffer.from('; commit\0')

export async function openCutting(port: number): Promise<Cutting> {
  const sockets = new Set<Socket>()
  let left = 0
  let cuts = 0
  let when: 'before' | 'after' = 'after'

  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    let isDeaf = false
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

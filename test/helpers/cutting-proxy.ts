// A TCP proxy that cuts connections after a number of bytes from the client.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface CuttingProxy {
  readonly url: string
  cuts(): number
  /** Cuts all connections. */
  cutAll(): void
  close(): Promise<void>
}

/** `bytesOf` returns the bytes after which the next connection is cut; undefined: the connection is not cut. */
export async function startCuttingProxy(
  target: string,
  bytesOf: (cuts: number) => number | undefined,
): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let cuts = 0

  const server = createServer((client) => {
    const onward = connect(Number(port), hostname)
    const limit = bytesOf(cuts)
    let passed = 0
    for (const socket of [client, onward]) {
      sockets.add(socket)
      socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
    }
    client.on('data', (chunk: Buffer) => {
      const rest = limit === undefined ? chunk.length : limit - passed
      passed += chunk.length
      if (chunk.length <= rest) {
        if (!onward.write(chunk)) client.pause()
        return
      }
      cuts += 1
      onward.write(chunk.subarray(0, Math.max(0, rest)), () => onward.destroy())
      client.destroy()
    })
    onward.on('drain', () => client.resume()).pipe(client)
    client.once('close', () => onward.end())
    onward.once('close', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cutAll = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    cutAll,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: () => cuts,
    async close() {
      server.close()
      cutAll()
    },
  }
}

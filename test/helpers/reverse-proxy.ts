// A reverse proxy that maps a path prefix of a host to a server. It forwards requests with or without the
// prefix, and adds the usual headers about the client.

import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReverseProxy {
  /** Includes the prefix. */
  readonly url: string
  readonly close: () => void
}

export interface ProxyOptions {
  /**
   * Address of the server. The server starts after the proxy, because --base-url contains the
   * proxy's port.
   */
  readonly target: () => string
  readonly prefix: string
  readonly stripsPrefix: boolean
  readonly headers?: Readonly<Record<string, string>>
}

export async function openReverseProxy(options: ProxyOptions): Promise<ReverseProxy> {
  const { target, prefix, stripsPrefix } = options
  const proxy = createServer((incoming, answer) => {
    const { method, url = '', socket } = incoming
    if (!url.startsWith(prefix)) return answer.writeHead(404).end('not below the prefix')
    const path = stripsPrefix ? url.slice(prefix.length) : url
    const forwarded = { 'x-forwarded-for': String(socket.remoteAddress), ...options.headers }
    const headers = { ...incoming.headers, ...forwarded }
    const outgoing = send(target() + path, { method, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 0, reply.headers)
      reply.on('error', () => answer.destroy())
      reply.pipe(answer)
    })
    // The server may end before its clients.
    outgoing.on('error', () => answer.destroy())
    return incoming.pipe(outgoing)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => proxy.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${prefix}`,
    close() {
      proxy.close()
      proxy.closeAllConnections()
    },
  }
}

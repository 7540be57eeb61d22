// A proxy in front of a real server that records requests and can lose answers.

import { createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

export interface Proxy {
  readonly url: string
  /** Method and path of each request since the last call. */
  readonly takeSeen: () => readonly string[]
  /** The same for requests whose answer was lost. */
  readonly takeLost: () => readonly string[]
}

export interface ProxyOptions {
  /** Forwards every change and download, but loses the first answer to each, or all answers. */
  readonly losesAnswers: boolean | 'all'
  /** Answers the first attempt of every POST with "busy" and does not forward it. */
  readonly isBusyFirst?: boolean
}

export async function openProxy(
  t: TestContext,
  target: string,
  { losesAnswers, isBusyFirst = false }: ProxyOptions,
): Promise<Proxy> {
  const seen: string[] = []
  const lost: string[] = []
  const answered = new Set<string>()
  const refused = new Set<string>()

  function isLost({ method, url = '', headers }: IncomingMessage): boolean {
    const isChange = method === 'POST' || url.endsWith('/publish') || url.startsWith('/file/')
    // Uploads differ by their length.
    const name = `${method} ${url} ${headers['content-length'] ?? ''}`
    if (losesAnswers === false || !isChange) return false
    if (losesAnswers !== 'all' && answered.has(name)) return false
    answered.add(name)
    return true
  }

  function forward(incoming: IncomingMessage, reply: ServerResponse): void {
    const { method = '', url = '', headers } = incoming
    const shown = `${method} ${url.replace(/\?.*/, '')}`
    seen.push(shown)
    const length = `${url} ${headers['content-length'] ?? ''}`
    if (isBusyFirst && method === 'POST' && !refused.has(length)) {
      refused.add(length)
      return refuseBusy(incoming, reply)
    }
    const outgoing = send(target + url, { method, headers }, (answer) => {
      if (isLost(incoming)) {
        lost.push(shown)
        return answer.resume().on('end', () => reply.destroy())
      }
      reply.writeHead(answer.statusCode ?? 0, answer.headers)
      return answer.pipe(reply)
    })
    incoming.pipe(outgoing)
  }

  const proxy = createServer(forward).listen(0, '127.0.0.1')
  await new Promise((resolve) => proxy.once('listening', resolve))
  t.after(() => {
    proxy.close()
    proxy.closeAllConnections()
  })
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    takeSeen: () => seen.splice(0),
    takeLost: () => lost.splice(0),
  }
}

function refuseBusy(incoming: IncomingMessage, reply: ServerResponse): void {
  incoming.resume().on('end', () => {
    reply.writeHead(503, { 'content-type': 'application/problem+json' })
    reply.end(JSON.stringify({ code: 'unavailable', detail: 'The server is stopping.' }))
  })
}

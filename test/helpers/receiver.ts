// A receiver of webhooks: an HTTP server that records its requests and gives the answers that a test wants.

import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: any
}

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Receiver {
  readonly url: string
  readonly port: number
  readonly received: readonly Received[]
  /** Sets the answers to the next requests; the last answer repeats. */
  answer(...replies: readonly Reply[]): void
  /** Resolves after this number of requests. */
  until(count: number): Promise<readonly Received[]>
  close(): Promise<void>
}

export interface ReceiverOptions {
  readonly host?: string
  readonly port?: number
  /** `never` sends no answer; `endlessly` sends a body without an end. */
  readonly answers?: 'never' | 'endlessly'
}

export async function openReceiver({
  host = '127.0.0.1',
  port = 0,
  answers,
}: ReceiverOptions = {}): Promise<Receiver> {
  const received: Received[] = []
  let replies: Reply[] = [{ status: 204 }]
  let waiting: (() => void)[] = []
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const { url: path = '', headers } = request
      received.push({ path, headers, text, body: JSON.parse(text) })
      if (answers === 'endlessly') pourOut(response)
      if (answers !== undefined) return
      const [reply] = replies
      if (replies.length > 1) replies = replies.slice(1)
      response.writeHead(reply?.status ?? 500, reply?.headers)
      response.end(reply?.body)
      for (const wake of waiting.splice(0)) wake()
    })
  }
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  const { port: own } = server.address() as AddressInfo

  return {
    url: `http://${host}:${own}/hook`,
    port: own,
    received,
    answer: (...next) => void (replies = [...next]),
    async until(count) {
      while (received.length < count)
        await new Promise<void>((resolve) => void (waiting = [...waiting, resolve]))
      return received
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function pourOut(response: ServerResponse): void {
  response.on('error', () => undefined)
  const pour = (): void => {
    while (!response.destroyed && response.write('x'.repeat(16_384)));
    response.once('drain', pour)
  }
  response.writeHead(200)
  pour()
}

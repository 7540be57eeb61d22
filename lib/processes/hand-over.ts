// Hands a request over to the writer process over a Unix socket and streams the response to the client. Both directions
// have back-pressure, so neither process buffers a body. The writer process treats the request as if the client (address,
// key, speed) were connected to it directly.

import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http'
import { pipeline } from 'node:stream/promises'
import { once } from 'node:events'
import { CmsError } from '../base/errors.ts'
import { plainAddress, isCounted } from '../http/client-address.ts'
import { type Client, whilePresent } from '../http/client-disconnect.ts'
import { untilSent } from '../http/reply.ts'
import { openSocketPath } from '../base/socket-path.ts'
import { COUNTED_MARK, PEER_HEADER } from './messages.ts'

export interface HandOverRequest {
  readonly message: IncomingMessage
  readonly response: ServerResponse
  readonly client: Client
  /** Must be called before the body is read. */
  readonly continueBody: () => void
}

/**
 * Resolves when the response is handed to the socket, or if the connection of the client or to the writer process ended
 * without a response. In that case, the outcome of the request is unknown. Rejects with a CmsError if the body is invalid and
 * no response was started.
 */
export type HandOverTo = (asked: HandOverRequest) => Promise<undefined>

export interface HandingOver {
  readonly to: HandOverTo
  close(): void
}

/** Headers of a single connection (RFC 9110, 7.6.1), which are not forwarded. */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade'])

export function openHandingOver(address: string, stallTimeoutMs: number): HandingOver {
  const { path: socketPath, close } = openSocketPath(address)
  // The writer process never closes idle connections, so a request cannot meet a connection that is being closed.
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 256 })

  async function to(asked: HandOverRequest): Promise<undefined> {
    const { message, response, client, continueBody } = asked
    await whilePresent(client, async (gone) => {
      const onward = request({
        agent,
        socketPath,
        method: message.method,
        path: message.url,
        headers: headersOf(message),
        // Forwards the Host headers of the client unchanged.
        setHost: false,
      })
      const end = (): void => void onward.destroy()
      gone.addEventListener('abort', end, { once: true })
      try {
        const answer = await exchange(message, onward, continueBody)
        await untilSent(message.socket, stallTimeoutMs, () => passOn(answer, response))
      } catch (error) {
        if (error instanceof CmsError && !response.headersSent) throw error
        response.destroy()
      } finally {
        gone.removeEventListener('abort', end)
        message.unpipe(onward)
        if (!onward.writableFinished) onward.destroy()
      }
    })
  }

  return {
    to,
    close() {
      agent.destroy()
      close()
    },
  }
}

/** Sends the body and waits for the response, which may come before the body is sent. */
async function exchange(
  message: IncomingMessage,
  onward: ClientRequest,
  continueBody: () => void,
): Promise<IncomingMessage> {
  const failed = new Promise<never>((_, reject) => {
    // The body may already be known to be invalid.
    if (message.errored !== null) reject(message.errored)
    // The listeners stay, because a later error without a listener would crash the process.
    message.on('error', reject)
    onward.on('error', reject)
  })
  failed.catch(() => undefined)
  const answered = once(onward, 'response') as Promise<[IncomingMessage]>
  answered.catch(() => undefined)

  // Sends the headers without waiting for the body. If the body has already arrived, both are sent in one packet.
  onward.cork()
  onward.flushHeaders()
  setImmediate(() => onward.uncork())
  if (message.headers.expect === undefined) sendBody(message, onward, continueBody)
  else onward.once('continue', () => sendBody(message, onward, continueBody))
  const [answer] = await Promise.race([answered, failed])
  return answer
}

function sendBody(message: IncomingMessage, onward: ClientRequest, continueBody: () => void): void {
  continueBody()
  message.pipe(onward)
  // An incomplete body must not look complete to the writer process.
  message.once('close', () => {
    if (!message.complete) onward.destroy()
  })
}

async function passOn(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  const { statusCode = 502, rawHeaders, headers } = answer
  if (headers.connection === 'close') response.shouldKeepAlive = false
  response.writeHead(statusCode, kept(rawHeaders))
  await pipeline(answer, response)
}

function headersOf(message: IncomingMessage): string[] {
  const { headers, method, socket } = message
  const lines = kept(message.rawHeaders)
  if (headers['transfer-encoding'] !== undefined) lines.push('transfer-encoding', 'chunked')
  else if (headers['content-length'] === undefined && method !== 'GET' && method !== 'HEAD')
    lines.push('content-length', '0')
  // HTTP/1.0 requests may have no Host.
  if (headers.host === undefined) lines.push('host', '')
  const peer = plainAddress(socket.remoteAddress)
  lines.push(PEER_HEADER, isCounted(message) ? `${peer} ${COUNTED_MARK}` : peer)
  return lines
}

/** The headers as name, value, name, value, …, without the headers of the connection. */
function kept(rawHeaders: readonly string[]): string[] {
  const lines: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
    if (!OF_CONNECTION.has(name.toLowerCase())) lines.push(name, value)
  }
  return lines
}

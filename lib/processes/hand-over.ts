// Hands a request over to the process that writes, as it came, and gives the client the answer, as it comes: over a
// Unix socket, piece by piece, so that neither holds more of a body than the other takes. What that process decides
// by the client (its address, its key, how fast it is) it decides as if the client were its own.

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
import { plainAddress } from '../http/client-address.ts'
import { isCounted } from '../http/handed-over.ts'
import { type Client, whilePresent } from '../http/client-disconnect.ts'
import { untilSent } from '../http/reply.ts'
import { openSocketPath } from '../base/socket-path.ts'
import { COUNTED_MARK, PEER_HEADER } from './messages.ts'

export interface HandOverRequest {
  readonly message: IncomingMessage
  readonly response: ServerResponse
  readonly client: Client
  /** To be called before the body is read. */
  readonly continueBody: () => void
}

/**
 * Resolves when the answer is handed to the socket, or the connection has ended without one: that of the client, or
 * that of the other process, of which nobody knows then how far it came. Rejects with a CmsError where the body is at
 * fault, before anything is answered.
 */
export type HandOverTo = (asked: HandOverRequest) => Promise<undefined>

export interface HandingOver {
  readonly to: HandOverTo
  close(): void
}

/** Of one connection alone (RFC 9110, 7.6.1): each process has its own. */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade'])

export function openHandingOver(address: string, stallTimeoutMs: number): HandingOver {
  const { path: socketPath, close } = openSocketPath(address)
  // The other side closes none that is idle, so no request meets one that has just been closed.
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
        // As the client sent them: one Host, or none.
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

/** Sends the body while the answer is waited for, which may come first. */
async function exchange(
  message: IncomingMessage,
  onward: ClientRequest,
  continueBody: () => void,
): Promise<IncomingMessage> {
  const failed = new Promise<never>((_, reject) => {
    // A fault of the body may have come with its head.
    if (message.errored !== null) reject(message.errored)
    // Of each the first counts; none of the later ones may end the process.
    message.on('error', reject)
    onward.on('error', reject)
  })
  failed.catch(() => undefined)
  const answered = once(onward, 'response') as Promise<[IncomingMessage]>
  answered.catch(() => undefined)

  // The head does not wait for a body that does not come; where it has come already, both go in one piece.
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
  // A body that ends before its end is none.
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
  // HTTP/1.0 does without.
  if (headers.host === undefined) lines.push('host', '')
  const peer = plainAddress(socket.remoteAddress)
  lines.push(PEER_HEADER, isCounted(message) ? `${peer} ${COUNTED_MARK}` : peer)
  return lines
}

/** Name, value, name, value, …, as they came, without those of the connection. */
function kept(rawHeaders: readonly string[]): string[] {
  const lines: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
    if (!OF_CONNECTION.has(name.toLowerCase())) lines.push(name, value)
  }
  return lines
}

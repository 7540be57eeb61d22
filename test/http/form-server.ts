// A real server that parses one form per request, and a client that writes raw bytes to the server. The
// result of the parser is returned as an Outcome.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { CmsError, type ErrorCode } from '../../lib/base/errors.ts'
import type { FormLimits } from '../../lib/http/form-parser.ts'
import { type FormHandler, readForm } from '../../lib/http/multipart.ts'

export interface Received {
  readonly sizeBytes: number
  readonly sha256: string
}

export interface Outcome {
  readonly fields?: Readonly<Record<string, string>>
  readonly fileName?: string | undefined
  readonly file?: Received
  readonly error?: unknown
  /** Dropped files, and the number of streams that the receiver was given. */
  readonly dropped: readonly Received[]
  readonly streams: number
  readonly listenersBefore: Readonly<Record<string, number>>
  readonly listenersAfter: Readonly<Record<string, number>>
}

export interface Sending {
  readonly body: Buffer | string
  readonly contentType?: string | undefined
  /** Writes pieces of this many bytes, each in a separate iteration of the event loop. */
  readonly pieceBytes?: number
  readonly contentLength?: number
  /** Closes the connection after the last write without waiting for the answer. */
  readonly abort?: boolean
  readonly receive?: (stream: Readable) => Promise<Received>
  readonly limits?: FormLimits
  readonly onRequest?: (request: IncomingMessage) => void
}

export const BOUNDARY = 'x-boundary'
export const FORM_DATA = 'Content-Disposition: form-data'
export const FORM = `multipart/form-data; boundary=${BOUNDARY}`
export const LIMITS: FormLimits = { maxFieldBytes: 64, maxFields: 4 }
export const ALLOWED = {
  file: 'Filedata',
  fields: new Set(['asset_file_id', 'asset_category_id', 'name', 'title']),
}

export async function hashAll(stream: Readable): Promise<Received> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of stream) {
    hash.update(chunk)
    sizeBytes += chunk.length
  }
  return { sizeBytes, sha256: hash.digest('hex') }
}

export function sha256(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex')
}

export async function sendForm(sending: Sending): Promise<Outcome> {
  let outcome: Outcome | undefined
  const server = createServer(async (request, response) => {
    sending.onRequest?.(request)
    outcome = await readOutcome(request, sending)
    response.writeHead(200, { connection: 'close' }).end(() => request.destroy())
    server.emit('outcome')
  })
  const done = once(server, 'outcome')
  await once(server.listen(0, '127.0.0.1'), 'listening')

  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  // The server may close the connection before all is written. Only the outcome of the form counts.
  socket.on('error', () => {}).resume()
  const written = write(socket, sending)
  await done
  await written
  socket.destroy()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))

  if (outcome === undefined) throw new Error('the server made nothing of the form')
  return outcome
}

async function readOutcome(request: IncomingMessage, sending: Sending): Promise<Outcome> {
  const { limits = LIMITS, receive = hashAll } = sending
  const dropped: Received[] = []
  let streams = 0
  const handler: FormHandler<Received> = {
    file(stream) {
      streams += 1
      return receive(stream)
    },
    async drop(received) {
      dropped.push(received)
    },
  }
  const listenersBefore = countListeners(request)
  const facts = () => ({
    dropped,
    streams,
    listenersBefore,
    listenersAfter: countListeners(request),
  })

  try {
    const { fields, file, fileName } = await readForm(request, ALLOWED, limits, handler)
    return { fields: Object.fromEntries(fields), file, fileName, ...facts() }
  } catch (error) {
    return { error, ...facts() }
  }
}

function countListeners(request: IncomingMessage): Record<string, number> {
  return Object.fromEntries(
    request.eventNames().map((name) => [String(name), request.listenerCount(name)]),
  )
}

async function write(socket: Socket, sending: Sending): Promise<void> {
  const body = Buffer.from(sending.body)
  const { contentType = FORM, pieceBytes = body.length || 1 } = sending
  const { contentLength = body.length } = sending

  socket.setNoDelay(true)
  socket.write('POST /upload HTTP/1.1\r\nHost: localhost\r\n')
  if (contentType !== '') socket.write(`Content-Type: ${contentType}\r\n`)
  socket.write(`Content-Length: ${contentLength}\r\n\r\n`)
  for (let at = 0; at < body.length && !socket.destroyed; at += pieceBytes) {
    socket.write(body.subarray(at, at + pieceBytes))
    await new Promise((resolve) => setImmediate(resolve))
  }
  if (sending.abort) socket.destroySoon()
}

/** Builds a part with these headers. A plain string is the name of a field. */
export function part(headers: string, content: string | Buffer): string {
  const lines = headers.includes(':')
    ? headers
    : `Content-Disposition: form-data; name="${headers}"`
  return `--${BOUNDARY}\r\n${lines}\r\n\r\n${content.toString('latin1')}\r\n`
}

export function filePart(content: string, fileName = 'a.txt', name = 'Filedata'): string {
  return part(
    `Content-Disposition: form-data; name="${name}"; filename="${fileName}"\r\n` +
      'Content-Type: text/plain',
    content,
  )
}

export function form(...parts: readonly string[]): Buffer {
  return Buffer.from(`${parts.join('')}--${BOUNDARY}--\r\n`, 'latin1')
}

/** Builds a form whose text is encoded as UTF-8. */
export function utf8Form(...parts: readonly string[]): Buffer {
  return Buffer.from(`${parts.join('')}--${BOUNDARY}--\r\n`, 'utf8')
}

export const ID = part('asset_category_id', '12')
export const FILE = filePart('hello')
export const GOOD = form(ID, FILE)
export const CUT_HERE = GOOD.indexOf('hello') + 2

export function assertRefused(
  outcome: Outcome,
  code: ErrorCode,
  reason: RegExp,
  name: string,
): void {
  const { error } = outcome
  assert.ok(error instanceof CmsError, `${name}: ${error ?? 'accepted'}`)
  assert.equal(error.code, code, name)
  assert.match(error.message, reason, name)
  assert.deepEqual(outcome.listenersAfter, outcome.listenersBefore, name)
}

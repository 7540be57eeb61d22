// A reply is a value; `send` alone writes to the socket.

import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { withSendLimit } from './idle-timeout.ts'

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | number>>
  readonly body: ReplyBody
  /** The same answer to the same request once more, of a body that can be read but once; throws where it is gone. */
  readonly again?: () => Promise<Reply>
  /** The next answer to the same request has other headers: this one is not kept. */
  readonly isPassing?: boolean
  /** Of the body, where it is that of a version: what is made of the bytes may be kept by it. */
  readonly digest?: string
  /** The same value is given many times; called with what is kept beside it for as long. */
  readonly onForm?: (sizeBytes: number) => void
}

export type ReplyBody = undefined | string | Uint8Array | LentBytes | ChunkedBody

export interface LentBytes {
  readonly bytes: Uint8Array
  /** Called when the system has taken them all; not where the client goes away before. */
  readonly giveBack: () => void
}

export interface ChunkedBody {
  /** Undefined where only the end tells. */
  readonly sizeBytes: number | undefined
  /** Called when the head is sent; not for HEAD. A chunk is good until the next is asked for, or the end. */
  readonly chunks: () => AsyncIterable<Uint8Array>
  /** Called when no byte is wanted, or no more. */
  readonly close: () => Promise<void>
}

/** What it holds in memory until the client has read it. */
export function heldBytes({ body }: Reply): number {
  return inMemory(body)?.length ?? 0
}

/** The bytes, where all of them are there. */
export function inMemory(body: ReplyBody): string | Uint8Array | undefined {
  if (typeof body !== 'object' || body instanceof Uint8Array) return body
  return 'bytes' in body ? body.bytes : undefined
}

/**
 * Of pages of ours: a page of another origin that opens one holds no handle to its window. Not of answers with a sandbox:
 * browsers show nothing of an answer that has both (HTML, "obtain a cross-origin opener policy").
 */
export const OWN_WINDOW = Object.freeze({ 'cross-origin-opener-policy': 'same-origin' })

/** On every answer; a reply may replace one. An answer that is no page of ours is a document without rights. */
const SAFE_HEADERS = Object.freeze({
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'referrer-policy': 'no-referrer',
})

const SAFE_LINES = Object.entries(SAFE_HEADERS)

/** Shorter texts are the same to all clients: to compress one saves no packet. */
export const VARIED_BYTES = 1024

const TEXT_TYPES =
  /^(?:text\/|application\/(?:json|javascript|ecmascript|xml|manifest\+json)\b|[\w.-]+\/[\w.-]+\+(?:json|xml)\b)/i

/** Whether compressing makes such a content shorter. */
export function isText(contentType: string | number | undefined): boolean {
  return contentType !== undefined && TEXT_TYPES.test(String(contentType))
}

/** Tells caches that the answer follows from the codings that the client takes. */
export function withVary(reply: Reply): Reply {
  const { vary } = reply.headers
  if (vary === undefined)
    return { ...reply, headers: { ...reply.headers, vary: 'Accept-Encoding' } }
  if (/accept-encoding/i.test(String(vary))) return reply
  return { ...reply, headers: { ...reply.headers, vary: `${vary}, Accept-Encoding` } }
}

const JSON_TYPE = 'application/json; charset=utf-8'

export function json(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return jsonText(status, JSON.stringify(value), headers)
}

/** JSON text that is ready, for example stored records joined. */
export function jsonText(
  status: number,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const all =
    body.length < VARIED_BYTES
      ? { 'content-type': JSON_TYPE, ...headers }
      : { 'content-type': JSON_TYPE, vary: 'Accept-Encoding', ...headers }
  return { status, headers: all, body }
}

/** One item of a list, or what it is in pieces. */
export type JsonItem = string | Uint8Array | readonly Uint8Array[]

const COMMA = Buffer.from(',')

/** JSON in pieces: what comes before, the items of a list, what comes after. */
export function joinJson(head: string, items: readonly JsonItem[], tail: string): Uint8Array {
  const pieces: Uint8Array[] = [Buffer.from(head)]
  for (const item of items) {
    if (pieces.length > 1) pieces.push(COMMA)
    if (typeof item === 'string') pieces.push(Buffer.from(item))
    else if (item instanceof Uint8Array) pieces.push(item)
    else pieces.push(...item)
  }
  pieces.push(Buffer.from(tail))
  return Buffer.concat(pieces)
}

export function empty(status: number, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers, body: undefined }
}

/** A download or upload that moves no byte for this long is ended. */
export interface SendOptions {
  readonly stallTimeoutMs: number
  readonly extraHeaders: Readonly<Record<string, string>>
}

/**
 * Writes the reply. Resolves when all of it is handed to the socket; rejects when the client went
 * away or the source failed: the caller has to destroy the response, so that nobody takes a part for the whole.
 */
export async function send(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  { stallTimeoutMs, extraHeaders }: SendOptions,
): Promise<void> {
  const { body } = reply
  const { socket } = request
  const isHead = request.method === 'HEAD'
  response.writeHead(reply.status, headerLines(reply, extraHeaders))

  if (typeof body !== 'object' || body instanceof Uint8Array || 'bytes' in body) {
    end(response, isHead ? undefined : inMemory(body))
    // What the system did not take at once waits in memory for the client to read.
    if (socket.writableLength > 0)
      await untilSent(socket, stallTimeoutMs, (signal) => finished(response, { signal }))
    if (typeof body === 'object' && 'bytes' in body) body.giveBack()
    return
  }
  if (isHead || socket.destroyed) {
    response.end()
    await body.close()
    return
  }

  await untilSent(socket, stallTimeoutMs, (signal) => sendChunks(response, body, signal))
}

/** Up to this size a body goes out in one piece with its head. */
const ONE_PIECE_BYTES = 4 * 1024

/**
 * Node joins the head with a body that is text, and writes bytes apart from it. As Latin-1 each byte is one
 * character and stays what it is; to copy a small body costs less than a second piece.
 */
function end(response: ServerResponse, body: string | Uint8Array | undefined): void {
  if (body instanceof Uint8Array && body.length <= ONE_PIECE_BYTES)
    response.end(
      Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1'),
      'latin1',
    )
  else response.end(body)
}

/** The next chunk is asked for when the system has taken the one before. */
async function sendChunks(
  response: ServerResponse,
  { chunks, close }: ChunkedBody,
  signal: AbortSignal,
): Promise<void> {
  // A source that is waited for would be heard of only with its next chunk. What fails here fails there, too.
  signal.addEventListener('abort', () => void close().catch(() => undefined), { once: true })
  for await (const chunk of chunks()) await handOver(signal, (done) => response.write(chunk, done))
  await handOver(signal, (done) => response.end(done))
}

/** Not every write is told of the end of its connection, but the signal is. */
function handOver(
  signal: AbortSignal,
  write: (done: (error?: Error | null) => void) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    write((error) => {
      signal.removeEventListener('abort', abort)
      if (error instanceof Error) reject(error)
      else resolve()
    })
  })
}

/**
 * Does the work, and ends the connection where its client takes no byte for so long. Its signal is aborted with the
 * connection: a response that waits behind another one is not told when that closes.
 */
export async function untilSent(
  socket: Socket,
  stallTimeoutMs: number,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const gone = new AbortController()
  const abort = (): void => gone.abort()
  socket.once('close', abort)
  try {
    await withSendLimit(socket, stallTimeoutMs, () => work(gone.signal))
  } finally {
    socket.off('close', abort)
  }
}

/** Writes a reply where there is no response to write it to: the last bytes on the connection. */
export function sendLast(
  socket: Writable,
  reply: Reply & { readonly body: string },
  extraHeaders: Readonly<Record<string, string>>,
): void {
  const headers = headerLines(reply, { ...extraHeaders, connection: 'close' })
  const lines = [`HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ''}`]
  for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`)
  socket.end(`${lines.join('\r\n')}\r\n\r\n${reply.body}`)
}

/** Name, value, name, value, …: Node writes them as they are. */
function headerLines(
  { status, headers, body }: Reply,
  extraHeaders: Readonly<Record<string, string>>,
): (string | number)[] {
  const lines: (string | number)[] = []
  for (const [name, value] of SAFE_LINES) if (headers[name] === undefined) lines.push(name, value)
  for (const name in headers) lines.push(name, headers[name] ?? '')
  for (const name in extraHeaders) lines.push(name, extraHeaders[name] ?? '')

  const length = status === 204 || status === 304 ? undefined : lengthOf(body)
  if (length !== undefined) lines.push('content-length', length)
  return lines
}

function lengthOf(body: ReplyBody): number | undefined {
  if (body === undefined) return 0
  if (typeof body === 'string') return Buffer.byteLength(body)
  if (body instanceof Uint8Array) return body.length
  return 'bytes' in body ? body.bytes.length : body.sizeBytes
}

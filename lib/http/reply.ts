// A reply is a value; only `send` writes to the socket.

import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Coding } from './accept.ts'
import { withSendLimit } from './idle-timeout.ts'

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | number>>
  readonly body: ReplyBody
  /** Builds the same response again, for a body that can be read only once; throws if the content is gone. */
  readonly again?: () => Promise<Reply>
  /** The next response to the same request will have other headers, so this response must not be cached. */
  readonly isPassing?: boolean
  /** Hash of the body, if the body is a file version. Derived forms of the bytes may be cached under it. */
  readonly digest?: string
  /** Compressed forms of the body that are stored. No others are made for this reply. */
  readonly stored?: StoredForms
  /** Set on cached replies: called with the size of a derived form that is cached together with the reply. */
  readonly onForm?: (sizeBytes: number) => void
}

export interface AskedForm {
  readonly coding: Coding
  /** The client does not accept the body without a coding: waits until the form is made, if it can be made. */
  readonly isAwaited: boolean
}

export interface StoredForms {
  /** Names the body among all bodies. */
  readonly name: string
  /** Undefined if the form is not stored yet; an empty form means that compression does not save enough. */
  find(asked: AskedForm): Promise<Uint8Array | undefined>
}

export type ReplyBody = undefined | string | Uint8Array | LentBytes | ChunkedBody

export interface LentBytes {
  readonly bytes: Uint8Array
  /** Called when the system has accepted all bytes; not called if the client disconnects before. */
  readonly giveBack: () => void
}

export interface ChunkedBody {
  /** Undefined if the size is not known in advance. */
  readonly sizeBytes: number | undefined
  /** Called after the headers are sent; not for HEAD. A chunk is valid until the next chunk is requested. */
  readonly chunks: () => AsyncIterable<Uint8Array>
  /** Called when no bytes, or no more bytes, are needed. */
  readonly close: () => Promise<void>
}

/** Bytes that the reply holds in memory until the client has read them. */
export function heldBytes({ body }: Reply): number {
  return inMemory(body)?.length ?? 0
}

/** Releases a body that is not sent. */
export function discard(body: ReplyBody): void {
  if (typeof body !== 'object') return
  if ('giveBack' in body) body.giveBack()
  else if ('close' in body) void body.close().catch(() => undefined)
}

/** The bytes of the body, if all of them are in memory. */
export function inMemory(body: ReplyBody): string | Uint8Array | undefined {
  if (typeof body !== 'object' || body instanceof Uint8Array) return body
  return 'bytes' in body ? body.bytes : undefined
}

/**
 * For our own pages: a page of another origin that opens one gets no handle to its window. Responses with a sandbox do not
 * have this header, because browsers do not show a response with both (HTML, "obtain a cross-origin opener policy").
 */
export const OWN_WINDOW = Object.freeze({ 'cross-origin-opener-policy': 'same-origin' })

/** Headers of every response, unless a reply overrides one. By default, a response is a document without any rights. */
const SAFE_HEADERS = Object.freeze({
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'referrer-policy': 'no-referrer',
})

const SAFE_LINES = Object.entries(SAFE_HEADERS)

/** Shorter texts are never compressed, because that saves no network packet. */
export const VARIED_BYTES = 1024

const TEXT_TYPES =
  /^(?:text\/|application\/(?:json|javascript|ecmascript|xml|manifest\+json)\b|[\w.-]+\/[\w.-]+\+(?:json|xml)\b)/i

/** Whether content of this type can be compressed. */
export function isText(contentType: string | number | undefined): boolean {
  return contentType !== undefined && TEXT_TYPES.test(String(contentType))
}

/** Tells caches that the response depends on Accept-Encoding. */
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

/** A reply with JSON text, for example joined stored records. */
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

/** One item of a list, whole or in pieces. */
export type JsonItem = string | Uint8Array | readonly Uint8Array[]

const COMMA = Buffer.from(',')

/** Joins the start of a JSON text, the items of a list, and the end. */
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

export interface SendOptions {
  /** The connection is closed if the client accepts no byte for this long. */
  readonly stallTimeoutMs: number
  readonly extraHeaders: Readonly<Record<string, string>>
  /** A promise that each chunk waits for; undefined if the chunk may be written at once. */
  readonly turn?: (() => Promise<void> | undefined) | undefined
}

/**
 * Writes the reply. Returns a promise if the socket does not take all of it at once; the promise resolves when it has. Throws
 * or rejects if the client disconnected or the source failed; the caller must then destroy the response, so that the client
 * does not take a part for the whole.
 */
export function send(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  { stallTimeoutMs, extraHeaders, turn }: SendOptions,
): void | Promise<void> {
  const { body } = reply
  const { socket } = request
  const isHead = request.method === 'HEAD'
  response.writeHead(reply.status, headerLines(reply, extraHeaders))

  if (typeof body !== 'object' || body instanceof Uint8Array || 'bytes' in body) {
    end(response, isHead ? undefined : inMemory(body))
    const giveBack = typeof body === 'object' && 'bytes' in body ? body.giveBack : undefined
    if (socket.writableLength === 0) return giveBack?.()
    // Bytes that the system did not accept at once stay in memory until the client reads.
    return untilSent(socket, stallTimeoutMs, (signal) => finished(response, { signal })).then(
      giveBack,
    )
  }
  if (isHead || socket.destroyed) {
    response.end()
    return body.close()
  }

  return untilSent(socket, stallTimeoutMs, (signal) => sendChunks(response, body, { signal, turn }))
}

/** Bodies up to this size are written together with their headers. */
const ONE_PIECE_BYTES = 4 * 1024

/**
 * Node joins the headers with a body that is a string, and writes a Buffer separately. In Latin-1 each byte is one character,
 * so the bytes stay the same. Copying a small body costs less than a second write.
 */
function end(response: ServerResponse, body: string | Uint8Array | undefined): void {
  if (body instanceof Uint8Array && body.length <= ONE_PIECE_BYTES)
    response.end(
      Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1'),
      'latin1',
    )
  else response.end(body)
}

/** Requests the next chunk when the system has accepted the previous one. */
async function sendChunks(
  response: ServerResponse,
  { chunks, close }: ChunkedBody,
  { signal, turn }: Pick<SendOptions, 'turn'> & { readonly signal: AbortSignal },
): Promise<void> {
  // Closes the source at once on abort; otherwise the abort would take effect only with the next chunk.
  signal.addEventListener('abort', () => void close().catch(() => undefined), { once: true })
  for await (const chunk of chunks()) {
    const waits = turn?.()
    if (waits !== undefined) await waits
    await handOver(signal, (done) => response.write(chunk, done))
  }
  await handOver(signal, (done) => response.end(done))
}

/** The signal is needed because Node does not call back every write when the connection closes. */
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
 * Runs the work and closes the connection if the client accepts no byte for the timeout. The signal is aborted when the
 * connection closes, because a response that waits behind another one gets no event.
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

/** Writes a reply directly to the socket, if there is no response object, and ends the connection. */
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

/** Returns name, value, name, value, …, which Node writes unchanged. */
function headerLines(
  { status, headers, body }: Reply,
  extraHeaders: Readonly<Record<string, string>>,
): (string | number)[] {
  const lines: (string | number)[] = []
  for (const [name, value] of SAFE_LINES) if (headers[name] === undefined) lines.push(name, value)
  // An empty value omits a header, even a safe header.
  for (const name in headers) if (headers[name] !== '') lines.push(name, headers[name] ?? '')
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

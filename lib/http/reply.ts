// A reply is a value; `send` alone writes to the socket.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { withStallLimit } from './stall.ts'

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | number>>
  readonly body: ReplyBody
}

export type ReplyBody =
  | undefined
  | string
  | Uint8Array
  | {
      readonly sizeBytes: number
      /** Called when the head is sent; not for HEAD. */
      readonly stream: () => Readable
      /** Called instead of `stream` when no byte is wanted. */
      readonly close: () => Promise<void>
    }

/** On every answer; a reply may replace one. */
export const SAFE_HEADERS = Object.freeze({
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
})

const JSON_TYPE = 'application/json; charset=utf-8'

export function json(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return { status, headers: { 'content-type': JSON_TYPE, ...headers }, body: JSON.stringify(value) }
}

/** JSON text that is ready, for example stored records joined. */
export function jsonText(
  status: number,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return { status, headers: { 'content-type': JSON_TYPE, ...headers }, body }
}

export function empty(status: number, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers, body: undefined }
}

export function html(status: number, body: string): Reply {
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    },
    body,
  }
}

/** A download or upload that moves no byte for this long is ended. */
export interface SendOptions {
  readonly stallTimeoutMs: number
  readonly extraHeaders: Readonly<Record<string, string>>
}

/**
 * Writes the reply. Resolves when all of it is handed to the socket; rejects when the client went
 * away or the source failed, and the socket is destroyed then, so nobody takes a part for the whole.
 */
export async function send(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  options: SendOptions,
): Promise<void> {
  const { body } = reply
  const isHead = request.method === 'HEAD'
  const length = lengthOf(body)
  const headers = { ...SAFE_HEADERS, ...reply.headers, ...options.extraHeaders }

  response.writeHead(
    reply.status,
    length === undefined || reply.status === 204 || reply.status === 304
      ? headers
      : { ...headers, 'content-length': length },
  )

  if (typeof body !== 'object' || body instanceof Uint8Array) {
    response.end(isHead ? undefined : body)
    return
  }
  if (isHead) {
    response.end()
    await body.close()
    return
  }

  await withStallLimit(request.socket, options.stallTimeoutMs, () =>
    pipeline(body.stream(), response),
  )
}

function lengthOf(body: ReplyBody): number | undefined {
  if (body === undefined) return 0
  if (typeof body === 'string') return Buffer.byteLength(body)
  return body instanceof Uint8Array ? body.length : body.sizeBytes
}

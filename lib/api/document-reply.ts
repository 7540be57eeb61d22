// The response with an API document, uncompressed or with gzip, each with its own strong ETag. The length may reveal the
// content (BREACH), but the document contains no secret, and the only part that comes from the request is the Host.

import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { CmsError } from '../base/errors.ts'
import type { Asset } from '../docs/assets.ts'
import { acceptedCoding, acceptsCoding, type Coding } from '../http/accept.ts'
import { gzipPieces, takesGzip } from '../http/gzip.ts'
import type { ChunkedBody, Reply } from '../http/reply.ts'
import { notModified } from './request/record-reply.ts'
import type { Request } from './request/request.ts'

export interface Document {
  /** Undefined: JSON. */
  readonly type?: string
  /** The text. Each Buffer object is compressed only once. */
  readonly pieces: readonly Buffer[]
  /** Changes with every change of the text. */
  readonly checksum: string
}

/** The caching headers, without Accept-Encoding. */
export interface Keeping {
  readonly 'cache-control': string
  readonly vary: string
}

export async function documentReply(
  { type = 'application/json; charset=utf-8', pieces, checksum }: Document,
  request: Request,
  keeping: Keeping,
): Promise<Reply> {
  const isPacked = takesGzip(request.message)
  const etag = isPacked ? `"${checksum}-gzip"` : `"${checksum}"`
  const headers = { ...keeping, etag, vary: `${keeping.vary}, Accept-Encoding` }
  const unchanged = notModified(request, headers)
  if (unchanged !== undefined) return unchanged

  return {
    status: 200,
    headers: {
      'content-type': type,
      ...(isPacked && { 'content-encoding': 'gzip' }),
      ...headers,
    },
    body: bodyOf(isPacked ? await gzipPieces(pieces) : pieces),
  }
}

const CHUNK_BYTES = 64 * 1024

function bodyOf(pieces: readonly Buffer[]): ChunkedBody {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield* joined(pieces)
  }
  const sizeBytes = pieces.reduce((sum, { length }) => sum + length, 0)
  return { sizeBytes, chunks, close: () => Promise.resolve() }
}

/** Joins small pieces, because each chunk waits until the system has accepted the previous one. */
function* joined(pieces: readonly Buffer[]): Generator<Buffer> {
  let waiting: Buffer[] = []
  let sizeBytes = 0
  for (const piece of pieces) {
    waiting.push(piece)
    sizeBytes += piece.length
    if (sizeBytes < CHUNK_BYTES) continue
    yield Buffer.concat(waiting)
    waiting = []
    sizeBytes = 0
  }
  if (waiting.length > 0) yield Buffer.concat(waiting)
}

export function assetReply(asset: Asset | undefined, { headers }: IncomingMessage): Reply {
  if (asset === undefined) throw new CmsError('not-found', 'There is no such file here.')
  const coding = codingFor(asset, headers['accept-encoding'])
  return {
    status: 200,
    headers: {
      'content-type': asset.mediaType,
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
      ...(coding !== undefined && { 'content-encoding': coding }),
    },
    body: bytesOf(asset, coding),
  }
}

function codingFor({ brotli }: Asset, header: string | undefined): Coding | undefined {
  const preferred = header === undefined ? undefined : acceptedCoding(header)
  if (preferred !== 'br' || brotli !== undefined) return preferred
  return acceptsCoding(header, 'gzip') ? 'gzip' : undefined
}

function bytesOf({ bytes, gzipped, brotli }: Asset, coding: Coding | undefined): Buffer {
  if (coding === 'gzip') return gzipped
  return (coding === 'br' ? brotli : undefined) ?? bytes
}

const NONCE_BYTES = 16

/**
 * The nonce of a page (Content Security Policy, Level 3, 2.3.1). Each response has its own nonce, so such a response must
 * not be stored.
 */
export function newNonce(): string {
  return randomBytes(NONCE_BYTES).toString('base64')
}

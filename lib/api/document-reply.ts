// The response with an API document, uncompressed or with gzip, each with its own strong ETag. The length may reveal the
// content (BREACH), but the document contains no secret, and the only part that comes from the request is the Host.

import { gzipPieces, takesGzip } from '../http/gzip.ts'
import type { ChunkedBody, Reply } from '../http/reply.ts'
import { notModified } from './request/record-reply.ts'
import type { Request } from './request/request.ts'

export interface Document {
  /** JSON text. Each Buffer object is compressed only once. */
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
  { pieces, checksum }: Document,
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
      'content-type': 'application/json; charset=utf-8',
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

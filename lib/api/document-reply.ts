// A text about the interface as an answer: as it is or by gzip, with a strong ETag of each. That its length tells of
// its content (BREACH) harms nobody: no such text holds a secret, and of what a request sends it holds the Host alone.

import { gzipPieces, takesGzip } from '../http/gzip.ts'
import type { ChunkedBody, Reply } from '../http/reply.ts'
import { notModified } from './request/record-reply.ts'
import type { Request } from './request/request.ts'

export interface Document {
  /** JSON text. A piece that stays the same object is compressed only once. */
  readonly pieces: readonly Buffer[]
  /** Changes with every change of the text. */
  readonly checksum: string
}

/** Who may keep it, and what it follows from, besides the encoding. */
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

/** Each chunk waits for the system to take the one before: thousands of small ones would take long. */
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

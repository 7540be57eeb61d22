// gzip (RFC 1952) of a text in pieces, most of which were also in earlier responses. Each piece is compressed once, in the
// thread pool, and the result lives as long as the piece. A piece starts with an empty window and ends on a byte boundary (a
// full flush), so any sequence of compressed pieces is one deflate stream (RFC 1951). The header, the last block, and the
// checksum and length of the whole text are added. The length of a piece reveals nothing about other pieces, because each
// is compressed separately.

import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'
import Negotiator from 'negotiator'
import pMap from 'p-map'

/** Magic number, deflate, no flags, no time, no level, unknown system. */
const HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

/** An empty block that is marked as the last. */
const LAST_BLOCK = Buffer.from([3, 0])

/** Uses only a part of the thread pool, because disk operations use it, too. */
const AT_ONCE = 2

/** The checksum yields to the event loop after this number of bytes. */
const TURN_BYTES = 1024 * 1024

const deflate = promisify(deflateRaw)
const packed = new WeakMap<Buffer, Promise<Buffer>>()

/** Whether the client prefers gzip over no coding. */
export function takesGzip(message: IncomingMessage): boolean {
  return new Negotiator(message).encoding(['gzip', 'identity']) === 'gzip'
}

export async function gzipPieces(pieces: readonly Buffer[]): Promise<readonly Buffer[]> {
  const blocks = await pMap(pieces, pack, { concurrency: AT_ONCE })
  return [HEAD, ...blocks, LAST_BLOCK, await trailerOf(pieces)]
}

function pack(piece: Buffer): Promise<Buffer> {
  const known = packed.get(piece)
  if (known !== undefined) return known
  const made = deflate(piece, { finishFlush: constants.Z_FULL_FLUSH })
  packed.set(piece, made)
  // A failed compression (for example for lack of memory) is retried with the next request.
  made.catch(() => packed.delete(piece))
  return made
}

async function trailerOf(pieces: readonly Buffer[]): Promise<Buffer> {
  let sum = 0
  let sizeBytes = 0
  let turnBytes = 0
  for (const piece of pieces) {
    sum = crc32(piece, sum)
    sizeBytes += piece.length
    turnBytes += piece.length
    if (turnBytes < TURN_BYTES) continue
    turnBytes = 0
    await setImmediate()
  }
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(sum, 0)
  trailer.writeUInt32LE(sizeBytes % 2 ** 32, 4)
  return trailer
}

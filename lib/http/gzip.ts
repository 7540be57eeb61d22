// gzip (RFC 1952) of a text that is in pieces, most of which were in the answer before: each is compressed once, in
// the thread pool, and kept for as long as the piece itself is. Every piece begins with an empty window and ends on
// a byte (a full flush), so that those of any selection, one after the other, are one stream of deflate (RFC 1951);
// around them come the head, the last block, and the checksum and length of the whole. One piece tells nothing of
// the others by its length: what is packed together is what is seen together.

import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'
import Negotiator from 'negotiator'
import pMap from 'p-map'

/** Magic, deflate, no flags, no time, no level, of no system. */
const HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

/** A block with nothing in it that says it is the last. */
const LAST_BLOCK = Buffer.from([3, 0])

/** Of the threads that wait for the disk, too. */
const AT_ONCE = 2

/** So much is summed up at a stretch. */
const TURN_BYTES = 1024 * 1024

const deflate = promisify(deflateRaw)
const packed = new WeakMap<Buffer, Promise<Buffer>>()

/** Whether the client takes it, and nothing rather than it. */
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
  // What failed once, for want of memory, is tried again.
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

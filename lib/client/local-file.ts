// The bytes of one local file: hashed before they are sent and compared while they are sent, so that a file
// that changes meanwhile is never stored half old and half new.

import { createHash, hash as hashOf } from 'node:crypto'
import { type BigIntStats, constants, fstatSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { ClientError, reasonOf } from './client-error.ts'

/** Files up to this size are held in memory and sent without reading them again. */
const HELD_BYTES = 1024 * 1024
const CHUNK_BYTES = 256 * 1024

// A link that has replaced a file since the tree was walked is not followed.
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)

export interface LocalContent {
  readonly path: string
  readonly sizeBytes: number
  readonly sha256: string
  /** The whole content of a small file. */
  readonly bytes: Buffer | undefined
}

/** Throws `changed` if the file was written to meanwhile. */
export async function readLocal(path: string): Promise<LocalContent> {
  const handle = await open(path, READ_FLAGS)

  try {
    const before = statOf(handle)
    const content = before.size <= HELD_BYTES ? await hold(handle, before) : await hash(handle)
    const after = statOf(handle)
    const isSame = before.mtimeNs === after.mtimeNs && before.ctimeNs === after.ctimeNs
    if (!isSame || BigInt(content.sizeBytes) !== after.size) throw changed()
    return { path, ...content }
  } finally {
    await handle.close()
  }
}

/** Reads the bytes of a large file again; throws `changed` before the last chunk if the bytes differ. */
export async function* streamLocal({
  path,
  sizeBytes,
  sha256,
}: LocalContent): AsyncGenerator<Buffer> {
  const seen = createHash('sha256')
  let seenBytes = 0

  for await (const chunk of readChunks(path)) {
    seen.update(chunk)
    seenBytes += chunk.length
    if (seenBytes > sizeBytes) throw changed()
    // The last chunk is sent only if the hash matches.
    if (seenBytes === sizeBytes && seen.copy().digest('hex') !== sha256) throw changed()
    yield chunk
  }
  if (seenBytes < sizeBytes) throw changed()
}

// A plain disk error would pass through the HTTP client and look like a lost connection.
async function* readChunks(path: string): AsyncGenerator<Buffer> {
  try {
    const handle = await open(path, READ_FLAGS)
    yield* handle.createReadStream({ highWaterMark: CHUNK_BYTES })
  } catch (cause) {
    throw new ClientError('unreadable', reasonOf(cause), { cause })
  }
}

/** Synchronous, because a trip through the thread pool costs more than the call. */
function statOf({ fd }: FileHandle): BigIntStats {
  return fstatSync(fd, { bigint: true })
}

/** Usually a single read. */
async function hold(
  handle: FileHandle,
  { size }: BigIntStats,
): Promise<Omit<LocalContent, 'path'>> {
  const bytes = Buffer.allocUnsafeSlow(Number(size))
  for (let at = 0; at < bytes.length; ) {
    const { bytesRead } = await handle.read(bytes, at, bytes.length - at, at)
    if (bytesRead === 0) throw changed()
    at += bytesRead
  }
  return { sizeBytes: bytes.length, sha256: hashOf('sha256', bytes), bytes }
}

async function hash(handle: FileHandle): Promise<Omit<LocalContent, 'path'>> {
  const sum = createHash('sha256')
  let sizeBytes = 0

  const chunks: AsyncIterable<Buffer> = handle.createReadStream({
    autoClose: false,
    highWaterMark: CHUNK_BYTES,
  })
  for await (const chunk of chunks) {
    sum.update(chunk)
    sizeBytes += chunk.length
  }
  return { sizeBytes, sha256: sum.digest('hex'), bytes: undefined }
}

function changed(): ClientError {
  return new ClientError(
    'changed',
    'it changed while it was read: repeat the import when no program writes to it',
  )
}

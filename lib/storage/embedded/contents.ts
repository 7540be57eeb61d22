// Bytes of versions as files under the data directory. New bytes get a temporary name, are synced,
// and only then a final one (workers/files.ts); a final name is random and never given twice.

import { createHash } from 'node:crypto'
import { close, constants, open as openFile, type Stats, write as writeFd, writev } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { CmsError } from '../../errors.ts'
import { CREATE_FLAGS, FILE_MODE, unlinkQuietly } from '../../workers/files.ts'
import type { Pool } from '../../workers/pool.ts'
import type { ContentName, Contents, Received, Sealed, WriteOptions } from '../port.ts'
import { contentPath, type Layout, newUid } from './layout.ts'

export interface ContentLimits {
  /** Up to this size an upload is kept in memory until it is sealed. */
  readonly inlineUploadBytes: number
  /** Up to this size bytes are looked at as text. */
  readonly pageBytes: number
  /** Up to this size a page is encoded on the main thread. */
  readonly inlineJsonBytes: number
}

const openFd = promisify(openFile)
const closeFd = promisify(close)
const writevFd = promisify(writev)

/** Chunks are gathered to about this size before they are written. */
const WRITE_BYTES = 1024 * 1024

/** Large reads: each costs a trip through the thread pool, whatever its size. */
const READ_BYTES = 512 * 1024

export function openContents(layout: Layout, pool: Pool, limits: ContentLimits): Contents {
  const pathOf = (name: ContentName) => contentPath(layout, name)
  const tmpPath = () => join(layout.tmp, newUid())

  async function write(
    source: string | Uint8Array,
    { fileId, type }: WriteOptions,
  ): Promise<Sealed> {
    const uid = newUid()
    const finalPath = pathOf({ fileId, uid })
    const sealed = await pool.run('writeContent', { source, type, tmpPath: tmpPath(), finalPath })
    return { ...sealed, uid }
  }

  return {
    write: (source, options) => write('text' in source ? source.text : source.bytes, options),

    async receive(stream, maxBytes) {
      // Between its two readers nobody listens, and an unheard error ends the process; the next reader throws it.
      stream.on('error', () => undefined)
      const start = await gather(stream, limits.inlineUploadBytes, maxBytes)
      if (start.isWhole) {
        const bytes = Buffer.concat(start.chunks)
        return {
          sizeBytes: bytes.length,
          seal: (options) => write(bytes, options),
          discard: async () => undefined,
        }
      }
      return receiveFile(
        { start: start.chunks, stream, maxBytes, tmpPath: tmpPath() },
        layout,
        pool,
        limits,
      )
    },

    read: (name) => readWhole(pathOf(name)),

    async open(name) {
      const file = await openExisting(pathOf(name))
      if (file === undefined) return undefined
      const { handle, stats } = file
      return {
        sizeBytes: stats.size,
        stream: (range) => handle.createReadStream({ ...range, highWaterMark: READ_BYTES }),
        close: () => handle.close(),
      }
    },

    async encode(name, { sizeBytes, sha256 }) {
      const path = pathOf(name)
      if (sizeBytes > limits.inlineJsonBytes) return pool.run('encodePage', { path, sha256 })
      const bytes = await readWhole(path)
      const isExpected = bytes !== undefined && hashOf(bytes) === sha256
      return isExpected ? Buffer.from(JSON.stringify(bytes.toString())) : undefined
    },

    diff: ({ label: leftName, ...left }, { label: rightName, ...right }) =>
      pool.run('diffTexts', {
        left: { path: pathOf(left), name: leftName },
        right: { path: pathOf(right), name: rightName },
      }),

    async remove(names) {
      if (names.length > 0) await pool.run('removeFiles', { paths: names.map(pathOf) })
    },
  }
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

async function readWhole(path: string): Promise<Buffer | undefined> {
  const file = await openExisting(path)
  if (file === undefined) return undefined
  try {
    return await file.handle.readFile()
  } finally {
    await file.handle.close()
  }
}

interface Gathered {
  readonly chunks: Buffer[]
  readonly isWhole: boolean
}

/** Reads a stream until it ends or has given `limit` bytes; the rest stays in the stream. */
async function gather(stream: Readable, limit: number, maxBytes: number): Promise<Gathered> {
  const chunks: Buffer[] = []
  let size = 0

  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk as Buffer)
    size += (chunk as Buffer).length
    requireSize(size, maxBytes)
    if (size > limit) return { chunks, isWhole: false }
  }
  return { chunks, isWhole: true }
}

interface Incoming {
  readonly start: readonly Buffer[]
  readonly stream: Readable
  readonly maxBytes: number
  readonly tmpPath: string
}

async function receiveFile(
  incoming: Incoming,
  layout: Layout,
  pool: Pool,
  limits: ContentLimits,
): Promise<Received> {
  const fd = await openFd(incoming.tmpPath, CREATE_FLAGS, FILE_MODE).catch(toCmsError)

  async function discard(): Promise<void> {
    await closeFd(fd)
    unlinkQuietly(incoming.tmpPath)
  }

  const sizeBytes = await writeAll(fd, incoming).catch(async (error: unknown) => {
    await discard()
    return toCmsError(error)
  })

  return {
    sizeBytes,
    discard,
    async seal({ fileId, type }) {
      const uid = newUid()
      const finalPath = contentPath(layout, { fileId, uid })
      const task = { fd, type, tmpPath: incoming.tmpPath, finalPath, textBytes: limits.pageBytes }
      try {
        const sealed = await pool.run('sealUpload', task)
        await closeFd(fd)
        return { ...sealed, uid }
      } catch (error) {
        await discard()
        throw error
      }
    },
  }
}

/** Writes what has come and what comes; the stream waits while the disk is busy. */
async function writeAll(fd: number, { start, stream, maxBytes }: Incoming): Promise<number> {
  let size = 0
  let pending: Buffer[] = []
  let pendingBytes = 0

  async function take(chunk: Buffer): Promise<void> {
    size += chunk.length
    requireSize(size, maxBytes)
    pending.push(chunk)
    pendingBytes += chunk.length
    if (pendingBytes >= WRITE_BYTES) await flush()
  }

  async function flush(): Promise<void> {
    await writeFully(fd, pending, pendingBytes)
    pending = []
    pendingBytes = 0
  }

  for (const chunk of start) await take(chunk)
  for await (const chunk of stream) await take(chunk as Buffer)
  if (pendingBytes > 0) await flush()
  return size
}

const writeOnce = promisify(writeFd)

/** writev may write less than it was given; the rest follows. */
async function writeFully(fd: number, chunks: readonly Buffer[], sizeBytes: number): Promise<void> {
  const { bytesWritten } = await writevFd(fd, [...chunks])
  if (bytesWritten === sizeBytes) return

  const rest = Buffer.concat([...chunks]).subarray(bytesWritten)
  for (let at = 0; at < rest.length; ) at += (await writeOnce(fd, rest, at)).bytesWritten
}

function requireSize(size: number, maxBytes: number): void {
  if (size <= maxBytes) return
  const detail = `A file may have at most ${maxBytes} bytes. The operator can raise it with --max-upload-mb.`
  throw new CmsError('too-large', detail)
}

interface Existing {
  readonly handle: FileHandle
  readonly stats: Stats
}

/** Only a plain file with one name is content: never a link, a pipe or a device that somebody planted. */
async function openExisting(path: string): Promise<Existing | undefined> {
  let handle: FileHandle
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ELOOP' || code === 'ENXIO' ? undefined : toCmsError(error)
  }

  const stats = await handle.stat()
  if (stats.isFile() && stats.nlink === 1) return { handle, stats }
  await handle.close()
  return undefined
}

function toCmsError(error: unknown): never {
  if (error instanceof CmsError) throw error
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') {
    throw new CmsError('disk-full', 'There is no room for new content. Nothing was changed.', {
      cause: error,
    })
  }
  if (code === 'EMFILE' || code === 'ENFILE') {
    throw new CmsError('unavailable', 'Too many files are open. Try again.', { cause: error })
  }
  throw error
}

// Receives uploads: a small upload is gathered in memory; a large upload goes to a temporary file while it arrives and is
// renamed when it is sealed.

import { close, open as openFile, write as writeFd, writev } from 'node:fs'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { CmsError } from '../../base/errors.ts'
import { CREATE_FLAGS, FILE_MODE, unlinkQuietly } from '../../workers/files.ts'
import type { Received, ReceiveOptions, Sealed, WriteOptions } from '../port.ts'
import { toCmsError } from './file-errors.ts'

/** Chunks are gathered to about this size before a write. */
const WRITE_BYTES = 1024 * 1024
/** At most this many chunks are held before they are joined or written: an upload in single bytes would otherwise take a hundred times its size. */
const MAX_CHUNKS = 1_024

const openFd = promisify(openFile)
const closeFd = promisify(close)
const writevFd = promisify(writev)
const writeOnce = promisify(writeFd)

export interface Incoming extends ReceiveOptions {
  readonly stream: Readable
  /** Up to this size the upload stays in memory. */
  readonly inlineBytes: number
  readonly tmpPath: string
}

export interface Sealing {
  /** Seals bytes that are completely in memory. */
  readonly write: (bytes: Uint8Array, options: WriteOptions) => Promise<Sealed>
  /** Seals a complete file; `fd` is the descriptor that wrote it. */
  readonly seal: (fd: number, options: WriteOptions) => Promise<Sealed>
}

export async function receive(incoming: Incoming, sealing: Sealing): Promise<Received> {
  const { stream } = incoming
  // Between the two readers nobody listens, and an unhandled error would end the process; the next reader throws it.
  stream.on('error', () => undefined)
  const start = await gather(incoming)
  if (!start.isWhole) return receiveFile(incoming, start.chunks, sealing)

  const bytes = Buffer.concat(start.chunks)
  return {
    bytes,
    sizeBytes: bytes.length,
    seal: (options) => sealing.write(bytes, options),
    discard: async () => undefined,
  }
}

interface Gathered {
  readonly chunks: Buffer[]
  readonly isWhole: boolean
}

/**
 * Reads the stream until it ends or has delivered `inlineBytes`; the rest stays in the stream. Uses events, because an
 * iterator of the stream costs a small upload more than everything else.
 */
function gather({ stream, inlineBytes, maxBytes, onChunk }: Incoming): Promise<Gathered> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let pieces: Buffer[] = []
    let size = 0

    function stop(): void {
      stream.off('data', take).off('end', finish).off('error', fail).off('close', cut).pause()
    }

    function fail(fault: unknown): void {
      stop()
      reject(fault)
    }

    function take(chunk: Buffer): void {
      pieces.push(chunk)
      size += chunk.length
      try {
        onChunk?.(chunk)
        requireSize(size, maxBytes)
      } catch (fault) {
        return fail(fault)
      }
      if (size > inlineBytes) {
        stop()
        return resolve({ chunks: [...chunks, ...pieces], isWhole: false })
      }
      if (pieces.length < MAX_CHUNKS) return
      chunks.push(Buffer.concat(pieces))
      pieces = []
    }

    function finish(): void {
      stop()
      resolve({ chunks: [...chunks, ...pieces], isWhole: true })
    }

    function cut(): void {
      fail(new Error('The stream was closed before its end.'))
    }

    // A stream that is already closed emits no more events.
    if (stream.destroyed) return stream.errored === null ? cut() : fail(stream.errored)
    stream.on('data', take).on('end', finish).on('error', fail).on('close', cut)
  })
}

async function receiveFile(
  { tmpPath, ...incoming }: Incoming,
  start: readonly Buffer[],
  sealing: Sealing,
): Promise<Received> {
  const fd = await openFd(tmpPath, CREATE_FLAGS, FILE_MODE).catch(toCmsError)

  async function discard(): Promise<void> {
    await closeFd(fd)
    unlinkQuietly(tmpPath)
  }

  const sizeBytes = await writeAll(fd, { start, ...incoming }).catch(async (error: unknown) => {
    await discard()
    return toCmsError(error)
  })

  return {
    sizeBytes,
    discard,
    async seal(options) {
      try {
        const sealed = await sealing.seal(fd, options)
        await closeFd(fd)
        return sealed
      } catch (error) {
        await discard()
        throw error
      }
    },
  }
}

interface Chunks extends ReceiveOptions {
  readonly start: readonly Buffer[]
  readonly stream: Readable
}

/** Writes the gathered and all following chunks; the stream waits while the disk is busy. */
async function writeAll(fd: number, chunks: Chunks): Promise<number> {
  const { start, stream, maxBytes, onChunk } = chunks
  let size = 0
  let pending: Buffer[] = []
  let pendingBytes = 0

  async function take(chunk: Buffer): Promise<void> {
    size += chunk.length
    requireSize(size, maxBytes)
    pending.push(chunk)
    pendingBytes += chunk.length
    if (pendingBytes >= WRITE_BYTES || pending.length >= MAX_CHUNKS) await flush()
  }

  async function flush(): Promise<void> {
    await writeFully(fd, pending, pendingBytes)
    pending = []
    pendingBytes = 0
  }

  for (const chunk of start) await take(chunk)
  for await (const chunk of stream) {
    onChunk?.(chunk as Buffer)
    await take(chunk as Buffer)
  }
  if (pendingBytes > 0) await flush()
  return size
}

/** writev may write fewer bytes than given; the rest is written afterwards. */
async function writeFully(fd: number, chunks: readonly Buffer[], sizeBytes: number): Promise<void> {
  const { bytesWritten } = await writevFd(fd, [...chunks])
  if (bytesWritten === sizeBytes) return

  const rest = Buffer.concat([...chunks]).subarray(bytesWritten)
  for (let at = 0; at < rest.length; ) at += (await writeOnce(fd, rest, at)).bytesWritten
}

function requireSize(size: number, maxBytes: number): void {
  if (size <= maxBytes) return
  const detail = `A file may have at most ${maxBytes} bytes. Send a smaller file, or ask the operator to increase --max-upload-mb.`
  throw new CmsError('too-large', detail)
}

// Writes new contents to files: received, described, synced and renamed. Small contents are left to the commit that refers
// to them (Sealed.inline).

import { join } from 'node:path'
import { describeBytes } from '../../workers/describe-content.ts'
import { unlinkQuietly } from '../../workers/files.ts'
import type { ContentName, Contents, Sealed, WriteOptions } from '../port.ts'
import type { ContentLimits } from '../engine.ts'
import type { ContentDisk } from './content-disk.ts'
import type { ContentReads } from './content-reads.ts'
import { newContentUid, newUid } from './data-paths.ts'
import { receive } from './receive-upload.ts'
import type { WriteOut } from './content-flush.ts'

export interface ContentWritesOptions {
  /** A directory on the same disk as the files; each start empties it. */
  readonly tmp: string
  readonly disk: ContentDisk
  readonly limits: ContentLimits
  readonly writeOut: Pick<WriteOut, 'isFull'>
  readonly reads: Pick<ContentReads, 'keep'>
  /** Path of the final file. */
  readonly pathOf: (name: ContentName) => string
  /** An extra step before the content is durable; if it fails, the file is removed. */
  readonly store?: ((name: ContentName, sealed: Sealed) => Promise<void>) | undefined
}

export function openContentWrites(
  options: ContentWritesOptions,
): Pick<Contents, 'write' | 'receive'> {
  const { tmp, disk, limits } = options
  return {
    write: (source, name) => write(options, 'text' in source ? source.text : source.bytes, name),

    receive: (stream, asked) => {
      const tmpPath = join(tmp, newUid())
      const inlineBytes = limits.inlineUploadBytes
      return receive(
        { stream, inlineBytes, tmpPath, ...asked },
        {
          // These bytes have no other user, so they are transferred to the worker instead of copied.
          write: (bytes, name) => write(options, bytes, name, ownMemory(bytes)),
          seal: (fd, name) => sealFile(options, { fd, tmpPath }, name),
        },
      ).catch(disk.refuse)
    },
  }
}

async function write(
  options: ContentWritesOptions,
  source: string | Uint8Array,
  { fileId, ...known }: WriteOptions,
  transfer: readonly ArrayBuffer[] = [],
): Promise<Sealed> {
  const { tmp, disk, limits, writeOut, reads, pathOf } = options
  const uid = newContentUid()
  if (Buffer.byteLength(source) <= limits.inlineContentBytes && !writeOut.isFull()) {
    const bytes = typeof source === 'string' ? Buffer.from(source) : asBuffer(source)
    const sealed = await describeBytes(bytes, known)
    reads.keep(uid, { bytes, sha256: sealed.sha256 })
    return { uid, inline: bytes, ...sealed }
  }
  const tmpPath = join(tmp, newUid())
  const task = { source, tmpPath, finalPath: pathOf({ fileId, uid }), ...known }
  const described = await disk.pool
    .run('writeContent', task, { transfer })
    .catch((error: unknown) => {
      // A worker thread that died during the task cannot remove its file.
      unlinkQuietly(tmpPath)
      throw error
    })
  return stored(options, fileId, { uid, ...described })
}

async function sealFile(
  options: ContentWritesOptions,
  file: { readonly fd: number; readonly tmpPath: string },
  { fileId, type }: WriteOptions,
): Promise<Sealed> {
  const { disk, limits, pathOf } = options
  const uid = newContentUid()
  const task = { type, finalPath: pathOf({ fileId, uid }), textBytes: limits.pageBytes, ...file }
  return stored(options, fileId, { uid, ...(await disk.pool.run('sealUpload', task)) })
}

async function stored(
  { store }: ContentWritesOptions,
  fileId: number,
  sealed: Sealed,
): Promise<Sealed> {
  await store?.({ fileId, uid: sealed.uid }, sealed)
  return sealed
}

/** The memory of the bytes if nothing else is in it. */
function ownMemory({ buffer, byteLength }: Uint8Array): readonly ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && byteLength > 0 && buffer.byteLength === byteLength
    ? [buffer]
    : []
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

// Bytes of versions as files under the data directory. New bytes get a temporary name, are synced,
// and only then a final one (workers/files.ts); a final name is random and never given twice. Small ones
// ride in the commit instead and become files later (carried.ts, write-out.ts).

import { hash } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { describeBytes } from '../../workers/describe.ts'
import { unlinkQuietly } from '../../workers/files.ts'
import { verifyContent } from '../../workers/verify-content.ts'
import { findCarried } from '../records/carried.ts'
import type { KvReader } from '../records/kv.ts'
import type {
  ContentName,
  Contents,
  Expected,
  LabelledContent,
  OpenContent,
  Sealed,
  WriteOptions,
} from '../port.ts'
import type { ContentDisk } from './content-disk.ts'
import { toCmsError } from './file-errors.ts'
import type { Holds } from './holds.ts'
import type { WriteOut } from './write-out.ts'
import { contentPath, type DataPaths, newUid } from './data-paths.ts'
import { readChunks } from './read-chunks.ts'
import { receive } from './receive.ts'
import type { ContentLimits } from '../engine.ts'

export interface ContentsOptions {
  readonly dataPaths: DataPaths
  readonly disk: ContentDisk
  readonly limits: ContentLimits
  readonly kv: KvReader
  readonly writeOut: WriteOut
  readonly holds: Holds
}

type Work = ContentsOptions & { readonly recent: RecentContents }

export function openContents(options: ContentsOptions): Contents {
  const { dataPaths, disk, limits, kv, writeOut } = options
  const { pool } = disk
  const work: Work = { recent: openRecent(), ...options }
  const pathOf = (name: ContentName) => contentPath(dataPaths, name)

  return {
    requireWritable: disk.requireWritable,

    write: (source, name) => write(work, 'text' in source ? source.text : source.bytes, name),

    receive: (stream, asked) => {
      const tmpPath = join(dataPaths.tmp, newUid())
      const inlineBytes = limits.inlineUploadBytes
      return receive(
        { stream, inlineBytes, tmpPath, ...asked },
        {
          // Nobody else has these bytes, so they are handed over to the worker and not copied.
          write: (bytes, name) => write(work, bytes, name, ownMemory(bytes)),
          seal: (fd, name) => sealFile(work, { fd, tmpPath }, name),
        },
      ).catch(disk.refuse)
    },

    read: (name, expected) => read(work, name, expected),

    async open(name) {
      const bytes = findCarried(kv, name)
      return bytes === undefined ? openFile(pathOf(name)) : openBytes(bytes)
    },

    async encode(name, { maxBytes, ...expected }) {
      // As bytes: a text of 16 MiB made of them would only become bytes again.
      if (expected.sizeBytes > limits.inlineJsonBytes)
        return pool.run('encodePage', { maxBytes, path: pathOf(name), sha256: expected.sha256 })
      const bytes = await read(work, name, expected)
      return bytes === undefined ? undefined : JSON.stringify(bytes.toString())
    },

    async verify(name, { sizeBytes, ...expected }) {
      const bytes = findCarried(kv, name)
      const task = { ...expected, source: bytes ?? pathOf(name), textBytes: limits.pageBytes }
      return bytes === undefined ? pool.run('verifyContent', task) : verifyContent(task)
    },

    diff: (left, right) =>
      pool.run('diffTexts', { left: sideOf(work, left), right: sideOf(work, right) }),

    held: options.holds.held,

    async remove(names) {
      if (names.length === 0) return
      await writeOut.forget(names)
      for (const { uid } of names) work.recent.delete(uid)
      await pool.run('removeFiles', { paths: names.map(pathOf) })
    },
  }
}

interface Recent {
  readonly bytes: Buffer
  readonly sha256: string
}

type RecentContents = LRUCache<string, Recent>

/** Content up to this size stays in memory when it was read or saved lately, this much of it together. */
const RECENT_BYTES = 256 * 1024
const MAX_RECENT_BYTES = 8 * 1024 * 1024
/** Counted for each of them besides its bytes. */
const OVERHEAD = 512

/** By uid. Versions never change, so neither does what is known of their bytes. */
function openRecent(): RecentContents {
  return new LRUCache({
    maxSize: MAX_RECENT_BYTES,
    maxEntrySize: RECENT_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length + OVERHEAD,
  })
}

async function write(
  { dataPaths, disk, limits, writeOut, recent }: Work,
  source: string | Uint8Array,
  { fileId, type }: WriteOptions,
  transfer: readonly ArrayBuffer[] = [],
): Promise<Sealed> {
  const uid = newUid()
  if (Buffer.byteLength(source) <= limits.carriedBytes && !writeOut.isFull()) {
    const bytes = typeof source === 'string' ? Buffer.from(source) : asBuffer(source)
    const sealed = await describeBytes(bytes, type)
    recent.set(uid, { bytes, sha256: sealed.sha256 })
    return { uid, carried: bytes, ...sealed }
  }
  const tmpPath = join(dataPaths.tmp, newUid())
  const finalPath = contentPath(dataPaths, { fileId, uid })
  const task = { source, type, tmpPath, finalPath }
  try {
    return { uid, ...(await disk.pool.run('writeContent', task, { transfer })) }
  } catch (error) {
    // A thread that died of its task could not do it.
    unlinkQuietly(tmpPath)
    throw error
  }
}

async function sealFile(
  { dataPaths, disk, limits }: Work,
  file: { readonly fd: number; readonly tmpPath: string },
  { fileId, type }: WriteOptions,
): Promise<Sealed> {
  const uid = newUid()
  const finalPath = contentPath(dataPaths, { fileId, uid })
  const task = { type, finalPath, textBytes: limits.pageBytes, ...file }
  return { uid, ...(await disk.pool.run('sealUpload', task)) }
}

async function read(
  { dataPaths, kv, recent }: Work,
  name: ContentName,
  { sizeBytes, sha256 }: Expected,
): Promise<Buffer | undefined> {
  const known = recent.get(name.uid)
  if (known?.sha256 === sha256) return known.bytes

  const bytes = findCarried(kv, name) ?? (await readWhole(contentPath(dataPaths, name)))
  if (bytes?.length !== sizeBytes || hash('sha256', bytes) !== sha256) return undefined
  recent.set(name.uid, { bytes, sha256 })
  return bytes
}

/** A side of a comparison: the bytes where they are no file yet. */
function sideOf({ dataPaths, kv }: Work, { label, ...name }: LabelledContent) {
  return { name: label, source: findCarried(kv, name) ?? contentPath(dataPaths, name) }
}

/** The memory of bytes that are alone in it. */
function ownMemory({ buffer, byteLength }: Uint8Array): readonly ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && byteLength > 0 && buffer.byteLength === byteLength
    ? [buffer]
    : []
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function openBytes(bytes: Buffer): OpenContent {
  return {
    sizeBytes: bytes.length,
    async *chunks({ start, end } = { start: 0, end: bytes.length - 1 }) {
      yield bytes.subarray(start, end + 1)
    },
    close: async () => undefined,
  }
}

async function openFile(path: string): Promise<OpenContent | undefined> {
  const file = await openExisting(path)
  if (file === undefined) return undefined
  const { handle, stats } = file
  return {
    sizeBytes: stats.size,
    chunks: (range = { start: 0, end: stats.size - 1 }) => readChunks(handle, range),
    close: () => handle.close(),
  }
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

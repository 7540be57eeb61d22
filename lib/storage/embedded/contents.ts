// Bytes of versions as files under the data directory. New bytes get a temporary name, are synced,
// and only then a final one (workers/files.ts); a final name is random and never given twice. Small ones
// ride in the commit instead and become files later (carried.ts, write-out.ts).

import { hash } from 'node:crypto'
import { join, relative } from 'node:path'
import { LRUCache } from 'lru-cache'
import { admits } from '../../cache-admission.ts'
import { isStml } from '../../schema/stml.ts'
import { describeBytes } from '../../workers/describe.ts'
import { unlinkQuietly } from '../../workers/files.ts'
import { verifyContent } from '../../workers/verify-content.ts'
import { compareCarried, findCarried } from '../records/carried.ts'
import type { KvReader } from '../records/kv.ts'
import type {
  ContentName,
  Contents,
  LabelledContent,
  Lent,
  OpenContent,
  ReadOptions,
  Sealed,
  WriteOptions,
} from '../port.ts'
import type { ContentDisk } from './content-disk.ts'
import { type ContentFiles, openContentFiles } from './content-files.ts'
import type { Holds } from './holds.ts'
import type { WriteOut } from './write-out.ts'
import { contentPath, type DataPaths, newUid } from './data-paths.ts'
import { receive } from './receive.ts'
import { openReusedMemory, type ReusedMemory } from './reused-memory.ts'
import type { ContentLimits } from '../engine.ts'

export interface ContentsOptions {
  readonly dataPaths: DataPaths
  readonly disk: ContentDisk
  readonly limits: ContentLimits
  readonly kv: KvReader
  readonly writeOut: WriteOut
  readonly holds: Holds
}

interface Work extends ContentsOptions {
  readonly recent: RecentContents
  readonly files: ContentFiles
  readonly lent: ReusedMemory
}

export function openContents(options: ContentsOptions): Contents {
  const { dataPaths, disk, limits, kv, writeOut } = options
  const { pool } = disk
  const files = openContentFiles()
  const work: Work = { recent: openRecent(), files, lent: openReusedMemory(LENT), ...options }
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
    lend: (name, expected) => lend(work, name, expected),

    async open(name) {
      const bytes = findCarried(kv, name)
      return bytes === undefined ? files.open(pathOf(name)) : openBytes(bytes)
    },

    placeOf: (name) =>
      findCarried(kv, name) === undefined ? relative(dataPaths.dataDir, pathOf(name)) : undefined,

    async encode(name, { maxBytes, ...expected }) {
      // As bytes: a text of 16 MiB made of them would only become bytes again.
      if (expected.sizeBytes > limits.inlineJsonBytes)
        return pool.run('encodePage', { maxBytes, path: pathOf(name), sha256: expected.sha256 })
      const bytes = await read(work, name, expected)
      return bytes === undefined ? undefined : JSON.stringify(bytes.toString())
    },

    async verify(name, { sizeBytes, bytes: same, ...expected }) {
      if (same !== undefined && !isStml(expected.type)) return isThere(work, name, same)
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
  /** With the hash, when they were read. */
  readonly isCompared: boolean
}

type RecentContents = LRUCache<string, Recent>

/** Content up to this size stays in memory when it was read or saved lately, this much of it together. */
const RECENT_BYTES = 256 * 1024
const RECENT_WHEN_SAVED_BYTES = 32 * 1024
const MAX_RECENT_BYTES = 8 * 1024 * 1024
/** Counted for each of them besides its bytes. */
const OVERHEAD = 512

/** For larger contents that are read whole; one client at a time has each. */
const LENT = { sizeBytes: 1024 * 1024, maxIdle: 4 }

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
  { fileId, ...known }: WriteOptions,
  transfer: readonly ArrayBuffer[] = [],
): Promise<Sealed> {
  const uid = newUid()
  if (Buffer.byteLength(source) <= limits.carriedBytes && !writeOut.isFull()) {
    const bytes = typeof source === 'string' ? Buffer.from(source) : asBuffer(source)
    const sealed = await describeBytes(bytes, known)
    // Larger ones are kept when they are asked for: what lives as long as that is garbage that only a full collection finds.
    if (bytes.length <= RECENT_WHEN_SAVED_BYTES)
      recent.set(uid, { bytes, sha256: sealed.sha256, isCompared: true })
    return { uid, carried: bytes, ...sealed }
  }
  const tmpPath = join(dataPaths.tmp, newUid())
  const finalPath = contentPath(dataPaths, { fileId, uid })
  const task = { source, tmpPath, finalPath, ...known }
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
  work: Work,
  name: ContentName,
  options: ReadOptions,
): Promise<Buffer | undefined> {
  const { kv, recent } = work
  const { sizeBytes, sha256, isVerified = false } = options
  const known = recent.get(name.uid)
  if (known?.sha256 === sha256 && (known.isCompared || isVerified)) return known.bytes

  const bytes =
    findCarried(kv, name) ?? (await readFile(work, name, Buffer.allocUnsafeSlow(sizeBytes)))
  if (bytes === undefined || !isAsExpected(bytes, options)) return undefined
  if (admits(recent, name.uid)) recent.set(name.uid, { bytes, sha256, isCompared: !isVerified })
  return bytes
}

/** What is not kept in memory is read into memory that is used again, up to the size of that. */
async function lend(
  work: Work,
  name: ContentName,
  options: ReadOptions,
): Promise<Lent | undefined> {
  const { sizeBytes, isVerified = false } = options
  if (sizeBytes <= RECENT_BYTES || sizeBytes > LENT.sizeBytes) {
    // What was saved lately is in memory, and says nothing of the file.
    if (!isVerified) work.recent.delete(name.uid)
    const isFinal = findCarried(work.kv, name) === undefined
    const bytes = await read(work, name, options)
    return bytes && { bytes, giveBack: undefined, isFinal }
  }

  const memory = work.lent.take()
  const giveBack = (): void => work.lent.give(memory)
  const bytes = await readFile(work, name, memory.subarray(0, sizeBytes))
  if (bytes !== undefined && isAsExpected(bytes, options)) return { bytes, giveBack, isFinal: true }
  giveBack()
  return undefined
}

/** The bytes of the file in this memory; undefined where it has not as many. */
async function readFile(
  { dataPaths, files }: Work,
  name: ContentName,
  memory: Buffer,
): Promise<Buffer | undefined> {
  return (await files.read(contentPath(dataPaths, name), memory)) ? memory : undefined
}

/** Whether these bytes lie there: in a row, or in a file that is read into memory that is used again. */
async function isThere(work: Work, name: ContentName, bytes: Uint8Array): Promise<boolean> {
  const isCarried = compareCarried(work.kv, name, bytes)
  if (isCarried !== undefined) return isCarried
  const memory = bytes.length > LENT.sizeBytes ? undefined : work.lent.take()
  const found = await readFile(
    work,
    name,
    (memory ?? Buffer.allocUnsafeSlow(bytes.length)).subarray(0, bytes.length),
  )
  const isSame = found?.equals(bytes) === true
  if (memory !== undefined) work.lent.give(memory)
  return isSame
}

function isAsExpected(
  bytes: Buffer,
  { sizeBytes, sha256, isVerified = false }: ReadOptions,
): boolean {
  return bytes.length === sizeBytes && (isVerified || hash('sha256', bytes) === sha256)
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

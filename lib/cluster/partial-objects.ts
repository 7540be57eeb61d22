// Resumable uploads as objects: <prefix>uploads/<uid>/<part>. Any node may continue an upload, so each checkpoint is an object
// that the row of the upload names. Small parts are merged like digits of a binary counter: an upload in many small
// requests has few objects, and each byte is written few times. A complete upload is read from its parts and saved like
// any other upload.

import { type FileHandle, open as openFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { CmsError } from '../base/errors.ts'
import type { PartialPart } from '../schema/partial-upload.ts'
import type { ContentDisk } from '../storage/embedded/content-disk.ts'
import { newUid } from '../storage/embedded/data-paths.ts'
import { toCmsError } from '../storage/embedded/file-errors.ts'
import type { NamesBytes, Partials, PartialState, PartialWriter } from '../storage/partials.ts'
import type { Contents, Received } from '../storage/port.ts'
import { CREATE_FLAGS, FILE_MODE } from '../workers/files.ts'
import type { ContentCache } from './content-cache.ts'
import type { ObjectStore } from './object-store.ts'

export interface PartialObjectsOptions {
  readonly store: ObjectStore
  readonly prefix: string
  readonly cache: Pick<ContentCache, 'tmp'>
  readonly disk: Pick<ContentDisk, 'pool'>
  readonly contents: Pick<Contents, 'receive' | 'requireWritable'>
  /** Reports objects that could not be removed: they stay until the next sweep. */
  readonly onLeft: (cause: unknown) => void
}

/** A running request makes its bytes durable after this many, and smaller parts are merged. */
const PART_BYTES = 8 * 1024 * 1024
const BLOCK_BYTES = 512 * 1024
/** The row of an object may not be committed yet. */
const GRACE_MS = 24 * 3_600_000

export function openPartialObjects(options: PartialObjectsOptions): Partials {
  const { store, prefix, contents, onLeft } = options
  const all = `${prefix}uploads/`
  const keyOf = (uid: string, part: string): string => `${all}${uid}/${part}`
  return {
    checkpointBytes: PART_BYTES,

    async open(state) {
      contents.requireWritable()
      const { sizeBytes, parts = [] } = state
      // A site that was moved into the cluster has rows without objects.
      if (parts.reduce((sum, part) => sum + part.sizeBytes, 0) !== sizeBytes) return undefined
      const path = join(options.cache.tmp, newUid())
      const handle = await openFile(path, CREATE_FLAGS, FILE_MODE).catch(toCmsError)
      const keyOfPart = (part: string): string => keyOf(state.uid, part)
      return new ObjectWriter({ ...options, state, path, handle, keyOfPart })
    },

    async remove({ uid, parts = [] }) {
      await store.remove(parts.map((part) => keyOf(uid, part.uid))).catch(onLeft)
    },

    async sweep(names, signal) {
      for await (const page of store.list(all)) {
        if (signal.aborted) return
        const old = page.filter(({ ageMs }) => ageMs > GRACE_MS).map(({ key }) => key)
        await store.remove(old.filter((key) => !isNamed(names, key.slice(all.length))))
      }
    },
  }
}

function isNamed(names: NamesBytes, path: string): boolean {
  const [uid = '', part = ''] = path.split('/')
  return names({ uid, part })
}

interface WriterOptions extends PartialObjectsOptions {
  readonly state: PartialState
  /** The file of the bytes that are not durable yet. */
  readonly path: string
  readonly handle: FileHandle
  readonly keyOfPart: (part: string) => string
}

class ObjectWriter implements PartialWriter {
  readonly #options: WriterOptions
  readonly #uid: string
  #parts: readonly PartialPart[]
  #durableBytes: number
  /** Bytes in the file, and those that still wait in memory. */
  #fileBytes = 0
  #chunks: Buffer[] = []
  #chunkBytes = 0
  #obsolete: readonly PartialPart[] = []

  constructor(options: WriterOptions) {
    this.#options = options
    const { uid, sizeBytes, parts = [] } = options.state
    this.#uid = uid
    this.#durableBytes = sizeBytes
    this.#parts = parts
  }

  get sizeBytes(): number {
    return this.#durableBytes + this.#fileBytes + this.#chunkBytes
  }

  write(chunk: Buffer): Promise<void> | undefined {
    this.#chunks.push(chunk)
    this.#chunkBytes += chunk.length
    return this.#chunkBytes >= BLOCK_BYTES ? this.#flush() : undefined
  }

  async sync(): Promise<PartialState> {
    await this.#flush()
    if (this.#fileBytes > 0) await this.#putPart()
    return { uid: this.#uid, sizeBytes: this.#durableBytes, parts: this.#parts }
  }

  async tidy(): Promise<void> {
    const { store, keyOfPart, onLeft } = this.#options
    const keys = this.#obsolete.map(({ uid }) => keyOfPart(uid))
    this.#obsolete = []
    if (keys.length > 0) await store.remove(keys).catch(onLeft)
  }

  async receive(): Promise<Received> {
    await this.#flush()
    const { contents, path } = this.#options
    const bytes = this.#read(this.#parts, { path, sizeBytes: this.#fileBytes })
    const stream = Readable.from(bytes, { objectMode: false })
    return contents.receive(stream, { maxBytes: Number.POSITIVE_INFINITY })
  }

  async close(): Promise<void> {
    const { handle, path } = this.#options
    await handle.close()
    await rm(path, { force: true })
  }

  async #flush(): Promise<void> {
    if (this.#chunkBytes === 0) return
    const bytes = Buffer.concat(this.#chunks)
    this.#chunks = []
    this.#chunkBytes = 0
    const { handle } = this.#options
    this.#fileBytes += await append(handle, bytes, this.#fileBytes).catch(toCmsError)
  }

  /** Writes the bytes of the file, and of small parts before them, as one object. */
  async #putPart(): Promise<void> {
    const { path, handle } = this.#options
    const merged = mergedParts(this.#parts, this.#fileBytes)
    const part = { uid: newUid(), sizeBytes: this.#fileBytes + sizeOf(merged) }
    if (merged.length === 0) await this.#put(part, path)
    else await this.#putMerged(part, merged)
    this.#parts = [...this.#parts.slice(0, this.#parts.length - merged.length), part]
    this.#obsolete = [...this.#obsolete, ...merged]
    this.#durableBytes += this.#fileBytes
    this.#fileBytes = 0
    await handle.truncate(0)
  }

  async #putMerged(part: PartialPart, merged: readonly PartialPart[]): Promise<void> {
    const { cache, path } = this.#options
    const whole = join(cache.tmp, newUid())
    const handle = await openFile(whole, CREATE_FLAGS, FILE_MODE).catch(toCmsError)
    try {
      let at = 0
      for await (const bytes of this.#read(merged, { path, sizeBytes: this.#fileBytes }))
        at += await append(handle, bytes, at).catch(toCmsError)
      await this.#put(part, whole)
    } finally {
      await handle.close()
      await rm(whole, { force: true })
    }
  }

  async #put({ uid, sizeBytes }: PartialPart, path: string): Promise<void> {
    const { store, disk, keyOfPart } = this.#options
    const [hashed] = await disk.pool.run('hashFiles', { paths: [path], isInBackup: false })
    if (hashed?.sizeBytes !== sizeBytes)
      throw new Error('A file that was just written does not hold the bytes that were written.')
    await store.putFile(keyOfPart(uid), { path, ...hashed })
  }

  /** The bytes of parts, and then of a file. */
  async *#read(parts: readonly PartialPart[], file: LocalFile): AsyncGenerator<Buffer> {
    const { store, keyOfPart } = this.#options
    for (const { uid, sizeBytes } of parts)
      for (let at = 0; at < sizeBytes; ) {
        const block = Buffer.allocUnsafeSlow(Math.min(BLOCK_BYTES, sizeBytes - at))
        const read = await store.read(keyOfPart(uid), at, block)
        if (read?.sizeBytes !== sizeBytes) throw missingPart()
        at += read.bytesRead
        yield block.subarray(0, read.bytesRead)
      }
    yield* readLocal(file)
  }
}

interface LocalFile {
  readonly path: string
  readonly sizeBytes: number
}

async function* readLocal({ path, sizeBytes }: LocalFile): AsyncGenerator<Buffer> {
  const handle = await openFile(path)
  try {
    for (let at = 0; at < sizeBytes; ) {
      const block = Buffer.allocUnsafeSlow(Math.min(BLOCK_BYTES, sizeBytes - at))
      const { bytesRead } = await handle.read(block, 0, block.length, at)
      if (bytesRead === 0) throw new Error(`The file ends at byte ${at}.`)
      at += bytesRead
      yield block.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}

async function append(handle: FileHandle, bytes: Buffer, position: number): Promise<number> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, position + at)
    at += bytesWritten
  }
  return bytes.length
}

/** The parts at the end that a new part of this size absorbs. */
function mergedParts(parts: readonly PartialPart[], sizeBytes: number): readonly PartialPart[] {
  let from = parts.length
  let size = sizeBytes
  for (; from > 0; from -= 1) {
    const before = parts[from - 1]?.sizeBytes ?? 0
    if (before >= PART_BYTES || before > size) break
    size += before
  }
  return parts.slice(from)
}

function sizeOf(parts: readonly PartialPart[]): number {
  return parts.reduce((sum, part) => sum + part.sizeBytes, 0)
}

function missingPart(): CmsError {
  return new CmsError('not-found', 'The bytes of the upload are gone. Begin the upload again.')
}

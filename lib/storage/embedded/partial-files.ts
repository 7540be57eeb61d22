// Resumable uploads as files: .uploads/<uid>, one file for each upload. A file is appended to, synced, and then the row of
// the upload names the new size. A complete file is synced and renamed to its final name with the same uid, before the
// commit that refers to it. If the server ends in between, recovery moves the file back (restorePartials).

import { constants, existsSync, lstatSync, mkdirSync, renameSync } from 'node:fs'
import { open as openFile, type FileHandle, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { partialUpload } from '../../schema/partial-upload.ts'
import { FILE_MODE, syncDirectory } from '../../workers/files.ts'
import type { ContentLimits } from '../engine.ts'
import type { Partials, PartialState, PartialWriter } from '../partials.ts'
import type { Reader, Received, Sealed, WriteOptions } from '../port.ts'
import type { ContentDisk } from './content-disk.ts'
import { contentPath, type DataPaths, parseContentName } from './data-paths.ts'
import { toCmsError } from './file-errors.ts'

export interface PartialFilesOptions {
  readonly dataPaths: DataPaths
  readonly disk: ContentDisk
  readonly limits: ContentLimits
}

const CHECKPOINT_BYTES = 64 * 1024 * 1024
/** Chunks are gathered to about this size before a write. */
const WRITE_BYTES = 1024 * 1024
const MAX_CHUNKS = 1_024

const OPEN_FLAGS = constants.O_RDWR | constants.O_NOFOLLOW
const NAME = /^[0-9a-f]{32}$/

export function openPartialFiles(options: PartialFilesOptions): Partials {
  const { dataPaths, disk } = options
  const { uploads } = dataPaths
  const pathOf = (uid: string): string => join(uploads, uid)
  return {
    checkpointBytes: CHECKPOINT_BYTES,

    async open(state) {
      disk.requireWritable()
      try {
        if (state.sizeBytes === 0) makeUploads(dataPaths)
        const handle = await openPartial(pathOf(state.uid), state)
        return handle && new FileWriter(options, handle, state)
      } catch (error) {
        return refused(disk, error)
      }
    },

    remove: ({ uid }) => rm(pathOf(uid), { force: true }),

    async sweep(names, signal) {
      if (!existsSync(uploads)) return
      // The row of an upload is older than its file, so a listed file without a row is a leftover.
      for (const uid of await readdir(uploads))
        if (!signal.aborted && NAME.test(uid) && !names({ uid }))
          await rm(pathOf(uid), { force: true })
    },
  }
}

/** Created when the first upload begins. */
function makeUploads({ uploads, dataDir }: DataPaths): void {
  if (existsSync(uploads)) return
  mkdirSync(uploads, { mode: 0o700 })
  syncDirectory(dataDir)
}

function refused(disk: ContentDisk, error: unknown): never {
  try {
    return toCmsError(error)
  } catch (fault) {
    return disk.refuse(fault)
  }
}

/** Undefined if the file is missing or shorter than acknowledged, for example after a restore of a backup. */
async function openPartial(
  path: string,
  { sizeBytes }: PartialState,
): Promise<FileHandle | undefined> {
  const flags = sizeBytes === 0 ? OPEN_FLAGS | constants.O_CREAT : OPEN_FLAGS
  let handle: FileHandle
  try {
    handle = await openFile(path, flags, FILE_MODE)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const { size } = await handle.stat()
    if (size > sizeBytes) await handle.truncate(sizeBytes)
    if (size >= sizeBytes) return handle
  } catch (error) {
    await handle.close()
    throw error
  }
  await handle.close()
  return undefined
}

class FileWriter implements PartialWriter {
  readonly #options: PartialFilesOptions
  readonly #handle: FileHandle
  readonly #uid: string
  #durableBytes: number
  #writtenBytes: number
  #chunks: Buffer[] = []
  #chunkBytes = 0
  #isMoved = false

  constructor(options: PartialFilesOptions, handle: FileHandle, { uid, sizeBytes }: PartialState) {
    this.#options = options
    this.#handle = handle
    this.#uid = uid
    this.#durableBytes = sizeBytes
    this.#writtenBytes = sizeBytes
  }

  get sizeBytes(): number {
    return this.#writtenBytes + this.#chunkBytes
  }

  get #path(): string {
    return join(this.#options.dataPaths.uploads, this.#uid)
  }

  write(chunk: Buffer): Promise<void> | undefined {
    this.#chunks.push(chunk)
    this.#chunkBytes += chunk.length
    return this.#chunkBytes >= WRITE_BYTES || this.#chunks.length >= MAX_CHUNKS
      ? this.#flush()
      : undefined
  }

  async sync(): Promise<PartialState> {
    await this.#flush()
    await this.#guarded(async () => {
      await this.#handle.datasync()
      if (this.#durableBytes === 0) syncDirectory(this.#options.dataPaths.uploads)
    })
    this.#durableBytes = this.#writtenBytes
    return { uid: this.#uid, sizeBytes: this.#writtenBytes }
  }

  async tidy(): Promise<void> {}

  async receive(): Promise<Received> {
    await this.#flush()
    return {
      sizeBytes: this.#writtenBytes,
      seal: (named) => this.#seal(named),
      discard: async () => undefined,
    }
  }

  async close(): Promise<void> {
    const isLonger = !this.#isMoved && this.#writtenBytes > this.#durableBytes
    // The next writer truncates the file if this fails.
    if (isLonger) await this.#handle.truncate(this.#durableBytes).catch(() => undefined)
    await this.#handle.close()
  }

  async #seal({ fileId, type }: WriteOptions): Promise<Sealed> {
    const { dataPaths, disk, limits } = this.#options
    const uid = this.#uid
    const sealed = await disk.pool.run('sealUpload', {
      fd: this.#handle.fd,
      type,
      tmpPath: this.#path,
      finalPath: contentPath(dataPaths, { fileId, uid }),
      textBytes: limits.pageBytes,
    })
    this.#isMoved = true
    return { uid, ...sealed }
  }

  async #flush(): Promise<void> {
    if (this.#chunkBytes === 0) return
    const bytes = Buffer.concat(this.#chunks)
    this.#chunks = []
    this.#chunkBytes = 0
    await this.#guarded(async () => {
      for (let at = 0; at < bytes.length; ) {
        const left = bytes.length - at
        const { bytesWritten } = await this.#handle.write(bytes, at, left, this.#writtenBytes)
        at += bytesWritten
        this.#writtenBytes += bytesWritten
      }
    })
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      refused(this.#options.disk, error)
    }
  }
}

/** Number of unfinished uploads whose bytes are missing or fewer than acknowledged. */
export function countCutPartials(
  { uploads }: DataPaths,
  records: Pick<Reader, 'list' | 'get'>,
): number {
  return records.list(partialUpload, []).filter(([uid]) => {
    const row = records.get(partialUpload, String(uid))?.value
    if (row === undefined || row.made !== undefined || row.offset === 0) return false
    const found = lstatSync(join(uploads, row.uid), { throwIfNoEntry: false })
    return found === undefined || found.size < row.offset
  }).length
}

/**
 * Moves contents of unfinished uploads back to their uploads: the server ended between the rename and the commit. Returns
 * the other paths.
 */
export function restorePartials(
  { uploads }: DataPaths,
  records: Pick<Reader, 'get'>,
  orphans: readonly string[],
): readonly string[] {
  const moved = orphans.filter((path) => {
    const uid = parseContentName(basename(path))?.uid
    const row = uid === undefined ? undefined : records.get(partialUpload, uid)?.value
    if (row === undefined || row.made !== undefined || !existsSync(uploads)) return false
    renameSync(path, join(uploads, row.uid))
    return true
  })
  for (const directory of new Set(moved.flatMap((path) => [dirname(path), uploads])))
    syncDirectory(directory)
  return orphans.filter((path) => !moved.includes(path))
}

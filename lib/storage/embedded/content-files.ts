// Contents that are files, read: whole into memory of their own, or in chunks in memory that is used again.

import { close, closeSync, constants, fstatSync, open, openSync, read, readSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { OpenContent } from '../port.ts'
import { toCmsError } from './file-errors.ts'
import { openReusedMemory, type ReusedMemory } from './buffer-pool.ts'
import { openWarmFiles, type WarmFiles } from './cached-files.ts'

/** Each read costs a call of the system, or a trip through the thread pool; each write holds the main thread. */
export const CHUNK_BYTES = 256 * 1024

const CHUNKS = { sizeBytes: CHUNK_BYTES, maxIdle: 16 }

export interface ContentFiles {
  /** Undefined where there is no such file. */
  open(path: string): Promise<OpenContent | undefined>
  /** Fills `bytes` with those of the file; false where there is none of just this size. */
  read(path: string, bytes: Buffer): Promise<boolean>
}

interface Kept {
  readonly warm: WarmFiles
  readonly memory: ReusedMemory
}

export function openContentFiles(warm: WarmFiles = openWarmFiles()): ContentFiles {
  const kept: Kept = { warm, memory: openReusedMemory(CHUNKS) }
  return {
    async open(path) {
      const file = await openExisting(path, warm)
      return (
        file && {
          sizeBytes: file.sizeBytes,
          chunks: (range = { start: 0, end: file.sizeBytes - 1 }) => readChunks(kept, file, range),
          close: async () => file.close(),
        }
      )
    },

    async read(path, bytes) {
      const file = await openExisting(path, warm)
      if (file === undefined) return false
      try {
        if (file.sizeBytes !== bytes.length) return false
        for (let at = 0; at < bytes.length; ) {
          const came = file.read(bytes.subarray(at), at)
          const bytesRead = typeof came === 'number' ? came : await came
          if (bytesRead === 0) return false
          at += bytesRead
        }
        warm.add(path, bytes.length)
        return true
      } finally {
        file.close()
      }
    },
  }
}

const openElsewhere = promisify(open)
const readElsewhere = promisify(read)

interface OpenFile {
  readonly path: string
  readonly sizeBytes: number
  /** How many bytes came; 0 at the end of the file. */
  read(buffer: Buffer, position: number): number | Promise<number>
  /** More than once, also while a read is under way, which is then the last. */
  close(): void
}

const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Only a plain file with one name is content: never a link, a pipe or a device that somebody planted. */
async function openExisting(path: string, warm: WarmFiles): Promise<OpenFile | undefined> {
  let fd: number
  try {
    fd = warm.has(path) ? openSync(path, FLAGS) : await openElsewhere(path, FLAGS)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ELOOP' || code === 'ENXIO' ? undefined : toCmsError(error)
  }

  // What is open is in memory with all that is asked here.
  const stats = fstatSync(fd)
  if (stats.isFile() && stats.nlink === 1) return fileOf({ path, fd, sizeBytes: stats.size }, warm)
  closeSync(fd)
  return undefined
}

interface Descriptor {
  readonly path: string
  readonly fd: number
  readonly sizeBytes: number
}

/** The descriptor is closed once, and never under a read: another file could have its number by then. */
function fileOf({ path, fd, sizeBytes }: Descriptor, warm: WarmFiles): OpenFile {
  let isWanted = true
  let isOpen = true
  let isReading = false

  function end(): void {
    isWanted = false
    if (isReading || !isOpen) return
    isOpen = false
    // The last to close what was removed meanwhile frees its blocks, which takes time for many.
    if (sizeBytes > TURN_BYTES) close(fd, () => undefined)
    else closeSync(fd)
  }

  async function readSlowly(buffer: Buffer, position: number): Promise<number> {
    isReading = true
    try {
      const { bytesRead } = await readElsewhere(fd, buffer, 0, buffer.length, position)
      return bytesRead
    } finally {
      isReading = false
      if (!isWanted) end()
    }
  }

  return {
    path,
    sizeBytes,
    read(buffer, position) {
      if (!isWanted) throw new Error('The content was closed while it was read.')
      if (!warm.has(path)) return readSlowly(buffer, position)
      const began = performance.now()
      const bytesRead = readSync(fd, buffer, 0, buffer.length, position)
      warm.note(performance.now() - began)
      return bytesRead
    },
    close: end,
  }
}

/** Others have a turn after so much that came from memory, and that the system took at once. */
const TURN_BYTES = 1024 * 1024

interface Stretch {
  readonly start: number
  readonly end: number
}

/** As OpenContent.chunks promises; throws where the file ends early. */
async function* readChunks(
  { warm, memory }: Kept,
  file: OpenFile,
  { start, end }: Stretch,
): AsyncGenerator<Buffer> {
  const buffer = memory.take()
  try {
    let turnEnd = start + TURN_BYTES
    for (let position = start; position <= end; ) {
      const room = buffer.subarray(0, Math.min(buffer.length, end + 1 - position))
      const came = file.read(room, position)
      const bytesRead = typeof came === 'number' ? came : await came
      if (bytesRead === 0) throw new Error(`The file ends at byte ${position} and not at ${end}.`)
      position += bytesRead
      yield room.subarray(0, bytesRead)
      if (position < turnEnd || position > end) continue
      turnEnd = position + TURN_BYTES
      await setImmediate()
    }
    if (start === 0 && end === file.sizeBytes - 1) warm.add(file.path, file.sizeBytes)
    // Not where who reads has gone away, or a read has failed: who knows what is still under way.
    memory.give(buffer)
  } finally {
    file.close()
  }
}

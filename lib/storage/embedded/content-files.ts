// Reads contents that are files: completely into new memory, or in chunks into reused memory.

import { close, closeSync, constants, fstatSync, open, openSync, read, readSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { LRUCache } from 'lru-cache'
import type { OpenContent } from '../port.ts'
import { toCmsError } from './file-errors.ts'
import { openReusedMemory, type ReusedMemory } from './buffer-pool.ts'

/** A compromise: each read costs a system call or a trip through the thread pool; each write blocks the main thread. */
export const CHUNK_BYTES = 256 * 1024

const CHUNKS = { sizeBytes: CHUNK_BYTES, maxIdle: 16 }

export interface ContentFiles {
  /** Returns undefined if the file does not exist. */
  open(path: string): Promise<OpenContent | undefined>
  /** Fills `bytes` with the content of the file; false if no file of exactly this size exists. */
  read(path: string, bytes: Buffer): Promise<boolean>
}

interface ReadTools {
  readonly warm: WarmFiles
  readonly memory: ReusedMemory
}

export function openContentFiles(warm: WarmFiles = openWarmFiles()): ContentFiles {
  const tools: ReadTools = { warm, memory: openReusedMemory(CHUNKS) }
  return {
    async open(path) {
      const file = await openExisting(path, warm)
      return (
        file && {
          sizeBytes: file.sizeBytes,
          chunks: (range = { start: 0, end: file.sizeBytes - 1 }) => readChunks(tools, file, range),
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
  /** Returns the number of bytes read; 0 at the end of the file. */
  read(buffer: Buffer, position: number): number | Promise<number>
  /** May be called repeatedly, also during a read, which is then the last read. */
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

  // The attributes of an open file are in memory, so the call does not block.
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

/** Closes the descriptor once, and never during a read: another file could have the same number by then. */
function fileOf({ path, fd, sizeBytes }: Descriptor, warm: WarmFiles): OpenFile {
  let isWanted = true
  let isOpen = true
  let isReading = false

  function end(): void {
    isWanted = false
    if (isReading || !isOpen) return
    isOpen = false
    // Closing the last descriptor of a removed file frees its blocks, which takes time for a large file.
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
      if (!isWanted) throw new Error('The content was closed while it was being read.')
      if (!warm.has(path)) return readSlowly(buffer, position)
      const began = performance.now()
      const bytesRead = readSync(fd, buffer, 0, buffer.length, position)
      warm.note(performance.now() - began)
      return bytesRead
    },
    close: end,
  }
}

/** Yields to other work after this many bytes that came from memory and went into socket buffers without waiting. */
const TURN_BYTES = 1024 * 1024

interface Stretch {
  readonly start: number
  readonly end: number
}

/** Implements OpenContent.chunks; throws if the file ends early. */
async function* readChunks(
  { warm, memory }: ReadTools,
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
    // Not after an abort or a failed read: a write may still use the buffer.
    memory.give(buffer)
  } finally {
    file.close()
  }
}

// Guesses which files are in the page cache of the system: those that were read recently. A synchronous read of such a
// file takes a fifth of the time of a read through the thread pool, no more than an access to a mapped page. If the guess
// proves wrong because the system needed the memory, synchronous reads stop for a while: a slow disk must not delay
// unrelated responses.

export interface WarmFiles {
  /** Whether a read of the file may block the main thread. */
  has(path: string): boolean
  /** Call after the file was read completely. */
  add(path: string, sizeBytes: number): void
  /** Call with the time that a read of one chunk has blocked the main thread. */
  note(ms: number): void
}

/** Amount of recently read data that is assumed to be in memory. */
const WARM_BYTES = 128 * 1024 * 1024
/** Even an empty file takes a page of the system and an entry here. */
const LEAST_BYTES = 4 * 1024
/** A chunk from memory takes less than a tenth of a millisecond. */
const SLOW_MS = 5
/** A preempted thread takes as long, but only for about one read in a hundred. */
const MOST_SLOW = 3
const FORGIVEN = 0.1
const PAUSE_MS = 1_000

export function openWarmFiles(now: () => number = () => performance.now()): WarmFiles {
  const warm = new LRUCache<string, true>({ maxSize: WARM_BYTES })
  let resumeAt = Number.NEGATIVE_INFINITY
  let slow = 0

  return {
    has: (path) => now() >= resumeAt && warm.get(path) === true,
    add: (path, sizeBytes) => void warm.set(path, true, { size: Math.max(sizeBytes, LEAST_BYTES) }),
    note(ms) {
      slow = ms < SLOW_MS ? Math.max(0, slow - FORGIVEN) : slow + 1
      if (slow < MOST_SLOW) return
      slow = 0
      resumeAt = now() + PAUSE_MS
    },
  }
}

// Durable files for worker threads. Every call is synchronous, because a worker has nothing else to do.
// The order is write, fsync, rename, fsync of the directory. A crash leaves at worst a temporary file or a name that no
// record refers to, never a named file with missing bytes.

import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { ErrorCode } from '../base/errors.ts'

/** Exclusive, and never through a symbolic link, which somebody may have planted. */
export const CREATE_FLAGS =
  constants.O_CREAT | constants.O_EXCL | constants.O_RDWR | constants.O_NOFOLLOW

/** For a file that this server may have started to write before. */
const REWRITE_FLAGS =
  constants.O_CREAT | constants.O_TRUNC | constants.O_RDWR | constants.O_NOFOLLOW

/** 0600: only the server reads content. */
export const FILE_MODE = 0o600

export function syncDirectory(path: string): void {
  const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Syncs a file that other code has written; an earlier write-back error may not be reported here. */
export function syncFile(path: string): void {
  const fd = openSync(path, constants.O_RDONLY)
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Writes a new file through a temporary name; durable on return. On failure the temporary file is gone. */
export function writeDurably(bytes: Uint8Array, tmpPath: string, finalPath: string): void {
  const fd = openSync(tmpPath, CREATE_FLAGS, FILE_MODE)

  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at)
    fsyncSync(fd)
  } catch (error) {
    closeSync(fd)
    unlinkQuietly(tmpPath)
    throw error
  }

  closeSync(fd)
  nameDurably(tmpPath, finalPath)
}

/**
 * Renames synced bytes to their final name, durably. The final name is fresh: nothing is overwritten. On failure the
 * bytes are gone under both names.
 */
export function nameDurably(tmpPath: string, finalPath: string): void {
  try {
    renameSync(tmpPath, finalPath)
    syncDirectory(dirname(finalPath))
  } catch (error) {
    unlinkQuietly(tmpPath)
    unlinkQuietly(finalPath)
    throw error
  }
}

export interface NamedBytes {
  readonly path: string
  readonly bytes: Uint8Array
}

/**
 * Writes many files under their final names; all are durable on return. A file that exists was begun with the same
 * bytes and is written again. The caller keeps the bytes until this function returns.
 */
export function writeTogether(files: readonly NamedBytes[]): void {
  for (let at = 0; at < files.length; at += OPEN_FILES) {
    writeAndSync(files.slice(at, at + OPEN_FILES))
  }
  for (const directory of new Set(files.map(({ path }) => dirname(path)))) syncDirectory(directory)
}

/** Files open at a time: one sync can also write out pending data of the other files. */
const OPEN_FILES = 64

function writeAndSync(files: readonly NamedBytes[]): void {
  const fds: number[] = []
  try {
    for (const { path, bytes } of files) {
      const fd = openSync(path, REWRITE_FLAGS, FILE_MODE)
      fds.push(fd)
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at)
    }
    for (const fd of fds) fsyncSync(fd)
  } finally {
    for (const fd of fds) closeSync(fd)
  }
}

/** Removes a file that may be gone already. */
export function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

const CHUNK_BYTES = 1024 * 1024
/** One buffer for each thread. A buffer for each file would leave as much garbage as all bytes that are read. */
let scratch: Buffer | undefined

function scratchOf(sizeBytes: number): Buffer {
  if (sizeBytes > CHUNK_BYTES) return Buffer.allocUnsafeSlow(sizeBytes)
  scratch ??= Buffer.allocUnsafeSlow(CHUNK_BYTES)
  return scratch.subarray(0, sizeBytes)
}

/** Reads `sizeBytes` bytes of a descriptor. The buffer is valid until this thread reads the next file. */
export function readAll(fd: number, sizeBytes: number): Buffer {
  const buffer = scratchOf(sizeBytes)
  let length = 0
  while (length < sizeBytes) {
    const read = readSync(fd, buffer, length, sizeBytes - length, length)
    if (read === 0) break
    length += read
  }
  return buffer.subarray(0, length)
}

/**
 * Calls `onChunk` with the bytes of a descriptor from the beginning, until `onChunk` returns false. The chunk's memory
 * is reused, also for the next file that this thread reads.
 */
export function readChunks(fd: number, onChunk: (chunk: Uint8Array) => unknown): void {
  const buffer = scratchOf(CHUNK_BYTES)
  for (let position = 0; ; ) {
    const length = readSync(fd, buffer, 0, buffer.length, position)
    if (length === 0) return
    if (onChunk(buffer.subarray(0, length)) === false) return
    position += length
  }
}

/**
 * Opens content: a plain file with one name, never a link, a pipe or a device that somebody planted. In a backup a
 * content may have several names, because backups share what did not change.
 */
export function openIfThere(path: string, { mayBeShared = false } = {}): number | undefined {
  let fd: number
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ELOOP' || code === 'ENXIO') return undefined
    throw error
  }

  const stats = fstatSync(fd)
  if (stats.isFile() && (mayBeShared || stats.nlink === 1)) return fd
  closeSync(fd)
  return undefined
}

interface FileFault {
  readonly code: ErrorCode
  readonly detail: string
}

const NO_ROOM: FileFault = {
  code: 'disk-full',
  detail: 'There is no room for new content. Nothing was changed.',
}
const TOO_MANY_FILES: FileFault = {
  code: 'unavailable',
  detail: 'Too many files are open. Try again.',
}

const FAULTS: ReadonlyMap<string | undefined, FileFault> = new Map([
  ['ENOSPC', NO_ROOM],
  ['EDQUOT', NO_ROOM],
  ['EFBIG', NO_ROOM],
  ['EMFILE', TOO_MANY_FILES],
  ['ENFILE', TOO_MANY_FILES],
])

/** Returns undefined if a client can do nothing about the error. */
export function findFileFault(errno: string | undefined): FileFault | undefined {
  return FAULTS.get(errno)
}

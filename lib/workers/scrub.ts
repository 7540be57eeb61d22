// Reads files slowly and compares them with their hashes. It runs in a thread of its own, behind
// everything else: at the lowest priority, and waiting after each piece as long as the rate wants it.

import { createHash } from 'node:crypto'
import { closeSync } from 'node:fs'
import { setPriority } from 'node:os'
import { openIfThere, readChunks } from './files.ts'

export interface ScrubFiles {
  readonly files: readonly ExpectedFile[]
  readonly bytesPerSecond: number
  /** Shared: a number other than 0 ends the task, and wakes it where it waits. */
  readonly stop: Int32Array
}

interface ExpectedFile {
  readonly path: string
  readonly sizeBytes: number
  readonly sha256: string
}

export type FileFault = 'missing' | 'damaged' | 'unreadable'

export interface Scrubbed {
  /** Number of files that were read; fewer than there are when the task was stopped. */
  readonly done: number
  readonly bytes: number
  readonly faults: readonly { readonly at: number; readonly fault: FileFault }[]
}

/** Opening a file costs a disk as much as reading some of it. */
const LEAST_BYTES = 64 * 1024
const LOWEST_PRIORITY = 19

export function scrubFiles({ files, bytesPerSecond, stop }: ScrubFiles): Scrubbed {
  // On Linux that of the calling thread alone.
  setPriority(LOWEST_PRIORITY)
  const pace = openPace(bytesPerSecond, stop)
  const faults: { at: number; fault: FileFault }[] = []
  let bytes = 0

  for (const [at, file] of files.entries()) {
    const fault = scrub(file, pace)
    if (pace.isStopped()) return { done: at, bytes, faults }
    if (fault !== undefined) faults.push({ at, fault })
    bytes += file.sizeBytes
  }
  return { done: files.length, bytes, faults }
}

function scrub({ path, sizeBytes, sha256 }: ExpectedFile, pace: Pace): FileFault | undefined {
  pace.spend(LEAST_BYTES)
  let fd: number | undefined
  try {
    fd = openIfThere(path)
    if (fd === undefined) return 'missing'
    const hash = createHash('sha256')
    let size = 0
    readChunks(fd, (chunk) => {
      hash.update(chunk)
      size += chunk.length
      pace.spend(chunk.length)
      return !pace.isStopped()
    })
    return size === sizeBytes && hash.digest('hex') === sha256 ? undefined : 'damaged'
  } catch {
    // The disk may answer again later: what was not read is not yet lost.
    return 'unreadable'
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

interface Pace {
  /** Waits until so many bytes may have been read; not when stopped. */
  spend(bytes: number): void
  isStopped(): boolean
}

function openPace(bytesPerSecond: number, stop: Int32Array): Pace {
  let due = performance.now()
  return {
    spend(bytes) {
      due += (bytes / bytesPerSecond) * 1_000
      const waitMs = due - performance.now()
      if (waitMs > 0) Atomics.wait(stop, 0, 0, waitMs)
    },
    isStopped: () => Atomics.load(stop, 0) !== 0,
  }
}

// Reads files slowly and compares them with their hashes. Runs in a thread of its own at the lowest priority and pauses
// after each piece to keep to the rate.

import { createHash } from 'node:crypto'
import { closeSync } from 'node:fs'
import { setPriority } from 'node:os'
import { openIfThere, readChunks } from './files.ts'

export interface ScrubFiles {
  readonly files: readonly ExpectedFile[]
  readonly bytesPerSecond: number
  /** Shared: a number other than 0 ends the task and wakes it from a pause. */
  readonly stop: Int32Array
}

interface ExpectedFile {
  readonly path: string
  readonly sizeBytes: number
  readonly sha256: string
}

export type FileFault = 'missing' | 'damaged' | 'unreadable'

export interface Scrubbed {
  /** Number of files that were read; smaller than the number of files if the task was stopped. */
  readonly done: number
  readonly bytes: number
  readonly faults: readonly { readonly at: number; readonly fault: FileFault }[]
}

/** Opening a file costs a disk about as much as reading this many bytes. */
const LEAST_BYTES = 64 * 1024
const LOWEST_PRIORITY = 19

export function scrubFiles({ files, bytesPerSecond, stop }: ScrubFiles): Scrubbed {
  // On Linux this changes the priority of the calling thread only.
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
    // The disk may recover later: a file that cannot be read is not lost yet.
    return 'unreadable'
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

interface Pace {
  /** Waits until this many bytes may have been read; returns at once if stopped. */
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

// Reads an object completely, a block at a time, and hashes it.

import { createHash } from 'node:crypto'
import type { ObjectFacts } from './object-reads.ts'
import type { ObjectStore } from './object-store.ts'

interface Summing {
  readonly key: string
  /** Memory of one block, reused for the next block. */
  readonly memory: Buffer
  readonly onBytes?: (bytes: Buffer, at: number) => Promise<void>
}

/** Describes the bytes that arrived, regardless of the metadata. Returns undefined if the object does not exist. */
export async function sumObject(
  store: Pick<ObjectStore, 'read'>,
  { key, memory, onBytes = async () => undefined }: Summing,
): Promise<ObjectFacts | undefined> {
  const sum = createHash('sha256')
  let [at, sizeBytes] = [0, 0]
  do {
    const part = await store.read(key, at, memory)
    if (part === undefined) return undefined
    const bytes = memory.subarray(0, part.bytesRead)
    sum.update(bytes)
    await onBytes(bytes, at)
    at += part.bytesRead
    sizeBytes = part.sizeBytes
  } while (at < sizeBytes)
  return { sizeBytes, sha256: sum.digest('hex') }
}

// Objects on the S3 interface with as few calls as contents need: PUT (whole or in parts), GET of a range, HEAD, DELETE,
// LIST. Keys are unique and objects immutable, so no request is conditional and every call is idempotent. Each PUT
// carries MD5 and SHA-256, with which the store refuses bytes that changed on the way. The SHA-256 of the whole object is
// kept in its metadata, with which readers verify the bytes. The SDK's own checksums are off: older stores refuse their
// framing, or store it as part of the object.
//
// The SDK retries with back-off if a retry can help. Each call ends within StoreTimes.callMs.

import { createHash } from 'node:crypto'
import { runAll } from './semaphore.ts'
import { endUploads, type ObjectFile, putBytes, putFile } from './object-puts.ts'
import {
  find,
  list,
  type ListedObject,
  type ObjectFacts,
  read,
  type ReadPart,
} from './object-reads.ts'
import { call, fault, openStore, type Store, type StoreOptions } from './store-client.ts'
import type { ContentName } from '../storage/port.ts'

/** All methods throw the errors of toStoreFault. */
export interface ObjectStore {
  /** On return the object is visible to all clients. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** On return the object is visible to all clients. A failure leaves at most an unreferenced object. */
  putFile(key: string, file: ObjectFile): Promise<void>
  find(key: string): Promise<ObjectFacts | undefined>
  /** Fills the memory with the bytes from `start`; fewer if the object ends earlier. */
  read(key: string, start: number, memory: Buffer): Promise<ReadPart | undefined>
  /** Removing a missing object is no error. */
  remove(keys: readonly string[]): Promise<void>
  /** Pages of objects in key order. */
  list(prefix: string): AsyncIterable<readonly ListedObject[]>
  /** Aborts multipart uploads that were started at least this long ago. Returns their number. */
  endUploads(prefix: string, ageMs: number): Promise<number>
  close(): void
}

const REMOVALS_IN_FLIGHT = 16

export async function openObjectStore(options: StoreOptions): Promise<ObjectStore> {
  const store = await openStore(options)
  return {
    put: (key, bytes) => putBytes(store, key, bytes),
    putFile: (key, file) => putFile(store, key, file),
    find: (key) => find(store, key),
    read: (key, start, memory) => read(store, { key, start, memory }),
    remove: (keys) => remove(store, keys),
    list: (prefix) => list(store, prefix),
    endUploads: (prefix, ageMs) => endUploads(store, prefix, ageMs),
    close: () => store.client.destroy(),
  }
}

/** One call for each object: the call for several objects demands a checksum that some stores do not support. */
async function remove(store: Store, keys: readonly string[]): Promise<void> {
  const { sdk, client, bucket: Bucket } = store
  await runAll(keys, REMOVALS_IN_FLIGHT, async (key) => {
    const command = new sdk.DeleteObjectCommand({ Bucket, Key: key })
    await call(store, (abort) => client.send(command, abort)).catch(fault)
  })
}

// Builds the key of a content in a bucket: the path that the content would have in a data directory.

export function contentKey(prefix: string): (name: ContentName) => string {
  return ({ fileId, uid }) => `${prefix}${uid.slice(0, 2)}/${fileId}.${uid}`
}

// Reads an object completely, a block at a time, and hashes it.

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

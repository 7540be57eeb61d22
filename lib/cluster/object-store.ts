// Objects on the S3 interface, as few of its calls as contents need: PUT (whole, or in parts), GET of a range, HEAD,
// DELETE, LIST. Keys are unique and objects immutable, so nothing is ever conditional, and a call that is sent twice
// does what it does once. What is PUT carries its MD5 and its SHA-256, with which the store refuses bytes that changed
// on the way; the SHA-256 of the whole lies with the object, with which readers do. Checksums that the SDK would add
// by itself are off: stores that are older than they refuse the framing that comes with them, or keep it.
//
// The SDK tries again, waiting longer each time, what is worth it; each call ends within StoreTimes.callMs.

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

/** All of them throw what toStoreFault makes of a failure. */
export interface ObjectStore {
  /** There for all on return. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Likewise. A failure leaves at most an object that nobody knows. */
  putFile(key: string, file: ObjectFile): Promise<void>
  find(key: string): Promise<ObjectFacts | undefined>
  /** Fills the memory with the bytes from `start` on, as many as there are. */
  read(key: string, start: number, memory: Buffer): Promise<ReadPart | undefined>
  /** Removing what is not there is no error. */
  remove(keys: readonly string[]): Promise<void>
  /** In pages, in the order of the keys. */
  list(prefix: string): AsyncIterable<readonly ListedObject[]>
  /** Ends uploads in parts that were begun so long ago and never ended; their number. */
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

/** One call for each: the call for many wants a checksum that not every store knows. */
async function remove(store: Store, keys: readonly string[]): Promise<void> {
  const { sdk, client, bucket: Bucket } = store
  await runAll(keys, REMOVALS_IN_FLIGHT, async (key) => {
    const command = new sdk.DeleteObjectCommand({ Bucket, Key: key })
    await call(store, (abort) => client.send(command, abort)).catch(fault)
  })
}

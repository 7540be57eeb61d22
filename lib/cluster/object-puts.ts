// Uploads objects to the store: in one call, or in parts that the store joins at the end.

import { hash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import type { PartSums } from '../workers/sum-parts.ts'
import { runAll } from './semaphore.ts'
import { findThere, type ObjectFacts } from './object-reads.ts'
import {
  BEFORE_SIGNING,
  call,
  fault,
  PART_BYTES,
  PARTS_IN_FLIGHT,
  SHA256,
  type Store,
  sumHeader,
} from './store-client.ts'
import { isNoSuchUpload } from './store-faults.ts'

export interface ObjectFile extends ObjectFacts {
  readonly path: string
  readonly about?: ObjectHeaders | undefined
}

/** Headers of an object that web servers send on, and further metadata. */
export interface ObjectHeaders {
  readonly ContentType: string
  readonly CacheControl: string
  readonly Metadata: Readonly<Record<string, string>>
}

/** The maximum for one object in every store. */
const MAX_PARTS = 10_000

/** On return the object is visible to all clients. */
export async function putBytes(store: Store, key: string, bytes: Uint8Array): Promise<void> {
  const sums = { md5: hash('md5', bytes, 'base64'), sha256: hash(SHA256, bytes) }
  await putWhole(store, key, { bytes, ...sums }).catch(fault)
}

interface Whole extends Pick<PartSums, 'md5' | 'sha256'>, Pick<ObjectFile, 'about'> {
  readonly bytes: Uint8Array
}

async function putWhole(
  store: Store,
  key: string,
  { bytes, md5, sha256, about }: Whole,
): Promise<void> {
  const { sdk, client, bucket: Bucket } = store
  const put = new sdk.PutObjectCommand({
    Bucket,
    Key: key,
    Body: bytes,
    ContentLength: bytes.length,
    ContentMD5: md5,
    ...about,
    Metadata: { ...about?.Metadata, [SHA256]: sha256 },
  })
  put.middlewareStack.add(sumHeader(sha256), BEFORE_SIGNING)
  await call(store, (abort) => client.send(put, abort))
}

/** On return the object is visible to all clients. A failure leaves at most an unreferenced object. */
export async function putFile(store: Store, key: string, file: ObjectFile): Promise<void> {
  const partBytes = Math.max(PART_BYTES, Math.ceil(file.sizeBytes / MAX_PARTS))
  const sums = await store.pool.run('sumParts', { path: file.path, partBytes })
  if (sums === undefined || !isWhole(file, sums))
    throw new Error('A file that was just written does not hold the bytes that were written.')

  const handle = await open(file.path)
  try {
    const [only] = sums
    if (sums.length > 1 || only === undefined)
      await putParts(store, key, { handle, facts: file, partBytes, sums })
    else
      await store.gate.run(() =>
        inMemory(store, only.sizeBytes, async (memory) => {
          await fill(handle, 0, memory)
          await putWhole(store, key, { bytes: memory, about: file.about, ...only })
        }),
      )
  } catch (error) {
    fault(error)
  } finally {
    await handle.close()
  }
}

function isWhole({ sizeBytes, sha256 }: ObjectFacts, sums: readonly PartSums[]): boolean {
  const isSame = sums.length > 1 || sums[0]?.sha256 === sha256
  return isSame && sums.reduce((sum, part) => sum + part.sizeBytes, 0) === sizeBytes
}

/** Uses pooled memory, which returns to the pool only on success: after a failure a request may still read it. */
async function inMemory(
  { memory }: Store,
  sizeBytes: number,
  use: (memory: Buffer) => Promise<void>,
): Promise<void> {
  if (sizeBytes > PART_BYTES) return use(Buffer.allocUnsafeSlow(sizeBytes))
  const taken = memory.take()
  await use(taken.subarray(0, sizeBytes))
  memory.give(taken)
}

async function fill(handle: FileHandle, start: number, memory: Buffer): Promise<void> {
  for (let at = 0; at < memory.length; ) {
    const { bytesRead } = await handle.read(memory, at, memory.length - at, start + at)
    if (bytesRead === 0) throw new Error(`The file ends at byte ${start + at}.`)
    at += bytesRead
  }
}

interface Parts {
  readonly handle: FileHandle
  readonly facts: ObjectFile
  readonly partBytes: number
  readonly sums: readonly PartSums[]
}

async function putParts(store: Store, key: string, parts: Parts): Promise<void> {
  const { sdk, client, bucket: Bucket } = store
  const { sizeBytes, sha256, about } = parts.facts
  const create = new sdk.CreateMultipartUploadCommand({
    Bucket,
    Key: key,
    ...about,
    Metadata: { ...about?.Metadata, [SHA256]: sha256 },
  })
  const { UploadId } = await call(store, (abort) => client.send(create, abort))
  const upload = { Bucket, Key: key, UploadId }
  try {
    const sent = await runAll(parts.sums, PARTS_IN_FLIGHT, (sums, index) =>
      putPart(store, upload, { parts, sums, index }),
    )
    await complete(store, upload, sent)
    // The answer to the last call or to an earlier attempt may have been lost, and some stores answer "200" before the
    // outcome is known. Only the object itself counts.
    const found = await findThere(store, key)
    if (found?.sizeBytes !== sizeBytes || found.sha256 !== sha256)
      throw new Error('The object that was joined from parts differs from the parts.')
  } catch (error) {
    await abandon(store, upload)
    throw error
  }
}

interface Upload {
  readonly Bucket: string
  readonly Key: string
  readonly UploadId: string | undefined
}

interface Part {
  readonly parts: Parts
  readonly sums: PartSums
  readonly index: number
}

interface SentPart {
  readonly PartNumber: number
  readonly ETag: string | undefined
}

function putPart(
  store: Store,
  upload: Upload,
  { parts, sums: { sizeBytes, md5, sha256 }, index }: Part,
): Promise<SentPart> {
  const { sdk, client, gate } = store
  return gate.run(async () => {
    let etag: string | undefined
    await inMemory(store, sizeBytes, async (memory) => {
      await fill(parts.handle, index * parts.partBytes, memory)
      const put = new sdk.UploadPartCommand({
        ...upload,
        PartNumber: index + 1,
        Body: memory,
        ContentLength: sizeBytes,
        ContentMD5: md5,
      })
      put.middlewareStack.add(sumHeader(sha256), BEFORE_SIGNING)
      const { ETag } = await call(store, (abort) => client.send(put, abort))
      etag = ETag
    })
    return { PartNumber: index + 1, ETag: etag }
  })
}

/** A missing upload was completed by an attempt whose answer was lost; the caller checks the object. */
async function complete(store: Store, upload: Upload, sent: readonly SentPart[]): Promise<void> {
  const { sdk, client } = store
  const command = new sdk.CompleteMultipartUploadCommand({
    ...upload,
    MultipartUpload: { Parts: [...sent] },
  })
  await call(store, (abort) => client.send(command, abort)).catch((error: unknown) => {
    if (!isNoSuchUpload(error)) throw error
  })
}

/** Best effort: endUploads removes leftovers. */
async function abandon(store: Store, upload: Upload): Promise<void> {
  const { sdk, client } = store
  const command = new sdk.AbortMultipartUploadCommand(upload)
  await call(store, (abort) => client.send(command, abort)).catch(() => undefined)
}

/** Aborts multipart uploads that were started at least this long ago. Returns their number. */
export async function endUploads(store: Store, prefix: string, ageMs: number): Promise<number> {
  const { sdk, client, bucket: Bucket } = store
  const begunBefore = Date.now() - ageMs
  let ended = 0
  let after: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {}
  for (;;) {
    const command = new sdk.ListMultipartUploadsCommand({ Bucket, Prefix: prefix, ...after })
    const page = await call(store, (abort) => client.send(command, abort)).catch(fault)
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (Key === undefined || Initiated === undefined || +Initiated > begunBefore) continue
      await abandon(store, { Bucket, Key, UploadId })
      ended += 1
    }
    if (page.IsTruncated !== true) return ended
    after = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
  }
}

// Finds, reads and lists objects of the store.

import { addAbortSignal, type Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { call, fault, SHA256, type Store } from './store-client.ts'
import { isNoSuchRange, isNotThere } from './store-faults.ts'

/** Metadata of an object. */
export interface ObjectFacts {
  readonly sizeBytes: number
  /** Hash at the time of the upload; empty if another program uploaded the object. */
  readonly sha256: string
}

export interface ReadPart extends ObjectFacts {
  /** Bytes filled in the caller's memory. */
  readonly bytesRead: number
}

export interface ListedObject {
  readonly key: string
  /** Time since the last change, by the clock of the store. */
  readonly ageMs: number
}

/** Attempts for a truncated body or a wrong length: the SDK retries only calls without an answer. */
const BODY_ATTEMPTS = 3
const BODY_PAUSE_MS = 200

export async function find(store: Store, key: string): Promise<ObjectFacts | undefined> {
  return findThere(store, key).catch(fault)
}

/** The headers of an object; undefined if there is no such object. */
export async function findObject({ sdk, client, bucket: Bucket, ...store }: Store, key: string) {
  const head = new sdk.HeadObjectCommand({ Bucket, Key: key })
  try {
    return await call({ sdk, client, bucket: Bucket, ...store }, (abort) =>
      client.send(head, abort),
    )
  } catch (error) {
    return isNotThere(error) ? undefined : fault(error)
  }
}

/** A 404 for HEAD may mean a missing bucket. Only a body distinguishes the two, and GET has a body. */
export async function findThere(store: Store, key: string): Promise<ObjectFacts | undefined> {
  const { sdk, client, bucket: Bucket } = store
  const head = new sdk.HeadObjectCommand({ Bucket, Key: key })
  try {
    const { ContentLength, Metadata } = await call(store, (abort) => client.send(head, abort))
    return { sizeBytes: ContentLength ?? 0, sha256: Metadata?.[SHA256] ?? '' }
  } catch (error) {
    if (!isNotThere(error)) throw error
    return readOnce(store, { key, start: 0, memory: Buffer.alloc(1) }).catch((cause: unknown) => {
      if (isNotThere(cause)) return undefined
      throw cause
    })
  }
}

export interface Reading {
  readonly key: string
  readonly start: number
  readonly memory: Buffer
}

/** Fills the memory with the bytes from `start`; fewer if the object ends earlier. */
export async function read(store: Store, reading: Reading): Promise<ReadPart | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await readOnce(store, reading)
    } catch (error) {
      if (isNotThere(error)) return undefined
      if (isNoSuchRange(error)) return readNothing(store, reading.key)
      if (!(error instanceof CutBody) || attempt === BODY_ATTEMPTS) fault(error)
      await sleep(attempt * BODY_PAUSE_MS)
    }
  }
}

async function readNothing(store: Store, key: string): Promise<ReadPart | undefined> {
  const facts = await find(store, key)
  return facts && { ...facts, bytesRead: 0 }
}

class CutBody extends Error {}

async function readOnce(store: Store, { key, start, memory }: Reading): Promise<ReadPart> {
  const { sdk, client, bucket: Bucket } = store
  const Range = `bytes=${start}-${start + memory.length - 1}`
  const get = new sdk.GetObjectCommand({ Bucket, Key: key, Range })
  return call(store, async (abort) => {
    const answer = await client.send(get, abort)
    const sizeBytes = sizeOf(answer)
    const body = addAbortSignal(abort.abortSignal, answer.Body as unknown as Readable)
    const bytesRead = await fillFrom(body, memory)
    if (bytesRead !== Math.min(memory.length, sizeBytes - start))
      throw new CutBody(
        `The body from byte ${start} was cut: ${bytesRead} of ${sizeBytes} bytes arrived.`,
      )
    return { sizeBytes, sha256: answer.Metadata?.[SHA256] ?? '', bytesRead }
  })
}

interface Sizes {
  readonly ContentRange?: string | undefined
  readonly ContentLength?: number | undefined
}

/** Size of the whole object. An answer with the whole object has no range. */
function sizeOf({ ContentRange, ContentLength }: Sizes): number {
  const total = ContentRange?.split('/')[1]
  return total === undefined ? (ContentLength ?? 0) : Number(total)
}

async function fillFrom(body: Readable, memory: Buffer): Promise<number> {
  let at = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (at + chunk.length > memory.length)
        throw new Error('The store sent more bytes than requested.')
      at += chunk.copy(memory, at)
    }
    return at
  } catch (error) {
    throw new CutBody('The body was cut.', { cause: error })
  }
}

/** Pages of objects in key order. */
export async function* list(store: Store, prefix: string): AsyncGenerator<readonly ListedObject[]> {
  const { sdk, client, bucket: Bucket } = store
  let ContinuationToken: string | undefined
  do {
    const command = new sdk.ListObjectsV2Command({ Bucket, Prefix: prefix, ContinuationToken })
    let nowMs = Date.now()
    command.middlewareStack.add(
      (next) => async (args) => {
        const result = await next(args)
        nowMs = dateOf(result.response) ?? nowMs
        return result
      },
      { step: 'deserialize', name: 'dateOfAnswer' },
    )
    const page = await call(store, (abort) => client.send(command, abort)).catch(fault)
    yield (page.Contents ?? []).flatMap(({ Key, LastModified }) =>
      Key === undefined || LastModified === undefined
        ? []
        : [{ key: Key, ageMs: nowMs - +LastModified }],
    )
    ContinuationToken = page.IsTruncated === true ? page.NextContinuationToken : undefined
  } while (ContinuationToken !== undefined)
}

function dateOf(response: unknown): number | undefined {
  const { headers } = response as { headers?: Readonly<Record<string, string>> }
  const ms = Date.parse(headers?.['date'] ?? '')
  return Number.isNaN(ms) ? undefined : ms
}

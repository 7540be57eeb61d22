// The client of a store on the S3 interface, and what is common to all calls: each ends within a time, and what is sent
// carries its sum.

import type { S3Client } from '@aws-sdk/client-s3'
import type { Pool } from '../workers/pool.ts'
import { openReusedMemory, type ReusedMemory } from '../storage/embedded/buffer-pool.ts'
import { type Gate, openGate } from './semaphore.ts'
import { type S3Settings, STORE_TIMES, type StoreTimes } from './s3-settings.ts'
import { noteOperation, toStoreFault } from './store-faults.ts'

export interface StoreOptions {
  readonly settings: S3Settings
  readonly pool: Pick<Pool, 'run'>
  readonly times?: StoreTimes | undefined
}

export interface Store {
  readonly sdk: Awaited<ReturnType<typeof loadSdk>>
  readonly client: S3Client
  readonly bucket: string
  readonly times: StoreTimes
  readonly pool: Pick<Pool, 'run'>
  /** For what has a part in memory. */
  readonly gate: Gate
  /** Of PART_BYTES each. */
  readonly memory: ReusedMemory
}

/** What is larger goes up in parts of this size, so many at once in this process: each is in memory meanwhile. */
export const PART_BYTES = 8 * 1024 * 1024
export const PARTS_IN_FLIGHT = 6
const ATTEMPTS = 4
/** With it lies the hash of an object, in its metadata. */
export const SHA256 = 'sha256'

/** Here and nowhere else: a server without these settings never reads it. Bundled it has no names but `default`. */
const loadSdk = async () => (await import('@aws-sdk/client-s3')).default

export async function openStore({
  settings,
  pool,
  times = STORE_TIMES,
}: StoreOptions): Promise<Store> {
  const sdk = await loadSdk()
  const client = new sdk.S3Client(clientConfig(settings, times))
  client.middlewareStack.add(
    (next, { commandName }) =>
      (args) =>
        next(args).catch((error: unknown) => {
          noteOperation(error, commandName)
          throw error
        }),
    { step: 'initialize', name: 'noteOperation' },
  )
  return {
    sdk,
    client,
    bucket: settings.bucket,
    times,
    pool,
    gate: openGate(PARTS_IN_FLIGHT, times.callMs),
    memory: openReusedMemory({ sizeBytes: PART_BYTES, maxIdle: 2 }),
  }
}

function clientConfig(settings: S3Settings, { connectMs, attemptMs }: StoreTimes) {
  const { endpoint, region = 'us-east-1', accessKeyId, secretAccessKey, forcePathStyle } = settings
  const isOwn = accessKeyId !== undefined && secretAccessKey !== undefined
  return {
    region,
    maxAttempts: ATTEMPTS,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connectMs,
      requestTimeout: attemptMs,
      throwOnRequestTimeout: true,
      socketTimeout: attemptMs,
    },
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(forcePathStyle === undefined ? {} : { forcePathStyle }),
    ...(isOwn ? { credentials: { accessKeyId, secretAccessKey } } : {}),
  } as const
}

/** Ends within the time of a call, whatever the store does. */
export async function call<T>(
  { times }: Store,
  work: (abort: { readonly abortSignal: AbortSignal }) => Promise<T>,
): Promise<T> {
  return work({ abortSignal: AbortSignal.timeout(times.callMs) })
}

export function fault(error: unknown): never {
  throw toStoreFault(error)
}

/** To be added to a command that sends these bytes, so that the SDK makes no sum of its own in this thread. */
export function sumHeader(sha256: string) {
  return <Args extends { readonly request: unknown }, Result>(next: (args: Args) => Result) =>
    (args: Args): Result => {
      const { headers } = args.request as { headers: Record<string, string> }
      headers['x-amz-content-sha256'] = sha256
      return next(args)
    }
}

export const BEFORE_SIGNING = { step: 'build', name: 'contentSha256' } as const

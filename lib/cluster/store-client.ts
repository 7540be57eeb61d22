// The S3 client, and the common parts of all calls: each call has a time limit, and each upload carries its checksums.

import type { S3Client } from '@aws-sdk/client-s3'
import type { Pool } from '../workers/pool.ts'
import { openReusedMemory, type ReusedMemory } from '../storage/embedded/buffer-pool.ts'
import { type Gate, openGate } from './semaphore.ts'
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
  /** Limits calls that hold a part in memory. */
  readonly gate: Gate
  /** Buffers of PART_BYTES each. */
  readonly memory: ReusedMemory
}

/** Larger contents are uploaded in parts of this size. At most this many parts are in memory at once. */
export const PART_BYTES = 8 * 1024 * 1024
export const PARTS_IN_FLIGHT = 6
const ATTEMPTS = 4
/** Metadata key of the object's hash. */
export const SHA256 = 'sha256'

/** Imported only here: a server without these settings never loads the SDK. In the bundle only `default` is exported. */
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

/** Ends within the time limit of a call, even if the store hangs. */
export async function call<T>(
  { times }: Store,
  work: (abort: { readonly abortSignal: AbortSignal }) => Promise<T>,
): Promise<T> {
  return work({ abortSignal: AbortSignal.timeout(times.callMs) })
}

export function fault(error: unknown): never {
  throw toStoreFault(error)
}

/** Middleware for a command that sends these bytes, so that the SDK computes no checksum of its own in this thread. */
export function sumHeader(sha256: string) {
  return <Args extends { readonly request: unknown }, Result>(next: (args: Args) => Result) =>
    (args: Args): Result => {
      const { headers } = args.request as { headers: Record<string, string> }
      headers['x-amz-content-sha256'] = sha256
      return next(args)
    }
}

export const BEFORE_SIGNING = { step: 'build', name: 'contentSha256' } as const

// Operator settings for contents on the S3 interface. Each member has a variable of the same name: bucket is S3_BUCKET,
// accessKeyId is S3_ACCESS_KEY_ID.

export interface S3Settings {
  readonly bucket: string
  /** Starts with http:// or https://; undefined means AWS in this region. */
  readonly endpoint?: string | undefined
  readonly region?: string | undefined
  /** Both or neither; without them the SDK uses its defaults: environment, profile, role of the machine. */
  readonly accessKeyId?: string | undefined
  readonly secretAccessKey?: string | undefined
  /** The bucket is part of the path, not of the host name, as most stores except AWS require. */
  readonly forcePathStyle?: boolean | undefined
  /** Prefix of all keys, ending in "/"; several sites can share a bucket. */
  readonly prefix?: string | undefined
  /** Size limit of the local content cache. */
  readonly cacheBytes: number
}

/** Timeouts of the store. */
export interface StoreTimes {
  /** To connect. */
  readonly connectMs: number
  /** For one attempt of a call. */
  readonly attemptMs: number
  /** For all attempts of a call. */
  readonly callMs: number
}

/** A part of 8 MiB fits into an attempt at 3 Mbit/s; a client waits at most for one call. */
export const STORE_TIMES: StoreTimes = { connectMs: 2_000, attemptMs: 20_000, callMs: 45_000 }

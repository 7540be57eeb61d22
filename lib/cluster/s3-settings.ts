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

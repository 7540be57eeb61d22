// Where contents lie on the S3 interface, as an operator says it. Each member has the variable of the same name:
// bucket is S3_BUCKET, accessKeyId is S3_ACCESS_KEY_ID.

export interface S3Settings {
  readonly bucket: string
  /** With http:// or https://; undefined: that of AWS in this region. */
  readonly endpoint?: string | undefined
  readonly region?: string | undefined
  /** Both or neither; without them the SDK looks where it always does: environment, profile, role of the machine. */
  readonly accessKeyId?: string | undefined
  readonly secretAccessKey?: string | undefined
  /** The bucket is part of the path, and not of the host name: what most but AWS want. */
  readonly forcePathStyle?: boolean | undefined
  /** Before each key, with "/" at its end; several sites can share a bucket. */
  readonly prefix?: string | undefined
  /** Of the contents that are kept on this machine. */
  readonly cacheBytes: number
}

/** How long the store has for an answer. */
export interface StoreTimes {
  /** For a connection. */
  readonly connectMs: number
  /** For one attempt. */
  readonly attemptMs: number
  /** For all attempts at one call. */
  readonly callMs: number
}

/** A part of 8 MiB fits into an attempt at 3 Mbit/s; a client waits no longer than for a call. */
export const STORE_TIMES: StoreTimes = { connectMs: 2_000, attemptMs: 20_000, callMs: 45_000 }

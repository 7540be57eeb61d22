// Compresses texts. The levels were chosen by measurements with a list of 25 files (19 KB): brotli 1 takes 50 µs and
// compresses to 22.4 %, as gzip 1 does. Brotli 2 and 3 take 110 and 127 µs for 20.4 %, with the malloc settings of
// bin/cms-server, because from level 2 brotli allocates its window for each text. Brotli 5 and gzip 6 take three times as
// long for a few percent more, which pays off only for a form that is sent to many clients.

import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import type { Coding } from './accept.ts'

export interface Compress {
  readonly bytes: Uint8Array
  readonly coding: Coding
  /** Whether the result is cached and sent to many clients. */
  readonly isLasting: boolean
}

export function compress(input: Compress): Uint8Array {
  const { bytes, coding } = input
  const made =
    coding === 'gzip'
      ? gzipSync(bytes, gzipOptions(input))
      : brotliCompressSync(bytes, brotliOptions(input))
  return alone(made)
}

const [gzipApart, brotliApart] = [promisify(gzip), promisify(brotliCompress)]

/** Compresses in the libuv thread pool, for processes without worker threads. */
export async function compressApart(input: Compress): Promise<Uint8Array> {
  const { bytes, coding } = input
  const made =
    coding === 'gzip'
      ? gzipApart(bytes, gzipOptions(input))
      : brotliApart(bytes, brotliOptions(input))
  return alone(await made)
}

function gzipOptions({ isLasting }: Compress) {
  return { level: isLasting ? 6 : 1 }
}

function brotliOptions({ bytes, isLasting }: Compress) {
  return {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: isLasting ? 5 : 1,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  }
}

/** Copies the result to a buffer of its own size, because zlib returns a slice that would keep 16 KiB in memory. */
function alone(made: Uint8Array): Uint8Array {
  return Buffer.from(made)
}

// Compresses texts. The levels were chosen by measurements with a list of 25 files (19 KB): brotli 1 takes 50 µs and
// compresses to 22.4 %, as gzip 1 does. Brotli 2 and 3 take 110 and 127 µs for 20.4 %, with the malloc settings of
// bin/cms-server, because from level 2 brotli allocates its window for each text. Brotli 5 and gzip 6 take three times as
// long for a few percent more, which pays off only for a form that is sent to many clients. A form that is stored on the disk
// is made only once, with the highest level. Brotli 11 compresses 0.9 MB/s, so longer texts get level 9, which compresses
// 7 MB/s to 5 to 10 percent more.

import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import type { Coding } from './accept.ts'

export interface Compress {
  readonly bytes: Uint8Array
  readonly coding: Coding
  /** How the result is used: for one client, from a cache for many clients, or from the disk. */
  readonly use: Use
}

type Use = 'once' | 'cached' | 'stored'

const GZIP_LEVELS: Readonly<Record<Use, number>> = { once: 1, cached: 6, stored: 9 }
const BROTLI_LEVELS: Readonly<Record<Use, number>> = { once: 1, cached: 5, stored: 11 }
const BROTLI_OF_LONG = 9
/** Brotli 11 takes about 300 ms for a text of this size. */
const LONG_BYTES = 256 * 1024

/** A form is used only if its size is at most this part of the text. */
const MOST = 0.9

export function savesEnough(form: Uint8Array, text: Uint8Array): boolean {
  return form.length <= text.length * MOST
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

function gzipOptions({ use }: Compress) {
  return { level: GZIP_LEVELS[use] }
}

function brotliOptions({ bytes, use }: Compress) {
  const level = BROTLI_LEVELS[use]
  return {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]:
        bytes.length > LONG_BYTES ? Math.min(level, BROTLI_OF_LONG) : level,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  }
}

/** Copies the result to a buffer of its own size, because zlib returns a slice that would keep 16 KiB in memory. */
function alone(made: Uint8Array): Uint8Array {
  return Buffer.from(made)
}

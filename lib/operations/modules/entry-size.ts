// What one request may write into entries: a commit encodes all of it, while others wait.

import { CmsError } from '../../base/errors.ts'
import type { JsonObject, JsonValue } from '../../schema/values.ts'
import type { Context } from '../context.ts'

interface Sizing {
  readonly isList: boolean
  /** Of an entry that is changed: one that is larger since before there was a bound may become smaller step by step. */
  readonly sizeBefore?: number
}

/**
 * Throws too-large when the entries of one request, as they are stored, have more bytes than they may. To be asked
 * before the first of them is written.
 */
export function requireSize(
  { limits }: Context,
  records: readonly JsonObject[],
  { isList, sizeBefore = 0 }: Sizing,
): void {
  const maxBytes = Math.max(limits.entryBytes, sizeBefore)
  // Each is encoded when it is put, and so twice only where it may be too large.
  if (isWithin(records, boundOf, maxBytes) || isWithin(records, sizeOf, maxBytes)) return
  const what = isList ? 'The entries of a list have' : 'An entry has'
  const way = isList ? 'Send several lists.' : 'Keep larger content in a file: POST /upload.'
  throw new CmsError(
    'too-large',
    `${what} at most ${limits.entryBytes} bytes as JSON, what is stored and defaults included. ${way}`,
  )
}

/** Looks no further than needed: of a short list with long defaults all would take a second. */
function isWithin(
  records: readonly JsonObject[],
  bytesOf: (record: JsonObject) => number,
  maxBytes: number,
): boolean {
  let sum = 0
  return records.every((record) => {
    sum += bytesOf(record)
    return sum <= maxBytes
  })
}

function sizeOf(value: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(value))
}

/** `\u0001` for one character; what is beyond ASCII has less. */
const MOST_PER_CHARACTER = 6

/** Of null, true, false and any number: -1.2345678901234567e+100. */
const MOST_PER_PLAIN = 24

/** The record as JSON has no more bytes than this, which is found without encoding it. */
function boundOf(record: JsonObject): number {
  let bytes = 2
  for (const [name, value] of Object.entries(record)) {
    // Quotes, colon and comma.
    bytes += name.length * MOST_PER_CHARACTER + 4
    if (typeof value === 'string') bytes += value.length * MOST_PER_CHARACTER + 2
    else bytes += typeof value === 'object' && value !== null ? sizeOf(value) : MOST_PER_PLAIN
  }
  return bytes
}

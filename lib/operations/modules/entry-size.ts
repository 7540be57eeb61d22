// Limits the bytes that one request may write into entries: a commit encodes all of them while other requests wait.

import { CmsError } from '../../base/errors.ts'
import type { JsonObject, JsonValue } from '../../schema/values.ts'
import type { Context } from '../context.ts'

interface Sizing {
  readonly isList: boolean
  /**
   * Size of the stored entry: an entry larger than the limit, from before the limit existed, may be reduced step by
   * step.
   */
  readonly sizeBefore?: number
  /** The last sentence of the error. */
  readonly advice?: string
}

/**
 * Throws too-large if the stored form of a request's entries exceeds the limit. Call it before the first entry is
 * written. Returns the JSON of the entries if they had to be encoded.
 */
export function requireSize(
  { limits }: Context,
  records: readonly JsonObject[],
  { isList, sizeBefore = 0, advice }: Sizing,
): readonly string[] | undefined {
  const maxBytes = Math.max(limits.entryBytes, sizeBefore)
  if (isWithin(records, boundOf, maxBytes)) return undefined
  const texts: string[] = []
  const encode = (record: JsonObject): number => {
    const text = JSON.stringify(record)
    texts.push(text)
    return Buffer.byteLength(text)
  }
  if (isWithin(records, encode, maxBytes)) return texts
  throw tooManyBytes(limits, isList, advice)
}

/** Also for stored entries of a list: those that one request changes are parsed together. */
export function tooManyBytes(
  { entryBytes }: Context['limits'],
  isList: boolean,
  advice?: string,
): CmsError {
  const what = isList ? 'The entries of a list may have' : 'An entry may have'
  const way =
    advice ?? (isList ? 'Send several lists.' : 'Keep larger content in a file: POST /upload.')
  return new CmsError(
    'too-large',
    `${what} at most ${entryBytes} bytes as JSON, including stored values and defaults. ${way}`,
  )
}

/** Stops at the limit: encoding a short list with long defaults completely would take a second. */
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

/** `\u0001` for one character; characters beyond ASCII need less. */
const MOST_PER_CHARACTER = 6

/** Bytes of null, true, false or any number: -1.2345678901234567e+100. */
const MOST_PER_PLAIN = 24

/** Upper bound of the record's JSON size, found without encoding the record. */
function boundOf(record: JsonObject): number {
  let bytes = 2
  for (const name of Object.keys(record)) {
    const value = record[name]
    // Two quotes, a colon and a comma.
    bytes += name.length * MOST_PER_CHARACTER + 4
    if (typeof value === 'string') bytes += value.length * MOST_PER_CHARACTER + 2
    else bytes += typeof value === 'object' && value !== null ? sizeOf(value) : MOST_PER_PLAIN
  }
  return bytes
}

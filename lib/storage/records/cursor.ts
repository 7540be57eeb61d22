// Where a page of a search ended, as a text that clients hand back:
//
//   base64url( 8 bytes fingerprint of the search, 6 bytes number of matches still to skip,
//              the key parts of the last record looked at: [order values, id], or [id] )
//
// The place is a value and not a count, so what is written between two pages shifts nothing: a record
// that was there all along is neither skipped nor repeated.

import { hash } from 'node:crypto'
import { CmsError } from '../../base/errors.ts'
import { decodeKey } from './keys.ts'
import type { KeyPart, RecordType } from '../../schema/values.ts'
import type { Query } from '../port.ts'

export interface Cursor {
  /** Not 0 when the bound on one call ended the way to a page that `start` asked for. */
  readonly skip: number
  readonly position: Buffer
}

const FINGERPRINT_BYTES = 8
/** Raised when key parts are written in another way: a place in the old one is none any more. */
const KEY_FORMAT = 2
const SKIP_BYTES = 6
const HEAD_BYTES = FINGERPRINT_BYTES + SKIP_BYTES
/** Four texts of 400 bytes, each of which may be written as two. */
const MAX_POSITION_BYTES = 4_000

/** Equal for the pages of one search alone. */
export function fingerprintOf(type: RecordType, query: Query): Buffer {
  const { match, orderBy, descending, thenBy = [] } = query
  const order = orderBy === undefined ? 'any' : [orderBy]
  const search = [KEY_FORMAT, type.name, match ?? null, order, descending === true]
  // For the bytes themselves Node takes three times as long.
  const text = hash('sha256', JSON.stringify([...search, thenBy]))
  return Buffer.from(text.slice(0, FINGERPRINT_BYTES * 2), 'hex')
}

export function encodeCursor(fingerprint: Buffer, { skip, position }: Cursor): string {
  const head = Buffer.alloc(HEAD_BYTES)
  fingerprint.copy(head)
  head.writeUIntBE(skip, FINGERPRINT_BYTES, SKIP_BYTES)
  return Buffer.concat([head, position]).toString('base64url')
}

/** Throws bad-qry when the text is no cursor of this search; a position has one of these lengths. */
export function parseCursor(
  text: string,
  fingerprint: Buffer,
  partCounts: readonly number[],
): Cursor {
  const bytes = Buffer.from(text, 'base64url')
  const position = bytes.subarray(HEAD_BYTES)
  const isOurs = bytes.subarray(0, FINGERPRINT_BYTES).equals(fingerprint)
  if (!isOurs || bytes.toString('base64url') !== text || !isPosition(position, partCounts)) {
    const detail =
      'The cursor belongs to another search. Keep qry, orderStr and orderDir as they were, or leave it out.'
    throw new CmsError('bad-qry', detail)
  }
  return { skip: bytes.readUIntBE(FINGERPRINT_BYTES, SKIP_BYTES), position }
}

function isPosition(position: Buffer, partCounts: readonly number[]): boolean {
  if (position.length > MAX_POSITION_BYTES) return false
  const parts = partsOf(position)
  return partCounts.includes(parts.length) && typeof parts.at(-1) === 'number'
}

function partsOf(position: Buffer): readonly KeyPart[] {
  try {
    return decodeKey(position)
  } catch {
    // All that it throws is that these bytes are no key, and they are whatever somebody has sent.
    return []
  }
}

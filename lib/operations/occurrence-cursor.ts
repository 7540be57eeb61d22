// Where a page of occurrences ended, as a text that clients hand back:
//
//   base64url( 8 bytes fingerprint of the search, start of the last occurrence, a blank, its entry )
//
// A start and an identifier, and not a count: what is written between two pages shifts nothing.

import { hash } from 'node:crypto'
import { CmsError } from '../errors.ts'

/** Occurrences come by their start, those that start together by their entry. */
export interface Position {
  /** RFC 3339 in UTC with milliseconds. */
  readonly start: string
  readonly entryId: number
}

const FINGERPRINT_BYTES = 8
const POSITION = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z) ([1-9]\d{0,15})$/

/** Of what the pages of one search have in common; plain data. */
export function encodePosition(search: unknown, { start, entryId }: Position): string {
  return Buffer.concat([fingerprintOf(search), Buffer.from(`${start} ${entryId}`)]).toString(
    'base64url',
  )
}

/** Throws bad-qry when the text is no cursor of this search. */
export function parsePosition(search: unknown, text: string): Position {
  const bytes = Buffer.from(text, 'base64url')
  const isOurs = bytes.subarray(0, FINGERPRINT_BYTES).equals(fingerprintOf(search))
  const [, start = '', id] = POSITION.exec(bytes.toString('latin1', FINGERPRINT_BYTES)) ?? []
  if (isOurs && bytes.toString('base64url') === text && !Number.isNaN(Date.parse(start)))
    return { start, entryId: Number(id) }
  throw new CmsError(
    'bad-qry',
    'The cursor belongs to another search. Keep qry, from and to as they were, or leave it out.',
  )
}

function fingerprintOf(search: unknown): Buffer {
  return hash('sha256', JSON.stringify(search), 'buffer').subarray(0, FINGERPRINT_BYTES)
}

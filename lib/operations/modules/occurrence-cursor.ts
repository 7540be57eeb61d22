// Encodes the end of a page of occurrences as a text that clients send back:
//   base64url( 8 bytes fingerprint of the search, 8 of the zone, start of the last occurrence, a blank, its entry )
// A start and an identifier instead of an offset, so that writes between two pages shift nothing.

import { hash } from 'node:crypto'
import { CmsError } from '../../base/errors.ts'

/** Occurrences are ordered by start, then by entry. */
export interface Position {
  /** RFC 3339 in UTC with milliseconds. */
  readonly start: string
  readonly entryId: number
}

const FINGERPRINT_BYTES = 8
const POSITION = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z) ([1-9]\d{0,15})$/

export interface Pages {
  /** Identifies the search that the pages belong to; plain data. */
  readonly search: unknown
  /** The zone decides the order: in another zone occurrences could come twice or never. */
  readonly timeZone: string
}

export function encodePosition(pages: Pages, { start, entryId }: Position): string {
  const place = Buffer.from(`${start} ${entryId}`)
  return Buffer.concat([...fingerprintsOf(pages), place]).toString('base64url')
}

/** Throws bad-qry if the text is not a cursor of this search, or belongs to another zone. */
export function parsePosition(pages: Pages, text: string): Position {
  const bytes = Buffer.from(text, 'base64url')
  const [search, zone] = fingerprintsOf(pages)
  const isOurs = bytes.subarray(0, FINGERPRINT_BYTES).equals(search)
  const isSameZone = bytes.subarray(FINGERPRINT_BYTES, 2 * FINGERPRINT_BYTES).equals(zone)
  const [, start = '', id] = POSITION.exec(bytes.toString('latin1', 2 * FINGERPRINT_BYTES)) ?? []
  if (isOurs && bytes.toString('base64url') === text && !Number.isNaN(Date.parse(start))) {
    if (isSameZone) return { start, entryId: Number(id) }
    throw new CmsError(
      'bad-qry',
      'The time_zone of the calendar has changed since the previous page, and with it the times of occurrences. Start again without the cursor.',
    )
  }
  throw new CmsError(
    'bad-qry',
    'The cursor belongs to another search. Keep qry, from and to unchanged, or leave the cursor out.',
  )
}

function fingerprintsOf({ search, timeZone }: Pages): [Buffer, Buffer] {
  return [fingerprintOf(search), fingerprintOf(timeZone)]
}

function fingerprintOf(search: unknown): Buffer {
  return hash('sha256', JSON.stringify(search), 'buffer').subarray(0, FINGERPRINT_BYTES)
}

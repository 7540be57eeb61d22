// Where a page of occurrences ended, as a text that clients hand back:
//
//   base64url( 8 bytes fingerprint of the search, 8 of the zone, start of the last occurrence, a blank, its entry )
//
// A start and an identifier, and not a count: what is written between two pages shifts nothing.

import { hash } from 'node:crypto'
import { CmsError } from '../../base/errors.ts'

/** Occurrences come by their start, those that start together by their entry. */
export interface Position {
  /** RFC 3339 in UTC with milliseconds. */
  readonly start: string
  readonly entryId: number
}

const FINGERPRINT_BYTES = 8
const POSITION = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z) ([1-9]\d{0,15})$/

export interface Pages {
  /** What the pages of one search have in common; plain data. */
  readonly search: unknown
  /** On whose clock entries happen: by another one they come in another order, some twice and some never. */
  readonly timeZone: string
}

export function encodePosition(pages: Pages, { start, entryId }: Position): string {
  const place = Buffer.from(`${start} ${entryId}`)
  return Buffer.concat([...fingerprintsOf(pages), place]).toString('base64url')
}

/** Throws bad-qry when the text is no cursor of this search, or of another zone. */
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
      'The time_zone of the calendar was changed since the page before this one, and with it when things happen. Begin again without the cursor.',
    )
  }
  throw new CmsError(
    'bad-qry',
    'The cursor belongs to another search. Keep qry, from and to as they were, or leave it out.',
  )
}

function fingerprintsOf({ search, timeZone }: Pages): [Buffer, Buffer] {
  return [fingerprintOf(search), fingerprintOf(timeZone)]
}

function fingerprintOf(search: unknown): Buffer {
  return hash('sha256', JSON.stringify(search), 'buffer').subarray(0, FINGERPRINT_BYTES)
}

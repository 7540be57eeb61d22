// Parses JSON with numbers that a double cannot represent. These numbers keep their text. JSON.parse of Node 20 does not
// report the text of a number, so each of these numbers passes through JSON.parse as a string with a random prefix that no
// client can guess.

import { randomBytes } from 'node:crypto'
import { numberAsSent } from '../base/exact-number.ts'

/** The offset of the first byte of a number, and of the byte after it. */
export interface NumberSpan {
  readonly start: number
  readonly end: number
}

/** `body` must be valid JSON, and `spans` must be in the order of the body. */
export function parseWithTexts(body: Buffer, spans: readonly NumberSpan[]): unknown {
  const mark = randomBytes(12).toString('base64url')
  const pieces: string[] = []
  let at = 0
  for (const { start, end } of spans) {
    pieces.push(body.toString('utf8', at, start), `"${mark}${body.toString('latin1', start, end)}"`)
    at = end
  }
  pieces.push(body.toString('utf8', at))
  return JSON.parse(pieces.join(''), (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark)
      ? numberAsSent(value.slice(mark.length))
      : value,
  )
}

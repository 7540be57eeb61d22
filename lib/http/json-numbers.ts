// Parses JSON that holds numbers which a double cannot represent: these numbers keep their text.
//
// JSON.parse of Node 20 does not report the text of a number. So each of these numbers goes through JSON.parse
// as a string that begins with a random mark, which no client can guess.

import { randomBytes } from 'node:crypto'
import { numberAsSent } from '../base/exact-number.ts'

/** First byte of a number, and the byte behind its last. */
export interface NumberSpan {
  readonly start: number
  readonly end: number
}

/** Requires JSON that was checked, and the spans in the order of the body. */
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

// Content negotiation. The header Accept tells whether a client accepts JSON (RFC 9110, 12.5.1). JSON has no parameters (RFC
// 8259, 11), so the parameters of a media range are ignored: many clients send charset or odata, and negotiator would not
// match them. Invalid ranges are ignored, and a header without a valid range accepts everything.

import type { IncomingMessage } from 'node:http'
import Negotiator from 'negotiator'

const TYPE = 'application'
const SUBTYPES = ['json', 'problem+json']

const RANGE = /^[\t ]*([!#$%&'*+.^`|~\w-]+)\/([!#$%&'*+.^`|~\w-]+)[\t ]*$/

/** Whether the header names the media type itself and accepts it. A range such as image/* names none. */
export function namesType(header: string, type: string): boolean {
  return splitOutsideQuotes(header, ',').some((item) => {
    const range = readRange(item)
    return range?.isRefused === false && `${range.type}/${range.subtype}` === type
  })
}

interface Range {
  readonly type: string
  readonly subtype: string
  readonly isRefused: boolean
}

export function acceptsJson(header: string): boolean {
  const ranges = splitOutsideQuotes(header, ',').flatMap((item) => readRange(item) ?? [])
  return ranges.length === 0 || SUBTYPES.some((subtype) => isTaken(ranges, subtype))
}

/** The most specific range decides. Among equal ranges, an accepting range wins. */
function isTaken(ranges: readonly Range[], subtype: string): boolean {
  for (const [type, sub] of [
    [TYPE, subtype],
    [TYPE, '*'],
    ['*', '*'],
  ]) {
    const found = ranges.filter((range) => range.type === type && range.subtype === sub)
    if (found.length > 0) return found.some(({ isRefused }) => !isRefused)
  }
  return false
}

function readRange(item: string): Range | undefined {
  const [range = '', ...parameters] = splitOutsideQuotes(item, ';')
  const [, type, subtype] = RANGE.exec(range) ?? []
  if (type === undefined || subtype === undefined) return undefined
  const weight = parameters.map((parameter) => parameter.trim()).find((text) => /^q=/i.test(text))
  const isRefused = weight !== undefined && /^q=0(?:\.0*)?$/i.test(weight)
  return { type: type.toLowerCase(), subtype: subtype.toLowerCase(), isRefused }
}

/** A quoted string may contain the separator. An unterminated quoted string extends to the end of the header. */
function splitOutsideQuotes(text: string, separator: string): readonly string[] {
  if (!text.includes('"')) return text.split(separator)
  const parts: string[] = []
  let start = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (char === '"') isQuoted = !isQuoted
    else if (char === '\\' && isQuoted) at += 1
    else if (char === separator && !isQuoted) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, text.slice(start)]
}

/** Whether the client prefers a page over JSON, as every browser does that opens an address. */
export function prefersHtml(message: IncomingMessage): boolean {
  return new Negotiator(message).mediaType(['application/json', 'text/html']) === 'text/html'
}

// Negotiates the content coding (RFC 9110, 12.5.3): the coding that the client prefers, and brotli among equals.

export type Coding = 'br' | 'gzip'

const OFFERED = ['br', 'gzip', 'identity'] as const

/** Undefined means no coding. */
export function acceptedCoding(header: string): Coding | undefined {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } })
  // The types of Negotiator lack the second parameter.
  const [found] = Reflect.apply(negotiator.encodings, negotiator, [
    OFFERED,
    { preferred: OFFERED },
  ]) as readonly (typeof OFFERED)[number][]
  return found === 'identity' ? undefined : found
}

/** Whether the client accepts this coding, even if it prefers another. */
export function acceptsCoding(header: string | undefined, coding: string): boolean {
  if (header === undefined) return false
  return new Negotiator({ headers: { 'accept-encoding': header } }).encodings([coding]).length > 0
}

// Entity tags and preconditions (RFC 9110, sections 8.8.3 and 13). An etag includes its quotes.
//
// A condition that protects data (If-Match) must be valid; otherwise the request is rejected. A condition that only saves
// work (If-None-Match on a read, a date) is ignored if it is invalid, and the client gets the whole response.

import type { IncomingHttpHeaders } from 'node:http'
import { CmsError } from '../base/errors.ts'
import { acceptsCoding } from './accept.ts'

export interface Conditional {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly etag: string
  /** Undefined if a date is not a strong validator: see strongDate. */
  readonly lastModifiedMs: number | undefined
}

/** The clocks of the nodes of a cluster differ by less than this. */
const CLOCK_SLACK_MS = 1_000

/**
 * The Last-Modified of content that changed at this moment: the end of the second, because the content may have been
 * different earlier in the same second. Undefined until the second is over, because the content may change again. A date is
 * a strong validator only if it cannot identify two contents (RFC 9110, 8.8.2.2).
 */
export function strongDate(changedMs: number, nowMs: number): number | undefined {
  const endMs = wholeSeconds(changedMs) + 1_000
  return nowMs >= endMs + CLOCK_SLACK_MS ? endMs : undefined
}

// Matches one tag with the commas before it. No two adjacent parts of the pattern match the same character, so the time is
// linear.
const TAGS = /[\t ,]*((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")[\t ]*(?=,|$)/gy
const ONLY_COMMAS = /^[\t ,]*$/
const ANY = /^[\t ]*\*[\t ]*$/

const DAY = '(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat)'
const LONG_DAY = '(?:Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day'
const TIME = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d'
const IMF_FIXDATE = new RegExp(`^${DAY}, \\d{2} [A-Z][a-z]{2} \\d{4} ${TIME} GMT$`)
const RFC_850_DATE = new RegExp(`^${LONG_DAY}, \\d{2}-[A-Z][a-z]{2}-\\d{2} ${TIME} GMT$`)
const ASCTIME_DATE = new RegExp(`^${DAY} [A-Z][a-z]{2} [ \\d]\\d ${TIME} \\d{4}$`)

/**
 * Evaluates If-Match: true without the header, for `*`, and if a tag matches. RFC 9110, 13.1.1 requires a strong comparison.
 * The server sends only strong tags. If a tag comes back weak, a proxy has compressed the response and added W/, and the tag
 * still names the same revision.
 */
export function matchesIfMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return true

  const tags = parseTags(header)
  if (tags === undefined) {
    throw new CmsError(
      'bad-request',
      'The header If-Match is malformed. Send * or the ETag of the record, including its quotes.',
    )
  }
  return tags === '*' || tags.some((tag) => isSameWeak(tag, etag))
}

/** Evaluates all four conditions in the order of RFC 9110, 13.2.2: not-modified means 304, failed means 412. */
export function evaluate(conditional: Conditional): 'proceed' | 'not-modified' | 'failed' {
  if (!passesProtection(conditional)) return 'failed'
  if (!isUnchanged(conditional)) return 'proceed'

  return isRead(conditional.method) ? 'not-modified' : 'failed'
}

/** Evaluates If-Range: false means that the client has a part of different content. */
export function ifRangeAllows(
  header: string | undefined,
  etag: string,
  lastModifiedMs: number | undefined,
): boolean {
  if (header === undefined) return true
  // A range of a compressed form is not a range of the text, so the tag must match exactly.
  if (header.includes('"')) return header.trim() === etag && !etag.startsWith('W/')

  return lastModifiedMs !== undefined && parseDate(header) === wholeSeconds(lastModifiedMs)
}

function passesProtection({ headers, etag, lastModifiedMs }: Conditional): boolean {
  if (headers['if-match'] !== undefined) return matchesIfMatch(headers['if-match'], etag)

  const date = parseDate(headers['if-unmodified-since'])
  return date === undefined || isNotAfter(lastModifiedMs, date)
}

function isUnchanged({ method, headers, etag, lastModifiedMs }: Conditional): boolean {
  const ifNoneMatch = headers['if-none-match']
  if (ifNoneMatch !== undefined) {
    const tags = parseTags(ifNoneMatch) ?? []
    return tags === '*' || tags.some((tag) => isSameWeak(tag, etag) && canUse(tag, headers))
  }
  if (!isRead(method)) return false

  const date = parseDate(headers['if-modified-since'])
  return date !== undefined && isNotAfter(lastModifiedMs, date)
}

function isNotAfter(lastModifiedMs: number | undefined, date: number): boolean {
  return lastModifiedMs !== undefined && wholeSeconds(lastModifiedMs) <= date
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

function isSameWeak(left: string, right: string): boolean {
  return textTag(left.replace(/^W\//, '')) === textTag(right.replace(/^W\//, ''))
}

const CODED = /-(br|gzip)"$/

/** The ETag of the compressed form of a text. */
export function codedTag(etag: string, coding: string): string {
  return `${etag.slice(0, -1)}-${coding}"`
}

/** The ETag of the text itself. All forms of a text are equivalent for conditions. */
function textTag(etag: string): string {
  return etag.replace(CODED, '"')
}

/** The tag that the client sent for any form of this text. */
export function sentTag(headers: IncomingHttpHeaders, etag: string): string | undefined {
  const tags = parseTags(headers['if-none-match'] ?? '')
  if (tags === undefined || tags === '*') return undefined
  return tags.find((tag) => isSameWeak(tag, etag) && canUse(tag, headers))?.replace(/^W\//, '')
}

/** A shared cache sends the tags of all its forms, even for a client that does not accept each of them. */
function canUse(tag: string, headers: IncomingHttpHeaders): boolean {
  const coding = CODED.exec(tag)?.[1]
  return coding === undefined || acceptsCoding(headers['accept-encoding'], coding)
}

function parseTags(header: string): '*' | readonly string[] | undefined {
  if (ANY.test(header)) return '*'

  const tags: string[] = []
  let end = 0
  for (const found of header.matchAll(TAGS)) {
    tags.push(found[1] ?? '')
    end = found.index + found[0].length
  }

  return tags.length > 0 && ONLY_COMMAS.test(header.slice(end)) ? tags : undefined
}

// Parses the three forms of HTTP-date (RFC 9110, 5.6.7). Date.parse alone accepts many other forms and reads the third form
// as local time.
function parseDate(text: string | undefined): number | undefined {
  if (text === undefined) return undefined

  const ms = isUtcDate(text)
    ? Date.parse(text)
    : ASCTIME_DATE.test(text)
      ? Date.parse(`${text} GMT`)
      : Number.NaN
  return hasDay(ms, text) ? ms : undefined
}

/** In all forms, the first number is the day. Date.parse would turn 30 February into 2 March. */
function hasDay(ms: number, text: string): boolean {
  return new Date(ms).getUTCDate() === Number(/\d+/.exec(text)?.[0])
}

function isUtcDate(text: string): boolean {
  return IMF_FIXDATE.test(text) || RFC_850_DATE.test(text)
}

// Last-Modified has whole seconds, so conditions are compared in whole seconds.
function wholeSeconds(ms: number): number {
  return Math.floor(ms / 1000) * 1000
}

// Entity tags and preconditions (RFC 9110, sections 8.8.3 and 13). An etag has its quotes.
//
// A condition that protects something (If-Match) must be readable, or the request is refused. One
// that only saves work (If-None-Match on a read, a date) is passed over when it is not readable:
// the client gets the whole answer.

import type { IncomingHttpHeaders } from 'node:http'
import { CmsError } from '../base/errors.ts'
import { acceptsCoding } from './accept-encoding.ts'

export interface Conditional {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly etag: string
  /** Undefined where no date is a strong validator: see strongDate. */
  readonly lastModifiedMs: number | undefined
}

/** Clocks of the nodes of a cluster differ by less. */
const CLOCK_SLACK_MS = 1_000

/**
 * The Last-Modified of what changed at that moment: the end of the second, because something else may have been there
 * earlier in the same second. Undefined until the second is over: it may change once more until then, and a date is a
 * strong validator only where it cannot name two contents (RFC 9110, 8.8.2.2).
 */
export function strongDate(changedMs: number, nowMs: number): number | undefined {
  const endMs = wholeSeconds(changedMs) + 1_000
  return nowMs >= endMs + CLOCK_SLACK_MS ? endMs : undefined
}

// One tag after the other, each with the commas before it. No two neighbours in the pattern match
// the same character, so that it stays linear.
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
 * The check of a write: true without the header, for `*`, and when a tag is the same. RFC 9110, 13.1.1 asks for a strong
 * comparison. All tags that are sent are strong: where one comes back weak, a proxy has compressed the answer and put W/
 * in front, and the tag still names the same revision.
 */
export function matchesIfMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return true

  const tags = parseTags(header)
  if (tags === undefined) {
    throw new CmsError(
      'bad-request',
      'The header If-Match cannot be read: send * or the ETag of the record, with its quotes.',
    )
  }
  return tags === '*' || tags.some((tag) => isSameWeak(tag, etag))
}

/** All four conditions, in the order of RFC 9110, 13.2.2: not-modified is 304, failed is 412. */
export function evaluate(conditional: Conditional): 'proceed' | 'not-modified' | 'failed' {
  if (!passesProtection(conditional)) return 'failed'
  if (!isUnchanged(conditional)) return 'proceed'

  return isRead(conditional.method) ? 'not-modified' : 'failed'
}

/** Whether a Range may be answered: false means that the client's part is of other content. */
export function ifRangeAllows(
  header: string | undefined,
  etag: string,
  lastModifiedMs: number | undefined,
): boolean {
  if (header === undefined) return true
  // A part of a text in a coding is no part of the text.
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

/** The ETag of a text in a coding. */
export function codedTag(etag: string, coding: string): string {
  return `${etag.slice(0, -1)}-${coding}"`
}

/** That of the text itself: whoever has it in a coding knows the same, and changes the same. */
function textTag(etag: string): string {
  return etag.replace(CODED, '"')
}

/** The form of this tag that a client has sent. */
export function sentTag(headers: IncomingHttpHeaders, etag: string): string | undefined {
  const tags = parseTags(headers['if-none-match'] ?? '')
  if (tags === undefined || tags === '*') return undefined
  return tags.find((tag) => isSameWeak(tag, etag) && canUse(tag, headers))?.replace(/^W\//, '')
}

/** A cache asks with the tags of all forms that it has, also for a client that does not take each of them. */
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

// The three forms of HTTP-date (RFC 9110, 5.6.7). Date.parse alone takes far more, and takes the
// third one for local time.
function parseDate(text: string | undefined): number | undefined {
  if (text === undefined) return undefined

  const ms = isUtcDate(text)
    ? Date.parse(text)
    : ASCTIME_DATE.test(text)
      ? Date.parse(`${text} GMT`)
      : Number.NaN
  return hasDay(ms, text) ? ms : undefined
}

/** In all forms the first number is the day; Date.parse makes 2 March of 30 February. */
function hasDay(ms: number, text: string): boolean {
  return new Date(ms).getUTCDate() === Number(/\d+/.exec(text)?.[0])
}

function isUtcDate(text: string): boolean {
  return IMF_FIXDATE.test(text) || RFC_850_DATE.test(text)
}

// Last-Modified is sent in whole seconds, so that is what comes back.
function wholeSeconds(ms: number): number {
  return Math.floor(ms / 1000) * 1000
}

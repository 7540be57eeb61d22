// Fuzzers of the parts of a request: its target, its headers and its JSON.

import assert from 'node:assert/strict'
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { rounded } from '../../helpers/rounded.ts'
import { evaluate, ifRangeAllows, matchesIfMatch } from '../../../lib/http/conditional.ts'
import { contentDisposition } from '../../../lib/http/disposition.ts'
import { parseJson } from '../../../lib/http/json.ts'
import { type ByteRange, readRange } from '../../../lib/http/range-header.ts'
import { buildRouter } from '../../../lib/http/router.ts'
import { parseMediaType } from '../../../lib/http/header-values.ts'
import { readQueryString, readTarget } from '../../../lib/http/request-target.ts'
import { type Fuzzer, refusalOf } from './engine.ts'
import { readMediaType } from './form-reference.ts'

const JSON_LIMITS = { maxDepth: 8, maxKeys: 20 }
/** The only reasons to refuse a text that is valid JSON. */
const STRICTER =
  /nested|too many|not accepted|twice|surrogate|too large|more digits|byte order mark|not UTF-8/

const json: Fuzzer = {
  name: 'json',
  isBinary: true,
  dictionary: [
    ...['{', '}', '[', ']', ':', ',', '"', '\\u', '\\ud83d\\ude00', '\\ud800', '\\"', '\\\\'],
    ...['true', 'false', 'null', '-0', '1e5', '1e999', '9007199254740993', '0.1', '5e-324', '-'],
    ...[
      '"__proto__":1',
      '"constructor"',
      '"a":',
      '\xef\xbb\xbf',
      '\xc3\xa9',
      '\xff',
      ' ',
      '\r\n',
      '{"a":[1,2]}',
    ],
  ],
  check(input) {
    const bytes = Buffer.from(input, 'latin1')
    const expected = attempt(() => JSON.parse(bytes.toString()))
    let value: unknown
    try {
      value = parseJson(bytes, JSON_LIMITS)
    } catch (error) {
      const place = Number(/ at byte (\d+):/.exec((error as Error).message)?.[1])
      assert.ok(place >= 0 && place <= bytes.length, 'the place of a fault is in the text')
      const isStricter = STRICTER.test((error as Error).message)
      assert.ok(expected === undefined || isStricter, 'JSON is refused for its grammar')
      return refusalOf(error)
    }
    assert.equal(JSON.stringify(rounded(value)), JSON.stringify(expected?.value))
    return `accepted ${typeof value}`
  },
}

const mediaType: Fuzzer = {
  name: 'media-type',
  isBinary: true,
  dictionary: [
    ...[
      'application/json',
      'multipart/form-data',
      '; boundary=',
      '; charset=',
      ';',
      '=',
      '"',
      '\\',
    ],
    ...['\\"', '\\\\', ' ', '\t', ';;', '"a b"', 'utf-8', ',', '\xe9', '/'],
  ],
  check(input) {
    // Node passes a header as bytes, with a character for each byte.
    const text = Buffer.from(input, 'latin1').toString('latin1')
    const read = parseMediaType(text)
    const parameters = read && Object.fromEntries(read.parameters)
    assert.deepEqual(read && { ...read, parameters }, readMediaType(text))
    return read === undefined ? 'none' : `${read.parameters.size} parameters`
  },
}

const SIZES = [0, 1, 10, 1_000, Number.MAX_SAFE_INTEGER]

const range: Fuzzer = {
  name: 'range',
  dictionary: ['bytes=', 'BYTES=', 'bytes', '=', '-', ',', '0', '9', '10', '00', '-1', '0-0', ' '],
  check(input) {
    const found = SIZES.map((size) => {
      const read = readRange(input, size)
      assert.deepEqual(read, rangeOf(input, size))
      return typeof read === 'object' ? 'part' : read
    })
    return found.join()
  },
}

/** A second reading of RFC 9110, 14.1.2, with integers of any size. */
function rangeOf(header: string, size: number): ByteRange | undefined | 'unsatisfiable' {
  if (header.slice(0, 6).toLowerCase() !== 'bytes=') return undefined
  const parts = header.slice(6).split('-')
  const isRange = parts.length === 2 && parts.every((part) => [...part].every(isDigit))
  const [first = '', last = ''] = parts
  if (!isRange || first + last === '') return undefined

  const total = BigInt(size)
  if (first === '') {
    if (BigInt(last) === 0n) return 'unsatisfiable'
    if (size === 0) return undefined
    const start = total > BigInt(last) ? total - BigInt(last) : 0n
    return { start: Number(start), end: size - 1 }
  }
  if (last !== '' && BigInt(last) < BigInt(first)) return undefined
  if (BigInt(first) === 0n && size === 0) return undefined
  if (BigInt(first) >= total) return 'unsatisfiable'
  const end = last === '' || BigInt(last) >= total ? total - 1n : BigInt(last)
  return { start: Number(first), end: Number(end) }
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9'
}

const ETAG = '"abc"'

const etags: Fuzzer = {
  name: 'etags',
  dictionary: ['"abc"', 'W/"abc"', '*', ',', ' , ', '\t', '"', 'W/', '""', '"a,b"', 'w/', '"é"'],
  check(input) {
    const tags = tagsOf(input)
    const isMatch = attempt(() => matchesIfMatch(input, ETAG))?.value
    const isSame =
      tags !== undefined && (tags === '*' || tags.some((tag) => /^(W\/)?"abc"$/.test(tag)))
    assert.equal(isMatch, tags === undefined ? undefined : isSame)

    const headers = { 'if-none-match': input }
    const outcome = evaluate({ method: 'GET', headers, etag: ETAG, lastModifiedMs: 0 })
    assert.equal(outcome, isSame ? 'not-modified' : 'proceed')
    const isAllowed = ifRangeAllows(input, ETAG, 0)
    if (isAllowed) assert.ok(input.trim() === ETAG || secondsOf(input) === 0)
    return `${isMatch} ${outcome} ${isAllowed} ${typeof tags === 'object' ? tags.length : tags}`
  },
}

/** Parses `#entity-tag` of RFC 9110, 5.6.1 and 8.8.3, character by character. */
function tagsOf(header: string): '*' | readonly string[] | undefined {
  if (header.replace(/^[\t ]+|[\t ]+$/g, '') === '*') return '*'
  const tags: string[] = []
  for (let at = 0; at < header.length; ) {
    if ('\t ,'.includes(header.charAt(at))) {
      at += 1
      continue
    }
    const start = at
    if (header.startsWith('W/', at)) at += 2
    const end = header.indexOf('"', at + 1)
    if (header.charAt(at) !== '"' || end === -1) return undefined
    if ([...header.slice(at + 1, end)].some((character) => !isTagCharacter(character)))
      return undefined
    at = end + 1
    tags.push(header.slice(start, at))
    while (at < header.length && '\t '.includes(header.charAt(at))) at += 1
    if (at < header.length && header.charAt(at) !== ',') return undefined
  }
  return tags.length === 0 ? undefined : tags
}

function isTagCharacter(character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  return code === 0x21 || (code >= 0x23 && code <= 0x7e) || (code >= 0x80 && code <= 0xff)
}

const httpDate: Fuzzer = {
  name: 'http-date',
  dictionary: [
    ...['Sun, ', 'Sunday, ', 'Mon', '06 Nov 1994', '06-Nov-94', 'Nov  6', '08:49:37', ' GMT'],
    ...['31', '30', '29', 'Feb', '24:00:00', '23:59:60', '2000', '1900', '0000', '99', ' 1994'],
  ],
  check(input) {
    const seconds = secondsOf(input)
    const at = (lastModifiedMs: number) =>
      evaluate({
        method: 'GET',
        headers: { 'if-modified-since': input },
        etag: ETAG,
        lastModifiedMs,
      })
    const ms = (seconds ?? 0) * 1_000
    assert.equal(at(ms), seconds === undefined ? 'proceed' : 'not-modified')
    assert.equal(at(ms + 1_000), 'proceed')
    return seconds === undefined ? `none ${input.length}` : `date ${input.length}`
  },
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')
const SHORT_DAYS = DAYS.map((day) => day.slice(0, 3))

/**
 * Reads the three date formats of RFC 9110, 5.6.7. The day of the week must be valid, but need not
 * match the date.
 */
function secondsOf(text: string): number | undefined {
  const words = text.split(' ')
  const [weekday = '', ...rest] = words
  if (words.length === 6 && weekday.endsWith(',') && SHORT_DAYS.includes(weekday.slice(0, -1))) {
    const [day, month, year, time, zone] = rest
    return zone === 'GMT' ? toSeconds({ day, month, year, time }, 4) : undefined
  }
  if (words.length === 4 && weekday.endsWith(',') && DAYS.includes(weekday.slice(0, -1))) {
    const [date = '', time, zone] = rest
    const [day, month, year = '', ...more] = date.split('-')
    if (zone !== 'GMT' || more.length > 0 || !/^\d\d$/.test(year)) return undefined
    return toSeconds({ day, month, year: `${Number(year) < 50 ? '20' : '19'}${year}`, time }, 4)
  }
  if (!SHORT_DAYS.includes(weekday)) return undefined
  const [month, ...after] = rest
  const isShort = after.length === 4 && after[0] === ''
  const [day = '', time, year] = isShort ? after.slice(1) : after
  if (after.length !== (isShort ? 4 : 3) || day.length !== (isShort ? 1 : 2)) return undefined
  return toSeconds({ day: day.padStart(2, '0'), month, year, time }, 4)
}

interface DateParts {
  readonly day: string | undefined
  readonly month: string | undefined
  readonly year: string | undefined
  readonly time: string | undefined
}

function toSeconds({ day = '', month = '', year = '', time = '' }: DateParts, digits: number) {
  const isTime = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(time)
  if (!/^\d\d$/.test(day) || year.length !== digits || !/^\d+$/.test(year) || !isTime)
    return undefined
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  const date = new Date(0)
  date.setUTCFullYear(Number(year), MONTHS.indexOf(month), Number(day))
  if (date.getUTCDate() !== Number(day) || date.getUTCMonth() !== MONTHS.indexOf(month))
    return undefined
  return date.getTime() / 1_000 + hours * 3_600 + minutes * 60 + seconds
}

const disposition: Fuzzer = {
  name: 'disposition',
  dictionary: ['"', '\\', ';', "'", '%', '%41', '*=', 'UTF-8', 'é', '😀', '\r\n', '.txt', '=', '/'],
  check(input) {
    const header = contentDisposition('attachment', input)
    assert.match(header, /^attachment; filename=[\x20-\x7e]*$/)
    // The package removes folders, as clients do; file names here have no folders.
    const name = Buffer.from(input).toString()
    if (!name.includes('/')) assert.equal(fileNameOf(header), name)
    return `${header.includes('*=')} ${header.includes('"')} ${header.includes('%')}`
  },
}

/** Written from RFC 6266 and RFC 8187 alone. */
function fileNameOf(header: string): string | undefined {
  const extended = /; filename\*=UTF-8''((?:[\w!#$&+.^`|~-]|%[0-9A-F]{2})*)$/.exec(header)
  if (extended !== null) return decodeURIComponent(extended[1] ?? '')
  const plain = /^\w+; filename=(?:"((?:[^"\\]|\\.)*)"|([^" ;]+))$/.exec(header)
  return plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2]
}

const ROUTER = buildRouter([
  { method: 'GET', path: '/file/:n/:name', hasHead: true },
  { method: 'GET', path: '/api/v2/:object/:id', hasHead: true },
])

const target: Fuzzer = {
  name: 'target',
  dictionary: [
    ...['/file/1/', '/api/v2/a/1', 'http://', 'HTTPS://h', '//', '?', '#', '*', '..', '%2e%2e'],
    ...['%2F', '%00', '%ff', '%c3%a9', '%25', '%', ';x', '\\', '@', 'é', ':80', '&', '=', '+'],
  ],
  check(input) {
    // The HTTP parser refuses other characters before the target is read.
    if (!/^[\x21-\x7e]+$/.test(input)) return 'never arrives'
    const headers: Record<string, string> = { host: 'given' }
    const message = { url: input, method: 'GET', headers } as unknown as IncomingMessage
    let read: string
    try {
      read = readTarget(message)
    } catch (error) {
      assert.ok(!input.startsWith('/') || input.split('?', 1)[0]?.includes('#'))
      return refusalOf(error)
    }
    assert.equal(read.charAt(0), '/')
    const [host, rest] = placeOf(input)
    assert.deepEqual([headers['host'], read], [host, rest])
    return `${checkPath(read.split('?', 1)[0] ?? '')} ${checkQuery(read)}`
  },
}

function placeOf(url: string): readonly [host: string, rest: string] {
  if (url.startsWith('/')) return ['given', url]
  const start = url.indexOf('//') + 2
  const length = url.slice(start).search(/[/?]/)
  const host = length === -1 ? url.slice(start) : url.slice(start, start + length)
  const rest = length === -1 ? '/' : url.slice(start + length)
  return [host, rest.startsWith('/') ? rest : `/${rest}`]
}

function checkPath(path: string): string {
  try {
    const { params, route } = ROUTER.find('GET', path)
    const parts = path.split('/').slice(route.path.startsWith('/file') ? 2 : 3)
    assert.deepEqual(Object.values(params), parts.map(decodeURIComponent))
    return route.path
  } catch (error) {
    return refusalOf(error)
  }
}

/** Compares byte by byte: only bytes that are not UTF-8 are refused. */
function checkQuery(read: string): string {
  const mark = read.indexOf('?')
  const text = mark === -1 ? '' : read.slice(mark + 1)
  const pairs = text.split('&').filter((pair) => pair !== '')
  const expected = pairs.map((pair) => {
    const [name = '', ...value] = pair.split('=')
    return [bytesOf(name), bytesOf(value.join('='))] as const
  })
  const isGood = expected.flat().every((bytes) => isUtf8(bytes))
  const found = attempt(() => [...readQueryString(read)])?.value
  assert.equal(found === undefined, !isGood)
  const words = expected.map((pair) => pair.map((bytes) => bytes.toString()))
  if (isGood) assert.deepEqual(found, words)
  return isGood ? `${Math.min(pairs.length, 4)}` : 'no query'
}

function bytesOf(text: string): Buffer {
  const pieces = text
    .replaceAll('+', ' ')
    .split(/(%[0-9a-fA-F]{2})/)
    .map((piece) =>
      /^%[0-9a-fA-F]{2}$/.test(piece) ? Buffer.from(piece.slice(1), 'hex') : Buffer.from(piece),
    )
  return Buffer.concat(pieces)
}

/** Returns the value, or undefined if the function throws. */
function attempt<T>(run: () => T): { readonly value: T } | undefined {
  try {
    return { value: run() }
  } catch {
    return undefined
  }
}

export const httpFuzzers: readonly Fuzzer[] = [
  json,
  range,
  etags,
  httpDate,
  disposition,
  mediaType,
  target,
]

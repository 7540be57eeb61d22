// Parses a JSON body strictly. JSON.parse alone keeps the last of two equal keys, rounds numbers with many digits, accepts
// any depth, and reports an error only by quoting the body. So one linear pass over the bytes runs first: it checks the
// whole grammar (RFC 8259) and the limits, and names the byte of an error. JSON.parse accepts every body that passes; a test
// compares the two. A number that a double cannot represent keeps its text (exact-number.ts).
//
// JSON.parse checks the inside of strings much faster, so the pass skips it. After an error, a second pass also checks the
// inside of strings, to name the byte.
//
// This module also runs in worker threads, so it must not import the records.

import { isAscii, isUtf8 } from 'node:buffer'
import { CmsError } from '../base/errors.ts'
import { keepsDigits } from '../shared/exact-digits.ts'
import { type NumberSpan, parseWithTexts } from './json-numbers.ts'

export interface JsonLimits {
  /** Maximum nesting of arrays and objects; `[]` has depth 1. */
  readonly maxDepth: number
  /** Maximum number of keys in all objects. */
  readonly maxKeys: number
}

interface Scan {
  readonly bytes: Buffer
  /** The body as Latin-1, one character per byte. Regular expressions must not run on it, because V8 would keep it alive. */
  readonly text: string
  /** Returns the end of the string that begins at a byte. */
  readonly endOfString: (scan: Scan, start: number) => number
  readonly limits: JsonLimits
  /** Numbers that a double cannot represent. */
  readonly longNumbers: NumberSpan[]
  /** For each open container: the keys of an object so far, or undefined for an array. */
  readonly open: (Set<string> | undefined)[]
  at: number
  keyCount: number
  expects: 'value' | 'key' | 'comma or end'
}

const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
const LITERALS = new Map(['true', 'false', 'null'].map((text) => [text.charCodeAt(0), text]))
/** The start of an escaped surrogate. JSON.parse accepts lone surrogates. */
const SURROGATES = ['\\ud', '\\uD']
/** Strings that are the same in UTF-8, in Latin-1 and decoded. */
const PLAIN = /^[\x20-\x5b\x5d-\x7e]*$/
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/
// 9e999 is the shortest number that a double cannot hold.
const SAFE_NUMBER_LENGTH = 4
// A double preserves this number of digits. Numbers with an exponent are excluded, because they may be out of range.
const SAFE_NUMBER = /^[0-9.-]{1,15}$/

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d]
const LETTER_U = 0x75
const ESCAPED = new Set(Buffer.from('"\\/bfnrt'))
const NUMBER_BYTES = new Set(Buffer.from('0123456789+-.eE'))
const HEX_DIGITS = new Map(
  [...'0123456789abcdefABCDEF'].map((digit) => [digit.charCodeAt(0), Number.parseInt(digit, 16)]),
)

/** Throws CmsError bad-json that names the byte; never quotes the body. */
export function parseJson(bytes: Uint8Array, limits: JsonLimits): unknown {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

  checkEncoding(body)
  const text = body.toString('latin1')
  const endOfString = SURROGATES.some((part) => text.includes(part)) ? checkString : skipString
  try {
    const { longNumbers } = checkGrammar({ bytes: body, text, limits, endOfString })
    if (longNumbers.length > 0) return parseWithTexts(body, longNumbers)
    return JSON.parse(isAscii(body) ? text : body.toString('utf8'))
  } catch (error) {
    // Throws the error that comes first in the body.
    checkGrammar({ bytes: body, text, limits, endOfString: checkString })
    throw error
  }
}

function checkEncoding(body: Buffer): void {
  if (body.length === 0) fault(0, 'The JSON is empty', 'send one JSON value')
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) {
    fault(0, 'The JSON starts with a byte order mark', 'send UTF-8 without it')
  }
  if (!isUtf8(body)) fault(findBadUtf8(body), 'The JSON is not UTF-8', 'send it in UTF-8')
}

/** Offset of the first bad byte: a bad sequence is decoded as U+FFFD, so the first byte that does not come back is in it. */
export function findBadUtf8(body: Buffer): number {
  const decoded = Buffer.from(body.toString('utf8'))
  let at = 0
  while (body[at] === decoded[at]) at += 1
  return at
}

function checkGrammar(scanned: Pick<Scan, 'bytes' | 'text' | 'limits' | 'endOfString'>): Scan {
  const scan: Scan = { open: [], longNumbers: [], at: 0, keyCount: 0, expects: 'value', ...scanned }

  do {
    skipSpace(scan)
    if (scan.expects === 'value') passValue(scan)
    else if (scan.expects === 'key') passKey(scan)
    else passCommaOrEnd(scan)
  } while (scan.open.length > 0)

  skipSpace(scan)
  if (scan.at < scan.bytes.length)
    fault(scan.at, 'Something follows the JSON value', 'leave it out')
  return scan
}

function skipSpace(scan: Scan): void {
  const { bytes } = scan
  let byte = bytes[scan.at]
  while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) {
    scan.at += 1
    byte = bytes[scan.at]
  }
}

function passValue(scan: Scan): void {
  const { bytes, at } = scan
  const byte = bytes[at]

  if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) return passOpening(scan)
  scan.at = byte === QUOTE ? scan.endOfString(scan, at) : endOfWord(scan, at)
  scan.expects = 'comma or end'
}

function passOpening(scan: Scan): void {
  const { bytes, limits, open, at } = scan
  const isObject = bytes[at] === OPEN_OBJECT
  if (open.length >= limits.maxDepth) {
    fault(at, 'The JSON is nested too deep', `nest at most ${limits.maxDepth} arrays and objects`)
  }

  scan.at += 1
  skipSpace(scan)
  if (bytes[scan.at] === (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) {
    scan.at += 1
    scan.expects = 'comma or end'
    return
  }

  open.push(isObject ? new Set() : undefined)
  scan.expects = isObject ? 'key' : 'value'
}

function passKey(scan: Scan): void {
  const { bytes, at } = scan
  if (bytes[at] !== QUOTE) fault(at, 'A key is missing', 'write each key in double quotes')

  scan.at = scan.endOfString(scan, at)
  checkKey(scan, at)

  skipSpace(scan)
  if (bytes[scan.at] !== COLON) fault(scan.at, 'A colon is missing', 'write one after each key')
  scan.at += 1
  scan.expects = 'value'
}

// Keys are compared decoded: "a" and "\u0061" are the same key.
function checkKey(scan: Scan, start: number): void {
  const { limits, open } = scan
  scan.keyCount += 1
  if (scan.keyCount > limits.maxKeys) {
    fault(start, 'The JSON has too many keys', `send at most ${limits.maxKeys} in all its objects`)
  }

  const key = decodeKey(scan, start)
  const keys = open.at(-1)
  if (FORBIDDEN_KEYS.has(key)) fault(start, `The key ${key} is not accepted`, 'leave it out')
  if (keys?.has(key)) fault(start, 'A key occurs twice in one object', 'send each key once')
  keys?.add(key)
}

function decodeKey({ bytes, at }: Scan, start: number): string {
  const key = bytes.toString('latin1', start + 1, at - 1)
  return PLAIN.test(key) ? key : (JSON.parse(bytes.toString('utf8', start, at)) as string)
}

function passCommaOrEnd(scan: Scan): void {
  const { bytes, open, at } = scan
  const keys = open.at(-1)
  scan.at += 1

  if (bytes[at] === COMMA) {
    scan.expects = keys === undefined ? 'value' : 'key'
    return
  }
  if (bytes[at] !== (keys === undefined ? CLOSE_ARRAY : CLOSE_OBJECT)) {
    fault(at, 'A comma or the end of the array or object is missing', 'check the JSON there')
  }
  open.pop()
}

/** The end of a valid string: the first quote after an even number of backslashes. */
function skipString({ bytes, text }: Scan, start: number): number {
  for (let quote = start; ; ) {
    quote = text.indexOf('"', quote + 1)
    if (quote < 0) return endless(start)
    let at = quote
    while (bytes[at - 1] === BACKSLASH) at -= 1
    if ((quote - at) % 2 === 0) return quote + 1
  }
}

function checkString({ bytes }: Scan, start: number): number {
  const { length } = bytes
  let at = start + 1
  while (at < length) {
    const byte = bytes[at] ?? 0
    if (byte === QUOTE) return at + 1
    if (byte < 0x20) fault(at, 'A control character is in a string', 'escape it, as in \\n')
    at = byte === BACKSLASH ? endOfEscape(bytes, at) : at + 1
  }
  return endless(start)
}

function endless(start: number): never {
  return fault(start, 'A string does not end', 'close it with a double quote')
}

function endOfEscape(bytes: Buffer, at: number): number {
  if (ESCAPED.has(bytes[at + 1] ?? 0)) return at + 2

  const unit = unitAt(bytes, at)
  if (unit === undefined)
    return fault(at, 'A backslash is not part of an escape', 'escape it as \\\\')
  if (!isHighSurrogate(unit) && !isLowSurrogate(unit)) return at + 6
  if (isHighSurrogate(unit) && isLowSurrogate(unitAt(bytes, at + 6))) return at + 12
  // A string with a lone surrogate has no UTF-8 form, so it could not be stored as sent.
  return fault(at, 'Half of a surrogate pair stands alone', 'send both halves, or the character')
}

/** The code unit of the escape \uXXXX at this byte, if there is one. */
function unitAt(bytes: Buffer, at: number): number | undefined {
  if (bytes[at] !== BACKSLASH || bytes[at + 1] !== LETTER_U) return undefined

  let unit = 0
  for (let index = at + 2; index < at + 6; index += 1) {
    const digit = HEX_DIGITS.get(bytes[index] ?? 0)
    if (digit === undefined) return undefined
    unit = unit * 16 + digit
  }
  return unit
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLowSurrogate(unit: number | undefined): boolean {
  return unit !== undefined && unit >= 0xdc00 && unit <= 0xdfff
}

// Parses true, false, null or a number.
function endOfWord(scan: Scan, start: number): number {
  const { bytes, text } = scan
  const literal = LITERALS.get(bytes[start] ?? 0)
  if (literal !== undefined) return endOfLiteral(text, start, literal)

  let end = start
  while (NUMBER_BYTES.has(bytes[end] ?? 0)) end += 1
  const isLong = !isPlainNumber(bytes.toString('latin1', start, end), start)
  // A body that is a single number is rejected later, because no request accepts one.
  if (isLong && scan.open.length > 0) scan.longNumbers.push({ start, end })
  return end
}

function endOfLiteral(text: string, start: number, literal: string): number {
  if (!text.startsWith(literal, start)) faultyValue(start)
  return start + literal.length
}

/** Whether a double represents the number exactly as sent. */
function isPlainNumber(text: string, start: number): boolean {
  if (!NUMBER.test(text)) faultyValue(start)
  if (text.length <= SAFE_NUMBER_LENGTH) return true

  const value = Number(text)
  if (!Number.isFinite(value)) fault(start, 'A number is too large', 'send it as a string')
  return SAFE_NUMBER.test(text) || keepsDigits(text, value)
}

function faultyValue(at: number): never {
  return fault(at, 'A value is missing or malformed', 'check the JSON there')
}

function fault(at: number, problem: string, advice: string): never {
  throw new CmsError('bad-json', `${problem}, at byte ${at}: ${advice}.`)
}

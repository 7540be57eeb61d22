// Fuzzers of single values: numbers, dates, names, secrets, and keys and cursors made of values.

import assert from 'node:assert/strict'
import { isSecret } from '../../../lib/auth/secret.ts'
import { encodePosition, parsePosition } from '../../../lib/operations/modules/occurrence-cursor.ts'
import { compareScalars, parseScalar, toKeyPart } from '../../../lib/schema/field-value.ts'
import { parseDate } from '../../../lib/schema/date.ts'
import { moduleNameOf } from '../../../lib/schema/module.ts'
import { fileNameFault, foldName, nameFault } from '../../../lib/schema/names.ts'
import { encodeCursor, parseCursor } from '../../../lib/storage/records/cursor.ts'
import { decodeKey, encodeKey, isExact } from '../../../lib/storage/records/keys.ts'
import type { KeyPart } from '../../../lib/schema/values.ts'
import { type Fuzzer, refusalOf } from './engine.ts'

const numbers: Fuzzer = {
  name: 'numbers',
  dictionary: ['-', '+', '.', 'e', 'E-', '0', '00', '9007199254740993', '1e400', '.5', '\n', ' '],
  check(input) {
    const [left = '', right = ''] = input.split('\n')
    const read = [left, right].map((text) => {
      const known = scaledOf(text)
      const decimal = parseScalar('decimal', text)
      assert.equal(decimal === undefined, known === undefined)
      if (decimal !== undefined) assert.equal(parseScalar('decimal', decimal), decimal)
      const whole = parseScalar('integer', text)
      if (whole !== undefined) assert.equal(BigInt(whole) * SCALE, known)
      return { known, decimal }
    })
    const [a, b] = read
    if (a?.known === undefined || b?.known === undefined) return 'not two'

    const order = compareScalars('decimal', String(a.decimal), String(b.decimal))
    assert.equal(Math.sign(order), a.known === b.known ? 0 : a.known < b.known ? -1 : 1)
    const [low, high] = [a, b].map(({ decimal }) => Number(toKeyPart('decimal', String(decimal))))
    if (order < 0) assert.ok(Number(low) <= Number(high), 'a key keeps the order')
    return `${Math.sign(order)}`
  },
}

/** The maximum number of decimals of a text with an exponent. */
const DECIMALS = 1_500n
const SCALE = 10n ** DECIMALS
const MAX_WHOLE = 10n ** 400n

function scaledOf(text: string): bigint | undefined {
  const found = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text)
  if (found === null || `${found[2]}${found[3] ?? ''}` === '') return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = found
  const isLong = whole.length > 400 || fraction.length > 400
  if (isLong || exponent.replace(/^[+-]/, '').length > 3) return undefined
  const shift = DECIMALS + BigInt(exponent) - BigInt(fraction.length)
  const value = BigInt(whole + fraction) * 10n ** shift
  const isBounded = value < SCALE * MAX_WHOLE && value % (SCALE / MAX_WHOLE) === 0n
  if (!isBounded) return undefined
  return sign === '-' ? -value : value
}

const dates: Fuzzer = {
  name: 'dates',
  dictionary: [
    ...['2026-01-31', 'T12:00:00Z', '.123456789', '+23:59', '-00:00', '24:00:00', ':60', '02-29'],
    ...['02-30', '0000', '9999', '12-31', 't', 'z', ' ', '-1', '1767225600', '253402300800'],
    ...['20260131', '120000', '235959', '20240229'],
  ],
  check(input) {
    const found = parseDate(input)
    assert.equal(found, dateOf(input))
    if (found !== undefined) assert.equal(parseDate(found), found)
    return `${found === undefined} ${input.length}`
  },
}

/**
 * Reads RFC 3339, or only its date, by counting days. A text of digits is a day, a time, or seconds
 * since 1970.
 */
function dateOf(text: string): string | undefined {
  const ms = /^-?\d{9,11}$/.test(text) ? Number(text) * 1_000 : millisecondsOf(spelledOut(text))
  if (ms === undefined || ms < Date.UTC(2000, 0, 1) - 730_485 * 86_400_000) return undefined
  return ms < Date.UTC(10_000, 0, 1) ? new Date(ms).toISOString() : undefined
}

function spelledOut(text: string): string {
  if (!/^\d+$/.test(text) || (text.length !== 8 && text.length !== 14)) return text
  const part = (at: number): string => text.slice(at, at + 2)
  const day = `${text.slice(0, 4)}-${part(4)}-${part(6)}`
  return text.length === 8 ? day : `${day}T${part(8)}:${part(10)}:${part(12)}Z`
}

const FORM =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d)))?$/

function millisecondsOf(text: string): number | undefined {
  const found = FORM.exec(text)
  if (found === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((part) => Number(part ?? 0))
  const [fraction = '', sign = '+', offsetHour = '0', offsetMinute = '0'] = found.slice(7)
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  const isDay = month >= 1 && month <= 12 && day >= 1 && day <= (lengths[month - 1] ?? 0)
  const isTime = hour <= 23 && minute <= 59 && second <= 59
  const isOffset = Number(offsetHour) <= 23 && Number(offsetMinute) <= 59
  if (!isDay || !isTime || !isOffset) return undefined

  let days = (year - 1) * 365 + Math.floor((year - 1) / 4) - Math.floor((year - 1) / 100)
  days += Math.floor((year - 1) / 400) - 719_162 + day - 1
  for (const length of lengths.slice(0, month - 1)) days += length
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '-' ? -1 : 1)
  const seconds = days * 86_400 + hour * 3_600 + (minute - offset) * 60 + second
  return seconds * 1_000 + Math.floor(Number(`0.${fraction || '0'}`) * 1_000)
}

/**
 * Compares two keys with one part in each line: `#1.5`, `'text`, or the letter of another value.
 */
const keys: Fuzzer = {
  name: 'keys',
  dictionary: ['\n', '\n\n', '#', "'", '#-1', '#1e308', "'a", '\0', 'n', 't', 'f', '\0\xff', 'é'],
  check(input) {
    const [first = '', second = ''] = input.split('\n\n')
    const [left, right] = [readParts(first), readParts(second)]
    const [leftKey, rightKey] = [encodeKey(left), encodeKey(right)]
    for (const [parts, key] of [
      [left, leftKey],
      [right, rightKey],
    ] as const) {
      if (parts.every(isExact)) assert.deepEqual(decodeKey(key), parts)
    }
    const order = Math.sign(Buffer.compare(leftKey, rightKey))
    const expected = compareParts(left, right)
    if (expected !== undefined) assert.equal(order, expected)
    return `${order} ${expected} ${readBytes(input)}`
  },
}

const MAX_PARTS = 3

function readParts(text: string): readonly KeyPart[] {
  const lines = text.split('\n').slice(0, MAX_PARTS)
  return lines.map((line) => {
    if (line.startsWith("'")) return line.slice(1)
    const number = Number(line.slice(1))
    if (line.startsWith('#') && !Number.isNaN(number)) return number + 0
    return line.startsWith('n') ? null : line.startsWith('t')
  })
}

/** Undefined if two texts are equal in the part that a key stores. */
function compareParts(left: readonly KeyPart[], right: readonly KeyPart[]): number | undefined {
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    const order = comparePart(left[at] ?? null, right[at] ?? null)
    if (order !== 0) return order
  }
  return Math.sign(left.length - right.length)
}

const KINDS: readonly string[] = ['object', 'boolean', 'number', 'string']

function comparePart(left: KeyPart, right: KeyPart): number | undefined {
  if (typeof left !== typeof right)
    return Math.sign(KINDS.indexOf(typeof left) - KINDS.indexOf(typeof right))
  if (typeof left === 'string' && typeof right === 'string') {
    const bytes = [left, right].map((text) => Buffer.from(text).subarray(0, 400))
    const order = Buffer.compare(bytes[0] ?? EMPTY, bytes[1] ?? EMPTY)
    const isSame = order === 0 && Buffer.from(left).equals(Buffer.from(right))
    return order !== 0 || isSame ? order : undefined
  }
  return left === right ? 0 : Number(left) < Number(right) ? -1 : 1
}

const EMPTY = Buffer.alloc(0)

/** Any bytes decode to parts or are refused as a damaged key. */
function readBytes(input: string): string {
  try {
    return `${decodeKey(Buffer.from(input, 'latin1')).length}`
  } catch (error) {
    return refusalOf(error)
  }
}

const FINGERPRINT = Buffer.from('12345678')

const cursors: Fuzzer = {
  name: 'cursors',
  dictionary: [
    ...['\x05', '\x06', '\x00\x01', '\x00\xff', '\x00\x02', '\x05\xbf\xf0\x00\x00\x00\x00\x00\x00'],
    ...['MTIzNDU2Nzg', 'AAAA', '=', '-', '_', '2026-01-01T00:00:00.000Z 1', '\x02', '\xff'],
  ],
  check(input) {
    const position = Buffer.from(input, 'latin1')
    const own = encodeCursor(FINGERPRINT, { skip: input.length, position })
    return [own, input].map((text) => `${pageOf(text)} ${occurrenceOf(text)}`).join()
  },
}

function pageOf(text: string): string {
  try {
    const cursor = parseCursor(text, FINGERPRINT, [1, 2])
    assert.equal(encodeCursor(FINGERPRINT, cursor), text)
    return `page ${decodeKey(cursor.position).length}`
  } catch (error) {
    return refusalOf(error).slice(0, 10)
  }
}

const PAGES = { search: [], timeZone: 'UTC' }

function occurrenceOf(text: string): string {
  for (const candidate of [text, encodePosition(PAGES, { start: text, entryId: 1 })]) {
    try {
      const position = parsePosition(PAGES, candidate)
      assert.equal(encodePosition(PAGES, position), candidate)
      return 'position'
    } catch (error) {
      refusalOf(error)
    }
  }
  return 'no position'
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const secrets: Fuzzer = {
  name: 'secrets',
  dictionary: ['cms_', 'CMS_', '_', '0', 'z', '\n', ' ', '٣', 'Bearer '],
  check(input) {
    const digits = input.slice(4, 47)
    const isGood =
      input.length === 53 &&
      input.startsWith('cms_') &&
      [...input.slice(4)].every((character) => ALPHABET.includes(character)) &&
      input.slice(47) === inBase62(checksumOf(digits))
    assert.equal(isSecret(input), isGood)
    return `${isGood} ${input.length === 53}`
  },
}

/** Computes CRC-32 bit by bit. */
function checksumOf(text: string): number {
  let rest = 0xffff_ffff
  for (const byte of Buffer.from(text)) {
    rest ^= byte
    for (let bit = 0; bit < 8; bit += 1) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb8_8320 : 0)
  }
  return (rest ^ 0xffff_ffff) >>> 0
}

function inBase62(value: number): string {
  const digits = Array.from({ length: 6 }, (_, index) => Math.floor(value / 62 ** index) % 62)
  return digits
    .reverse()
    .map((digit) => ALPHABET[digit])
    .join('')
}

const names: Fuzzer = {
  name: 'names',
  dictionary: ['ß', 'ẞ', 'SS', 'İ', 'ı', 'ſ', 'é', 'e\u0301', 'ǰ', 'ΐ', '..', '/', '\u202e', '.'],
  async check(input) {
    const name = input.toWellFormed()
    const folded = foldName(name)
    assert.equal(foldName(folded), folded, 'a folded name is folded')
    for (const form of ['NFC', 'NFD'] as const)
      assert.equal(foldName(name.normalize(form)), folded, form)
    assert.match(await moduleNameOf(name), /^[a-z0-9]+(?:-[a-z0-9]+)*$/)

    const fault = nameFault(name)
    const isSafe = !/[/\p{Cc}]/u.test(name) && name.trim() !== '' && !['.', '..'].includes(name)
    if (fault === undefined) assert.ok(isSafe)
    const isShort = Buffer.byteLength(name) <= 255
    assert.equal(fileNameFault(name) === undefined, fault === undefined && isShort)
    return fault ?? `${isShort} ${folded === name}`
  },
}

export const valueFuzzers: readonly Fuzzer[] = [numbers, dates, keys, cursors, secrets, names]

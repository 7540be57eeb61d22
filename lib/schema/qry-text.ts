// Parses the text of a qry to its JSON value. Unlike JSON.parse, this parser rejects duplicate keys, keeps
// numbers of many digits, rejects 1e999, and reports the position of a fault. Objects become maps, so that no
// key can be mistaken for a property of Object.

import { CmsError } from '../base/errors.ts'
import { keepsDigits } from '../shared/exact-digits.ts'

export type QryValue = null | boolean | number | string | readonly QryValue[] | QryObject
export type QryObject = ReadonlyMap<string, QryValue>

/** Maximum bytes of a qry in an address. */
const MAX_BYTES = 4_096
const MAX_DEPTH = 16

const BLANK = /[ \t\r\n]*/y
const STRING = /"(?:[^"\\\u0000-\u001f]|\\.)*"/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /true|false|null/y

interface Cursor {
  readonly text: string
  at: number
}

export function parseQryText(text: string, maxBytes = MAX_BYTES): QryValue {
  if (Buffer.byteLength(text) > maxBytes) refuse('qry', `may have at most ${maxBytes} bytes`)

  const cursor = { text, at: 0 }
  const value = readValue(cursor, 'qry', 0)
  if (cursor.at < text.length) unexpected(cursor, 'qry', 'the end')
  return value
}

/** Throws bad-qry with the position inside qry. */
export function refuse(path: string, detail: string): never {
  throw new CmsError('bad-qry', `${path} ${detail}.`)
}

/** The path of a member; client names can have any length and are shortened. */
export function member(path: string, name: string): string {
  return `${path}.${name.length > 64 ? `${name.slice(0, 64)}…` : name}`
}

function readValue(cursor: Cursor, path: string, depth: number): QryValue {
  take(cursor, BLANK)
  const value = readBareValue(cursor, path, depth)
  take(cursor, BLANK)
  return value
}

function readBareValue(cursor: Cursor, path: string, depth: number): QryValue {
  const first = cursor.text[cursor.at]
  const isNested = first === '{' || first === '['
  if (isNested && depth === MAX_DEPTH) refuse(path, `is nested more than ${MAX_DEPTH} deep`)

  if (first === '{') return readObject(cursor, path, depth)
  if (first === '[') return readArray(cursor, path, depth)
  if (first === '"') return readString(cursor, path)

  const word = take(cursor, WORD)
  if (word !== '') return word === 'null' ? null : word === 'true'
  return readNumber(cursor, path)
}

function readObject(cursor: Cursor, path: string, depth: number): QryObject {
  const members = new Map<string, QryValue>()
  cursor.at++
  take(cursor, BLANK)
  if (takeText(cursor, '}')) return members

  do {
    take(cursor, BLANK)
    const name = readString(cursor, path)
    const place = member(path, name)
    if (members.has(name)) refuse(place, 'is given twice')
    take(cursor, BLANK)
    if (!takeText(cursor, ':')) unexpected(cursor, place, '":"')
    members.set(name, readValue(cursor, place, depth + 1))
  } while (takeText(cursor, ','))

  if (!takeText(cursor, '}')) unexpected(cursor, path, '"," or "}"')
  return members
}

function readArray(cursor: Cursor, path: string, depth: number): readonly QryValue[] {
  const items: QryValue[] = []
  cursor.at++
  take(cursor, BLANK)
  if (takeText(cursor, ']')) return items

  do items.push(readValue(cursor, `${path}[${items.length}]`, depth + 1))
  while (takeText(cursor, ','))

  if (!takeText(cursor, ']')) unexpected(cursor, path, '"," or "]"')
  return items
}

function readString(cursor: Cursor, path: string): string {
  const text = take(cursor, STRING)
  if (text === '') unexpected(cursor, path, 'a string in double quotes')
  try {
    return JSON.parse(text) as string
  } catch (cause) {
    const detail = `${path} has an invalid JSON escape before character ${cursor.at}.`
    throw new CmsError('bad-qry', detail, { cause })
  }
}

/** A number that a double cannot represent stays a text: every field kind compares texts exactly. */
function readNumber(cursor: Cursor, path: string): number | string {
  const text = take(cursor, NUMBER)
  if (text === '') unexpected(cursor, path, 'a JSON value')

  const value = Number(text)
  if (!Number.isFinite(value)) refuse(path, 'is a number out of range')
  return keepsDigits(text, value) ? value : text
}

function take(cursor: Cursor, pattern: RegExp): string {
  pattern.lastIndex = cursor.at
  const text = pattern.exec(cursor.text)?.[0] ?? ''
  cursor.at += text.length
  return text
}

function takeText(cursor: Cursor, text: string): boolean {
  if (!cursor.text.startsWith(text, cursor.at)) return false
  cursor.at += text.length
  return true
}

function unexpected(cursor: Cursor, path: string, wanted: string): never {
  const found = cursor.text[cursor.at]
  const place = found === undefined ? 'at the end' : `at character ${cursor.at + 1} (${found})`
  return refuse(path, `is not JSON: expected ${wanted} ${place}`)
}

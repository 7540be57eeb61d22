// The text of values that are lists or objects, where a value must be a text: in CSV files, in DEFAULT, and in fields of the
// administration area.
//
//   SET    a,b, or a JSON list if a comma in a text, a blank at an end or a quote needs it: ["a, b","c"]
//   POINT  longitude,latitude: 13.4,52.5
//   JSON   the JSON itself

import { keepsDigits } from './exact-digits.ts'
import { MAX_JSON_BYTES, MAX_JSON_DEPTH } from './limits.ts'

export type TextedKind = 'strings' | 'json' | 'point'

export function isTexted(kind: string | undefined): kind is TextedKind {
  return kind === 'strings' || kind === 'json' || kind === 'point'
}

/** A text of SET that means itself in a list with commas. */
const PLAIN = /^[^\s,"[](?:[^,]*[^\s,])?$/

export function writeValue(kind: TextedKind, value: unknown): string {
  if (kind === 'json' || !Array.isArray(value)) return JSON.stringify(value)
  const isPlain = kind === 'point' || value.every((item) => PLAIN.test(String(item)))
  return isPlain ? value.join(',') : JSON.stringify(value)
}

/** The value that a text describes; undefined if the text has another form. The value itself is not checked. */
export function readValue(kind: TextedKind, text: string): unknown {
  switch (kind) {
    case 'strings':
      return readList(text.trim())
    case 'json':
      return readJson(text)
    case 'point':
      return readPoint(text)
  }
}

function readList(text: string): unknown {
  if (text === '') return []
  if (text.startsWith('[')) return readJson(text)
  return text.split(',').map((item) => item.trim())
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|:/g
/** A double keeps as many digits; such a text has no exponent. */
const SAFE_NUMBER_LENGTH = 15

/** Undefined also for a number that a double would change, for two members of one name, and for deep nesting. */
function readJson(text: string): unknown {
  if (text.length > MAX_JSON_BYTES) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  let members = 0
  TOKEN.lastIndex = 0
  for (let found = TOKEN.exec(text); found !== null; found = TOKEN.exec(text)) {
    const [token] = found
    if (token === ':') members += 1
    else if (!token.startsWith('"') && !isExact(token)) return undefined
  }
  return membersOf(value, 1) === members ? value : undefined
}

function isExact(number: string): boolean {
  const isSafe = number.length <= SAFE_NUMBER_LENGTH && !/e/i.test(number)
  return isSafe || keepsDigits(number, Number(number))
}

/** Number of members of all objects, without members of equal names; NaN for a value that is nested too deep. */
function membersOf(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0
  if (depth > MAX_JSON_DEPTH) return Number.NaN
  const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  let members = Array.isArray(value) ? 0 : items.length
  for (const item of items) members += membersOf(item, depth + 1)
  return members
}

const COORDINATE = String.raw`\s*([+-]?\d{1,3}(?:\.\d+)?(?:e-\d{1,3})?)\s*`
/** The brackets of a JSON list are optional. */
const POINT = new RegExp(String.raw`^\s*(\[?)${COORDINATE},${COORDINATE}(\]?)\s*$`)

function readPoint(text: string): unknown {
  const [, open, longitude, latitude, close] = POINT.exec(text) ?? []
  const isWhole = latitude !== undefined && (open === '') === (close === '')
  return isWhole ? [Number(longitude), Number(latitude)] : undefined
}

// The kind of field for JSON columns: any JSON value except null, which means no value.
//
// A value is stored as the server would print it again. What would be printed differently is rejected: a number with more
// digits than a double keeps, and half of a surrogate pair. Equal names in one object never arrive here (http/json.ts). The
// order of members is not part of a JSON value.

import { textOfNumber } from '../../base/exact-number.ts'
import { MAX_JSON_BYTES, MAX_JSON_DEPTH } from '../../shared/limits.ts'
import { accept, type Access, type Field, field, refuse } from '../field.ts'
import type { JsonValue } from '../values.ts'

/** Programs that copy members of an object one by one could change the prototype of the copy. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

export function anyJson<A extends Access>(access: A): Field<JsonValue, A> {
  const description =
    `Any JSON value of at most ${MAX_JSON_BYTES / 1024} KiB, nested at most ${MAX_JSON_DEPTH} deep. Not indexed. ` +
    'A search compares what is at a path, such as {"$.address.city": "Rome"}.'
  const options = { description, example: { color: 'red' }, isIndexed: false }
  return field<JsonValue, A, typeof options>(access, {}, 'json', options, (sent) => {
    if (sent === null || sent === undefined) return refuse('must be a JSON value')
    const fault = faultIn(sent, 1)
    if (fault !== undefined) return refuse(fault)
    const bytes = Buffer.byteLength(JSON.stringify(sent))
    return bytes > MAX_JSON_BYTES
      ? refuse(`may have at most ${MAX_JSON_BYTES / 1024} KiB of JSON`)
      : accept(sent as JsonValue)
  })
}

function faultIn(value: unknown, depth: number): string | undefined {
  if (typeof value === 'number') return isRounded(value) ? numberFault(String(value)) : undefined
  if (typeof value === 'string') return value.isWellFormed() ? undefined : HALF_PAIR
  if (typeof value !== 'object' || value === null) return undefined
  const number = textOfNumber(value)
  if (number !== undefined) return numberFault(number)
  if (depth > MAX_JSON_DEPTH) return `may be nested at most ${MAX_JSON_DEPTH} deep`
  if (!Array.isArray(value)) {
    for (const name of Object.keys(value)) {
      if (FORBIDDEN_KEYS.has(name)) return `must not have a member ${name}`
      if (!name.isWellFormed()) return HALF_PAIR
    }
  }

  const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  for (const item of items) {
    const fault = faultIn(item, depth + 1)
    if (fault !== undefined) return fault
  }
  return undefined
}

function isRounded(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value)
}

function numberFault(number: string): string {
  return `has the number ${number.slice(0, 40)}, which a 64-bit floating-point number may round; send it as a string`
}

const HALF_PAIR = 'contains half of a surrogate pair, which is not text'

// Paths into the value of a JSON column, as a qry names them: $.address.city, $.lines[0].price, $["a.b"].
//
// A member of a list is looked for in each of its objects: $.lines.price is every price. A path therefore visits each part
// of a value at most once, and MAX_JSON_BYTES bounds the time of one condition. MAX_JSON_PATHS bounds the conditions.

import { MAX_JSON_DEPTH } from '../shared/limits.ts'
import type { JsonPath, JsonValue } from './values.ts'

/** Paths of one qry. With 16 paths, a value of the maximum size took 12 to 31 ms. */
export const MAX_JSON_PATHS = 16

const STEP = /\.([^.[\]"$]+)|\[(\d{1,6})\]|\[("(?:[^"\\]|\\.)*")\]/y

/** Undefined unless the text is a path of at most MAX_JSON_DEPTH steps. */
export function parseJsonPath(text: string): JsonPath | undefined {
  if (!text.startsWith('$')) return undefined
  const path: (string | number)[] = []
  for (let at = 1; at < text.length; at = STEP.lastIndex) {
    STEP.lastIndex = at
    const [whole, name, position, quoted] = STEP.exec(text) ?? []
    if (whole === undefined || path.length === MAX_JSON_DEPTH) return undefined
    const step = quoted === undefined ? name : nameIn(quoted)
    if (position === undefined && step === undefined) return undefined
    path.push(position === undefined ? (step ?? '') : Number(position))
  }
  return path.length === 0 ? undefined : path
}

function nameIn(quoted: string): string | undefined {
  try {
    return String(JSON.parse(quoted))
  } catch {
    return undefined
  }
}

/** The values at the path: none, one, or one for each object of a list. Null counts as none. */
export function valuesAt(value: JsonValue, path: JsonPath): readonly JsonValue[] {
  const found: JsonValue[] = []
  collect(value, { path, from: 0, found })
  return found
}

interface Walk {
  readonly path: JsonPath
  /** The next step. */
  readonly from: number
  readonly found: JsonValue[]
}

function collect(value: JsonValue, { path, from, found }: Walk): void {
  const step = path[from]
  if (value === null) return
  if (step === undefined) found.push(value)
  if (step === undefined || typeof value !== 'object') return
  if (Array.isArray(value) && typeof step === 'string') {
    const walk = { path, from, found }
    for (const item of value as readonly JsonValue[]) if (!Array.isArray(item)) collect(item, walk)
  } else if (Object.hasOwn(value, step) && Array.isArray(value) === (typeof step === 'number')) {
    const members = value as Readonly<Record<string, JsonValue>>
    collect(members[step] ?? null, { path, from: from + 1, found })
  }
}

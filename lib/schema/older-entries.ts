// Entries that are older than the present layout: the values of columns that were added later, and the bytes that an entry
// gains when it is converted.

import { MAX_EXPRESSION_TEXT } from '../shared/limits.ts'
import { type Column, defaultValue, isNow } from './columns/column.ts'
import { growthBytes } from './columns/converted-value.ts'
import { longestText } from './columns/rule-step.ts'
import { conversionsOf, LAYOUT_MEMBER, type Layout, type LayoutColumn } from './layout.ts'
import { EXAMPLE_DATE } from './object.ts'
import type { JsonObject, JsonValue, Stored } from './values.ts'

/** Value of a column in entries that are older than the column: its default. */
export function fillOf(column: LayoutColumn): (record: JsonObject) => JsonValue {
  const convert = conversionsOf(column)
  return (record) => convert(firstFillOf(column, record), 0)
}

/** The value in the first form of the column. */
export function firstFillOf({ column, fill, forms }: LayoutColumn, record: JsonObject): JsonValue {
  const [, first] = forms?.[0] ?? [0, column]
  if (fill === null) return first.references?.isMany === true ? [] : null
  if (!isNow(fill)) return defaultValue(first, fill)
  const added = String(record['date_added'])
  return first.type === 'D' ? added.slice(0, 10) : added
}

/** Whether the bytes of an entry end with this number of a layout. */
export function isPresent(tail: Buffer, bytes: Buffer): boolean {
  const end = bytes.length - tail.length
  return end > 0 && bytes.compare(tail, 0, tail.length, end) === 0
}

/** See EntryType.fillBytes. */
export function fillBytesOf(
  layout: Layout,
  tailBytes: Buffer,
): ((stored: Stored) => number) | undefined {
  const changes = layout.columns.flatMap((item) => {
    const { column, since, names, forms = [] } = item
    const nameBytes = Buffer.byteLength(column.name) + '"":,'.length
    const filled = firstFillOf(item, { date_added: EXAMPLE_DATE })
    const fillBytes = Buffer.byteLength(JSON.stringify(filled))
    const [first, ...renames] = names.map(([number]) => ({ number, bytes: nameBytes }))
    const conversions = forms.slice(1).map(([number, to], at) => ({
      number,
      bytes: growthBytes({ from: forms[at]?.[1] ?? to, to }),
    }))
    const added = { number: first?.number ?? since, bytes: nameBytes + fillBytes }
    const computed = column.computed === undefined ? [] : [computedGrowth(layout, column)]
    return [added, ...renames, ...conversions, ...computed]
  })
  if (changes.every(({ number }) => number <= 1)) return undefined
  const known = new Map<number, number>()

  return (stored) => {
    if (isPresent(tailBytes, stored.bytes)) return 0
    const from = Number(stored.value[LAYOUT_MEMBER])
    const later = changes.filter(({ number }) => number > from)
    const fillBytes = known.get(from) ?? later.reduce((sum, change) => sum + change.bytes, 0)
    known.set(from, fillBytes)
    return fillBytes
  }
}

/** The value is computed again in every later layout. */
function computedGrowth({ number }: Layout, column: Column) {
  const characters = Math.min(longestText(column), MAX_EXPRESSION_TEXT)
  return { number, bytes: Buffer.byteLength(column.name) + COMPUTED_BYTES + characters * 4 }
}

/** The name, a number or a date, and the signs around them. */
const COMPUTED_BYTES = 120

// Checks typed values before they are sent: JSON, so that the error names the line and the text is not stored as a string,
// and numbers that could mean two values.

import { readValue } from '../../../shared/value-text.ts'
import { fill } from '../../texts/fill.ts'
import type { Speech } from '../../texts/use-texts.ts'
import type { Column } from '../data/table.ts'
import { pageMark, withPoint } from './decimal-mark.ts'
import { type EntryField, isDecimal } from './fields.ts'

/** Undefined for valid or no JSON, and for columns of other types. */
export function jsonFault(
  { column }: { readonly column: Pick<Column, 'type'> | undefined },
  typed: string,
  { entries: { form } }: Speech['t'],
): string | undefined {
  const text = typed.trim()
  if (column?.type !== 'JSON' || text === '' || readValue('json', text) !== undefined)
    return undefined
  const place = placeOf(typed)
  if (place === 'none') return form.inexactJson
  return place === undefined ? form.badJson : fill(form.badJsonAt, place)
}

/** The place of a syntax error as the browser reports it; undefined if it reports none. */
function placeOf(
  text: string,
): { readonly line: string; readonly column: string } | 'none' | undefined {
  try {
    JSON.parse(text)
    return 'none'
  } catch (error) {
    const message = String(error)
    const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? []
    if (line !== undefined && column !== undefined) return { line, column }
    const [, position] = /position (\d+)/.exec(message) ?? []
    if (position === undefined) return undefined
    const before = text.slice(0, Number(position)).split('\n')
    return { line: String(before.length), column: String((before.at(-1) ?? '').length + 1) }
  }
}

export function typedFault(field: EntryField, typed: string, t: Speech['t']): string | undefined {
  if (isDecimal(field) && withPoint(typed, pageMark()) === undefined)
    return fill(t.entries.form.ambiguousNumber, { text: typed.trim() })
  return jsonFault(field, typed, t)
}

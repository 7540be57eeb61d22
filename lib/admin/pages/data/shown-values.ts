// ENUM values as users write them: a, b, c. Values with commas or quotes are written as in the schema: 'a,
// b','it''s'.

import { quoted } from '../../../shared/schema-tokens.ts'
import { valuesOf } from './schema-columns.ts'

export function shownValues(list: string): string {
  const values = valuesOf(list) ?? []
  const isPlain = values.every((value) => /^[^\s,'"](?:[^,'"]*[^\s,'"])?$/.test(value))
  return isPlain ? values.join(', ') : list
}

/** The text for the parentheses of the schema; undefined if it is empty or has duplicates. */
export function listOfValues(text: string): string | undefined {
  if (/^\s*['"]/.test(text)) return valuesOf(text) === undefined ? undefined : text.trim()
  const values = text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '')
  const list = values.map(quoted).join(',')
  return valuesOf(list) === undefined ? undefined : list
}

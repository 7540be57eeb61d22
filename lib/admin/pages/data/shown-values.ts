// What an ENUM allows, as people write it: a, b, c. Where a value has a comma or a quote in it, as the schema does:
// 'a, b','it''s'.

import { parseValues } from './schema-columns.ts'
import { quoted } from './schema-tokens.ts'

export function shownValues(list: string): string {
  const values = parseValues(list) ?? []
  const isPlain = values.every((value) => /^[^\s,'"](?:[^,'"]*[^\s,'"])?$/.test(value))
  return isPlain ? values.join(', ') : list
}

/** As it stands in the parentheses of the schema; undefined: there is none, or one twice. */
export function listOfValues(text: string): string | undefined {
  if (/^\s*['"]/.test(text)) return parseValues(text) === undefined ? undefined : text.trim()
  const values = text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '')
  const list = values.map(quoted).join(',')
  return parseValues(list) === undefined ? undefined : list
}

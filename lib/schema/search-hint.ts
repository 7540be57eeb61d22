// Suggests another search if a search found nothing because it was written for another system: with * or % as
// wildcards, or in another case. The hint depends only on the search, so it reveals nothing about stored
// records.

import type { FieldMatch, Match } from './match.ts'

const WILDCARDS = /[*%]/
const LETTERS = /\p{L}/u

/** Undefined if the search is neither. */
export function searchHint(match: Match | undefined): string | undefined {
  const asked = match === undefined ? [] : textsIn(match)
  const wild = asked.find(({ text }) => WILDCARDS.test(text))
  if (wild !== undefined) return hintOfWildcards(wild)
  const exact = asked.find(({ isExact, text }) => isExact && LETTERS.test(text))
  return exact && hintOfCase(exact)
}

interface Asked {
  /** Undefined: table_filter, which searches many fields. */
  readonly field: string | undefined
  readonly text: string
  /** Anchors before and after the text in a pattern that matches the same. */
  readonly ends: readonly [string, string]
  readonly isExact: boolean
}

/** Operators that find a part of a text; equality compares the whole text. */
const ENDS: Readonly<Record<string, Asked['ends']>> = {
  contains: ['', ''],
  startsWith: ['^', ''],
  endsWith: ['', '$'],
}
const WHOLE: Asked['ends'] = ['^', '$']

function textsIn(match: Match): readonly Asked[] {
  switch (match.op) {
    case 'and':
    case 'or':
      return match.parts.flatMap(textsIn)
    case 'not':
      return []
    case 'text':
      return [{ field: undefined, text: match.text, ends: WHOLE, isExact: false }]
    default:
      return textsOf(match)
  }
}

function textsOf(match: FieldMatch): readonly Asked[] {
  const { field } = match
  if (field.kind !== 'string') return []
  const ask = (text: unknown, ends: Asked['ends']): readonly Asked[] =>
    typeof text === 'string' ? [{ field: field.name, text, ends, isExact: true }] : []
  if (match.op === 'eq') return ask(match.value, WHOLE)
  if (match.op === 'in') return match.values.flatMap((value) => ask(value, WHOLE))
  return 'text' in match ? ask(match.text, ENDS[match.op] ?? WHOLE) : []
}

function hintOfWildcards({ field, text }: Asked): string {
  const plain = text.replaceAll(/[*%]+/g, '')
  const said = `${JSON.stringify(text)} was searched literally: * and % are not wildcards.`
  if (field === undefined) return `${said} table_filter finds a text at any position: ${plain}`
  return `${said} Search for a part, ${askFor(field, { $contains: plain })}, or for a pattern, ${askFor(field, { $regex: patternOf(text) })}`
}

function hintOfCase({ field = '', text, ends: [before, after] }: Asked): string {
  const pattern = before + patternOf(text) + after
  const anyCase = askFor(field, { $regex: pattern, $options: 'i' })
  const part = before + after === '' ? '' : `, or for a part, ${askFor(field, { $contains: text })}`
  return `${field} is compared with case. To ignore case, use ${anyCase}${part}`
}

function patternOf(text: string): string {
  return text.replaceAll(/[\\^$.+?()[\]{}|]/g, String.raw`\$&`).replaceAll(/[*%]+/g, '.*')
}

function askFor(field: string, match: object): string {
  return `qry=${JSON.stringify({ [field]: match })}`
}

// How to ask instead, for a search that has found nothing because it was written as for another system: with * or % for
// any text, or in another case. What it says follows from the search alone, so it tells nothing of what is stored.

import type { FieldMatch, Match } from './match.ts'

const WILDCARDS = /[*%]/
const LETTERS = /\p{L}/u

/** Undefined: the search is none of these. */
export function searchHint(match: Match | undefined): string | undefined {
  const asked = match === undefined ? [] : textsIn(match)
  const wild = asked.find(({ text }) => WILDCARDS.test(text))
  if (wild !== undefined) return hintOfWildcards(wild)
  const exact = asked.find(({ isExact, text }) => isExact && LETTERS.test(text))
  return exact && hintOfCase(exact)
}

interface Asked {
  /** Undefined: many fields, by table_filter. */
  readonly field: string | undefined
  readonly text: string
  /** Before and after the text in a pattern that matches the same. */
  readonly ends: readonly [string, string]
  readonly isExact: boolean
}

/** The operators that find a part of a text; equality compares all of it. */
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
  const said = `${JSON.stringify(text)} is looked for as it stands: * and % are no wildcards.`
  if (field === undefined) return `${said} table_filter finds a text wherever it stands: ${plain}`
  return `${said} Ask for a part, ${askFor(field, { $contains: plain })}, or for a pattern, ${askFor(field, { $regex: patternOf(text) })}`
}

function hintOfCase({ field = '', text, ends: [before, after] }: Asked): string {
  const pattern = before + patternOf(text) + after
  const anyCase = askFor(field, { $regex: pattern, $options: 'i' })
  const part = before + after === '' ? '' : `, or for a part, ${askFor(field, { $contains: text })}`
  return `${field} is compared as it is written, in capital and small letters too. Ask whatever the case, ${anyCase}${part}`
}

function patternOf(text: string): string {
  return text.replaceAll(/[\\^$.+?()[\]{}|]/g, String.raw`\$&`).replaceAll(/[*%]+/g, '.*')
}

function askFor(field: string, match: object): string {
  return `qry=${JSON.stringify({ [field]: match })}`
}

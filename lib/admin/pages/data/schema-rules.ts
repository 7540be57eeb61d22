// Reads and sets the rules of a column in a schema text: MIN, MAX, LENGTH and MATCH.

import type { RuleWord, TypeCode } from '../../../shared/column-types.ts'
import { type Kind, typeOf } from './column-types.ts'
import { lastOf, type SchemaColumn } from './schema-columns.ts'
import { apply, span, written } from './text-edits.ts'

type LimitWord = Exclude<RuleWord, 'COMPUTED'>

const ORDERED: readonly Kind[] = ['integer', 'number', 'date', 'time']

/** The rules that a column of this type may have. */
export function rulesOf(code: TypeCode): readonly LimitWord[] {
  const type = typeOf(code)
  if (ORDERED.includes(type.kind)) return ['MIN', 'MAX']
  return type.kind === 'text' ? ['LENGTH', 'MATCH'] : []
}

/** Sets the argument of a rule; an empty one removes the rule. */
export function setRule(
  text: string,
  { parts }: SchemaColumn,
  { rule, value }: { readonly rule: RuleWord; readonly value: string },
): string {
  const tokens = parts.rules.get(rule)
  const by = rule === 'LENGTH' ? value : written(value)
  if (tokens !== undefined) {
    const [, argument] = tokens
    const edit = { start: argument.start, end: argument.end, by }
    return apply(text, [value === '' ? span(parts.piece, tokens) : edit])
  }
  const { end } = lastOf(parts.piece)
  return value === '' ? text : apply(text, [{ start: end, end, by: ` ${rule} ${by}` }])
}

/** Whether the server may accept the argument of a rule; an empty text removes the rule. */
export function isArgument(rule: LimitWord, text: string): boolean {
  if (rule === 'LENGTH') return /^(?:\d{1,9}(?:\.\.(?:\d{1,9})?)?|\.\.\d{1,9})?$/.test(text)
  return rule === 'MATCH' || /^(?:[-+.\d].*)?$/.test(text)
}

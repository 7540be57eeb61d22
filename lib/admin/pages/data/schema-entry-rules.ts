// The rules of whole entries in a schema text, which stand between the columns: CHECK(price > 0) and UNIQUE(a, b).

import { type ColumnTokens, isEntryRule, splitColumns } from '../../../shared/schema-tokens.ts'
import { addColumn, dropColumn } from './schema-edit.ts'
import { apply } from './text-edits.ts'

export const ENTRY_RULES = ['CHECK', 'UNIQUE'] as const

export type EntryRuleWord = (typeof ENTRY_RULES)[number]

export interface EntryRule {
  readonly word: EntryRuleWord
  /** The text in the parentheses. */
  readonly argument: string
  readonly piece: ColumnTokens
}

export function readEntryRules(text: string): readonly EntryRule[] {
  return splitColumns(text).flatMap((piece) => {
    const [word, argument, ...rest] = piece
    if (!isEntryRule(piece) || argument === undefined || rest.length > 0) return []
    const found = ENTRY_RULES.find((each) => each === word.text.toUpperCase())
    return found === undefined ? [] : [{ word: found, argument: argument.text.trim(), piece }]
  })
}

export function setEntryRule(text: string, { piece }: EntryRule, argument: string): string {
  const [, { start, end } = piece[0]] = piece
  return apply(text, [{ start, end, by: `(${argument})` }])
}

export function addEntryRule(text: string, word: EntryRuleWord, argument: string): string {
  return addColumn(text, `${word}(${argument})`)
}

export function dropEntryRule(text: string, { piece }: EntryRule): string {
  return dropColumn(text, { parts: { piece } })
}

/** Texts and names in quotes. */
const QUOTED = /'[^']*'|"[^"]*"|`[^`]*`/g

/** Whether the text stays inside its parentheses, and is not empty. The server checks the expression. */
export function isInside(word: EntryRuleWord, argument: string): boolean {
  const written = `${word}(${argument})`
  const [rule, ...others] = readEntryRules(written)
  // An open quotation mark would take in what follows.
  if (/['"`]/.test(argument.replaceAll(QUOTED, ''))) return false
  return (
    others.length === 0 &&
    rule?.argument === argument &&
    rule.argument !== '' &&
    rule.piece[1]?.end === written.length
  )
}

/** The columns of UNIQUE, which are at least two different ones; undefined for another text. */
export function columnsIn(
  argument: string,
  names: readonly string[],
): readonly string[] | undefined {
  const found = argument.split(',').map((part) => {
    const name = part.trim().toLowerCase()
    return names.find((each) => each.toLowerCase() === name)
  })
  const known = new Set(found.filter((name) => name !== undefined))
  return known.size === found.length && known.size > 1 ? [...known] : undefined
}

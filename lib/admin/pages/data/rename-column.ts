// Renames a column in a schema text, also where CHECK, UNIQUE and COMPUTED use the name. The rest of the text stays as
// written.

import { EXPRESSION_WORDS, scanExpression } from '../../../shared/expression-scan.ts'
import { closerOf, type Token } from '../../../shared/schema-tokens.ts'
import { readSchema, type SchemaColumn } from './schema-columns.ts'
import { readEntryRules } from './schema-entry-rules.ts'
import { apply, type Edit } from './text-edits.ts'

interface Names {
  readonly from: string
  readonly to: string
}

/** An expression that cannot be split into tokens stays as it is; the server reports its fault. */
export function renameColumn(
  text: string,
  { name: from, parts }: SchemaColumn,
  to: string,
): string {
  const [{ start, end }] = parts.piece
  const names = { from, to }
  const rules = readEntryRules(text).flatMap(({ word, piece: [, token] }) => {
    if (token === undefined || token.isUnclosed) return []
    // The text of these parentheses is read without doubled characters.
    const inside = text.slice(token.start + 1, token.end - 1)
    const by = word === 'CHECK' ? renameInExpression(inside, names) : renameInList(inside, names)
    return [{ start: token.start + 1, end: token.end - 1, by }]
  })
  const computed = readSchema(text).columns.flatMap((column) => {
    const argument = column.parts.rules.get('COMPUTED')?.[1]
    return argument === undefined ? [] : renameInArgument(argument, names)
  })
  return apply(text, [{ start, end, by: to }, ...rules, ...computed])
}

/** The argument keeps its quotes, whose closing character is doubled inside. */
function renameInArgument({ text, quote, start, end }: Token, names: Names): readonly Edit[] {
  const renamed = renameInExpression(text, names)
  // The server rejects an argument without quotes.
  if (renamed === text || quote === '') return []
  const closer = closerOf(quote)
  return [{ start, end, by: quote + renamed.replaceAll(closer, closer + closer) + closer }]
}

function renameInExpression(expression: string, { from, to }: Names): string {
  const { parts, fault } = scanExpression(expression)
  if (fault !== undefined) return expression
  const edits = parts.flatMap(({ kind, text, start, end }, at): readonly Edit[] => {
    const isCall = kind === 'name' && parts[at + 1]?.text === '(' && parts[at + 1]?.kind === 'sign'
    const isName = kind === 'quoted' || (kind === 'name' && !isCall && isPlain(text))
    if (!isName || !isSame(text, from)) return []
    const mark = expression.charAt(start)
    const isQuoted = kind === 'quoted' && isPlain(from)
    if (isPlain(to) && !isQuoted) return [{ start, end, by: to }]
    return [{ start, end, by: kind === 'quoted' ? mark + to + mark : `"${to}"` }]
  })
  return apply(expression, edits)
}

/** Whether an expression may have the name without quotes. */
function isPlain(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !EXPRESSION_WORDS.has(name.toUpperCase())
}

function renameInList(list: string, { from, to }: Names): string {
  return list.replaceAll(/[^\s,"`]+/g, (name) => (isSame(name, from) ? to : name))
}

/** Case is ignored, as on the server. */
function isSame(name: string, other: string): boolean {
  return name.toLowerCase() === other.toLowerCase()
}

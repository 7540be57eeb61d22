// table_schema: the columns of a module in the syntax of the ADOdb data dictionary.
//
//   schema := item { "," item }
//   item := column | CHECK "(" expression ")" | UNIQUE "(" name { "," name } ")"
//   column := name type [ size ] { option | rule value }
//
// Valid ADOdb input is accepted. Input that ADOdb drops or misreads silently is rejected, with the column, the
// token and a correction.

import { pointer, refuseFaults, refuseField } from '../check.ts'
import { MAX_COLUMNS } from '../../shared/column-types.ts'
import type { Column } from './column.ts'
import { checkPattern, matchFault } from './column-rules.ts'
import { readColumn } from './column-text.ts'
import { aloneIn, type NamedColumn, readSharedKeys } from './named-columns.ts'
import { findWarnings } from './warnings.ts'
import {
  isColumnName,
  isEntryKey,
  isEntryRule,
  splitColumns,
  type Token,
} from '../../shared/schema-tokens.ts'
import type { Fields } from '../object.ts'
import { columnField } from './column-field.ts'
import { expressionFields, readChecks, readComputed, type RuleItem } from './table-rules.ts'
import { readUniques } from './unique-rules.ts'
import { isBare, show, unseenHint, type Report } from './tokens.ts'

const FIELD = 'table_schema'
const MAX_CHARS = 65_536

const NAME_RULE =
  'a name has only letters A-Z, digits and _, at most 63 characters, and not only digits'
/** Properties that every object has: an entry without such a column would seem to have a value. */
const UNSAFE_NAMES = ['prototype', ...Object.getOwnPropertyNames(Object.prototype)]

/** Maximum tokens of one column, because each unknown word is reported separately. */
const MAX_TOKENS = 32

interface Names {
  /** In lower case. */
  readonly reserved: ReadonlySet<string>
  /** Names in lower case, each with the number of its column. */
  readonly taken: Map<string, number>
}

export interface ParsedSchema {
  /** In order; empty if the text has no columns. */
  readonly columns: readonly Column[]
  /** The expressions of CHECK rules, as written. */
  readonly checks: readonly string[]
  /** The names of columns that are unique together: UNIQUE(a, b). */
  readonly uniques: readonly (readonly string[])[]
  /** Complete sentences. */
  readonly warnings: readonly string[]
}

/**
 * Throws invalid-content with all faults of the text. `reserved` names are rejected in any case. `base` has the fields
 * that every entry has, for expressions. Takes time in proportion to the text.
 */
export function parseTableSchema(
  text: string,
  reserved: ReadonlySet<string>,
  base: Fields = {},
): ParsedSchema {
  checkText(text)
  const names: Names = {
    reserved: new Set([...reserved, ...UNSAFE_NAMES].map((name) => name.toLowerCase())),
    taken: new Map(),
  }
  const details: string[] = []
  const read: NamedColumn[] = []

  const pieces = splitColumns(text)
  // One more for the key of an entry, which is not a column. Reading thousands of wrong columns would take too
  // long.
  if (pieces.length > MAX_COLUMNS + 1) refuseField(FIELD, tooMany(pieces.length))
  const long = pieces.findIndex((tokens) => tokens.length > MAX_TOKENS)
  if (long !== -1)
    refuseField(
      FIELD,
      `column ${long + 1} has more than ${MAX_TOKENS} words; separate columns with commas`,
    )
  const items = pieces.map((tokens, index) => {
    const [{ text: name }] = tokens
    const report: Report = (detail) => {
      details.push(`column ${index + 1} ${show(name)}: ${detail}`)
    }
    return { tokens, index, name, report }
  })
  for (const { tokens, index, name, report } of items) {
    if (isEntryRule(tokens)) continue
    const number = index + 1
    const isKey = index === 0 && isEntryKey(tokens)
    if (!isKey && !checkName({ tokens, number, names, report })) continue
    const found = readColumn({ tokens, report })
    if (found !== undefined) read.push({ ...found, name, isKey, report })
  }

  const shared = readSharedKeys(read)
  const columns = read.flatMap(({ column, isKey }) => (isKey ? [] : [aloneIn(shared, column)]))
  if (columns.length > MAX_COLUMNS) details.push(tooMany(columns.length))
  const slow = matchFault(columns)
  if (slow !== undefined) details.push(slow)
  else for (const { column, report } of read) checkPattern(column, report)
  const own = Object.fromEntries(columns.map((column) => [column.name, columnField(column)]))
  const fields = { ...base, ...own }
  const rules = (word: string): readonly RuleItem[] =>
    items.filter(({ tokens, name }) => isEntryRule(tokens) && name.toUpperCase() === word)
  const computed = readComputed(read, own, expressionFields(fields))
  const checks = readChecks(rules('CHECK'), expressionFields(fields), computed, (fault) => {
    details.push(fault)
  })
  const uniques = readUniques(rules('UNIQUE'), shared, fields)
  refuseFaults(details.map((detail) => ({ pointer: pointer(FIELD), detail })))
  return { columns, checks, uniques, warnings: findWarnings(columns, read) }
}

function tooMany(count: number): string {
  return `there are ${count} columns; at most ${MAX_COLUMNS} are allowed`
}

function checkText(text: string): void {
  if (text.length > MAX_CHARS) refuseField(FIELD, `may have at most ${MAX_CHARS} characters`)
  if (!text.isWellFormed())
    refuseField(FIELD, 'contains half of a surrogate pair, which is not text')
}

interface Named {
  readonly tokens: readonly Token[]
  readonly number: number
  readonly names: Names
  readonly report: Report
}

/** Whether the rest of the column should be read. */
function checkName({ tokens, number, names, report }: Named): boolean {
  const [token, next] = tokens
  const name = token?.text ?? ''
  const unseen = unseenHint(name)
  if (unseen !== '') {
    report(`the name has${unseen.slice(1)}`)
    return false
  }
  if (next?.quote === '' && !isBare(next)) {
    report(`${show(next.text)} is not allowed here${unseenHint(next.text) || `; ${NAME_RULE}`}`)
    return false
  }

  const folded = name.toLowerCase()
  const first = names.taken.get(folded)
  if (!isColumnName(name)) report(NAME_RULE)
  else if (names.reserved.has(folded)) report('the name is reserved; choose another name')
  else if (first !== undefined)
    report(`the name is already used by column ${first} (case is ignored); choose another name`)
  else names.taken.set(folded, number)
  return true
}

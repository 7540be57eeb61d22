// table_schema: the text of the ADOdb data dictionary that says which columns a module has.
//
//   schema := column { "," column }
//   column := name type [ size ] { option }
//
// What ADOdb accepts and makes sense is accepted. What it drops or misreads in silence is refused, with
// the column, the token and what to write: a schema means here what it says.

import { pointer, refuseFaults, refuseField } from '../check.ts'
import { COLUMN_TYPES, type Column, findType, MAX_COLUMNS } from './column.ts'
import { ENTRY_KEY_WORDS } from './column-options.ts'
import { readColumn } from './column-text.ts'
import { type NamedOptions, refuseSharedKeys } from './shared-keys.ts'
import { isBare, show, splitColumns, type Token, unseenHint, type Report } from './tokens.ts'
import { findWarnings } from './warnings.ts'

const FIELD = 'table_schema'
const MAX_CHARS = 65_536

/** Not digits alone: a JSON object has such names before all others, whatever the order of the columns. */
const NAME = /^(?!\d+$)[A-Za-z0-9_]{1,63}$/
const NAME_RULE =
  'a name has letters A-Z, digits and _ alone, no blank or dash, at most 63 of them and not only digits'
/** What every object has: an entry without such a column would seem to have a value in it. */
const UNSAFE_NAMES = ['prototype', ...Object.getOwnPropertyNames(Object.prototype)]

// The schema of an existing table begins with its key, which every entry has here anyway.
const KEY_NAMES: ReadonlySet<string> = new Set(['datatable_entry_id', 'calendar_entry_id'])

/** Of one column: each word that is no option gets a message of its own. */
const MAX_TOKENS = 32

interface Names {
  /** In lower case. */
  readonly reserved: ReadonlySet<string>
  /** In lower case, with the number of the column that has it. */
  readonly taken: Map<string, number>
}

export interface ParsedSchema {
  /** In their order; none where the text has none. */
  readonly columns: readonly Column[]
  /** In whole sentences. */
  readonly warnings: readonly string[]
}

/**
 * Throws invalid-content with all faults of the text. `reserved` names are refused in any case. Takes
 * time in proportion to the text.
 */
export function parseTableSchema(text: string, reserved: ReadonlySet<string>): ParsedSchema {
  checkText(text)
  const names: Names = {
    reserved: new Set([...reserved, ...UNSAFE_NAMES].map((name) => name.toLowerCase())),
    taken: new Map(),
  }
  const details: string[] = []
  const read: NamedOptions[] = []

  const pieces = splitColumns(text)
  // With the key of an entry, which is no column. To read thousands of wrong ones takes long.
  if (pieces.length > MAX_COLUMNS + 1) refuseField(FIELD, tooMany(pieces.length))
  const long = pieces.findIndex((tokens) => tokens.length > MAX_TOKENS)
  if (long !== -1)
    refuseField(
      FIELD,
      `column ${long + 1} has more than ${MAX_TOKENS} words; separate columns by commas`,
    )
  const columns = pieces.flatMap((tokens, index) => {
    const number = index + 1
    const name = tokens[0]?.text ?? ''
    const report: Report = (detail) => {
      details.push(`column ${number} ${show(name)}: ${detail}`)
    }
    const isKey = index === 0 && isEntryKey(tokens)
    if (!isKey && !checkName({ tokens, number, names, report })) return []
    const found = readColumn({ tokens, report })
    if (found === undefined) return []
    read.push({ name, options: found.options, report })
    return isKey ? [] : [found.column]
  })

  refuseSharedKeys(read)
  if (columns.length > MAX_COLUMNS) details.push(tooMany(columns.length))
  refuseFaults(details.map((detail) => ({ pointer: pointer(FIELD), detail })))
  return { columns, warnings: findWarnings(columns, read) }
}

function tooMany(count: number): string {
  return `there are ${count} columns; at most ${MAX_COLUMNS} are possible`
}

function checkText(text: string): void {
  if (text.length > MAX_CHARS) refuseField(FIELD, `may have at most ${MAX_CHARS} characters`)
  if (!text.isWellFormed()) refuseField(FIELD, 'holds half of a surrogate pair, which is not text')
}

function isEntryKey([name, type, ...options]: readonly Token[]): boolean {
  const code = findType(type?.text ?? '')
  return (
    KEY_NAMES.has(name?.text.toLowerCase() ?? '') &&
    code !== undefined &&
    COLUMN_TYPES[code].kind === 'integer' &&
    [type, ...options].some((token) => ENTRY_KEY_WORDS.has(token?.text.toUpperCase() ?? ''))
  )
}

interface Named {
  readonly tokens: readonly Token[]
  readonly number: number
  readonly names: Names
  readonly report: Report
}

/** Whether the rest of the column is worth reading. */
function checkName({ tokens, number, names, report }: Named): boolean {
  const [token, next] = tokens
  const name = token?.text ?? ''
  const unseen = unseenHint(name)
  if (unseen !== '') {
    report(`the name has${unseen.slice(1)}`)
    return false
  }
  if (next?.quote === '' && !isBare(next)) {
    report(`${show(next.text)} cannot stand here${unseenHint(next.text) || `; ${NAME_RULE}`}`)
    return false
  }

  const folded = name.toLowerCase()
  const first = names.taken.get(folded)
  if (!NAME.test(name)) report(NAME_RULE)
  else if (names.reserved.has(folded)) report('the name is reserved; choose another one')
  else if (first !== undefined)
    report(`the name is that of column ${first}, too (case does not count); choose another one`)
  else names.taken.set(folded, number)
  return true
}

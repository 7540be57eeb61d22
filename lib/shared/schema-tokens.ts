// table_schema → the tokens of each column, by the rules of ADOdb:
//
//   blank, tab, CR, LF     separate tokens
//   ,                      ends a column; a column without tokens is skipped
//   A-Z a-z 0-9 _ . -      form a bare token
//   '…' "…" `…` (…)        one token: the text inside, commas and blanks included; a doubled closer stands
//                          for one, and a parenthesis inside another one has no meaning
//   any other character    a token of its own
//
//   CHECK(…)               at the beginning of a column: the expression up to its closing parenthesis, see
//                          schema/expressions/
//
// Three things differ from ADOdb. ADOdb silently extends an unclosed quote to the end of the text; here the token is
// marked. ADOdb forgets how a token was quoted; here the quote is kept. And ADOdb ends a list of values at a
// parenthesis inside a value; here ENUM('x(1)','y') is read as its author meant it.

import {
  AUTO_WORDS,
  COLUMN_TYPES,
  findType,
  KEY_WORDS,
  MAX_DIGITS,
  MAX_LENGTH,
  optionKind,
  type RuleWord,
  ruleWord,
  SERIAL_TYPE,
} from './column-types.ts'

export interface Token {
  /** Without the quotes. */
  readonly text: string
  /** The opening quote or parenthesis; empty for a bare token. */
  readonly quote: string
  /** Positions of the whole token in the text of the schema, quotes included. */
  readonly start: number
  readonly end: number
  readonly isUnclosed: boolean
}

/** The tokens of one column. */
export type ColumnTokens = readonly [Token, ...Token[]]

const CLOSERS: ReadonlyMap<string, string> = new Map([
  ["'", "'"],
  ['"', '"'],
  ['`', '`'],
  ['(', ')'],
])

const BLANKS = ' \t\r\n'
const BARE = /[A-Za-z0-9_.-]*/y

/** Linear time; never throws. */
export function splitColumns(text: string): readonly ColumnTokens[] {
  const columns: Token[][] = [[]]
  for (let at = 0; at < text.length; ) {
    const first = text.charAt(at)
    if (first === ',') columns.push([])
    if (first === ',' || BLANKS.includes(first)) {
      at += 1
      continue
    }
    const isStart = columns.at(-1)?.length === 0
    const tokens = (isStart ? readCheck(text, at) : undefined) ?? [readToken(text, at)]
    columns.at(-1)?.push(...tokens)
    at = tokens.at(-1)?.end ?? text.length
  }
  return columns.flatMap(([first, ...others]) =>
    first === undefined ? [] : [[first, ...others] as const],
  )
}

const CHECK = /check[ \t\r\n]*\(/iy
/** A text, a name in quotes, or any other character of an expression. */
const PART = /'[^']*(?:''[^']*)*'|"[^"]*"|`[^`]*`|[\s\S]/y

/**
 * The word CHECK and the expression in its parentheses. No column can begin like this: its type would be in parentheses.
 * Undefined for anything else.
 */
function readCheck(text: string, start: number): readonly Token[] | undefined {
  CHECK.lastIndex = start
  const [head] = CHECK.exec(text) ?? []
  if (head === undefined) return undefined
  const word = { text: text.slice(start, start + 5), quote: '', start, end: start + 5 }
  const open = start + head.length - 1
  let depth = 0
  let at = open
  while (at < text.length) {
    PART.lastIndex = at
    const [part = ''] = PART.exec(text) ?? []
    at += part.length
    if (part === '(') depth += 1
    if (part === ')') depth -= 1
    if (depth === 0) break
  }
  const isUnclosed = depth > 0
  const inside = text.slice(open + 1, isUnclosed ? at : at - 1)
  return [
    { ...word, isUnclosed: false },
    { text: inside, quote: '(', start: open, end: at, isUnclosed },
  ]
}

/** Whether the tokens are a rule of the whole entry instead of a column. */
export function isEntryRule([word, next]: ColumnTokens): boolean {
  return word.quote === '' && /^(?:check|unique)$/i.test(word.text) && next?.quote === '('
}

export function closerOf(quote: string): string {
  return CLOSERS.get(quote) ?? quote
}

/** Whether the token after a type is its size. ADOdb takes any number, however quoted. */
export function isSize(token: Token | undefined): token is Token {
  if (token === undefined) return false
  return token.quote === '(' || (token.text.trim() !== '' && Number.isFinite(Number(token.text)))
}

/** 'a', 'it''s', "b" → a, it's, b; undefined for any other text. */
export function parseValues(list: string): readonly string[] | undefined {
  const values: string[] = []
  const item = /\s*(?:'([^']*(?:''[^']*)*)'|"([^"]*(?:""[^"]*)*)")\s*(,|$)/y

  for (;;) {
    const found = item.exec(list)
    if (found === null) return undefined
    const [, single, double = '', separator] = found
    values.push(single?.replaceAll("''", "'") ?? double.replaceAll('""', '"'))
    if (separator === '') return values
  }
}

/** A text as a quoted token. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** Not only digits: a JSON object lists such names before all others, whatever the order of the columns. */
const NAME = /^(?!\d+$)[A-Za-z0-9_]{1,63}$/

export function isColumnName(text: string): boolean {
  return NAME.test(text)
}

const ENTRY_KEYS: ReadonlySet<string> = new Set(['datatable_entry_id', 'calendar_entry_id'])
const ENTRY_KEY_WORDS: ReadonlySet<string> = new Set([...KEY_WORDS, ...AUTO_WORDS, SERIAL_TYPE])

/** Whether a first column is the entry identifier, with which the schema of an existing table begins. */
export function isEntryKey([name, type, ...words]: ColumnTokens): boolean {
  const code = findType(type?.text ?? '')
  return (
    ENTRY_KEYS.has(name.text.toLowerCase()) &&
    code !== undefined &&
    COLUMN_TYPES[code].kind === 'integer' &&
    [type, ...words].some((token) => ENTRY_KEY_WORDS.has(token?.text.toUpperCase() ?? ''))
  )
}

interface SplitTokens {
  /** Name, type, and possibly the size. */
  readonly positional: readonly Token[]
  readonly defaults: readonly Token[]
  readonly rest: readonly Token[]
}

/** Extracts defaults before the type or the size, which ADOdb accepts: a DEFAULT 'x' C(20) */
export function splitDefaults(tokens: readonly Token[]): SplitTokens {
  const positional: Token[] = []
  const defaults: Token[] = []
  let at = 0
  while (at < tokens.length && positional.length < 3) {
    const token = tokens[at]
    if (token === undefined) break
    const isDefault = at > 0 && /^def(?:ault)?$/i.test(token.text) && token.quote !== '('
    const taken = isDefault ? tokens.slice(at, at + 2) : [token]
    if (isDefault) defaults.push(...taken)
    else positional.push(token)
    at += taken.length
  }
  return { positional, defaults, rest: tokens.slice(at) }
}

/** The rule that a token begins: a word without quotes. */
export function ruleOf({ quote, text }: Token): RuleWord | undefined {
  return quote === '' ? ruleWord(text) : undefined
}

/** The argument after a rule word at this position; undefined at the end and before another word. */
export function argumentAt(tokens: readonly Token[], at: number): Token | undefined {
  const next = tokens[at + 1]
  if (next === undefined) return undefined
  const isWord = next.quote === '' && (optionKind(next.text) ?? ruleWord(next.text)) !== undefined
  return isWord ? undefined : next
}

/**
 * Whether the token after INDEX is its name. A rule word is the name only if no argument follows: INDEX min, but not INDEX
 * MIN 0.
 */
export function isIndexName(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at]
  if (token === undefined) return false
  return ruleOf(token) === undefined || argumentAt(tokens, at) === undefined
}

/** The size of a text column; undefined if it is not valid. */
export function parseLength(text: string): number | undefined {
  const size = toSize(text)
  return size >= 1 && size <= MAX_LENGTH ? size : undefined
}

/**
 * The size of N; undefined if it is not valid. ADOdb writes N(10.2) and silently drops the SQL form N(10,2), which means
 * the same.
 */
export function parseDigits(text: string): { size: number; scale: number } | undefined {
  const [size = Number.NaN, scale = 0, ...more] = text.split(/[.,]/).map(toSize)
  const isGood = size >= 1 && size <= MAX_DIGITS && scale <= size && more.length === 0
  return isGood ? { size, scale } : undefined
}

/** The number of a size; NaN, which is within no bounds, for anything but digits. */
function toSize(text: string): number {
  return /^\s*\d{1,9}\s*$/.test(text) ? Number(text) : Number.NaN
}

function readToken(text: string, start: number): Token {
  const closer = CLOSERS.get(text.charAt(start))
  if (closer !== undefined) return readList(text, start) ?? readQuoted(text, start, closer)

  BARE.lastIndex = start
  const bare = BARE.exec(text)?.[0] ?? ''
  const found = bare || String.fromCodePoint(text.codePointAt(start) ?? 0)
  return { text: found, quote: '', start, end: start + found.length, isUnclosed: false }
}

const VALUE = String.raw`\s*(?:'[^']*(?:''[^']*)*'|"[^"]*(?:""[^"]*)*")\s*`
const VALUES = new RegExp(`^${VALUE}(?:,${VALUE})*$`)
const LIST = new RegExp(String.raw`\((${VALUE}(?:,${VALUE})*)\)`, 'y')

/** A list with a parenthesis in a value, which the rules of ADOdb would cut; undefined for anything else. */
function readList(text: string, start: number): Token | undefined {
  LIST.lastIndex = start
  const [whole, inside = ''] = LIST.exec(text) ?? []
  if (whole === undefined || !inside.includes(')')) return undefined
  const token = readQuoted(text, start, ')')
  if (!token.isUnclosed && VALUES.test(token.text)) return undefined
  return { text: inside, quote: '(', start, end: start + whole.length, isUnclosed: false }
}

function readQuoted(text: string, start: number, closer: string): Token {
  const quote = text.charAt(start)
  let inside = ''
  for (let at = start + 1; ; ) {
    const end = text.indexOf(closer, at)
    if (end === -1) {
      return { text: inside + text.slice(at), quote, start, end: text.length, isUnclosed: true }
    }
    inside += text.slice(at, end)
    if (text.charAt(end + 1) !== closer) {
      return { text: inside, quote, start, end: end + 1, isUnclosed: false }
    }
    inside += closer
    at = end + 2
  }
}

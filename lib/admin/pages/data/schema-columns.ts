// Parses table_schema into columns, each with the positions of its parts in the text, so that an edit changes only
// one part. A text with errors yields the errors and their positions instead.

import {
  findType,
  type OptionKind,
  optionKind,
  type RuleWord,
  SERIAL_TYPE,
  type TypeCode,
} from '../../../shared/column-types.ts'
import { isFileType, isReferenceWord, referenceLength } from '../../../shared/reference-words.ts'
import {
  argumentAt,
  type ColumnTokens,
  isColumnName,
  isEntryKey,
  isEntryRule,
  isIndexName,
  isSize,
  parseDigits,
  parseLength,
  parseValues,
  ruleOf,
  splitColumns,
  splitDefaults,
  type Token,
} from '../../../shared/schema-tokens.ts'
import { indexNameOf, type KeyWords, sharedKeys } from '../../../shared/shared-keys.ts'
import { typeOf } from './column-types.ts'

export interface SchemaColumn {
  readonly name: string
  readonly code: TypeCode
  /** The text in the parentheses; undefined without parentheses. */
  readonly size: string | undefined
  readonly isRequired: boolean
  readonly isUnique: boolean
  readonly isUnsigned: boolean
  readonly isAuto: boolean
  readonly default: SchemaDefault | undefined
  readonly parts: ColumnParts
}

/** A literal value, or the creation time of an entry. */
export type SchemaDefault = { readonly value: string } | 'now'

interface ColumnParts {
  readonly piece: ColumnTokens
  readonly type: Token
  readonly size: Token | undefined
  /** Tokens of the default: the keyword, and its value if any. */
  readonly default: readonly Token[]
  /** Keyed by the word in upper case. */
  readonly words: readonly Token[]
  /** The name behind INDEX. */
  readonly indexName: string | undefined
  /** The word of each rule and its argument. */
  readonly rules: ReadonlyMap<RuleWord, readonly [Token, Token]>
}

type FaultKind =
  | 'unclosed'
  | 'name'
  | 'taken'
  | 'noType'
  | 'type'
  | 'notNull'
  | 'option'
  | 'length'
  | 'digits'
  | 'values'
  | 'noValue'

export interface SchemaFault {
  readonly kind: FaultKind
  /** The affected word. */
  readonly word: string
  readonly start: number
  readonly end: number
}

interface ReadSchema {
  readonly columns: readonly SchemaColumn[]
  readonly faults: readonly SchemaFault[]
  /** All columns, including the entry key if the text begins with it, because the server counts it too. */
  readonly pieces: readonly ColumnTokens[]
}

type Report = (kind: FaultKind, token: Token) => undefined

export function readSchema(text: string): ReadSchema {
  const pieces = splitColumns(text)
  const faults: SchemaFault[] = []
  const report: Report = (kind, { text: word, start, end }) => {
    faults.push({ kind, word, start, end })
  }
  const taken = new Set<string>()
  const columns = pieces.flatMap((piece, at) => {
    if (at === 0 && isEntryKey(piece)) return []
    if (isEntryRule(piece) && piece[1]?.isUnclosed !== true) return []
    const unclosed = piece.find((token) => token.isUnclosed)
    if (unclosed !== undefined) {
      report('unclosed', unclosed)
      return []
    }
    const [name] = piece
    if (!isColumnName(name.text)) report('name', name)
    else if (taken.has(name.text.toLowerCase())) report('taken', name)
    taken.add(name.text.toLowerCase())
    const column = readColumn(piece, report)
    return column === undefined ? [] : [column]
  })
  const shared = sharedKeys(columns.map(({ name, parts }) => ({ name, ...keysOf(name, parts) })))
  const alone = columns.map((column) =>
    shared.some((group) => group.includes(column.name)) && !column.isAuto
      ? { ...column, isUnique: false }
      : column,
  )
  return { columns: alone, faults, pieces }
}

/** The words that several columns may share. */
function keysOf(name: string, { words, indexName }: ColumnParts): Omit<KeyWords, 'name'> {
  const has = (kind: OptionKind): boolean => words.some((token) => optionKind(token.text) === kind)
  return {
    isKey: has('key'),
    isUnique: has('unique'),
    indexName: has('index') ? indexNameOf(name, indexName) : undefined,
  }
}

function readColumn(piece: ColumnTokens, report: Report): SchemaColumn | undefined {
  const { positional, defaults, rest } = splitDefaults(piece)
  const [, type, third] = positional
  if (type === undefined) return report('noType', piece[0])
  const code = isFileType(type.text) ? 'I' : findType(type.text)
  if (code === undefined) return report('type', type)
  const size = isSize(third) ? third : undefined
  const others = size === undefined && third !== undefined ? [third, ...rest] : rest
  const read = readWords([...others, ...defaults], report)
  const isGood = checkSize(code, { size, type }, report)
  if (read === undefined || !isGood) return undefined

  const has = (kind: OptionKind): boolean =>
    read.words.some((token) => optionKind(token.text) === kind)
  const isAuto = has('auto') || upper(type) === SERIAL_TYPE
  const isKey = has('key')
  return {
    name: piece[0].text,
    code,
    size: size?.text.trim(),
    isRequired: has('required') || isKey || isAuto,
    isUnique: has('unique') || isKey || isAuto,
    isUnsigned: has('unsigned'),
    isAuto,
    default: defaultOf(read.default),
    parts: {
      piece,
      type,
      size,
      default: read.default,
      words: read.words,
      indexName: read.indexName,
      rules: read.rules,
    },
  }
}

export function lastOf(tokens: ColumnTokens): Token {
  return tokens.at(-1) ?? tokens[0]
}

export function upper(token: Token): string {
  return token.text.toUpperCase()
}

/** Undefined if a word is not an option. */
function readWords(tokens: readonly Token[], report: Report) {
  const words: Token[] = []
  let indexName: string | undefined
  const found: Token[] = []
  const rules = new Map<RuleWord, readonly [Token, Token]>()
  let isGood = true
  const fail = (kind: FaultKind, token: Token): void => {
    report(kind, token)
    isGood = false
  }
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === undefined) break
    const ofReference = referenceLength(tokens.slice(at))
    if (ofReference > 0) {
      words.push(...tokens.slice(at, at + ofReference))
      at += ofReference - 1
      continue
    }
    const kind = optionKind(token.text)
    const next = tokens[at + 1]
    const rule = ruleOf(token)
    const argument = argumentAt(tokens, at)
    if (rule !== undefined) {
      if (argument === undefined) fail('noValue', token)
      else rules.set(rule, [token, argument])
      at += 1
    } else if (kind === 'default') {
      if (next === undefined || (isOption(next) && upper(next) !== 'NULL')) fail('noValue', token)
      else found.push(token, next)
      at += 1
    } else if (kind === 'now') found.push(token)
    else if (kind === undefined) fail(upper(token) === 'NOT' ? 'notNull' : 'option', token)
    else {
      words.push(token)
      // Skips the name of an index, which several columns may share.
      const isName =
        next !== undefined &&
        !isOption(next) &&
        isIndexName(tokens, at + 1) &&
        !isReference(tokens.slice(at + 1))
      if (kind === 'index' && isName) {
        indexName = next.text
        at += 1
      }
    }
  }
  return isGood ? { words, default: found, indexName, rules } : undefined
}

function isReference(tokens: readonly Token[]): boolean {
  return isReferenceWord(tokens[0], 'REFERENCES') && referenceLength(tokens) > 0
}

function isOption(token: Token): boolean {
  return token.quote === '' && optionKind(token.text) !== undefined
}

function defaultOf([word, value]: readonly Token[]): SchemaDefault | undefined {
  if (word === undefined) return undefined
  if (value === undefined) return 'now'
  return value.text.trim().toUpperCase() === 'NULL' ? undefined : { value: value.text }
}

function checkSize(
  code: TypeCode,
  { size, type }: { readonly size: Token | undefined; readonly type: Token },
  report: Report,
): boolean {
  const rule = typeOf(code).size
  const isGood = sizeFault(code, size?.text) === undefined
  if (!isGood && rule !== 'none') report(rule, size ?? type)
  return isGood
}

/** Returns undefined if the size is valid for the type. */
export function sizeFault(code: TypeCode, size: string | undefined): FaultKind | undefined {
  const rule = typeOf(code).size
  if (rule === 'length') return parseLength(size ?? '') === undefined ? rule : undefined
  if (rule === 'digits')
    return size !== undefined && parseDigits(size) === undefined ? rule : undefined
  if (rule === 'values') return valuesOf(size ?? '') === undefined ? rule : undefined
  return undefined
}

/** The values of an ENUM; undefined unless the text is a list without duplicates. */
export function valuesOf(list: string): readonly string[] | undefined {
  const values = parseValues(list)
  return new Set(values).size === values?.length ? values : undefined
}

/** Converts text to a valid column name: `Größe (cm)` → `Grosse__cm_`. */
export function columnName(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll(/[^A-Za-z0-9_]/g, '_')
}

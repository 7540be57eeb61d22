// Parses the tokens of one column.

import {
  COLUMN_TYPES,
  findType,
  SERIAL_TYPE,
  TYPE_ALIASES,
  type TypeCode,
  TYPES_INSTEAD,
  type ValueKind,
} from '../../shared/column-types.ts'
import { isFileType } from '../../shared/reference-words.ts'
import { closerOf, isSize, splitDefaults, type Token } from '../../shared/schema-tokens.ts'
import { isTexted, readValue, writeValue } from '../../shared/value-text.ts'
import { parseScalar } from '../field-value.ts'
import { closest } from '../message-text.ts'
import { columnField } from './column-field.ts'
import { type ColumnOptions, type DefaultOption, readOptions } from './column-options.ts'
import { buildReferences, readAccept } from './column-references.ts'
import { readRules } from './column-rules.ts'
import { readSize } from './column-size.ts'
import type { Column, ColumnDefault } from './column.ts'
import { type Report, show, showToken, unseenHint } from './tokens.ts'

interface ColumnText {
  /** At least one token: the name, which is checked elsewhere. */
  readonly tokens: readonly Token[]
  readonly report: Report
}

/** A column, and its key and index words, which it may share with other columns. */
interface ReadColumn {
  readonly column: Column
  readonly options: ColumnOptions
}

const NUMBER_KINDS: ReadonlySet<string> = new Set(['integer', 'number', 'decimal'])

/** Undefined if the type or the size is unknown; for other faults the column is still returned. */
export function readColumn({ tokens, report }: ColumnText): ReadColumn | undefined {
  const unclosed = tokens.find((token) => token.isUnclosed)
  if (unclosed !== undefined) return refuseUnclosed(unclosed, report)
  const { positional, defaults, rest } = splitDefaults(tokens)
  const [, typeToken, third] = positional
  const type = readType(typeToken, report)
  if (type === undefined) return undefined

  const sizeToken = isSize(third) ? third : undefined
  const isFile = isFileType(typeToken?.text ?? '')
  const accept = isFile ? readAccept(sizeToken, report) : null
  const size = isFile ? accept && {} : readSize(type, sizeToken, report)
  const after = sizeToken === undefined && third !== undefined ? [third] : []
  // Keeps the order of words, because INDEX takes its name from the next word.
  const words = [...defaults, ...after, ...rest]
  const given = readOptions(words, report)
  const isSerial = typeToken?.text.toUpperCase() === SERIAL_TYPE
  const options = isSerial ? { ...given, autoWord: given.autoWord ?? SERIAL_TYPE } : given
  checkOptions(type, options, report)
  const required = requiredWord(options)
  const references = buildReferences(
    options,
    { type, typeWord: typeToken?.text ?? '', accept, required },
    report,
  )
  if (size === undefined) return undefined

  const plain: Column = {
    name: tokens[0]?.text ?? '',
    type,
    ...size,
    isRequired: required !== undefined,
    isUnsigned: options.isUnsigned,
    ...(uniqueWord(options) !== undefined && { isUnique: true }),
    ...(options.autoWord !== undefined && { isAuto: true }),
    ...(references && { references }),
  }
  const column: Column = { ...plain, ...readRules(plain, options, report) }
  const initial = options.default && readDefault(column, options.default, report)
  return { column: initial === undefined ? column : { ...column, default: initial }, options }
}

/** The word that requires a value in the column. */
function requiredWord({ isRequired, keyWord, autoWord }: ColumnOptions): string | undefined {
  return isRequired ? 'NOTNULL' : (keyWord ?? autoWord)
}

/** The word that makes values unique in the column. */
function uniqueWord({ isUnique, keyWord, autoWord }: ColumnOptions): string | undefined {
  return isUnique ? 'UNIQUE' : (keyWord ?? autoWord)
}

function refuseUnclosed({ quote, text }: Token, report: Report): undefined {
  const closer = closerOf(quote)
  const what = `${show(quote)} before ${show(text)} is never closed`
  const double = show(closer + closer)
  // C(20)): the closer was written twice rather than omitted.
  if (text.includes(closer))
    return report(`${what}: ${double} stands for one ${show(closer)} inside; remove one of them`)
  return report(`${what}; add ${show(closer)} (write it twice for one inside)`)
}

function readType(token: Token | undefined, report: Report): TypeCode | undefined {
  if (token === undefined)
    return report('there is no type; write it after the name, such as C(255)')
  if (isFileType(token.text)) return 'I'
  return findType(token.text) ?? refuseType(token, report)
}

function checkOptions(type: TypeCode, options: ColumnOptions, report: Report): void {
  const { kind, isIndexed } = COLUMN_TYPES[type]
  if (options.isUnsigned && !NUMBER_KINDS.has(kind))
    report(`UNSIGNED is only for numbers, and ${type} is not a number; remove it`)
  const { autoWord } = options
  if (autoWord !== undefined && kind !== 'integer')
    return report(
      `${autoWord} is only for whole numbers, and ${type} is not one; use it with I or R`,
    )
  const unique = uniqueWord(options)
  if (unique !== undefined && !isIndexed)
    report(
      `${type} has no index, which ${unique} needs; remove ${unique}, or make the column a C(255)`,
    )
  if (unique !== undefined && kind === 'strings')
    report(`${type} is a list, which cannot be unique; remove ${unique}`)
  if (autoWord !== undefined && options.default !== undefined)
    report(`${autoWord} and a default contradict each other; remove one`)
  const required = requiredWord(options)
  if (required === undefined) return

  if (options.isNull) report(`NULL and ${required} contradict each other; remove one`)
  if (options.default?.form === 'null' && autoWord === undefined)
    report(`DEFAULT NULL and ${required} contradict each other; remove one`)
}

const TIME_KINDS: ReadonlySet<ValueKind> = new Set<ValueKind>(['date', 'date-time'])

/** The value of DEFAULT, DEFDATE or DEFTIMESTAMP. Undefined for DEFAULT NULL, for a zero date, and after a report. */
function readDefault(
  column: Column,
  option: DefaultOption,
  report: Report,
): ColumnDefault | undefined {
  if (option.form === 'null') return undefined
  const { kind } = COLUMN_TYPES[column.type]
  if (option.form === 'now') {
    if (TIME_KINDS.has(kind)) return { now: true }
    return report(`${option.word} is only for D, T and TS; write DEFAULT and a value`)
  }

  const { text } = option
  const isTime = TIME_KINDS.has(kind)
  if (isTime && isNoDate(text)) return undefined
  const checked = columnField(column).check(isTime ? spellOut(text) : toValue(column, text))
  if (checked.ok)
    return isTexted(kind) ? writeValue(kind, checked.value) : (checked.value as ColumnDefault)
  const hint = isTime ? '; for the time of creation, write DEFTIMESTAMP' : ''
  return report(`the default ${show(text)} ${checked.detail}${hint}`)
}

/** The text of a default as the JSON value that a client would send, or the text itself if it is invalid. */
function toValue({ type, values = [] }: Column, text: string): unknown {
  const { kind } = COLUMN_TYPES[type]
  // A value of a SET can contain a comma.
  if (values.includes(text)) return kind === 'strings' ? [text] : text
  if (isTexted(kind)) return readValue(kind, text) ?? text
  switch (kind) {
    case 'integer':
    case 'number':
      return parseScalar(kind, text) ?? text
    case 'boolean':
      return parseScalar(kind, text.toLowerCase()) ?? text
    default:
      return text
  }
}

/** Zero dates of databases that cannot store null in a date. */
function isNoDate(text: string): boolean {
  return /^(?:0{4}-0{1,2}-0{1,2}(?: 0{1,2}(?::0{1,2}){1,2})?|0{8}|0{14})?$/.test(text.trim())
}

const SQL_TIME = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{1,2})(?::(\d{1,2}))?)?$/i

/** Converts an SQL date, 2020-1-2 or 1970-01-01 00:00:00 (UTC here), to RFC 3339. */
function spellOut(text: string): string {
  const found = SQL_TIME.exec(text.trim())
  if (found === null) return text
  const [year, month, day, hour, minute, second = '0'] = found.slice(1)
  const two = (part = ''): string => part.padStart(2, '0')
  const date = `${year}-${two(month)}-${two(day)}`
  return hour === undefined ? date : `${date}T${two(hour)}:${two(minute)}:${two(second)}Z`
}

const TYPE_NAMES: readonly string[] = [...Object.keys(COLUMN_TYPES), ...Object.keys(TYPE_ALIASES)]

/** Reports an unknown type with the type that was probably meant. */
function refuseType(token: Token, report: Report): undefined {
  const shown = showToken(token)
  const unseen = unseenHint(token.text)
  if (unseen !== '') return report(`${show(token.text)} is not a type${unseen}`)
  const instead = TYPES_INSTEAD.get(token.text.toUpperCase())
  if (instead !== undefined) return report(`${shown} is not a type here; ${instead}`)

  const meant = withSize(token.text) ?? closest(token.text, TYPE_NAMES)
  const known = `known types: ${Object.keys(COLUMN_TYPES).join(', ')}`
  return report(`${shown} is not a type; ${meant === undefined ? known : `did you mean ${meant}?`}`)
}

/** A type with an appended number: VARCHAR20, INT64. */
function withSize(text: string): string | undefined {
  const [, name = '', digits = ''] = /^([A-Za-z]+?)(\d{1,9})$/.exec(text) ?? []
  const type = findType(name)
  if (type === undefined) return undefined
  const { kind, size } = COLUMN_TYPES[type]
  const integer = kind === 'integer' ? integerOf(Number(digits)) : undefined
  if (integer !== undefined) return integer
  if (size === 'none' || size === 'label') return name.toUpperCase()
  return size === 'values' ? undefined : `${name.toUpperCase()}(${digits})`
}

/**
 * Small numbers are bytes, and numbers in the table are bits; a larger number as in INT11 is a display width.
 */
function integerOf(number: number): TypeCode | undefined {
  if (number <= 8) return (['I1', 'I2', 'I4', 'I4'] as const)[Math.max(1, number) - 1] ?? 'I8'
  return BITS.get(number)
}

const BITS: ReadonlyMap<number, TypeCode> = new Map([
  [16, 'I2'],
  [24, 'I4'],
  [32, 'I4'],
  [64, 'I8'],
])

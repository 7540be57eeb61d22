// Parses the tokens of one column.

import {
  COLUMN_TYPES,
  findType,
  MAX_DIGITS,
  MAX_LENGTH,
  SERIAL_TYPE,
  type TypeCode,
} from '../../shared/column-types.ts'
import {
  closerOf,
  isSize,
  parseDigits,
  parseLength,
  parseValues,
  splitDefaults,
  type Token,
} from '../../shared/schema-tokens.ts'
import { parseScalar } from '../field-value.ts'
import { columnField } from './column-field.ts'
import {
  type ColumnOptions,
  type DefaultOption,
  optionInside,
  readOptions,
} from './column-options.ts'
import type { Column, ColumnDefault } from './column.ts'
import { refuseType } from './refused-type.ts'
import { type Report, show, showToken } from './tokens.ts'

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
const TIME_KINDS: ReadonlySet<string> = new Set(['date', 'date-time'])

/** Undefined if the type or the size is unknown; for other faults the column is still returned. */
export function readColumn({ tokens, report }: ColumnText): ReadColumn | undefined {
  const unclosed = tokens.find((token) => token.isUnclosed)
  if (unclosed !== undefined) return refuseUnclosed(unclosed, report)
  const { positional, defaults, rest } = splitDefaults(tokens)
  const [, typeToken, third] = positional
  const type = readType(typeToken, report)
  if (type === undefined) return undefined

  const sizeToken = isSize(third) ? third : undefined
  const size = readSize(type, sizeToken, report)
  const after = sizeToken === undefined && third !== undefined ? [third] : []
  // Keeps the order of words, because INDEX takes its name from the next word.
  const words = [...defaults, ...after, ...rest]
  const given = readOptions(words, report)
  const isSerial = typeToken?.text.toUpperCase() === SERIAL_TYPE
  const options = isSerial ? { ...given, autoWord: given.autoWord ?? SERIAL_TYPE } : given
  checkOptions(type, options, report)
  if (size === undefined) return undefined

  const column: Column = {
    name: tokens[0]?.text ?? '',
    type,
    ...size,
    isRequired: requiredWord(options) !== undefined,
    isUnsigned: options.isUnsigned,
    ...(uniqueWord(options) !== undefined && { isUnique: true }),
    ...(options.autoWord !== undefined && { isAuto: true }),
  }
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
  return findType(token.text) ?? refuseType(token, report)
}

function checkOptions(type: TypeCode, options: ColumnOptions, report: Report): void {
  const { kind, size } = COLUMN_TYPES[type]
  if (options.isUnsigned && !NUMBER_KINDS.has(kind))
    report(`UNSIGNED is only for numbers, and ${type} is not a number; remove it`)
  const { autoWord } = options
  if (autoWord !== undefined && kind !== 'integer')
    return report(
      `${autoWord} is only for whole numbers, and ${type} is not one; use it with I or R`,
    )
  const unique = uniqueWord(options)
  if (unique !== undefined && size === 'label')
    report(
      `${type} has no index, which ${unique} needs; remove ${unique}, or make the column a C(255)`,
    )
  if (autoWord !== undefined && options.default !== undefined)
    report(`${autoWord} and a default contradict each other; remove one`)
  const required = requiredWord(options)
  if (required === undefined) return

  if (options.isNull) report(`NULL and ${required} contradict each other; remove one`)
  if (options.default?.form === 'null' && autoWord === undefined)
    report(`DEFAULT NULL and ${required} contradict each other; remove one`)
}

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
  const checked = columnField(column).check(isTime ? spellOut(text) : toValue(column.type, text))
  if (checked.ok) return checked.value as ColumnDefault
  const hint = isTime ? '; for the time of creation, write DEFTIMESTAMP' : ''
  return report(`the default ${show(text)} ${checked.detail}${hint}`)
}

/** The text of a default as the JSON value that a client would send, or the text itself if it is invalid. */
function toValue(type: TypeCode, text: string): boolean | number | string {
  const { kind } = COLUMN_TYPES[type]
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

interface Size {
  readonly size?: number
  readonly scale?: number
  readonly values?: readonly string[]
}

const WIDTH = /^\s*\d{1,9}(?:\s*[.,]\s*\d{1,9})?\s*$/

/**
 * Parses the size after the type of a column: C(20), N(10.2), ENUM('a','b'). ADOdb takes the third token as the
 * size if it is a number, however it is quoted, and drops anything else. Here parentheses after the type always
 * belong to the type.
 * Empty where the type has no limit; undefined after a report.
 */
function readSize(type: TypeCode, token: Token | undefined, report: Report): Size | undefined {
  // ADOdb reads X (NOTNULL) as an option; the author may have meant a label, as in X (Large).
  const option = token && optionInside(token)
  if (token !== undefined && option !== undefined)
    return report(
      `${showToken(token)} is in the place of a size; write ${option} without parentheses`,
    )

  const rule = COLUMN_TYPES[type].size
  switch (rule) {
    case 'length':
      return readLength(type, token, report)
    case 'digits':
      return token === undefined ? {} : readDigits(token, report)
    case 'values':
      return readValues(token, report)
    case 'width':
      return readWidth(type, token, report)
    case 'label':
      return {}
    case 'none':
      return token === undefined ? {} : report(`${type} takes no size; remove ${showToken(token)}`)
  }
}

function readLength(type: TypeCode, token: Token | undefined, report: Report): Size | undefined {
  if (token === undefined) return report(`${type} needs a size; write ${type}(255)`)
  const size = parseLength(token.text)
  if (size !== undefined) return { size }

  const accepted = `write a whole number from 1 to ${MAX_LENGTH}, for example ${type}(255)`
  return report(`${showToken(token)} is not a valid size for ${type}; ${accepted}`)
}

function readDigits(token: Token, report: Report): Size | undefined {
  const digits = parseDigits(token.text)
  if (digits !== undefined) return digits

  const accepted = `write 1 to ${MAX_DIGITS} digits and at most as many decimals`
  return report(`${showToken(token)} is not a valid size for N; ${accepted}, for example N(10.2)`)
}

function readWidth(type: TypeCode, token: Token | undefined, report: Report): Size | undefined {
  if (token === undefined || WIDTH.test(token.text)) return {}
  return report(`${showToken(token)} is not a valid size for ${type}; write a number, or omit it`)
}

function readValues(token: Token | undefined, report: Report): Size | undefined {
  if (token === undefined) return report("ENUM needs its values; write ENUM('a','b')")
  const values = parseValues(token.text)
  if (values === undefined)
    return report(`${showToken(token)} is not a list of values; write ENUM('a','b')`)

  const seen = new Set(values)
  if (seen.size === values.length) return { values }
  const twice = values.find((value) => !seen.delete(value)) ?? ''
  return report(`ENUM has the value ${show(twice)} twice; remove one`)
}

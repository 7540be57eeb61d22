// The tokens of one column → the column.

import { closest } from '../closest.ts'
import { parseScalar } from '../field-value.ts'
import {
  COLUMN_TYPES,
  type Column,
  type ColumnDefault,
  findType,
  TYPE_NAMES,
  type TypeCode,
} from './column.ts'
import { columnField } from './column-field.ts'
import { type ColumnOptions, type DefaultOption, readOptions } from './column-options.ts'
import { isSize, type Report, readSize } from './column-size.ts'
import { closerOf, show, showToken, type Token } from './tokens.ts'

interface ColumnText {
  /** At least one: the name, which is checked elsewhere. */
  readonly tokens: readonly Token[]
  readonly report: Report
}

/** A column, and what it says of keys and indexes that it may share with others. */
export interface ReadColumn {
  readonly column: Column
  readonly options: ColumnOptions
}

const NUMBER_KINDS: ReadonlySet<string> = new Set(['integer', 'number', 'decimal'])
const TIME_KINDS: ReadonlySet<string> = new Set(['date', 'date-time'])

/** Undefined when the type or the size is not known; other faults are reported, and the column returned. */
export function readColumn({ tokens, report }: ColumnText): ReadColumn | undefined {
  const unclosed = tokens.find((token) => token.isUnclosed)
  if (unclosed !== undefined) return refuseUnclosed(unclosed, report)
  const type = readType(tokens[1], report)
  if (type === undefined) return undefined

  const sizeToken = isSize(tokens[2]) ? tokens[2] : undefined
  const size = readSize(type, sizeToken, report)
  const options = readOptions(tokens.slice(sizeToken === undefined ? 2 : 3), report)
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

/** The word by which an entry must have a value in the column. */
function requiredWord({ isRequired, keyWord, autoWord }: ColumnOptions): string | undefined {
  return isRequired ? 'NOTNULL' : (keyWord ?? autoWord)
}

/** The word by which no two entries may have the same value in it. */
function uniqueWord({ isUnique, keyWord, autoWord }: ColumnOptions): string | undefined {
  return isUnique ? 'UNIQUE' : (keyWord ?? autoWord)
}

function refuseUnclosed(token: Token, report: Report): undefined {
  const closer = closerOf(token.quote)
  const what = `${show(token.quote)} before ${show(token.text)} is never closed`
  return report(`${what}; add ${show(closer)} (two of them stand for one inside)`)
}

function readType(token: Token | undefined, report: Report): TypeCode | undefined {
  if (token === undefined) return report('there is no type; write it behind the name, like C(255)')
  const type = findType(token.text)
  if (type !== undefined) return type

  const shown = showToken(token)
  const [, code = '', size] = /^([A-Za-z]+)(\d+)$/.exec(token.text) ?? []
  if (findType(code) !== undefined)
    return report(`${shown} is not a type; did you mean ${code.toUpperCase()}(${size})?`)
  const near = closest(token.text, TYPE_NAMES)
  const known = `known are ${Object.keys(COLUMN_TYPES).join(', ')}`
  return report(`${shown} is not a type; ${near === undefined ? known : `did you mean ${near}?`}`)
}

function checkOptions(type: TypeCode, options: ColumnOptions, report: Report): void {
  const { kind, size } = COLUMN_TYPES[type]
  if (options.isUnsigned && !NUMBER_KINDS.has(kind))
    report(`UNSIGNED is for numbers, and ${type} is none; leave it out`)
  const { autoWord } = options
  if (autoWord !== undefined && kind !== 'integer')
    return report(`${autoWord} is for whole numbers, and ${type} is none; write it behind I or R`)
  const unique = uniqueWord(options)
  if (unique !== undefined && size === 'label')
    report(`${type} has no index, which ${unique} needs; leave it out, or make the column a C(255)`)
  if (autoWord !== undefined && options.default !== undefined)
    report(`${autoWord} and a default contradict each other; leave one out`)
  const required = requiredWord(options)
  if (required === undefined) return

  if (options.isNull) report(`NULL and ${required} contradict each other; leave one out`)
  if (options.default?.form === 'null' && autoWord === undefined)
    report(`DEFAULT NULL and ${required} contradict each other; leave one out`)
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
    return report(`${option.word} is for D, T and TS; write DEFAULT and a value`)
  }

  const { text } = option
  const checked = columnField(column).check(toValue(column.type, text))
  if (checked.ok) return checked.value as ColumnDefault
  const hint = TIME_KINDS.has(kind) ? '; for the time of the create write DEFTIMESTAMP' : ''
  return report(`the default ${show(text)} ${checked.detail}${hint}`)
}

/** The text of a default as the JSON value that a client would send; the text itself where it is none. */
function toValue(type: TypeCode, text: string): boolean | number | string {
  const { kind } = COLUMN_TYPES[type]
  switch (kind) {
    case 'integer':
    case 'number':
      return parseScalar(kind, text) ?? text
    case 'boolean':
      return parseScalar(kind, text.toLowerCase()) ?? text
    case 'decimal':
      // 1.50 keeps its zero, as a value of an entry does.
      return String(Number(text)) === text ? Number(text) : text
    default:
      return text
  }
}

// Parses the tokens of one column.

import { COLUMN_TYPES, findType, SERIAL_TYPE, type TypeCode } from '../../shared/column-types.ts'
import { isFileType } from '../../shared/reference-words.ts'
import { closerOf, isSize, splitDefaults, type Token } from '../../shared/schema-tokens.ts'
import { readDefault } from './column-default.ts'
import { type ColumnOptions, readOptions } from './column-options.ts'
import { buildReferences, readAccept } from './column-references.ts'
import { readSize } from './column-size.ts'
import type { Column } from './column.ts'
import { readRules } from './column-rules.ts'
import { refuseType } from './refused-type.ts'
import { type Report, show } from './tokens.ts'

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

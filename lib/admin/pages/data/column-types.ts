// Column types as the area offers them.

import { type ColumnKind, columnKind } from '../../client/column-kind.ts'
import { COLUMN_TYPES, type TypeCode } from '../../../shared/column-types.ts'

/** How a default is entered. Long texts count as texts, and decimals as numbers. */
export type Kind = Exclude<ColumnKind, 'long' | 'decimal' | 'reference' | 'references'>

interface ColumnType {
  readonly kind: Kind
  /** The kind of text in the parentheses after the code. */
  readonly size: 'length' | 'digits' | 'values' | 'none'
  /** A long text, a list, or another value by which nothing is sorted; never unique. */
  readonly isLong: boolean
}

/** A type as the editor offers it: a code, or a reference to files or to entries. */
export type OfferedType = TypeCode | 'file' | 'entry'

/** The types that are enough for most tables, in the order of the list. */
export const PLAIN_NAMES = [
  'C',
  'X',
  'I',
  'N',
  'L',
  'D',
  'T',
  'ENUM',
  'file',
  'entry',
] as const satisfies readonly OfferedType[]

export type PlainType = (typeof PLAIN_NAMES)[number]

export function isPlain(type: OfferedType): type is PlainType {
  return PLAIN_NAMES.some((name) => name === type)
}

export const ADVANCED_CODES = (Object.keys(COLUMN_TYPES) as readonly TypeCode[]).filter(
  (code) => !isPlain(code),
)

export function typeOf(code: TypeCode): ColumnType {
  const { size, isIndexed } = COLUMN_TYPES[code]
  const kind = columnKind(code)
  return {
    kind: kind === 'long' ? 'text' : kind === 'decimal' ? 'number' : kind,
    size: size === 'label' || size === 'width' ? 'none' : size,
    isLong: !isIndexed || kind === 'choices',
  }
}

// Column types as the area offers them.

import { type ColumnKind, columnKind } from '../../client/column-kind.ts'
import { COLUMN_TYPES, type TypeCode } from '../../../shared/column-types.ts'

/** How a default is entered: for long texts as for texts, and for decimals as for numbers. */
export type Kind = Exclude<ColumnKind, 'long' | 'decimal' | 'reference' | 'references'>

interface ColumnType {
  readonly kind: Kind
  /** The kind of text in the parentheses after the code. */
  readonly size: 'length' | 'digits' | 'values' | 'none'
  /** A long text, a list, or another value by which nothing is sorted; never unique. */
  readonly isLong: boolean
}

/** The first types of the list, which are enough for most tables. */
const USUAL: readonly TypeCode[] = [
  'C',
  'X',
  'I',
  'N',
  'L',
  'D',
  'T',
  'ENUM',
  'MD',
  'EMAIL',
  'URL',
  'COLOR',
]

const ALL = Object.keys(COLUMN_TYPES) as readonly TypeCode[]

export const USUAL_TYPES = USUAL.length

/** In the order of the list. */
export const TYPE_CODES = [...USUAL, ...ALL.filter((code) => !USUAL.includes(code))]

export function typeOf(code: TypeCode): ColumnType {
  const { size, isIndexed } = COLUMN_TYPES[code]
  const kind = columnKind(code)
  return {
    kind: kind === 'long' ? 'text' : kind === 'decimal' ? 'number' : kind,
    size: size === 'label' || size === 'width' ? 'none' : size,
    isLong: !isIndexed || kind === 'choices',
  }
}

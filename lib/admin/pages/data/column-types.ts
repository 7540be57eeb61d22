// Column types as the area offers them.

import { COLUMN_TYPES, type TypeCode } from '../../../shared/column-types.ts'

/** How a value and a default are entered. */
export type Kind = 'text' | 'integer' | 'number' | 'boolean' | 'day' | 'time' | 'choice'

interface ColumnType {
  readonly kind: Kind
  /** The kind of text in the parentheses after the code. */
  readonly size: 'length' | 'digits' | 'values' | 'none'
  /** Without an index, and so never unique. */
  readonly isLong: boolean
}

/** In the order of the list; a type that the server has and this table lacks is a compile error. */
const KINDS = {
  C: 'text',
  X: 'text',
  I: 'integer',
  N: 'number',
  L: 'boolean',
  D: 'day',
  T: 'time',
  ENUM: 'choice',
  I1: 'integer',
  I2: 'integer',
  I4: 'integer',
  I8: 'integer',
  R: 'integer',
  F: 'number',
  TS: 'time',
  C2: 'text',
  X2: 'text',
  XL: 'text',
  B: 'text',
} as const satisfies Record<TypeCode, Kind>

export const TYPE_CODES = Object.keys(KINDS) as readonly TypeCode[]

/** The first types of the list are enough for most tables. */
export const USUAL_TYPES = 8

export function typeOf(code: TypeCode): ColumnType {
  const { size } = COLUMN_TYPES[code]
  const isLong = size === 'label'
  return { kind: KINDS[code], size: isLong || size === 'width' ? 'none' : size, isLong }
}

export function isNumber({ kind }: ColumnType): boolean {
  return kind === 'integer' || kind === 'number'
}

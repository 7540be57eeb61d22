// Column types by their ADOdb codes: which sizes they take, and which types are offered first.

/** The kind of text in the parentheses after the code. */
export type SizeRule = 'length' | 'digits' | 'values' | 'none'

/** Determines the input and the notation of values. */
export type Kind = 'text' | 'integer' | 'number' | 'boolean' | 'day' | 'time' | 'choice'

interface ColumnType {
  readonly kind: Kind
  readonly size: SizeRule
  /** Has no index, and so cannot be unique. */
  readonly isLong?: boolean
}

const TEXT = { kind: 'text', size: 'length' } as const
const LONG_TEXT = { kind: 'text', size: 'none', isLong: true } as const
const INTEGER = { kind: 'integer', size: 'none' } as const
const TIME = { kind: 'time', size: 'none' } as const

/** In the order of the menu. */
const COLUMN_TYPES = {
  C: TEXT,
  X: LONG_TEXT,
  I: INTEGER,
  N: { kind: 'number', size: 'digits' },
  L: { kind: 'boolean', size: 'none' },
  D: { kind: 'day', size: 'none' },
  T: TIME,
  ENUM: { kind: 'choice', size: 'values' },
  I1: INTEGER,
  I2: INTEGER,
  I4: INTEGER,
  I8: INTEGER,
  R: INTEGER,
  F: { kind: 'number', size: 'none' },
  TS: TIME,
  C2: TEXT,
  X2: LONG_TEXT,
  XL: LONG_TEXT,
  B: LONG_TEXT,
} as const satisfies Record<string, ColumnType>

export type TypeCode = keyof typeof COLUMN_TYPES

export const TYPE_CODES = Object.keys(COLUMN_TYPES) as readonly TypeCode[]

/** Number of common types, which come first. */
export const USUAL_TYPES = 8

/** Native type names of databases. A schema text may use these names, and keeps them. */
const NATIVE_NAMES: Readonly<Record<string, TypeCode>> = {
  CHAR: 'C',
  CHARACTER: 'C',
  VARCHAR: 'C',
  NCHAR: 'C',
  NVARCHAR: 'C2',
  TEXT: 'X',
  TINYTEXT: 'X',
  MEDIUMTEXT: 'X',
  CLOB: 'X',
  LONGTEXT: 'XL',
  BLOB: 'B',
  TINYBLOB: 'B',
  MEDIUMBLOB: 'B',
  LONGBLOB: 'B',
  INT: 'I',
  INTEGER: 'I',
  TINYINT: 'I1',
  INT1: 'I1',
  SMALLINT: 'I2',
  INT2: 'I2',
  MEDIUMINT: 'I4',
  INT4: 'I4',
  BIGINT: 'I8',
  INT8: 'I8',
  SERIAL: 'I8',
  FLOAT: 'F',
  DOUBLE: 'F',
  REAL: 'F',
  DECIMAL: 'N',
  DEC: 'N',
  NUMERIC: 'N',
  NUMBER: 'N',
  BOOL: 'L',
  BOOLEAN: 'L',
  DATE: 'D',
  DATETIME: 'T',
  TIMESTAMP: 'TS',
}

/** A type with automatic numbers: I8 NOTNULL AUTO UNIQUE. */
export const SERIAL = 'SERIAL'

export function typeOf(code: TypeCode): ColumnType {
  return COLUMN_TYPES[code]
}

export function findCode(name: string): TypeCode | undefined {
  const upper = name.toUpperCase()
  return TYPE_CODES.find((code) => code === upper) ?? NATIVE_NAMES[upper]
}

export function isNumber({ kind }: ColumnType): boolean {
  return kind === 'integer' || kind === 'number'
}

// The types of columns by the codes of ADOdb: the kind of their values, and the size that may follow.

/** How values are stored and searched. Columns of one kind share one stored form. */
export type ValueKind =
  | 'string'
  | 'integer'
  | 'number'
  | 'decimal'
  | 'boolean'
  | 'date'
  | 'date-time'
  | 'uuid'
  | 'strings'
  | 'json'
  | 'point'

/**
 * The rule for the size after a type. length: required; digits: N(10.2); values: a list of strings, required; width: a
 * display width, which limits nothing; label: any text; none: no size.
 */
export type SizeRule = 'length' | 'digits' | 'values' | 'width' | 'label' | 'none'

export interface ColumnType {
  /** How the values are searched; columns of one kind are stored in the same form. */
  readonly kind: ValueKind
  readonly size: SizeRule
  /** Whether values have an index; otherwise a search reads every entry, and values cannot be unique. */
  readonly isIndexed: boolean
}

const TEXT = { kind: 'string', size: 'length', isIndexed: true } as const
const LONG_TEXT = { kind: 'string', size: 'label', isIndexed: false } as const
const INTEGER = { kind: 'integer', size: 'width', isIndexed: true } as const
const TIME = { kind: 'date-time', size: 'width', isIndexed: true } as const
/** A text of a certain form. */
const FORMATTED = { kind: 'string', size: 'none', isIndexed: true } as const
/** A text in a markup language, stored as given. */
const MARKUP = { kind: 'string', size: 'none', isIndexed: false } as const

/** The codes of ADOdb, and further types. */
export const COLUMN_TYPES = {
  C: TEXT,
  C2: TEXT,
  X: LONG_TEXT,
  X2: LONG_TEXT,
  XL: LONG_TEXT,
  B: LONG_TEXT,
  I: INTEGER,
  I1: INTEGER,
  I2: INTEGER,
  I4: INTEGER,
  I8: INTEGER,
  R: INTEGER,
  F: { kind: 'number', size: 'width', isIndexed: true },
  N: { kind: 'decimal', size: 'digits', isIndexed: true },
  L: { kind: 'boolean', size: 'width', isIndexed: true },
  D: { kind: 'date', size: 'none', isIndexed: true },
  T: TIME,
  TS: TIME,
  ENUM: { kind: 'string', size: 'values', isIndexed: true },
  SET: { kind: 'strings', size: 'values', isIndexed: true },
  MD: MARKUP,
  HTML: MARKUP,
  EMAIL: FORMATTED,
  URL: FORMATTED,
  COLOR: FORMATTED,
  UUID: { kind: 'uuid', size: 'none', isIndexed: true },
  JSON: { kind: 'json', size: 'none', isIndexed: false },
  POINT: { kind: 'point', size: 'none', isIndexed: false },
} as const satisfies Record<string, ColumnType>

export type TypeCode = keyof typeof COLUMN_TYPES

/** The types whose values are texts of a certain form. */
export type FormattedType = {
  [K in TypeCode]: (typeof COLUMN_TYPES)[K] extends typeof FORMATTED ? K : never
}[TypeCode]

/** Native names, as ADOdb reads them back from a database; and those of other ones that mean the same. */
export const TYPE_ALIASES = {
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
  MARKDOWN: 'MD',
  GUID: 'UUID',
  UNIQUEIDENTIFIER: 'UUID',
  JSONB: 'JSON',
} as const satisfies Record<string, TypeCode>

/** Native names of what no type here is, with what serves in its place. */
export const TYPES_INSTEAD: ReadonlyMap<string, string> = new Map([
  ['TIME', 'C(8) holds a time of day, T a date with its time'],
  ['YEAR', 'I2 holds a year, D a day'],
  ['BIT', 'L holds true or false, I8 up to 63 bits as a number'],
  ['XML', 'X holds it as text'],
  ['BINARY', 'B holds it as text, as Base64 for example'],
  ['VARBINARY', 'B holds it as text, as Base64 for example'],
  ['BYTEA', 'B holds it as text, as Base64 for example'],
  ['GEOMETRY', 'POINT holds a longitude and a latitude, JSON any GeoJSON'],
  ['GEOGRAPHY', 'POINT holds a longitude and a latitude, JSON any GeoJSON'],
  ['MONEY', 'N(12.2) holds an amount'],
])

/** MySQL's word for I8 NOTNULL AUTO UNIQUE. */
export const SERIAL_TYPE = 'SERIAL'

const CODES: ReadonlyMap<string, TypeCode> = new Map([
  ...Object.entries(TYPE_ALIASES),
  ...(Object.keys(COLUMN_TYPES) as TypeCode[]).map((code) => [code, code] as const),
])

/** The code of a type in any case, by its code or a native name. */
export function findType(name: string): TypeCode | undefined {
  return CODES.get(name.toUpperCase())
}

/** Columns of one module. */
export const MAX_COLUMNS = 256
/** Characters of C and C2. */
export const MAX_LENGTH = 65_535
/** Digits of N. */
export const MAX_DIGITS = 65

/** The words that may follow a type, each with its meaning. */
const OPTION_WORDS = {
  NOTNULL: 'required',
  NULL: 'null',
  UNSIGNED: 'unsigned',
  DEFAULT: 'default',
  DEF: 'default',
  DEFDATE: 'now',
  DEFTIMESTAMP: 'now',
  INDEX: 'index',
  UNIQUE: 'unique',
  KEY: 'key',
  PRIMARY: 'key',
  AUTO: 'auto',
  AUTOINCREMENT: 'auto',
  AUTO_INCREMENT: 'auto',
} as const

export type OptionKind = (typeof OPTION_WORDS)[keyof typeof OPTION_WORDS]

const OPTION_KINDS: ReadonlyMap<string, OptionKind> = new Map(Object.entries(OPTION_WORDS))

export const OPTIONS: readonly string[] = [...OPTION_KINDS.keys()]
export const KEY_WORDS = OPTIONS.filter((word) => optionKind(word) === 'key')
export const AUTO_WORDS = OPTIONS.filter((word) => optionKind(word) === 'auto')

/** The meaning of an option in any case; undefined for another word. */
export function optionKind(word: string): OptionKind | undefined {
  return OPTION_KINDS.get(word.toUpperCase())
}

/** Words with one argument each that limit or compute the values of a column. */
const RULE_WORDS = ['MIN', 'MAX', 'LENGTH', 'MATCH', 'COMPUTED'] as const

export type RuleWord = (typeof RULE_WORDS)[number]

/** The rule that a bare word begins, in any case. */
export function ruleWord(word: string): RuleWord | undefined {
  const upper = word.toUpperCase()
  return RULE_WORDS.find((rule) => rule === upper)
}

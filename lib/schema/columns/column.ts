// A parsed column of a module. It is stored with the module and returned as an element of `columns`, so all of
// it is JSON.

import { COLUMN_TYPES, type TypeCode } from '../../shared/column-types.ts'
import type { DeleteRule, ReferenceObject } from '../../shared/reference-words.ts'
import { isTexted, readValue } from '../../shared/value-text.ts'
import type { FieldKind, JsonObject, JsonValue } from '../values.ts'

export interface Column extends JsonObject {
  /** As written; case is ignored in comparisons. */
  readonly name: string
  readonly type: TypeCode
  /** C, C2: maximum characters. N: maximum digits; default: up to 65. */
  readonly size?: number
  /** N with a size: number of decimals among the digits. */
  readonly scale?: number
  /** NOTNULL. */
  readonly isRequired: boolean
  readonly isUnsigned: boolean
  /** UNIQUE: no two entries have the same value; several may have none. */
  readonly isUnique?: true
  /** AUTO: an entry that is created without a value gets the next number. */
  readonly isAuto?: true
  /** Value of a new entry that gives no value. */
  readonly default?: ColumnDefault
  /** ENUM and SET: the values that can be chosen. */
  readonly values?: readonly string[]
  /** MIN: the lowest value; a number as a decimal, a date as it is stored. */
  readonly minimum?: string
  /** MAX: the highest value. */
  readonly maximum?: string
  /** LENGTH: the fewest and the most characters. */
  readonly minLength?: number
  readonly maxLength?: number
  /** MATCH: an RE2 pattern that must occur in the text. */
  readonly pattern?: string
  /** COMPUTED: the expression that gives the value. */
  readonly computed?: string
  /** REFERENCES, FILE, FILES: the values are identifiers of other records. */
  readonly references?: References
}

export interface References extends JsonObject {
  readonly object: ReferenceObject
  /** The table or calendar whose entries are referred to; null for files. 0 stands for the own module (SELF) until its number is known. */
  readonly module_id: number | null
  /** MANY: a value is a list of identifiers, in the given order and without duplicates. */
  readonly isMany: boolean
  /** The effect of deleting the record that an entry refers to. */
  readonly onDelete: DeleteRule
  /** FILE, FILES: the media types of accepted files, such as image/*; null: all. */
  readonly accept: readonly string[] | null
}

/** How the values of a column are stored and searched. */
export function valueKind({ type, references }: Pick<Column, 'type' | 'references'>): FieldKind {
  return references?.isMany === true ? 'integers' : COLUMN_TYPES[type].kind
}

/**
 * A stored value, or the time of the create (DEFDATE, DEFTIMESTAMP). The value of a SET, JSON or POINT is its text
 * (shared/value-text.ts), so that a default {"now":true} cannot be mistaken for the time.
 */
export type ColumnDefault = boolean | number | string | Now

export interface Now extends JsonObject {
  readonly now: true
}

export function isNow(value: ColumnDefault | undefined): value is Now {
  return typeof value === 'object'
}

/** The stored value of a default that is not a time. */
export function defaultValue({ type }: Column, initial: Exclude<ColumnDefault, Now>): JsonValue {
  const { kind } = COLUMN_TYPES[type]
  // The text was checked when the column was defined.
  return isTexted(kind) ? (readValue(kind, String(initial)) as JsonValue) : initial
}

/** Formats a column as an element of `columns` in a response, with null for missing values. */
export function showColumn(column: Column): JsonObject {
  const { name, type, size, scale, isRequired, isUnsigned, values } = column
  return {
    name,
    type,
    size: size ?? null,
    scale: scale ?? null,
    isRequired,
    isUnsigned,
    isUnique: column.isUnique === true,
    isAuto: column.isAuto === true,
    default: column.default ?? null,
    values: values ?? null,
    minimum: column.minimum ?? null,
    maximum: column.maximum ?? null,
    minLength: column.minLength ?? null,
    maxLength: column.maxLength ?? null,
    pattern: column.pattern ?? null,
    computed: column.computed ?? null,
    references: column.references ?? null,
  }
}

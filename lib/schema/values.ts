// What records are made of, for everybody: JSON, the parts of keys, a kind of record and its indexes, a record as it
// was stored, the fields that a search may name.

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject
export interface JsonObject {
  readonly [name: string]: JsonValue
}

/** A part of a key. Numbers and strings sort in their natural order, null before both. */
export type KeyPart = null | boolean | number | string
export type Id = number | string

/** What a kind of record is to storage: a key space and its indexes. T is what its records are. */
export interface RecordType<T extends object = object> {
  readonly name: string
  readonly indexes: readonly Index[]
  /** Number of identifiers of a record; one unless it is given. */
  readonly idCount?: number
  readonly rises?: Rising
  /** Brings a record that was stored under an earlier form of the type to the present one. */
  readonly upgrade?: (record: JsonObject) => T
}

/** A field, a date in every record, that is not much before that of any record in front of it. */
export interface Rising {
  readonly field: string
  /** So much it may be before the latest of them. */
  readonly slackMs: number
  /** Records under the identifiers at which it is more, with the field: from there on it rises again. */
  readonly turns: RecordType
}

/**
 * A sorted way to records. `rows` gives the values under which a record is found: one inner array
 * for each row (a list field has one for each element). Must depend on the record alone.
 */
export interface Index {
  readonly name: string
  readonly rows: (record: JsonObject) => readonly (readonly KeyPart[])[]
}

/** A committed record as it was stored, and the counter that every change of it raises. */
export interface Stored<T extends object = JsonObject> {
  /** JSON in UTF-8. */
  readonly bytes: Buffer
  readonly revision: number
  /** Of the bytes, made once. */
  readonly text: string
  /** Of the text, parsed once and shared: nobody may change it. In the form in which it was stored: see RecordType.upgrade. */
  readonly value: T
}

/**
 * What is asked of records of one type. It may stand where something of any record is wanted (methods are compared
 * so): who asks it has records of that type alone.
 */
export type OfRecord<T extends object, R> = { of(record: T): R }['of']

/** The fields that a query may name, with the kind by which values are compared and indexed. */
export type Searchable = ReadonlyMap<string, SearchField>

export interface SearchField {
  readonly name: string
  readonly kind: FieldKind
  /**
   * Equality, ranges, prefixes and order on the field go through the index of the same name. That index
   * has exactly one row of one value for each record, null where there is none; for a list field one for
   * each element. The values are those of toKeyPart in schema/field-value.ts.
   */
  readonly isIndexed: boolean
  /** Name of its index, where that is not the name of the field. */
  readonly index?: string
  /** Records are in its order by their identifiers: it needs no index (RecordType.rises). */
  readonly rises?: boolean
  /** The field is the identifier: it needs no index, the records themselves are in its order. */
  readonly isId?: boolean
  /** Computes the value, which the record does not have. */
  readonly derive?: (record: JsonObject) => JsonValue
}

export type FieldKind =
  | 'string'
  | 'integer'
  | 'number'
  | 'decimal'
  | 'boolean'
  | 'date'
  | 'date-time'
  | 'integers'

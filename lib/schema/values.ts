// Basic types of records: JSON values, parts of keys, record types and their indexes, stored records, and
// searchable fields.

import type { ValueKind } from '../shared/column-types.ts'

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject
export interface JsonObject {
  readonly [name: string]: JsonValue
}

/** A part of a key. Numbers and strings sort in their natural order, null before both. */
export type KeyPart = null | boolean | number | string

/** Records of one index value; their type has one identifier. */
export interface NewestRange {
  readonly index: string
  readonly values: readonly KeyPart[]
  /** Only lower identifiers; undefined: all. */
  readonly before?: number | undefined
  readonly length: number
}
export type Id = number | string

/** A record type for storage: a key space and its indexes. T is the type of its records. */
export interface RecordType<T extends object = object> {
  readonly name: string
  readonly indexes: readonly Index[]
  /** Number of identifiers of a record; default: one. */
  readonly idCount?: number
  readonly rises?: Rising
  /** Converts a record that was stored under an earlier form of the type to the present form. */
  readonly upgrade?: (record: JsonObject) => T
}

/** A date field, in every record, that is never much earlier than in any preceding record. */
export interface Rising {
  readonly field: string
  /** How much earlier than the latest preceding date it may be. */
  readonly slackMs: number
  /**
   * Records with the field, under the identifiers at which the difference is larger: the field rises again from
   * there.
   */
  readonly resets: RecordType
}

/**
 * A sorted index of records. `rows` returns the values under which a record is found: one inner array per row
 * (for a list field, one per element). It must depend only on the record.
 */
export interface Index {
  readonly name: string
  /**
   * Number of values in every row. Only for records with one numeric identifier: a lookup of as many values then depends
   * on their rows alone, and a response built from it stays cached when other records of the type change.
   */
  readonly width?: number
  readonly rows: (record: JsonObject) => readonly (readonly KeyPart[])[]
}

/** Up to this size a single record is read as text, a longer one as bytes: its response would convert the text back. */
export const MAX_SHORT_BYTES = 16 * 1024

/** A committed record as stored, with a counter that every change of the record increments. */
export interface Stored<T extends object = JsonObject> {
  /** JSON in UTF-8. */
  readonly bytes: Buffer
  /** Number of the bytes, for callers that do not need the bytes themselves. */
  readonly sizeBytes: number
  readonly revision: number
  /** Text of the bytes, decoded once. */
  readonly text: string
  /**
   * Value of the text, parsed once and shared: it must not be modified. Not upgraded: see RecordType.upgrade.
   */
  readonly value: T
}

/**
 * A function on records of one type. Method types are compared bivariantly, so it fits where a function on any
 * record is expected; its caller must pass only records of that type.
 */
export type OfRecord<T extends object, R> = { of(record: T): R }['of']

/** The fields that a query may name, with the kind by which values are compared and indexed. */
export type Searchable = ReadonlyMap<string, SearchField>

/** Names of members, and positions in lists: see json-path.ts. */
export type JsonPath = readonly (string | number)[]

export interface SearchField {
  readonly name: string
  readonly kind: FieldKind
  /**
   * Equality, ranges, prefixes and order on the field use the index of the same name. That index has exactly
   * one row with one value per record, null if there is no value; for a list field, one row per element. The
   * values are those of toKeyPart in schema/field-value.ts.
   */
  readonly isIndexed: boolean
  /** Name of its index, if it differs from the name of the field. */
  readonly index?: string
  /**
   * Records are sorted by this field in the order of their identifiers, so it needs no index
   * (RecordType.rises).
   */
  readonly rises?: boolean
  /** The field is the identifier, by which records are sorted, so it needs no index. */
  readonly isId?: boolean
  /** A path into the value of a JSON column. */
  readonly path?: JsonPath
  /** Computes the value, which the record does not store. */
  readonly derive?: (record: JsonObject) => JsonValue
  /** Records can be sorted by the derived value although it has no index, if the search finds few enough. */
  readonly isSortedByValue?: boolean
}

/** How a search found its records. */
export interface SearchedBy {
  /** The fields whose index rows were read; empty: all records were read, by identifier. */
  readonly index: readonly string[]
  /** The matching records were collected and sorted, because no index has their order. */
  readonly isSorted: boolean
}

export type FieldKind = ValueKind | 'integers'

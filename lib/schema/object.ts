// defineObject: one constant per object, from which the types of its records, the checks of bodies, the
// indexes, the searchable fields and the documentation are derived.

import type {
  Index,
  JsonObject,
  JsonValue,
  RecordType,
  Rising,
  Searchable,
  SearchField,
} from './values.ts'
import { isListKind, toKeyPart } from './field-value.ts'
import { type Access, dateTime, type Field, integer, string } from './field.ts'

export type Fields = Readonly<Record<string, Field<JsonValue, Access>>>

type ValueOf<F> =
  F extends Field<infer T, Access, infer N> ? (N extends false ? T : T | null) : never

type ValuesOf<F extends Fields> = {
  readonly [K in keyof F as F[K] extends Field<JsonValue, Access, boolean, false>
    ? never
    : K]: ValueOf<F[K]>
}

type Numbered<N extends string> = { readonly [K in `${N}_id`]: number }

/** The record as stored: its identifier, its stored fields and the base fields. */
export type RecordOf<O> = O extends ObjectType<infer T> ? T : never

/** T: the type of its records. */
export interface ObjectType<T extends JsonObject = JsonObject, F extends Fields = Fields> {
  /** Name on the wire, in paths and as key space: `asset_file`. */
  readonly name: string
  /** Name in messages: `asset file`. */
  readonly label: string
  readonly idField: string
  readonly description: string
  readonly fields: F & Fields
  readonly recordType: RecordType<T>
  readonly searchable: Searchable
  readonly example: Example | undefined
}

/** Example bodies that work on a new site, and the responses there. */
interface Example {
  /** Undefined if clients cannot create records. */
  readonly create?: object
  readonly update?: object
  /** Members that the server adds to the body. */
  readonly record: object
  /** Members that the update changes. */
  readonly changed?: object
}

export const EXAMPLE_DATE = '2026-01-31T12:00:00.000Z'

interface Definition<N extends string, F extends Fields, B extends Fields> {
  readonly name: N
  readonly label: string
  readonly description: string
  readonly fields: F
  readonly example?: Example
  /** Fields at the end of every record; fewer if records have no owner or never change. */
  readonly baseFields?: B
  /** Indexes in addition to those of single fields, for example unique names. */
  readonly indexes?: readonly Index[]
  /** Key space, if objects with one name have several: the entries of each module. */
  readonly recordName?: string
  readonly upgrade?: (record: JsonObject) => JsonObject
  readonly rises?: Rising
  /** Name of the index of a field, if it differs from the name of the field. */
  readonly indexNameOf?: (field: string) => string
  /** The identifier is searched only by its qualified name. */
  readonly isIdQualified?: boolean
}

const BASE_FIELDS = {
  date_added: dateTime('assigned', {
    description: 'When the record was created.',
    isNullable: false,
  }),
  date_modified: dateTime('assigned', {
    description: 'When the record was last changed.',
    isNullable: false,
  }),
  owner: string('assigned', {
    description: 'Name of the user who created the record.',
    example: 'ada',
    isNullable: false,
  }),
} satisfies Fields

export function defineObject<
  const N extends string,
  F extends Fields,
  B extends Fields = typeof BASE_FIELDS,
  T extends JsonObject = Numbered<N> & ValuesOf<F> & ValuesOf<B>,
>(definition: Definition<N, F, B>): ObjectType<T, F> {
  const idField = `${definition.name}_id`
  const id = {
    [idField]: integer('assigned', {
      description: 'Identifier, never reused.',
      isIndexed: false,
      isNullable: false,
    }),
  }
  const base: Fields = definition.baseFields ?? BASE_FIELDS
  const fields = { ...id, ...definition.fields, ...base }
  const { name, indexNameOf = (field: string) => field } = definition
  const indexed = Object.entries(fields).filter(([, field]) => field.isIndexed)
  const idName = definition.isIdQualified === true ? `${name}.${idField}` : idField

  return Object.freeze({
    name,
    label: definition.label,
    idField,
    description: definition.description,
    example: definition.example,
    fields,
    recordType: {
      name: definition.recordName ?? name,
      indexes: [
        ...indexed.map(([field, kind]) => fieldIndex(field, kind, indexNameOf(field))),
        ...(definition.indexes ?? []),
      ],
      ...(definition.rises && { rises: definition.rises }),
      // The names come from the layout of a module, so the compiler cannot see that this is a record of the
      // type.
      ...(definition.upgrade && { upgrade: definition.upgrade as (record: JsonObject) => T }),
    },
    searchable: new Map(
      Object.entries(fields).flatMap(([field, kind]) =>
        field === idField
          ? [[idName, { name: idField, kind: 'integer', isIndexed: false, isId: true }] as const]
          : searchField(field, kind, indexNameOf(field)).map(([key, found]) =>
              field === definition.rises?.field
                ? ([key, { ...found, rises: true }] as const)
                : ([key, found] as const),
            ),
      ),
    ),
  })
}

function fieldIndex(
  field: string,
  { search, derive }: Field<JsonValue, Access>,
  name: string,
): Index {
  if (derive !== undefined) {
    return {
      name,
      width: 1,
      rows: (record) => [[toKeyPart(search ?? 'string', asScalar(derive(record)))]],
    }
  }
  if (isListKind(search)) {
    return { name, width: 1, rows: (record) => listOf(record, field).map((item) => [item]) }
  }
  const kind = search ?? 'string'
  return { name, width: 1, rows: (record) => [[toKeyPart(kind, scalarOf(record, field))]] }
}

function listOf(record: JsonObject, name: string): readonly number[] {
  const value = record[name]
  return Array.isArray(value) ? (value as readonly number[]) : []
}

function scalarOf(record: JsonObject, name: string): null | boolean | number | string {
  return asScalar(record[name])
}

function asScalar(value: JsonValue | undefined): null | boolean | number | string {
  return value === undefined || typeof value === 'object' ? null : value
}

function searchField(
  name: string,
  { search, isIndexed, derive }: Field<JsonValue, Access>,
  index: string,
): (readonly [string, SearchField])[] {
  if (search === undefined) return []
  return [[name, { name, kind: search, isIndexed, index, ...(derive && { derive }) }]]
}

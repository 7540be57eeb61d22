// defineObject: one constant per object, from which come the types of its records, the checks of
// bodies, the indexes, what a search may name, and the documents.

import type {
  Index,
  JsonObject,
  JsonValue,
  RecordType,
  Rising,
  Searchable,
  SearchField,
} from './values.ts'
import { toKeyPart } from './field-value.ts'
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

/** The record as it is stored: its identifier, its fields but for those that are derived, and the base fields. */
export type RecordOf<O> = O extends ObjectType<infer T> ? T : never

/** T: what its records are. */
export interface ObjectType<T extends JsonObject = JsonObject, F extends Fields = Fields> {
  /** On the wire, in paths and as key space: `asset_file`. */
  readonly name: string
  /** In messages: `asset file`. */
  readonly label: string
  readonly idField: string
  readonly description: string
  readonly fields: F & Fields
  readonly recordType: RecordType<T>
  readonly searchable: Searchable
  readonly example: Example | undefined
}

/** Bodies to try, each of which works on a fresh site as it is, and what is answered to them there. */
interface Example {
  /** Undefined where nobody creates any. */
  readonly create?: object
  readonly update?: object
  /** What the server adds to what the body gives. */
  readonly record: object
  /** What follows from the update. */
  readonly changed?: object
}

export const EXAMPLE_DATE = '2026-01-31T12:00:00.000Z'

interface Definition<N extends string, F extends Fields, B extends Fields> {
  readonly name: N
  readonly label: string
  readonly description: string
  readonly fields: F
  readonly example?: Example
  /** Those at the end of every record; fewer where a record has no owner, or never changes. */
  readonly baseFields?: B
  /** Indexes beyond those of the single fields: unique names, for example. */
  readonly indexes?: readonly Index[]
  /** Key space, where objects of one name have several: the entries of each module. */
  readonly recordName?: string
  readonly upgrade?: (record: JsonObject) => JsonObject
  readonly rises?: Rising
  /** Name of the index of a field, where that is not the name of the field. */
  readonly indexNameOf?: (field: string) => string
  /** The identifier is searched for by its qualified name alone. */
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
      // By names that the layout of a module gives: the compiler does not see that it is a record of this type.
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
    return { name, rows: (record) => [[toKeyPart(search ?? 'string', asScalar(derive(record)))]] }
  }
  if (search === 'integers') {
    return { name, rows: (record) => listOf(record, field).map((item) => [item]) }
  }
  const kind = search ?? 'string'
  return { name, rows: (record) => [[toKeyPart(kind, scalarOf(record, field))]] }
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

// A record type with a field of every kind, for the tests of records and search.

import { type Scalar, toKeyPart } from '../../lib/schema/field-value.ts'
import { parseQry } from '../../lib/schema/qry.ts'
import type { Match } from '../../lib/schema/match.ts'
import type {
  FieldKind,
  Index,
  JsonObject,
  RecordType,
  Searchable,
  SearchField,
} from '../../lib/schema/values.ts'

export type Book = JsonObject & { readonly book_id: number }

const FIELDS: readonly SearchField[] = [
  { name: 'book_id', kind: 'integer', isIndexed: false, isId: true },
  indexed('title', 'string'),
  indexed('pages', 'integer'),
  indexed('weight', 'number'),
  indexed('price', 'decimal'),
  indexed('sold', 'boolean'),
  indexed('printed', 'date'),
  indexed('added', 'date-time'),
  indexed('tags', 'integers'),
  { name: 'note', kind: 'string', isIndexed: false },
]

export const searchable: Searchable = new Map(FIELDS.map((field) => [field.name, field]))

export const book: RecordType<JsonObject> = {
  name: 'book',
  indexes: [
    ...FIELDS.filter((field) => field.isIndexed).map(fieldIndex),
    {
      name: 'by_shelf',
      width: 2,
      rows: (record) => [
        [toKeyPart('integer', record['shelf']), toKeyPart('string', record['title'])],
      ],
    },
  ],
}

/** A record type with two identifiers. */
export const chapter: RecordType = {
  name: 'chapter',
  idCount: 2,
  indexes: [{ name: 'heading', rows: (record) => [[toKeyPart('string', record['heading'])]] }],
}

export function makeBook(
  book_id: number,
  values: Readonly<Record<string, Scalar | null | readonly number[]>> = {},
): Book {
  const empty = {
    title: null,
    pages: null,
    weight: null,
    price: null,
    sold: null,
    printed: null,
    added: null,
  }
  return { book_id, ...empty, tags: [], note: null, shelf: null, ...values }
}

export function qry(value: unknown): Match {
  return parseQry(typeof value === 'string' ? value : JSON.stringify(value), searchable, 'book')
}

function indexed(name: string, kind: FieldKind): SearchField {
  return { name, kind, isIndexed: true }
}

function fieldIndex({ name, kind }: SearchField): Index {
  if (kind !== 'integers')
    return { name, width: 1, rows: (record) => [[toKeyPart(kind, record[name])]] }
  return {
    name,
    width: 1,
    rows: (record) => (record[name] as readonly number[]).map((item) => [toKeyPart(kind, item)]),
  }
}

// The order of a search: fields, each in its own direction, and the identifier last. Values compare by their index key
// parts, also in an order by several fields: null comes first, a long text compares by its first bytes, and values that
// share an index row are equal.

import { CmsError } from '../../base/errors.ts'
import { isListKind, toKeyPart } from '../../schema/field-value.ts'
import { closest } from '../../schema/message-text.ts'
import { encodeKey, splitKey } from './keys.ts'
import { indexName } from './access-path.ts'
import type {
  Index,
  JsonObject,
  KeyPart,
  RecordType,
  Searchable,
  SearchField,
} from '../../schema/values.ts'
import type { Query } from '../port.ts'

export interface Order {
  /** Does not include the identifier. */
  readonly fields: readonly OrderField[]
  /** Direction of each field and of the identifier. */
  readonly directions: readonly boolean[]
  /** The index of the first field is not completely in this order: rows with the same value must be sorted. */
  readonly hasRuns: boolean
}

interface OrderField {
  readonly field: SearchField
  readonly index: Index | undefined
}

/** The position of a record in an order. */
export interface Place {
  readonly id: number
  /** Key parts of the fields, then of the identifier. */
  readonly position: Buffer
  /** Compares in the requested order by its code units. */
  readonly sortKey: string
}

interface Asked {
  readonly field: SearchField | undefined
  readonly descending: boolean
}

/** Throws bad-qry if records cannot be sorted by one of the fields. */
export function buildOrder(type: RecordType, searchable: Searchable, query: Query): Order {
  const further = query.orderBy === undefined ? [] : (query.thenBy ?? [])
  const asked = [query, ...further].map((item) => ({
    field: findField(searchable, item.orderBy),
    descending: item.descending === true,
  }))
  return orderOf(type, asked)
}

export function orderBy(type: RecordType, field: SearchField, { descending }: Query): Order {
  return orderOf(type, [{ field, descending: descending === true }])
}

export function isSortable({ isIndexed, isId, rises, kind, ...field }: SearchField): boolean {
  if (isId === true || rises === true || field.isSortedByValue === true) return true
  return isIndexed && !isListKind(kind)
}

/** Number of parts of a position in this order; a position after a whole run has one more part (endOfRun). */
export function partCountsOf({ directions, hasRuns }: Order): readonly number[] {
  return hasRuns ? [directions.length, directions.length + 1] : [directions.length]
}

/** The position after all records with this encoded value in the first field. */
export function endOfRun({ directions }: Order, value: Buffer): Buffer {
  return Buffer.concat([value, encodeKey(directions.map(() => 0))])
}

/** Whether a position is the end of a whole run. */
export function isEndOfRun({ directions }: Order, position: Buffer): boolean {
  return splitKey(position).length > directions.length
}

export function placeOf({ fields, directions }: Order, record: JsonObject, id: number): Place {
  const parts = [...fields.map(({ index }) => valueIn(index, record)), id]
  // Encoded one by one, because together the parts may exceed the length of a key.
  const encoded = parts.map((part) => encodeKey([part]))
  return { id, position: Buffer.concat(encoded), sortKey: sortKeyOf(encoded, directions) }
}

/** The next page begins after this sort key. */
export function startKey(order: Order, position: Buffer): string {
  const parts = splitKey(position)
  if (parts.length === order.directions.length) return sortKeyOf(parts, order.directions)
  // Every part begins with a byte below FF, inverted or not.
  return `${sortKeyOf(parts.slice(0, 1), order.directions)}\xff`
}

/** Without fields the order is by identifier; fields after the identifier have no effect. */
function orderOf(type: RecordType, asked: readonly Asked[]): Order {
  const idAt = asked.findIndex(({ field }) => field === undefined)
  const before = idAt === -1 ? asked : asked.slice(0, idAt)
  const idDescending = (asked[idAt] ?? asked.at(-1))?.descending === true

  const fields = before.flatMap(({ field }) => (field === undefined ? [] : [inType(type, field)]))
  const directions = [...before.map(({ descending }) => descending), idDescending]
  const hasRuns = fields.length > 1 || directions.some((item) => item !== directions[0])
  return { fields, directions, hasRuns }
}

function inType(type: RecordType, field: SearchField): OrderField {
  const { kind, derive } = field
  if (field.isSortedByValue === true && derive !== undefined)
    return { field, index: { name: '', rows: (record) => [[toKeyPart(kind, derive(record))]] } }
  return { field, index: type.indexes.find(({ name }) => name === indexName(field)) }
}

function findField(searchable: Searchable, wanted: Query['orderBy']): SearchField | undefined {
  if (wanted === null || wanted === undefined) return undefined
  const field = searchable.get(wanted)
  if (field !== undefined && isSortable(field))
    return field.isId === true || field.rises === true ? undefined : field

  const names = [...searchable].filter(([, known]) => isSortable(known)).map(([name]) => name)
  const near = closest(wanted, names)
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`
  throw new CmsError(
    'bad-qry',
    `Records cannot be sorted by "${wanted}".${hint} Sort by one of: ${names.join(', ')}.`,
  )
}

function valueIn(index: Index | undefined, record: JsonObject): KeyPart {
  return index?.rows(record)[0]?.[0] ?? null
}

/**
 * No part is a prefix of another part, so concatenated parts sort like a sequence of parts, and inverted parts sort in the
 * opposite direction.
 */
function sortKeyOf(parts: readonly Buffer[], directions: readonly boolean[]): string {
  const turned = parts.map((part, at) => (directions[at] === true ? turn(part) : part))
  return Buffer.concat(turned).toString('latin1')
}

function turn(part: Buffer): Buffer {
  const turned = Buffer.allocUnsafe(part.length)
  for (const [at, byte] of part.entries()) turned[at] = byte ^ 0xff
  return turned
}

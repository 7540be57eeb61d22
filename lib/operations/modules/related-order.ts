// Orders by a column of the entries that a reference leads to, as in orderStr=author.name. The column may have an index in
// the other table, but the searched entries are not in the order of that index, so they are sorted by value.

import type { EntryType } from '../../schema/entry.ts'
import { type Reference, referencesOf } from '../../schema/expand.ts'
import { and, valueOf } from '../../schema/match.ts'
import { isListKind } from '../../schema/field-value.ts'
import type { JsonValue, SearchField } from '../../schema/values.ts'
import type { Query } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import type { Following } from './following-references.ts'
import type { Module } from './module-cache.ts'
import { findSeenEntry, valuesOf } from './reference-targets.ts'

interface OrderedSearch {
  readonly object: EntryType['object']
  readonly query: Query
}

/** The query, and the object with the fields by which the query sorts. An entry without a visible referenced entry has no value there. */
export function withRelatedOrder(
  following: Following,
  module: Module,
  query: Query,
): OrderedSearch {
  const { object } = module.entry
  const orders = [query, ...(query.thenBy ?? [])].map(({ orderBy }) => orderBy)
  const fields = orders.flatMap((name) => findField(following, module, name ?? '') ?? [])
  if (fields.length === 0) return { object, query }
  const own = fields.map((field): [string, SearchField] => [field.name, field])
  return {
    object: { ...object, searchable: new Map([...object.searchable, ...own]) },
    // The order depends on other records, so that the page must not be cached by the search alone.
    query: { ...query, asked: query.asked ?? query.match ?? and() },
  }
}

function findField(following: Following, module: Module, name: string): SearchField | undefined {
  const at = name.indexOf('.')
  if (at === -1 || module.entry.object.searchable.has(name)) return undefined
  const column = name.slice(0, at)
  const reference = referencesOf(module.entry).find(
    (each) => each.column === column && !each.isMany,
  )
  const target = reference && targetOf(following, reference)
  const field = target?.entry.object.searchable.get(name.slice(at + 1))
  if (target === undefined || field === undefined || !isComparable(field)) return undefined
  const derive = valueReader(following.context, target, { column, name: field.name })
  return { name, kind: field.kind, isIndexed: false, isSortedByValue: true, derive }
}

function targetOf({ find }: Following, { references }: Reference): Module | undefined {
  const { object, module_id: id } = references
  return object === 'asset_file' ? undefined : find(object, id ?? 0)
}

/** The same columns by which the list of the other table can be sorted. */
function isComparable({ isIndexed, isId, rises, kind }: SearchField): boolean {
  return (isIndexed || isId === true || rises === true) && !isListKind(kind)
}

interface Value {
  /** The column that refers. */
  readonly column: string
  /** The field of the other entry. */
  readonly name: string
}

/** Reads each referenced entry once. */
function valueReader(
  context: Context,
  target: Module,
  { column, name }: Value,
): NonNullable<SearchField['derive']> {
  const known = new Map<number, JsonValue>()
  return (record) => {
    const id = Number(valueOf(record, column) ?? 0)
    if (known.has(id)) return known.get(id) ?? null
    const stored = findSeenEntry(context, target, id)
    const value = stored === undefined ? null : valueOf(valuesOf(target, stored), name)
    known.set(id, value)
    return value
  }
}

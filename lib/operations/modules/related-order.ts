// Orders by a field of the entries or files that a reference leads to, as in orderStr=author.name. The field may have an
// index of its own, but the searched entries are not in the order of that index, so they are sorted by value.

import type { EntryType } from '../../schema/entry.ts'
import { type Reference, referencesOf } from '../../schema/expand.ts'
import { and, valueOf } from '../../schema/match.ts'
import { isListKind } from '../../schema/field-value.ts'
import type { JsonObject, JsonValue, Searchable, SearchField } from '../../schema/values.ts'
import type { Query } from '../../storage/port.ts'
import type { Following } from './following-references.ts'
import type { Module } from './module-cache.ts'
import { EXPANDED_FILE_FIELDS, findSeenEntry, findTarget, valuesOf } from './reference-targets.ts'
import { fileFields } from './related-search.ts'

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
  const values = reference && valuesOfTarget(following, reference)
  const field = values?.fields.get(name.slice(at + 1))
  if (values === undefined || field === undefined || !isComparable(field)) return undefined
  const known = new Map<number, JsonValue>()
  const derive = (record: JsonObject): JsonValue => {
    const id = Number(valueOf(record, column) ?? 0)
    const value = known.has(id) ? known.get(id) : values.read(id, field.name)
    known.set(id, value ?? null)
    return value ?? null
  }
  return { name, kind: field.kind, isIndexed: false, isSortedByValue: true, derive }
}

/** Reads values of the records that a reference leads to, as the caller sees them. */
interface TargetValues {
  readonly fields: Searchable
  /** Null if the caller sees no such record. */
  readonly read: (id: number, name: string) => JsonValue
}

function valuesOfTarget(following: Following, { references }: Reference): TargetValues | undefined {
  const { context, find } = following
  const { object, module_id: moduleId } = references
  if (object === 'asset_file') {
    const file = findTarget(following, references)
    const read = (id: number, name: string): JsonValue => {
      const seen = file?.read(id)
      return seen === undefined ? null : valueOf(JSON.parse(seen.text) as JsonObject, name)
    }
    const isExpanded = ([name]: readonly [string, SearchField]): boolean =>
      EXPANDED_FILE_FIELDS.includes(name)
    return { fields: new Map([...fileFields(context)].filter(isExpanded)), read }
  }
  const module = find(object, moduleId ?? 0)
  if (module === undefined) return undefined
  const read = (id: number, name: string): JsonValue => {
    const stored = findSeenEntry(context, module, id)
    return stored === undefined ? null : valueOf(valuesOf(module, stored), name)
  }
  return { fields: module.entry.object.searchable, read }
}

/** The same columns by which the list of the other table can be sorted. */
function isComparable({ isIndexed, isId, rises, kind }: SearchField): boolean {
  return (isIndexed || isId === true || rises === true) && !isListKind(kind)
}

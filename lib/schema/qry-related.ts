// Conditions of a qry on the records to which an entry refers, or which refer to it:
//
//   {"author.name": "Ada"}                               through a reference to one record
//   {"related": {"$some": {"title": "News"}}}            to a list of records; also $none and $every
//   {"datatable_5.post": {"$some": {"approved": true}}}  the entries of datatable 5 whose column post refers to this one
//
// Records that the caller does not see take no part: through a reference, their fields have no value.

import { MAX_REFERENCE_DEPTH, MAX_RELATED_CONDITIONS } from '../shared/limits.ts'
import { and, type Match, type RelatedRecords } from './match.ts'
import { matchesNothing, not } from './match-negation.ts'
import { member, type QryObject, type QryValue, refuse } from './qry-text.ts'
import type { Searchable, SearchField } from './values.ts'

/** The references of an object that a qry may follow. */
export interface RelatedFields {
  /** A reference by its column, or a column that refers to the object, as datatable_5.post. */
  readonly find: (name: string) => RelatedField | undefined
}

export interface RelatedField {
  /** Compared with the identifiers of the records, or the identifier that they refer to. */
  readonly field: SearchField
  readonly from: RelatedRecords
  readonly isList: boolean
  /** The fields of the records; undefined if the caller sees none of the records. */
  readonly target: () => RelatedTarget | undefined
}

interface RelatedTarget {
  readonly fields: Searchable
  readonly objectName: string
  readonly related: RelatedFields | undefined
}

/** The names that the parser knows at a place. */
export interface RelatedNames {
  readonly fields: Searchable
  readonly objectName: string
  /** Undefined if the object has no references. */
  readonly related: RelatedFields | undefined
  /** References followed so far. */
  readonly depth: number
  /** Conditions on related records so far, in the whole qry. */
  readonly total: { related: number }
}

interface Found {
  readonly related: RelatedField
  /** As written. */
  readonly name: string
  /** The part after the reference: a field of the records. */
  readonly rest: string | undefined
}

/** How a condition on one record becomes a condition on all records of a list. */
type Quantifier = (condition: Match, some: (part: Match) => Match) => Match

const QUANTIFIERS: ReadonlyMap<string, Quantifier> = new Map<string, Quantifier>([
  ['$some', (condition, some) => some(condition)],
  ['$none', (condition, some) => not(some(condition))],
  ['$every', (condition, some) => not(some(not(condition)))],
])

/** Operators of references. */
const QRY_QUANTIFIERS: readonly string[] = [...QUANTIFIERS.keys()]

/** Undefined if the member is a condition on a field of the object itself. */
export function findRelated(
  name: string,
  value: QryValue,
  { fields, related }: RelatedNames,
): Found | undefined {
  if (related === undefined) return undefined
  // Most conditions are on fields of the object itself, and need no look at its references.
  if (fields.has(name) && !isQuantified(value)) return undefined
  const own = related.find(name)
  if (own !== undefined) return { related: own, name, rest: undefined }
  if (fields.has(name)) return undefined
  const dots = [...name.matchAll(/\./g)].slice(0, 2).map(({ index }) => index)
  for (const at of dots) {
    const found = related.find(name.slice(0, at))
    if (found !== undefined)
      return { related: found, name: name.slice(0, at), rest: name.slice(at + 1) }
  }
  return undefined
}

function isQuantified(value: QryValue): boolean {
  return value instanceof Map && QRY_QUANTIFIERS.some((name) => value.has(name))
}

interface Parsers<N> {
  readonly group: (value: QryValue, path: string, names: N) => Match
  readonly member: (name: string, value: QryValue, place: Place<N>) => Match
  readonly operations: (field: SearchField, siblings: QryObject, place: Place<N>) => Match
}

interface Place<N> {
  readonly path: string
  readonly names: N
}

interface RelatedPlace<N> extends Place<N> {
  readonly parse: Parsers<N>
}

/** Throws bad-qry for too many conditions, too deep ones, and records that the caller does not see. */
export function parseRelated<N extends RelatedNames>(
  { related, name, rest }: Found,
  value: QryValue,
  { path, names, parse }: RelatedPlace<N>,
): Match {
  const some = (match: Match): Match => ({
    op: 'related',
    field: related.field,
    from: related.from,
    match,
  })
  if (rest !== undefined) {
    if (related.isList)
      refuse(path, `is a list; write {"${name}": {"$some": {"${rest}": …}}}, or $none or $every`)
    const condition = parse.member(rest, value, { path, names: enter(related, path, names) })
    return matchesNothing(condition) ? not(some(not(condition))) : some(condition)
  }
  if (!(value instanceof Map) || !isQuantified(value))
    return refuse(path, `needs one of ${QRY_QUANTIFIERS.join(', ')}, as in {"$some": {…}}`)

  const parts: Match[] = []
  const others = new Map<string, QryValue>()
  for (const [key, item] of value as QryObject) {
    const quantify = QUANTIFIERS.get(key)
    if (quantify === undefined) others.set(key, item)
    else {
      const place = member(path, key)
      parts.push(quantify(parse.group(item, place, enter(related, place, names)), some))
    }
  }
  if (others.size > 0) parts.push(parse.operations(related.field, others, { path, names }))
  return and(...parts)
}

/** The names of the records to which a reference leads. */
function enter<N extends RelatedNames>({ target }: RelatedField, path: string, names: N): N {
  const depth = names.depth + 1
  if (depth > MAX_REFERENCE_DEPTH)
    refuse(path, `follows more than ${MAX_REFERENCE_DEPTH} references`)
  names.total.related += 1
  if (names.total.related > MAX_RELATED_CONDITIONS)
    refuse(
      path,
      `is one too many: a qry may have ${MAX_RELATED_CONDITIONS} conditions on related records`,
    )
  const next = target() ?? refuse(path, 'leads to records that the key may not see')
  return { ...names, ...next, depth }
}

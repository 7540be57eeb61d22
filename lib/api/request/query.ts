// The parameters of lists: qry, start, length, cursor, orderStr, orderDir, table_filter, fields, count.

import { CmsError } from '../../base/errors.ts'
import { pointer, refuseFaults, requireObject } from '../../schema/check.ts'
import { closest, counted, toSentence } from '../../schema/message-text.ts'
import { and, type Match, textMatch } from '../../schema/match.ts'
import type { ObjectType } from '../../schema/object.ts'
import { parseQry, type QryOptions } from '../../schema/qry.ts'
import type { RelatedFields } from '../../schema/qry-related.ts'
import type { Query } from '../../storage/port.ts'
import { type Request, requireKnownParameters } from './request.ts'

export const LIST_PARAMETERS = [
  'qry',
  'start',
  'length',
  'cursor',
  'orderStr',
  'orderDir',
  'table_filter',
  'fields',
  'count',
] as const

interface ListLimits {
  readonly listLength: number
  readonly maxListLength: number
  readonly maxOrderFields: number
  /** Maximum size of a qry that was an object in a body; undefined: the limit of a qry in a URL. */
  readonly qryBytes?: number | undefined
}

interface ListNames {
  /** Additional parameters of this list. */
  readonly further?: readonly string[]
  /** References that qry may follow. */
  readonly related?: RelatedFields
}

export function readQuery(
  query: URLSearchParams,
  object: ObjectType,
  limits: ListLimits,
  { further = [], related }: ListNames = {},
): Query {
  const known = [...LIST_PARAMETERS, ...further]
  refuseFields(query, object, known)
  requireKnownParameters(query, known)
  const cursor = query.get('cursor') ?? undefined
  const length = readCount(query, 'length', limits.maxListLength) ?? limits.listLength
  // The records before the page must also be countable.
  const start = readCount(query, 'start', Math.floor(Number.MAX_SAFE_INTEGER / length))
  if (cursor !== undefined && start !== undefined)
    throw bad(
      'start and cursor cannot be used together: a cursor already says where its page begins',
    )

  return {
    match: readMatch(query, object, { maxBytes: limits.qryBytes, related }),
    ...readOrder(query, object, limits),
    start,
    length,
    cursor,
    count: readExact(query),
  }
}

/** Explains qry to clients that send ?name=news, as other servers accept it. */
function refuseFields(
  query: URLSearchParams,
  { searchable }: ObjectType,
  known: readonly string[],
): void {
  for (const [name, value] of query) {
    if (known.includes(name) || !searchable.has(name)) continue
    const qry = JSON.stringify({ [name]: value.slice(0, 100) })
    throw new CmsError(
      'bad-request',
      `The query parameter ${JSON.stringify(name)} is not known; to search by that field send qry=${qry}, percent-encoded. Known are ${known.join(', ')}.`,
    )
  }
}

/** The selection of `fields=a,b`; undefined means all fields. */
export function readFields(
  query: URLSearchParams,
  object: ObjectType,
): ReadonlySet<string> | undefined {
  return readFieldNames(query, object.name, Object.keys(object.fields))
}

export function readFieldNames(
  query: URLSearchParams,
  objectName: string,
  known: readonly string[],
): ReadonlySet<string> | undefined {
  const text = query.get('fields')
  if (text === null || text.trim() === '*') return undefined
  const names = text.split(',').map((name) => name.trim())
  const wanted = names.filter((name) => name !== '')
  if (wanted.length === 0) throw bad('fields names no field')

  for (const name of wanted) {
    if (known.includes(name)) continue
    const near = closest(name, known)
    const hint = near === undefined ? `known are ${known.join(', ')}` : `did you mean "${near}"?`
    throw bad(`fields names ${JSON.stringify(name)}, which ${objectName} does not have; ${hint}`)
  }
  return new Set(wanted)
}

function readMatch(
  query: URLSearchParams,
  object: ObjectType,
  options: QryOptions,
): Match | undefined {
  const qry = query.get('qry')
  const filter = query.get('table_filter')
  const matches = [
    qry === null ? undefined : parseQry(qry, object.searchable, object.name, options),
    filter === null || filter === '' ? undefined : textMatch(filter, object.searchable),
  ].filter((match) => match !== undefined)
  return matches.length === 0 ? undefined : and(...matches)
}

type Order = Pick<Query, 'orderBy' | 'descending' | 'thenBy'>

/** The sort fields, each with its direction. Without orderStr, the order is whatever costs least. */
function readOrder(
  query: URLSearchParams,
  object: ObjectType,
  { maxOrderFields }: ListLimits,
): Order {
  const names = readNames(query, object)
  const directions = readDirections(query)
  if (names.length > maxOrderFields)
    throw bad(
      `orderStr has ${names.length} fields; a list can be sorted by at most ${maxOrderFields}`,
    )
  if (directions.length > 1 && directions.length !== names.length) {
    throw bad(
      `orderDir has ${directions.length} directions for ${counted(names.length, 'field')} of orderStr; send one for all fields, or one for each`,
    )
  }

  const isDown = (at: number): boolean => (directions[at] ?? directions[0]) === 'DESC'
  const [first, ...thenBy] = names.map((name, at) => ({
    orderBy: name === object.idField ? null : name,
    descending: isDown(at),
  }))
  if (first === undefined) return { descending: isDown(0) }
  return thenBy.length === 0 ? first : { ...first, thenBy }
}

/** The fields of orderStr, without the object name that may qualify them. */
function readNames(query: URLSearchParams, object: ObjectType): readonly string[] {
  const prefix = `${object.name}.`
  const names = splitList(query.get('orderStr')).map((text) =>
    text.startsWith(prefix) ? text.slice(prefix.length) : text,
  )
  if (names.length > 1 && names.includes(''))
    throw bad('orderStr has a comma without a field next to it; write fields as a,b')
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw bad(`orderStr has ${JSON.stringify(twice)} more than once`)
  return names.filter((name) => name !== '')
}

function readDirections(query: URLSearchParams): readonly string[] {
  const directions = splitList(query.get('orderDir')).map((text) => text.toUpperCase())
  if (directions.length === 1 && directions[0] === '') return []
  if (directions.every((text) => text === 'ASC' || text === 'DESC')) return directions
  throw bad(
    'orderDir must be ASC or DESC, or one direction for each field of orderStr, as in ASC,DESC',
  )
}

/** Splits at commas. The whole text and each part may be quoted. */
function splitList(text: string | null): readonly string[] {
  return unquote(text).split(',').map(unquote)
}

/** Removes quotes, because a published example of this API sends its values in double quotes. */
function unquote(text: string | null): string {
  return (text ?? '')
    .trim()
    .replace(/^(["'])((?:(?!\1).)*)\1$/, '$2')
    .trim()
}

function readCount(query: URLSearchParams, name: string, max: number): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const value = Number(text)
  if (/^\d{1,16}$/.test(text) && value >= 1 && value <= max) return value
  throw bad(`${name} must be a whole number from 1 to ${max}`)
}

function readExact(query: URLSearchParams): boolean {
  const text = query.get('count')
  if (text === null) return false
  if (text === 'exact') return true
  throw bad('count must be "exact"')
}

function bad(detail: string): CmsError {
  return new CmsError('bad-qry', toSentence(detail))
}

const COUNTS: ReadonlySet<string> = new Set(['start', 'length', 'explain'])
const FLAGS: ReadonlySet<string> = new Set(['expand'])

/**
 * Returns the request with the members of its body as its query. The body of POST …/search has the parameters of a list as
 * JSON, for a search that is too long for a URL.
 */
export async function withSearchBody(request: Request): Promise<Request> {
  requireKnownParameters(request.query, [])
  const body = requireObject((await request.json('search', true)) ?? {})
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(body)) {
    if (value === null) continue
    const text = textOf(name, value)
    if (text === undefined)
      refuseFaults([{ pointer: pointer(name), detail: `must be ${acceptedFor(name)}` }])
    else query.set(name, text)
  }
  // The limit of keys per body also limits the conditions of an object. A string has the same limit as in a URL.
  const isObject = typeof body['qry'] === 'object'
  const limits = { ...request.limits, ...(isObject && { qryBytes: request.limits.searchBytes }) }
  return request.withQuery(query, limits)
}

function textOf(name: string, value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (COUNTS.has(name)) return typeof value === 'number' ? String(value) : undefined
  if (FLAGS.has(name)) return typeof value === 'boolean' ? String(value) : undefined
  // The JSON parser returns a String object for a number that a double cannot represent.
  const isObject = typeof value === 'object' && !(value instanceof String)
  return name === 'qry' && isObject ? JSON.stringify(value) : undefined
}

function acceptedFor(name: string): string {
  if (COUNTS.has(name)) return 'a whole number'
  if (FLAGS.has(name)) return 'a string, true or false'
  return name === 'qry' ? 'an object, or a string that holds one as JSON' : 'a string'
}

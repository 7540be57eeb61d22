// qry, the search language of clients: MongoDB's syntax for the searchable fields of one object. Unknown
// elements are rejected with their position; nothing is ignored.

import { CmsError } from '../base/errors.ts'
import { MAX_JSON_PATHS, parseJsonPath } from './json-path.ts'
import { not } from './match-negation.ts'
import { and, lengthOf, type Match, regexMatch } from './match.ts'
import { closest } from './message-text.ts'
import { patternCost } from './pattern-cost.ts'
import { nearPoint, withinBox } from './place-match.ts'
import { findRelated, parseRelated, type RelatedFields, type RelatedNames } from './qry-related.ts'
import { member, parseQryText, type QryObject, type QryValue, refuse } from './qry-text.ts'
import { allOf, anyOf, equal, exists, range, requireList, textOf } from './qry-values.ts'
import { composed } from './text-normalization.ts'
import type { Searchable, SearchField } from './values.ts'

interface Names extends RelatedNames {
  /** Totals of the patterns and of the paths into JSON parsed so far. */
  readonly patterns: PatternTotals & { paths: number }
}

/** One operator of a field, with its sibling operators. */
interface Operation {
  readonly field: SearchField
  readonly value: QryValue
  readonly path: string
  readonly names: Names
  readonly siblings: QryObject
}

/** Operators that group conditions. */
export const QRY_GROUPS: readonly string[] = ['$and', '$or', '$not']

type Operator = (operation: Operation) => Match | undefined

const OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['$eq', ({ field, value, path }) => equal(field, value, path)],
  ['$ne', ({ field, value, path }) => not(equal(field, value, path))],
  ['$gt', (operation) => range('gt', operation)],
  ['$gte', (operation) => range('gte', operation)],
  ['$lt', (operation) => range('lt', operation)],
  ['$lte', (operation) => range('lte', operation)],
  ['$in', (operation) => anyOf(operation)],
  ['$nin', (operation) => not(anyOf(operation))],
  ['$all', allOf],
  ['$size', size],
  ['$exists', exists],
  ['$not', ({ field, value, ...place }) => not(parseCondition(field, value, place))],
  ['$regex', regex],
  ['$options', options],
  [
    '$contains',
    (operation) => ({ op: 'contains', field: operation.field, text: textOf(operation) }),
  ],
  [
    '$startsWith',
    (operation) => ({ op: 'startsWith', field: operation.field, text: textOf(operation) }),
  ],
  [
    '$endsWith',
    (operation) => ({ op: 'endsWith', field: operation.field, text: textOf(operation) }),
  ],
  ['$near', nearPoint],
  ['$within', withinBox],
])

/** Operators of a field. */
export const QRY_OPERATORS: readonly string[] = [...OPERATORS.keys()]

export interface QryOptions {
  /** Maximum size of the qry; undefined: the limit of a qry in an address. */
  readonly maxBytes?: number | undefined
  readonly related?: RelatedFields | undefined
}

/**
 * Field names may be qualified by `objectName`. A field that `fields` has only under its qualified name throws
 * ambiguous-column if the qualifier is missing; every other fault is bad-qry.
 */
export function parseQry(
  text: string,
  fields: Searchable,
  objectName: string,
  { maxBytes, related }: QryOptions = {},
): Match {
  const patterns = { length: 0, instructions: 0, classes: 0, paths: 0 }
  const names = { fields, objectName, related, patterns, depth: 0, total: { related: 0 } }
  return parseGroup(parseQryText(text, maxBytes), 'qry', names)
}

function parseGroup(value: QryValue, path: string, names: Names): Match {
  if (!isObject(value)) return refuse(path, 'must be a JSON object, for example {"name": "a.html"}')
  return and(
    ...[...value].map(([name, item]) =>
      parseMember(name, item, { path: member(path, name), names }),
    ),
  )
}

const PARSERS = { group: parseGroup, member: parseMember, operations: parseOperations }

interface Place {
  readonly path: string
  readonly names: Names
}

function parseMember(name: string, value: QryValue, { path, names }: Place): Match {
  if (name === '$and') return and(...parseGroups(value, path, names))
  if (name === '$or') return { op: 'or', parts: parseGroups(value, path, names) }
  if (name === '$not') return not(parseGroup(value, path, names))
  if (name.startsWith('$')) return refuseOperator(path, name, QRY_GROUPS)
  const related = findRelated(name, value, names)
  if (related !== undefined) return parseRelated(related, value, { path, names, parse: PARSERS })
  return parseCondition(requireField(name, path, names), value, { path, names })
}

function parseGroups(value: QryValue, path: string, names: Names): readonly Match[] {
  if (!Array.isArray(value) || value.length === 0) {
    return refuse(path, 'must be a list of at least one JSON object')
  }
  return (value as readonly QryValue[]).map((item, at) => parseGroup(item, `${path}[${at}]`, names))
}

function requireField(name: string, path: string, { fields, objectName }: Names): SearchField {
  const qualifier = `${objectName}.`
  const bare = name.startsWith(qualifier) ? name.slice(qualifier.length) : name
  const field = fields.get(name) ?? fields.get(bare)
  if (field !== undefined) return field

  if (fields.has(qualifier + name)) {
    const detail = `${path} is ambiguous: write {"${qualifier}${name}": …}, or read the record with ?fields=*.`
    throw new CmsError('ambiguous-column', detail)
  }
  return refuse(path, `is not a searchable field${hintOf(bare, [...fields.keys()])}`)
}

function parseCondition(field: SearchField, value: QryValue, place: Place): Match {
  if (isObject(value)) return parseOperations(field, value, place)

  const pattern =
    typeof value === 'string' && field.kind === 'string'
      ? /^\/(.+)\/i$/s.exec(value)?.[1]
      : undefined
  return pattern === undefined
    ? equal(field, value, place.path)
    : compile(field, { pattern: composed(pattern), ignoresCase: true, ...place })
}

function parseOperations(field: SearchField, siblings: QryObject, { path, names }: Place): Match {
  if (siblings.size === 0) return refuse(path, `has no operator${hintOf('', QRY_OPERATORS)}`)

  const parts = [...siblings].map(([name, value]) => {
    const place = member(path, name)
    if (field.kind === 'json' && field.path === undefined && /^\$[.[]/.test(name))
      return parseCondition(atPath(field, name, { path: place, names }), value, {
        path: place,
        names,
      })
    const operator = OPERATORS.get(name) ?? refuseOperator(place, name, QRY_OPERATORS)
    return operator({ field, value, path: place, names, siblings })
  })
  return and(...parts)
}

/** The values at a path of a JSON column. */
function atPath(field: SearchField, name: string, { path, names }: Place): SearchField {
  const steps = parseJsonPath(name)
  if (steps === undefined)
    return refuse(path, 'is not a path, such as $.address.city, $.lines[0].price or $["a.b"]')
  names.patterns.paths += 1
  if (names.patterns.paths > MAX_JSON_PATHS)
    return refuse(path, `is one path too many: a qry may have ${MAX_JSON_PATHS} paths into JSON`)
  return { ...field, path: steps }
}

function refuseOperator(path: string, name: string, known: readonly string[]): never {
  return refuse(path, `is not an operator that is allowed here${hintOf(name, known)}`)
}

/** The number of values in the list, compared like a value of an integer field. */
function size({ field, value, path, names }: Operation): Match {
  requireList(field, path)
  return parseCondition(lengthOf(field), value, { path, names })
}

function regex(operation: Operation): Match {
  const { field, path, names, siblings } = operation
  if (field.kind === 'json')
    return refuse(path, 'does not work in JSON; use $contains, $startsWith or $endsWith')
  const pattern = textOf(operation)
  return compile(field, { pattern, ignoresCase: siblings.get('$options') === 'i', path, names })
}

function options({ value, path, siblings }: Operation): undefined {
  if (!siblings.has('$regex')) refuse(path, 'needs a $regex next to it')
  if (value !== 'i' && value !== '') refuse(path, 'must be "i", which ignores case')
  return undefined
}

interface Pattern extends Place {
  readonly pattern: string
  readonly ignoresCase: boolean
}

function compile(field: SearchField, { pattern, ignoresCase, path, names }: Pattern): Match {
  requireSmallPattern({ pattern, ignoresCase, path }, names.patterns)
  try {
    return regexMatch(field, pattern, ignoresCase)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'it cannot be parsed'
    throw new CmsError(
      'bad-qry',
      `${path} is not a valid regular expression in RE2 syntax: ${reason}.`,
      {
        cause,
      },
    )
  }
}

function isObject(value: QryValue): value is QryObject {
  return value instanceof Map
}

function hintOf(name: string, known: readonly string[]): string {
  const near = closest(name, known)
  return `${near === undefined ? '.' : `; did you mean "${near}"?`} Known: ${known.join(', ')}`
}

/** Limits for all patterns of one qry together. */
const MAX_PATTERN_LENGTH = 4_096
const MAX_PATTERN_INSTRUCTIONS = 2_000
const MAX_PATTERN_CLASSES = 400

/** Totals of the patterns of a qry that were parsed so far. */
interface PatternTotals {
  length: number
  instructions: number
  classes: number
}

interface GivenPattern {
  readonly pattern: string
  readonly ignoresCase: boolean
  readonly path: string
}

/** Adds the pattern to the totals. Called before the pattern is compiled, because compiling is the expensive part. */
function requireSmallPattern(
  { pattern, ignoresCase, path }: GivenPattern,
  totals: PatternTotals,
): void {
  totals.length += pattern.length
  if (totals.length > MAX_PATTERN_LENGTH)
    refuse(
      path,
      `is too long: all patterns of a qry together may have ${MAX_PATTERN_LENGTH} characters`,
    )

  const { instructions, classes } = patternCost(pattern, ignoresCase)
  totals.instructions += instructions
  totals.classes += classes
  if (totals.instructions > MAX_PATTERN_INSTRUCTIONS)
    refuse(
      path,
      `is too large: the patterns of this qry compile to up to ${totals.instructions} instructions, but only ${MAX_PATTERN_INSTRUCTIONS} are allowed; reduce the repetitions in {…}`,
    )
  if (totals.classes > MAX_PATTERN_CLASSES)
    refuse(path, 'has too many character classes, such as \\p{L} or [b-\\x{FFFF}]; use fewer')
}

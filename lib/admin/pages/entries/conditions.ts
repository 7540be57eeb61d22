// Converts a search between conditions that the fields can show, all of which must hold, and qry. Other queries are
// edited as text.

import { type ColumnKind, isNumeric } from '../../client/column-kind.ts'
import { isObject, parseJson } from '../../client/stored.ts'
import { pageMark, withPoint } from './decimal-mark.ts'
import type { EntryField } from './fields.ts'

export interface Condition {
  readonly field: string
  readonly operator: Operator
  /** As typed; several values are separated by commas. */
  readonly value: string
  /** Upper value of `between`, the kilometers of `near`, or the north-eastern corner of `within`. */
  readonly upTo: string
  /** The place in a JSON value, such as $.address.city; '' for the whole value. */
  readonly path?: string
}

export type Operator =
  | 'is'
  | 'not'
  | 'contains'
  | 'starts'
  | 'ends'
  | 'gt'
  | 'gte'
  | 'lt'
  | 'lte'
  | 'between'
  | 'in'
  | 'near'
  | 'within'
  | 'empty'
  | 'filled'

const OF_TEXT: readonly Operator[] = ['contains', 'is', 'not', 'starts', 'ends', 'in']
const OF_NUMBER: readonly Operator[] = ['is', 'not', 'gt', 'gte', 'lt', 'lte', 'between', 'in']
const OF_TIME: readonly Operator[] = ['gte', 'lt', 'between', 'gt', 'lte', 'is']
const OF_ALL: readonly Operator[] = ['empty', 'filled']

const OPERATORS: Readonly<Record<ColumnKind, readonly Operator[]>> = {
  text: [...OF_TEXT, ...OF_ALL],
  long: ['contains', 'starts', 'ends', ...OF_ALL],
  choice: ['is', 'not', 'in', ...OF_ALL],
  choices: ['is', 'not', 'in', ...OF_ALL],
  json: ['is', 'not', 'gt', 'gte', 'lt', 'lte', ...OF_ALL],
  point: ['near', 'within', ...OF_ALL],
  reference: ['is', 'not', 'in', ...OF_ALL],
  references: ['is', 'not', 'in', ...OF_ALL],
  uuid: ['is', 'not', 'in', ...OF_ALL],
  integer: [...OF_NUMBER, ...OF_ALL],
  decimal: [...OF_NUMBER, ...OF_ALL],
  number: [...OF_NUMBER, ...OF_ALL],
  boolean: ['is', ...OF_ALL],
  date: [...OF_TIME, 'not', 'in', ...OF_ALL],
  time: [...OF_TIME, ...OF_ALL],
}

export function operatorsOf({ kind }: EntryField): readonly Operator[] {
  return OPERATORS[kind]
}

export function hasValue({ operator }: Condition): boolean {
  return operator !== 'empty' && operator !== 'filled'
}

/** Incomplete conditions are left out. */
function isWhole(condition: Condition): boolean {
  if (!hasValue(condition)) return true
  const { operator, value, upTo } = condition
  if (operator === 'near') return numbersIn(value).length === 2 && numbersIn(upTo).length === 1
  if (operator === 'within') return numbersIn(`${value},${upTo}`).length === 4
  return value !== '' && (operator !== 'between' || upTo !== '')
}

export function qryOf(conditions: readonly Condition[], fields: readonly EntryField[]): string {
  const parts = conditions.filter(isWhole).flatMap((condition) => {
    const field = fields.find(({ name }) => name === condition.field)
    if (field === undefined) return []
    const own = memberOf(condition, field)
    const { qryName, some } = field
    const { path = '' } = condition
    const member = path === '' ? own : { [path]: own }
    return [{ [qryName]: some === undefined ? member : { $some: { [some]: member } } }]
  })
  if (parts.length === 0) return ''
  const isOnce = new Set(parts.flatMap((part) => Object.keys(part))).size === parts.length
  return JSON.stringify(isOnce ? Object.assign({}, ...parts) : { $and: parts })
}

const BY_OPERATOR: Readonly<Partial<Record<Operator, string>>> = {
  not: '$ne',
  starts: '$startsWith',
  ends: '$endsWith',
  gt: '$gt',
  gte: '$gte',
  lt: '$lt',
  lte: '$lte',
}

function memberOf({ operator, value, upTo }: Condition, field: EntryField): unknown {
  const one = scalarOf(field, value)
  const sign = BY_OPERATOR[operator]
  if (sign !== undefined) return { [sign]: one }
  if (operator === 'near') return { $near: { point: numbersIn(value), km: Number(upTo) } }
  if (operator === 'within') return { $within: numbersIn(`${value},${upTo}`) }
  if (operator === 'between') return { $gte: one, $lte: scalarOf(field, upTo) }
  if (operator === 'in') return { $in: splitList(value).map((item) => scalarOf(field, item)) }
  if (operator === 'contains') return `/${escaped(value)}/i`
  if (operator === 'empty') return null
  if (operator === 'filled') return { $exists: true }
  return typeof one === 'string' && PATTERN.test(one) ? { $eq: one } : one
}

/** Returns a number if a double represents it exactly; otherwise text, which the server reads digit by digit. */
function scalarOf(field: EntryField, text: string): string | number | boolean {
  if (field.kind === 'json') return jsonScalar(text)
  if (field.kind === 'boolean') return text === 'true'
  const plain =
    field.kind === 'decimal' || field.kind === 'number'
      ? (withPoint(text, pageMark()) ?? text)
      : text
  return isNumeric(field) && String(Number(plain)) === plain.trim() ? Number(plain) : plain
}

/** A number, true or false as it is written in JSON; any other text is a text. */
function jsonScalar(text: string): string | number | boolean {
  const value = parseJson(text)
  return isScalar(value) && !hasLongNumber(text) ? value : text
}

/** The text of which jsonScalar() is the value. */
function jsonText(value: string | number | boolean): string {
  const text = String(value)
  return jsonScalar(text) === value ? text : JSON.stringify(value)
}

/** Numbers that are separated by commas; none if a part is no number. */
function numbersIn(text: string): readonly number[] {
  const parts = text.split(',').map((part) => part.trim())
  return parts.every((part) => /^[-+]?\d+(?:\.\d+)?$/.test(part)) ? parts.map(Number) : []
}

const PATTERN = /^\/(.+)\/i$/s
const SPECIAL = /[\\^$.*+?()[\]{}|/]/g

function escaped(text: string): string {
  return text.replaceAll(SPECIAL, String.raw`\$&`)
}

/** Undefined if the pattern contains wildcards. */
function unescaped(pattern: string): string | undefined {
  const text = pattern.replaceAll(/\\(.)/g, '$1')
  return escaped(text) === pattern ? text : undefined
}

/** Values with commas are quoted as in JSON. */
function splitList(text: string): readonly string[] {
  const parts = text.match(/\s*(?:"(?:[^"\\]|\\.)*"|[^,]*)\s*(?:,|$)/g) ?? []
  const items = parts.map((part) => part.replace(/,$/, '').trim()).map(unquoted)
  return items.filter((item) => item !== '')
}

function unquoted(text: string): string {
  return /^".*"$/s.test(text) ? String(parseJson(text) ?? text) : text
}

/** Returns undefined if conditions cannot express the query. */
export function conditionsOf(
  qry: string,
  fields: readonly EntryField[],
): readonly Condition[] | undefined {
  if (qry.trim() === '') return []
  const value = parseJson(qry)
  if (!isObject(value) || hasLongNumber(qry)) return undefined
  const list: unknown = value['$and']
  const isList = Object.keys(value).length === 1 && Array.isArray(list)
  const parts: readonly unknown[] = isList ? list : [value]
  const found: Condition[] = []
  for (const part of parts) {
    if (!isObject(part)) return undefined
    for (const [name, item] of Object.entries(part)) {
      const [some, inner] = someOf(item)
      const field = fields.find(
        (each) => each.some === some && (name === each.qryName || name === each.name),
      )
      const condition = field && conditionOf(field, some === undefined ? item : inner)
      if (condition === undefined) return undefined
      found.push(condition)
    }
  }
  return found
}

/** The field and its condition in {"$some": {"title": …}}. */
function someOf(item: unknown): readonly [string | undefined, unknown] {
  const list = isObject(item) && Object.keys(item).length === 1 ? item['$some'] : undefined
  const [only, ...others] = isObject(list) ? Object.entries(list) : []
  return only === undefined || others.length > 0 ? [undefined, undefined] : only
}

function conditionOf(field: EntryField, item: unknown): Condition | undefined {
  const made = (operator: Operator, value = '', upTo = ''): Condition | undefined =>
    operatorsOf(field).includes(operator) ? { field: field.name, operator, value, upTo } : undefined
  const show = field.kind === 'json' ? jsonText : String
  if (item === null) return made('empty')
  if (isScalar(item)) {
    const pattern = typeof item === 'string' ? PATTERN.exec(item)?.[1] : undefined
    if (pattern === undefined) return made('is', show(item))
    const text = unescaped(pattern)
    return text === undefined ? undefined : made('contains', text)
  }
  if (!isObject(item)) return undefined

  const { $gte: from, $lte: upTo, $in: list, $eq: equal, $exists: exists } = item
  const names = Object.keys(item)
  if (names.length === 2 && isScalar(from) && isScalar(upTo))
    return made('between', String(from), String(upTo))
  if (names.length !== 1) return undefined
  const [path = ''] = names
  if (field.kind === 'json' && PATH.test(path)) {
    const inner = PATH.test(Object.keys(isObject(item[path]) ? item[path] : {})[0] ?? '')
    const found = inner ? undefined : conditionOf(field, item[path])
    return found && { ...found, path }
  }
  if (field.kind === 'point') return placeCondition(field, item)
  if (Array.isArray(list)) return list.every(isScalar) ? made('in', joined(list)) : undefined
  if (isScalar(equal)) return made('is', show(equal))
  if (exists === true) return made('filled')
  const sign = path
  const operator = (Object.keys(BY_OPERATOR) as Operator[]).find(
    (each) => BY_OPERATOR[each] === sign,
  )
  const value = item[sign]
  return operator !== undefined && isScalar(value) ? made(operator, show(value)) : undefined
}

/** The paths of JSON begin with $ like the operators, which have a letter behind it. */
const PATH = /^\$(?:[.[]|$)/

function placeCondition(
  field: EntryField,
  { $near: near, $within: box, $exists: exists }: Readonly<Record<string, unknown>>,
): Condition | undefined {
  const of = (operator: Operator, value: string, upTo: string): Condition => ({
    field: field.name,
    operator,
    value,
    upTo,
  })
  if (exists === true) return of('filled', '', '')
  if (Array.isArray(box) && box.length === 4)
    return of('within', box.slice(0, 2).join(','), box.slice(2).join(','))
  const { point, km } = isObject(near) ? near : {}
  return Array.isArray(point) ? of('near', point.join(','), String(km)) : undefined
}

/** Long numbers would be rounded here; as text, they reach the server unchanged. */
function hasLongNumber(qry: string): boolean {
  return /\d{16}|\d[eE]/.test(qry.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""'))
}

function joined(list: readonly (string | number | boolean)[]): string {
  return list
    .map((item) =>
      /^\s|\s$|[",]/.test(String(item)) ? JSON.stringify(String(item)) : String(item),
    )
    .join(', ')
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

// Operators of qry that compare a field with values: equality, ranges, lists of values and presence.

import { dateHint, dayHint } from './date.ts'
import { acceptedValue, isListKind, parseScalar, type Scalar } from './field-value.ts'
import { and, type FieldMatch, inMatch, type Match, type RangeOp } from './match.ts'
import { type QryValue, refuse } from './qry-text.ts'
import { composed } from './text-normalization.ts'
import type { SearchField } from './values.ts'

/** A field, what it is compared with, and the position in the qry. */
interface Comparison {
  readonly field: SearchField
  readonly value: QryValue
  readonly path: string
}

export function equal(field: SearchField, value: QryValue, path: string): FieldMatch {
  return { op: 'eq', field, value: value === null ? null : requireEqual(field, value, path) }
}

export function range(op: RangeOp, { field, value, path }: Comparison): FieldMatch {
  return { op, field, value: requireScalar(field, value, path) }
}

export function anyOf({ field, value, path }: Comparison): FieldMatch {
  if (!Array.isArray(value)) return refuse(path, 'must be a list of values')
  const items = value as readonly QryValue[]
  const values = items.map((item, at) =>
    item === null ? null : requireEqual(field, item, `${path}[${at}]`),
  )
  return inMatch(field, values)
}

/** The list has each of these values. */
export function allOf({ field, value, path }: Comparison): Match {
  requireList(field, path)
  if (!Array.isArray(value) || value.length === 0)
    return refuse(path, 'must be a list of at least one value')
  const items = value as readonly QryValue[]
  return and(
    ...items.map(
      (item, at): Match => ({
        op: 'eq',
        field,
        value: requireEqual(field, item, `${path}[${at}]`),
      }),
    ),
  )
}

export function exists({ field, value, path }: Comparison): Match {
  const isThere =
    typeof value === 'boolean' || typeof value === 'number'
      ? parseScalar('boolean', value)
      : undefined
  if (isThere === undefined) return refuse(path, 'must be true or false')
  return isThere === true ? { op: 'exists', field } : { op: 'eq', field, value: null }
}

export function textOf({ field, value, path }: Comparison): string {
  if (field.kind !== 'string' && field.kind !== 'json') {
    return refuse(
      path,
      `works only on strings; "${field.name}" is compared with ${acceptedValue(field.kind)}`,
    )
  }
  return typeof value === 'string' ? composed(value) : refuse(path, 'must be a string')
}

export function requireList({ name, kind }: SearchField, path: string): void {
  if (!isListKind(kind)) refuse(path, `works only on lists; "${name}" has one value`)
}

/** A value for an equality test: see text-normalization.ts. */
function requireEqual(field: SearchField, value: QryValue, path: string): Scalar {
  const scalar = requireScalar(field, value, path)
  return typeof scalar === 'string' ? composed(scalar) : scalar
}

function requireScalar(field: SearchField, value: QryValue, path: string): Scalar {
  const isScalar =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  const scalar = isScalar ? parseScalar(field.kind, value) : undefined
  if (scalar !== undefined) return scalar
  return refuse(path, `must be ${acceptedValue(field.kind)}${scalarHint(field, value)}`)
}

function scalarHint({ kind }: SearchField, value: QryValue): string {
  if (Array.isArray(value)) return '; for several values, use $in'
  if (kind === 'date') return dayHint(value)
  return kind === 'date-time' ? dateHint(value) : ''
}

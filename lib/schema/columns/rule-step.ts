// Compares the rules of two forms of a column.

import { COLUMN_TYPES, MAX_LENGTH } from '../../shared/column-types.ts'
import { compareScalars, parseScalar } from '../field-value.ts'
import type { Column } from './column.ts'
import { FORMS, isFormatted } from './formatted-text.ts'

/** Whether every value that satisfies the rules of `inner` satisfies those of `outer`. Another pattern counts as not implied. */
export function impliesRules(inner: Column, outer: Column): boolean {
  return (
    isBeyond(inner, outer, 'minimum', 1) &&
    isBeyond(inner, outer, 'maximum', -1) &&
    (outer.minLength ?? 0) <= (inner.minLength ?? 0) &&
    (outer.maxLength ?? Number.POSITIVE_INFINITY) >= longestText(inner) &&
    (outer.pattern === undefined || outer.pattern === inner.pattern)
  )
}

/** The most characters of a text in the column; infinite without a limit. */
export function longestText(column: Column): number {
  return column.maxLength ?? longestOfType(column)
}

/** The same without the rule LENGTH. */
export function longestOfType({ type, size = MAX_LENGTH, values = [] }: Column): number {
  if (isFormatted(type)) return FORMS[type].maxLength
  if (values.length > 0) return Math.max(...values.map((value) => [...value].length))
  return COLUMN_TYPES[type].size === 'length' ? size : Number.POSITIVE_INFINITY
}

/** Numbers of different kinds are compared as decimals. */
function isBeyond(
  inner: Column,
  outer: Column,
  name: 'minimum' | 'maximum',
  sign: 1 | -1,
): boolean {
  const [inside, outside] = [inner[name], outer[name]]
  if (outside === undefined) return true
  if (inside === undefined) return false
  const { kind: own } = COLUMN_TYPES[outer.type]
  const kind = own === 'date' || own === 'date-time' ? own : 'decimal'
  const [least, limit] = [parseScalar(kind, inside), parseScalar(kind, outside)]
  if (least === undefined || limit === undefined) return false
  return compareScalars(kind, least, limit) * sign >= 0
}

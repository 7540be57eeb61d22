// COMPUTED columns: their values follow from other columns of the same entry by an expression. They are computed with every
// write and stored; entries of earlier layouts are computed when they are read.

import { CmsError } from '../../base/errors.ts'
import {
  compileExpression,
  type CompiledExpression,
  type ExpressionField,
} from '../expressions/compile-expression.ts'
import { type Decimal, round, showDecimal } from '../expressions/exact-decimals.ts'
import { TYPE_NAMES, type Value, type ValueType } from '../expressions/operand.ts'
import { accept, type Checked, type Field, refuse } from '../field.ts'
import type { JsonObject, JsonValue } from '../values.ts'
import { type Column, valueKind } from './column.ts'

export interface ComputedColumn {
  readonly column: Column
  readonly expression: CompiledExpression
  /** The value to store, or why the column cannot hold it. Expects the values of all columns that the expression reads. */
  readonly compute: (record: JsonObject) => Checked<JsonValue>
}

const TYPES: Readonly<Record<string, readonly ValueType[]>> = {
  string: ['text'],
  integer: ['number'],
  number: ['number'],
  decimal: ['number'],
  boolean: ['boolean'],
  date: ['date'],
  'date-time': ['time', 'date'],
}

/** Throws invalid-content for a wrong expression, or one of another type than the column. */
export function compileComputed(
  column: Column,
  field: Field,
  fields: readonly ExpressionField[],
): ComputedColumn {
  const expression = compileExpression(column.computed ?? '', fields)
  const { type } = expression
  if (TYPES[valueKind(column)]?.includes(type) !== true)
    throw new CmsError(
      'invalid-content',
      `COMPUTED gives ${TYPE_NAMES[type]}, which ${column.type} cannot hold`,
    )
  return {
    column,
    expression,
    compute(record) {
      const value = expression.run(record)
      if (value === null)
        return column.isRequired
          ? refuse('has no computed value, which NOTNULL needs')
          : accept(null)
      const checked = field.check(stored(column, value))
      return checked.ok ? checked : refuse(`cannot hold the computed value: it ${checked.detail}`)
    },
  }
}

/** Numbers are rounded half away from zero to the decimals that the column has. */
function stored(column: Column, value: Exclude<Value, null>): boolean | number | string {
  if (typeof value !== 'object') return value
  const kind = valueKind(column)
  if (kind === 'number') return Number(showDecimal(value))
  return showDecimal(round(value, kind === 'integer' ? 0 : scaleOf(column, value)))
}

const MAX_DECIMALS = 30

function scaleOf({ size, scale = 0 }: Column, { scale: given }: Decimal): number {
  return size === undefined ? Math.min(given, MAX_DECIMALS) : scale
}

/** Each column after the columns that it reads. Undefined if columns read each other in a circle. */
export function inOrder(
  computed: readonly ComputedColumn[],
): readonly ComputedColumn[] | undefined {
  const left = new Map(computed.map((item) => [item.column.name, item]))
  const sorted: ComputedColumn[] = []
  while (left.size > 0) {
    const free = [...left.values()].filter(({ expression }) =>
      expression.columns.every((name) => !left.has(name)),
    )
    if (free.length === 0) return undefined
    for (const item of free) left.delete(item.column.name)
    sorted.push(...free)
  }
  return sorted
}

/** The record with its computed values; null where a column cannot hold the value. */
export function withComputed(computed: readonly ComputedColumn[], record: JsonObject): JsonObject {
  if (computed.length === 0) return record
  const values: Record<string, JsonValue> = { ...record }
  for (const { column, compute } of computed) {
    const checked = compute(values)
    values[column.name] = checked.ok ? checked.value : null
  }
  return values
}

// Formats a column as an element of `columns` in a response: every property is present, with null for missing
// values.

import type { JsonObject } from '../values.ts'
import { withDecimalText } from '../layout.ts'
import type { Column } from './column.ts'

export function showColumn(column: Column): JsonObject {
  const { name, type, size, scale, isRequired, isUnsigned, values } = column
  return {
    name,
    type,
    size: size ?? null,
    scale: scale ?? null,
    isRequired,
    isUnsigned,
    isUnique: column.isUnique === true,
    isAuto: column.isAuto === true,
    default: withDecimalText(column).default ?? null,
    values: values ?? null,
  }
}

/** False for columns that earlier versions stored without some properties. */
export function isShown(columns: readonly JsonObject[]): boolean {
  return columns.every((column) => 'values' in column && 'isAuto' in column)
}

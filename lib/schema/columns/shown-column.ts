// Formats a column as an element of `columns` in a response: every property is present, with null for missing
// values.

import type { JsonObject } from '../values.ts'
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
    default: column.default ?? null,
    values: values ?? null,
  }
}

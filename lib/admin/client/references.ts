// The columns whose values are identifiers of other records.

import type { components } from './interface.d.ts'

type Columns = NonNullable<components['schemas']['datatable']['columns']>

/** The target of a column. */
export type References = NonNullable<Columns[number]['references']>

/** The identifiers in a text such as 3,7; undefined for another text. */
export function idsIn(text: string): readonly number[] | undefined {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '')
  const isGood = parts.every((part) => /^[1-9]\d{0,14}$/.test(part))
  return isGood ? parts.map(Number) : undefined
}

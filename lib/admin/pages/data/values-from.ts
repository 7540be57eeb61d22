// The source of a column's values after the change: itself, a replaced column, or none.

export const NONE = ''

export interface ValuesFrom {
  /** A column of the table, or NONE for a new column. */
  readonly from: string
  /** Columns whose values are not taken by another column. */
  readonly free: readonly string[]
  readonly onChange: (from: string) => void
}

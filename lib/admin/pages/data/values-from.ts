// Whose values a column has after the change: its own, those of a column that it replaces, or none yet.

export const NONE = ''

export interface ValuesFrom {
  /** Name of a column of the table; NONE: it is new. */
  readonly from: string
  /** Columns whose values nobody takes. */
  readonly free: readonly string[]
  readonly onChange: (from: string) => void
}

// Row numbers as ranges: 1-1000, 2001-3000.

export interface RowRange {
  readonly first: number
  readonly last: number
}

/** Parses "17", "1001-2000" and "1001-"; undefined for any other text. */
export function parseRange(text: string): RowRange | undefined {
  const found = /^([1-9]\d{0,14})(?:(-)([1-9]\d{0,14})?)?$/.exec(text)
  if (found === null) return undefined
  const [, first, dash, end] = found
  const last = dash === undefined ? first : (end ?? Number.POSITIVE_INFINITY)
  return Number(first) <= Number(last) ? { first: Number(first), last: Number(last) } : undefined
}

export function toRanges(rows: readonly number[]): readonly RowRange[] {
  const ranges: RowRange[] = []
  for (const row of rows.toSorted((left, right) => left - right)) {
    const before = ranges.at(-1)
    if (before?.last === row - 1) ranges[ranges.length - 1] = { first: before.first, last: row }
    else ranges.push({ first: row, last: row })
  }
  return ranges
}

export function formatRanges(ranges: readonly RowRange[]): string {
  return ranges
    .map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`))
    .join(', ')
}

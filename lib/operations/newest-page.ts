// Pages of lists that are ordered by number, newest first.

export interface NumberRange {
  /** Only lower numbers are wanted; undefined starts at the newest. */
  readonly before: number | undefined
  readonly length: number
}

export interface NewestPage {
  readonly numbers: readonly number[]
  /** The next page begins before this number; undefined on the last page. */
  readonly next: number | undefined
}

/** The page of `ascending` numbers. */
export function newestPage(
  ascending: readonly number[],
  { before, length }: NumberRange,
): NewestPage {
  const wanted = ascending.filter((number) => before === undefined || number < before).toReversed()
  const numbers = wanted.slice(0, length)
  return { numbers, next: wanted.length > length ? numbers.at(-1) : undefined }
}

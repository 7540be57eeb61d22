// Helpers for the text of messages.

/** Adds a full stop, unless the text ends with a punctuation mark. */
export function toSentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`
}

/** 1 folder, 2 folders; 1 entry, 2 entries */
export function counted(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`
  return `${count} ${noun.replace(/(?<![aeiou])y$/, 'ie')}s`
}

/** Characters of the values that a message lists: a message may be repeated for each of many entries. */
const MAX_LISTED = 1_000

/** "a", "b"; a long list ends with the number of further values. */
export function listed(values: readonly string[]): string {
  const texts: string[] = []
  let left = MAX_LISTED
  for (const value of values) {
    left -= value.length
    if (left < 0 && texts.length > 0) break
    texts.push(`"${value}"`)
  }
  const more = values.length - texts.length
  return more === 0 ? texts.join(', ') : `${texts.join(', ')} or ${counted(more, 'other value')}`
}

const MAX_LENGTH = 64

/** The nearest name with at most a third of its characters mistyped; undefined if there is none. */
export function closest(name: string, names: Iterable<string>): string | undefined {
  if (name.length > MAX_LENGTH) return undefined

  let best: string | undefined
  let bestDistance = Math.floor(name.length / 3) + 1
  for (const known of names) {
    if (Math.abs(known.length - name.length) >= bestDistance) continue
    const distance = editDistance(name.toLowerCase(), known.toLowerCase(), bestDistance)
    if (distance >= bestDistance) continue
    best = known
    bestDistance = distance
  }
  return best
}

/**
 * Edit distance: inserted, omitted, replaced and swapped adjacent characters count as one each. Exact below the
 * limit: cells farther from the diagonal are skipped, because a table may have 256 columns with long names.
 */
function editDistance(left: string, right: string, limit: number): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, column) => column)
  let lastLeast = 0

  for (let row = 1; row <= left.length; row++) {
    const current: number[] = []
    if (row < limit) current[0] = row
    let least = current[0] ?? limit
    const end = Math.min(right.length, row + limit - 1)
    for (let column = Math.max(1, row - limit + 1); column <= end; column++) {
      const isSame = left[row - 1] === right[column - 1]
      const isSwap = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      const distance = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwap ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
      current[column] = distance
      least = Math.min(least, distance)
    }
    if (least >= limit && lastLeast >= limit) return limit
    beforeLast = last
    last = current
    lastLeast = least
  }
  return at(last, right.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}

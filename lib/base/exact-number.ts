// JSON numbers that a double cannot represent as they were sent. They keep their text until the type of the
// column decides: N stores the text, F takes the nearest double, an integer column takes a whole number that is
// exact, and every other column rejects them. Used for bodies (http/json.ts), searches (schema/qry-text.ts), and
// files that are imported (client/entry-row.ts).

/** A String object: structured cloning from a worker thread keeps it, and it differs from every JSON value. */
export function numberAsSent(text: string): unknown {
  return Object(text)
}

/** The text of a number that was kept as text; undefined for every other value. */
export function textOfNumber(value: unknown): string | undefined {
  return value instanceof String ? value.toString() : undefined
}

/** The nearest double of a number that was kept as text; every other value unchanged. */
export function nearestNumber(value: unknown): unknown {
  const text = textOfNumber(value)
  return text === undefined ? value : Number(text)
}

/** JSON of a value of any depth, in which numbers that were kept as text have their digits. */
export function jsonWithDigits(value: unknown): string {
  const text = textOfNumber(value)
  if (text !== undefined) return text
  if (Array.isArray(value)) return `[${value.map(jsonWithDigits).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([name, item]) => `${JSON.stringify(name)}:${jsonWithDigits(item)}`,
  )
  return `{${members.join(',')}}`
}

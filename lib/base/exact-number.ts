// JSON numbers that a double cannot represent as they were sent. They keep their text until the type of the
// column decides: N stores the text, F takes the nearest double, an integer column takes a whole number that is
// exact, and every other column rejects them. Used for bodies (http/json.ts), searches (schema/qry-text.ts), and
// files that are imported (client/entry-row.ts).

const NUMBER_PARTS = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/

/** Whether a double prints the same digits as the text of the JSON number that it was parsed from. */
export function keepsDigits(text: string, value: number): boolean {
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value)
  return !isRounded && digitsOf(text) === digitsOf(String(value))
}

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

/** -01.50e3 and -1500 are both -15e2. */
function digitsOf(text: string): string {
  const [, sign = '', whole = '', decimals = '', exponent = '0'] = NUMBER_PARTS.exec(text) ?? []
  const digits = whole + decimals
  let [start, end] = [0, digits.length]
  while (digits[start] === '0') start += 1
  while (end > start && digits[end - 1] === '0') end -= 1
  if (start === end) return '0'
  const power = Number(exponent) - decimals.length + digits.length - end
  return `${sign}${digits.slice(start, end)}e${power}`
}

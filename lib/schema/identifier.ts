// Identifiers as text: in paths, forms, flags and files of entries.

const IDENTIFIER = /^[1-9]\d{0,15}$/

/** A whole number from 1, written in digits alone; undefined where it is none, or too large to be told exactly. */
export function parseIdentifier(text: string): number | undefined {
  const value = Number(text)
  return IDENTIFIER.test(text) && Number.isSafeInteger(value) ? value : undefined
}

// Identifiers as text: in paths, forms, flags and files of entries.

const IDENTIFIER = /^[1-9]\d{0,15}$/

/**
 * A whole number from 1, in digits; undefined for any other text and for numbers that are too large to be
 * exact.
 */
export function parseIdentifier(text: string): number | undefined {
  const value = Number(text)
  return IDENTIFIER.test(text) && Number.isSafeInteger(value) ? value : undefined
}

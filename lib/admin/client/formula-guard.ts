// Prefixes CSV cells that a spreadsheet would run as a formula with an apostrophe, against CSV injection (OWASP).
// lib/client/formula-guard.ts does the same for the command line.

const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/
const NUMBER = /^-\d+(?:\.\d+)?$/

/** A negative number is not a formula. */
export function guardFormula(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
}

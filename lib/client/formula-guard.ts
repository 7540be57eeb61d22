// Prevents CSV injection (OWASP): cells that a spreadsheet would run as a formula get an apostrophe, which
// makes them text. The browser counterpart is lib/admin/client/formula-guard.ts.

const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/
const NUMBER = /^-\d+(?:\.\d+)?$/

/** A negative number is not a formula. */
export function guardFormula(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
}

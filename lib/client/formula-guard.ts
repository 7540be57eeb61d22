// Cells of a CSV file that a spreadsheet would run as a formula. An apostrophe in front makes them text:
// what OWASP calls CSV injection. The twin for browsers is lib/admin/client/formula-guard.ts.

const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/
const NUMBER = /^-\d+(?:\.\d+)?$/

/** A number below zero is no formula. */
export function guardFormula(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
}

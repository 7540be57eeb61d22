// The dialect of CSV (RFC 4180) that imports accept and exports write.

export const DELIMITERS = [',', ';', '\t'] as const

/** Options of csv-parse. An empty cell is null, a quoted empty cell is the empty text. */
export const CSV_DIALECT = {
  record_delimiter: ['\r\n', '\n', '\r'],
  skip_empty_lines: true,
  max_record_size: 16 * 1024 * 1024,
  cast: (cell: string, { quoting }: { readonly quoting: boolean }): string | null =>
    cell === '' && !quoting ? null : cell,
}

/** The delimiter that the header line contains most often. */
export function findDelimiter(text: string): string {
  const [header = ''] = text.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1)
  const counts = DELIMITERS.map((each) => header.split(each).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
}

const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/
/** A negative number, or a place that begins with one. */
const NUMBER = /^-\d+(?:\.\d+)?(?:e-\d+)?(?:,-?\d+(?:\.\d+)?(?:e-\d+)?)?$/

/**
 * Puts an apostrophe before a cell that a spreadsheet would run as a formula, which makes the cell a text (OWASP: CSV
 * injection). A negative number is no formula.
 */
export function guardFormula(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
}

/**
 * A row with its line end. null is an empty cell, and the empty text is a quoted empty cell. A row of null alone is also
 * quoted, because readers skip an empty line. `guard` changes the texts.
 */
export function csvRow(values: readonly unknown[], guard = (text: string) => text): string {
  const isAlone = values.length === 1
  const cells = values.map((value) => {
    if (value === null || value === undefined) return isAlone ? '""' : ''
    const text = typeof value === 'string' ? guard(value) : String(value)
    return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  })
  return `${cells.join(',')}\r\n`
}

/** Blanks at the ends and a byte order mark are quoted, because some readers remove them. */
const QUOTED = /^$|[",\r\n]|^\s|\s$|^\uFEFF/

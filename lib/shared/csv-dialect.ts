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

/** The first line of a file for Excel, which names the delimiter. */
const SEPARATOR_LINE = /^sep=([,;\t])[\r\n]/i

/** The delimiter that the first line names, or the one that the header line contains most often. */
export function findDelimiter(text: string): string {
  const named = SEPARATOR_LINE.exec(text)?.[1]
  if (named !== undefined) return named
  const [header = ''] = text.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1)
  const counts = DELIMITERS.map((each) => header.split(each).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
}

/** The line of the header, from 1. */
export function headerLine(text: string): number {
  return SEPARATOR_LINE.test(text) ? 2 : 1
}

/** Lets Excel read a file as UTF-8 with this delimiter, in every language of Windows. */
export function excelHead(delimiter: string): string {
  return `\uFEFFsep=${delimiter}\r\n`
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

interface RowOptions {
  /** Changes the texts. */
  readonly guard?: ((text: string) => string) | undefined
  readonly delimiter?: string
}

/**
 * A row with its line end. null is an empty cell, and the empty text is a quoted empty cell. A row of null alone is also
 * quoted, because readers skip an empty line.
 */
export function csvRow(
  values: readonly unknown[],
  { guard = (text) => text, delimiter = ',' }: RowOptions = {},
): string {
  const isAlone = values.length === 1
  const cells = values.map((value) => {
    if (value === null || value === undefined) return isAlone ? '""' : ''
    const text = typeof value === 'string' ? guard(value) : String(value)
    const isQuoted = text.includes(delimiter) || QUOTED.test(text)
    return isQuoted ? `"${text.replaceAll('"', '""')}"` : text
  })
  return `${cells.join(delimiter)}\r\n`
}

/** Blanks at the ends and a byte order mark are quoted, because some readers remove them. */
const QUOTED = /^$|["\r\n]|^\s|\s$|^\uFEFF/

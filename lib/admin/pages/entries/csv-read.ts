// The rows of a CSV file as they come, with the number of the line at which each begins. The parser is loaded when a file
// is opened. An empty cell is null, one in quotes the empty text.

export type Cell = string | null

export interface CsvRow {
  /** From 1, the heading included. */
  readonly line: number
  readonly cells: readonly Cell[]
}

export interface CsvHead {
  readonly names: readonly string[]
  readonly delimiter: string
  /** The first ones. */
  readonly rows: readonly CsvRow[]
}

/** What of the parser is used: its own types are those of Node. */
interface Parser {
  readonly write: (text: string) => boolean
  readonly end: () => void
  readonly read: () => Parsed | null
  readonly once: (event: string, listener: (value: unknown) => void) => void
  readonly on: (event: string, listener: (value: unknown) => void) => void
}

interface Parsed {
  readonly record: readonly Cell[]
  readonly info: { readonly lines: number }
}

const DELIMITERS = [',', ';', '\t'] as const
const HEAD_BYTES = 256 * 1024
const HEAD_ROWS = 4
const MOST_RECORD = 16 * 1024 * 1024

/** Throws what is wrong with it, in English. */
export async function readHead(file: Blob): Promise<CsvHead> {
  const start = file.slice(0, HEAD_BYTES)
  const delimiter = delimiterIn(await start.text())
  const rows: CsvRow[] = []
  // Of a long file the last of these rows is cut.
  for await (const row of rowsIn(file, delimiter)) {
    rows.push(row)
    if (rows.length > HEAD_ROWS) break
  }
  const [head, ...others] = rows
  return { names: (head?.cells ?? []).map((cell) => cell ?? ''), delimiter, rows: others }
}

function delimiterIn(text: string): string {
  const [head = ''] = text.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1)
  const counts = DELIMITERS.map((each) => head.split(each).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
}

/** All of them, the heading first; `onBytes` tells how much of the file was read. */
export async function* rowsIn(
  file: Blob,
  delimiter: string,
  onBytes?: (bytes: number) => void,
): AsyncGenerator<CsvRow> {
  const parser = await openParser(delimiter)
  const state: { isOver: boolean; error?: Error } = { isOver: false }
  parser.on('end', () => (state.isOver = true))
  parser.on('error', (error) => (state.error = asError(error)))
  const next = (): Promise<unknown> =>
    new Promise((resolve) => {
      for (const event of ['readable', 'end', 'error']) parser.once(event, resolve)
    })
  let stopped = false
  const feeding = feed(file, parser, () => stopped, onBytes)
  feeding.catch((error: unknown) => {
    state.error = asError(error)
    parser.end()
  })
  let line = 1
  try {
    for (;;) {
      const ready = next()
      for (let item = parser.read(); item !== null; item = parser.read()) {
        yield { line, cells: item.record }
        line = item.info.lines + 1
      }
      if (state.error !== undefined) throw state.error
      if (state.isOver) return
      await ready
    }
  } finally {
    stopped = true
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

async function feed(
  file: Blob,
  parser: Parser,
  isStopped: () => boolean,
  onBytes: ((bytes: number) => void) | undefined,
): Promise<void> {
  // Another encoding is no text that anybody would want to have.
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const reader = file.stream().getReader()
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (isStopped()) return reader.cancel()
    if (done) break
    bytes += value.length
    const isRoom = parser.write(decoder.decode(value, { stream: true }))
    if (!isRoom) await new Promise((resolve) => parser.once('drain', resolve))
    onBytes?.(bytes)
  }
  parser.write(decoder.decode())
  parser.end()
}

async function openParser(delimiter: string): Promise<Parser> {
  const { parse } = await import('csv-parse/browser/esm')
  const made: unknown = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    skip_empty_lines: true,
    // A row of another length is refused by itself, with its line.
    relax_column_count: true,
    max_record_size: MOST_RECORD,
    info: true,
    cast: (cell, { quoting }) => (cell === '' && !quoting ? null : cell),
  })
  return made as Parser
}

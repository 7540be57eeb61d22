// Streams the rows of a CSV file (RFC 4180) with their line numbers. The parser is loaded on demand. As on the command line, an empty cell is null and a quoted empty cell is the empty text, so that an export can
// be imported unchanged. In a file of one column, "" means null, because an empty line is not a row.

import { CSV_DIALECT, findDelimiter, headerLine } from '../../../shared/csv-dialect.ts'

export type Cell = string | null

export interface CsvRow {
  /** Starts at 1 and counts the header. */
  readonly line: number
  readonly cells: readonly Cell[]
}

/** How a file is read. */
export interface CsvForm {
  readonly delimiter: string
  /** The line of the header, from 1. */
  readonly headerLine: number
}

export interface CsvHead extends CsvForm {
  readonly names: readonly string[]
  /** The first rows. */
  readonly rows: readonly CsvRow[]
}

interface ReadOptions {
  /** Reports the number of bytes read. */
  readonly onBytes?: (bytes: number) => void
  readonly signal?: AbortSignal
}

/** The used part of the parser, whose own types are for Node. */
interface Parser {
  readonly write: (text: string) => boolean
  readonly end: () => void
  readonly read: () => Parsed | null
  readonly once: (event: string, listener: (value: unknown) => void) => void
  readonly on: (event: string, listener: (value: unknown) => void) => void
}

interface Parsed {
  readonly record: readonly Cell[]
  readonly info: LineCount
}

interface Reading {
  isOver: boolean
  error: unknown
  /** The last row that the parser has produced, read or not. */
  last: LineCount
}

const HEAD_BYTES = 256 * 1024
const HEAD_ROWS = 4

/** Reads the whole file, so that errors are found before anything is sent. Throws CsvFault. */
export async function checkFile(file: Blob, options: ReadOptions): Promise<CsvHead> {
  const form = await formOf(file)
  const first: CsvRow[] = []
  for await (const row of rowsIn(file, form, options))
    if (first.length <= HEAD_ROWS) first.push(row)
  const [head, ...rows] = first
  return { names: (head?.cells ?? []).map((cell) => cell ?? ''), ...form, rows }
}

/** The first rows, the header included. Throws CsvFault, or the reason of the signal. */
export async function firstRows(file: Blob, most: number, signal: AbortSignal) {
  const rows: (readonly Cell[])[] = []
  for await (const { cells } of rowsIn(file, await formOf(file), { signal })) {
    rows.push(cells)
    if (rows.length > most) break
  }
  return rows
}

async function formOf(file: Blob): Promise<CsvForm> {
  try {
    const start = await file.slice(0, HEAD_BYTES).text()
    return { delimiter: findDelimiter(start), headerLine: headerLine(start) }
  } catch (error) {
    throw await csvFault(error, NO_LINES, file)
  }
}

/** Yields all rows, the header first. Throws CsvFault, or the reason of the signal. */
export async function* rowsIn(
  file: Blob,
  form: CsvForm,
  { onBytes, signal }: ReadOptions,
): AsyncGenerator<CsvRow> {
  const state: Reading = { isOver: false, error: undefined, last: NO_LINES }
  const parser = await openParser(form, state)
  parser.on('end', () => (state.isOver = true))
  parser.on('error', (error) => (state.error ??= error))
  let wake: (value?: unknown) => void = () => undefined
  const next = (): Promise<unknown> =>
    new Promise((resolve) => {
      wake = resolve
      for (const event of ['readable', 'end', 'error']) parser.once(event, resolve)
    })
  let stopped = false
  const feeding = feed(file, parser, () => stopped, onBytes)
  feeding.catch((error: unknown) => {
    state.error ??= error
    wake()
  })
  let before = NO_LINES
  try {
    for (;;) {
      const ready = next()
      for (let item = parser.read(); item !== null; item = parser.read()) {
        yield { line: firstLine(before, item.info), cells: item.record }
        before = item.info
      }
      signal?.throwIfAborted()
      if (state.error !== undefined) throw await csvFault(state.error, state.last, file)
      if (state.isOver) return
      await ready
    }
  } finally {
    stopped = true
  }
}

async function feed(
  file: Blob,
  parser: Parser,
  isStopped: () => boolean,
  onBytes: ((bytes: number) => void) | undefined,
): Promise<void> {
  // Other encodings are rejected, because guessing could corrupt the text.
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const reader = file.stream().getReader()
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (isStopped()) return reader.cancel()
    if (done) break
    bytes += value.length
    const isRoom = parser.write(decoder.decode(value, { stream: true }))
    if (!isRoom) {
      await new Promise((resolve) => {
        for (const event of ['drain', 'error']) parser.once(event, resolve)
      })
    }
    onBytes?.(bytes)
  }
  parser.write(decoder.decode())
  parser.end()
}

async function openParser(
  { delimiter, headerLine: from }: CsvForm,
  state: Reading,
): Promise<Parser> {
  const { parse } = await import('csv-parse/browser/esm')
  const made: unknown = parse({
    delimiter,
    from_line: from,
    ...CSV_DIALECT,
    // A row of the wrong length is rejected later, with its line.
    relax_column_count: true,
    info: true,
    on_record: (record: string[], info) => {
      state.last = info
      return record
    },
  })
  return made as Parser
}

type CsvFaultKind = 'encoding' | 'openQuote' | 'strayQuote' | 'unreadable'

export class CsvFault extends Error {
  readonly kind: CsvFaultKind
  /** Starts at 1; 0 for an unreadable file. */
  readonly line: number

  constructor(kind: CsvFaultKind, line: number, cause: unknown) {
    super(String(cause), { cause })
    this.name = 'CsvFault'
    this.kind = kind
    this.line = line
  }
}

/** Number of lines up to the end of a row, and how many of them are empty. */
interface LineCount {
  readonly lines: number
  readonly empty_lines: number
}

const NO_LINES: LineCount = { lines: 0, empty_lines: 0 }

const LINE_FEED = 10
const CARRIAGE_RETURN = 13

// An unclosed quotation mark consumes the rest of the file, or the largest row that the parser accepts.
const OPEN_QUOTE: ReadonlySet<string> = new Set(['CSV_QUOTE_NOT_CLOSED', 'CSV_MAX_RECORD_SIZE'])

/** The first line of a row; empty lines are not rows. */
function firstLine(before: LineCount, now: LineCount): number {
  return before.lines + now.empty_lines - before.empty_lines + 1
}

/**
 * `error` comes from the parser, the decoder or the browser; `before` counts the lines up to the last complete row.
 */
async function csvFault(error: unknown, before: LineCount, file: Blob): Promise<CsvFault> {
  if (isParserError(error)) {
    const isOpen = OPEN_QUOTE.has(error.code)
    const line = isOpen ? firstLine(before, error) : error.lines
    return new CsvFault(isOpen ? 'openQuote' : 'strayQuote', line, error)
  }
  try {
    const line = error instanceof TypeError ? await lineOfBadByte(file) : 0
    return new CsvFault(line === 0 ? 'unreadable' : 'encoding', line, error)
  } catch (cause) {
    return new CsvFault('unreadable', 0, cause)
  }
}

interface ParserError extends LineCount {
  readonly code: string
}

function isParserError(error: unknown): error is ParserError {
  return error instanceof Error && 'code' in error && 'lines' in error && 'empty_lines' in error
}

/** Decodes line by line, which is too slow for valid files. Returns 0 if the whole file is UTF-8. */
async function lineOfBadByte(file: Blob): Promise<number> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const reader = file.stream().getReader()
  let line = 1
  let previous = 0
  const isSound = (bytes?: Uint8Array): boolean => {
    try {
      decoder.decode(bytes, { stream: bytes !== undefined })
      return true
    } catch {
      return false
    }
  }
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return isSound() ? 0 : line
    let from = 0
    for (const [at, byte] of value.entries()) {
      if (byte === LINE_FEED || byte === CARRIAGE_RETURN) {
        if (!isSound(value.subarray(from, at + 1))) return line
        from = at + 1
        if (byte === CARRIAGE_RETURN || previous !== CARRIAGE_RETURN) line += 1
      }
      previous = byte
    }
    if (!isSound(value.subarray(from))) return line
  }
}

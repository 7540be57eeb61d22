// Errors of a CSV file, with their line.

export type CsvFaultKind = 'encoding' | 'openQuote' | 'strayQuote' | 'unreadable'

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
export interface LineCount {
  readonly lines: number
  readonly empty_lines: number
}

export const NO_LINES: LineCount = { lines: 0, empty_lines: 0 }

const LINE_FEED = 10
const CARRIAGE_RETURN = 13

// An unclosed quotation mark consumes the rest of the file, or the largest row that the parser accepts.
const OPEN_QUOTE: ReadonlySet<string> = new Set(['CSV_QUOTE_NOT_CLOSED', 'CSV_MAX_RECORD_SIZE'])

/** The first line of a row; empty lines are not rows. */
export function firstLine(before: LineCount, now: LineCount): number {
  return before.lines + now.empty_lines - before.empty_lines + 1
}

/**
 * `error` comes from the parser, the decoder or the browser; `before` counts the lines up to the last complete row.
 */
export async function csvFault(error: unknown, before: LineCount, file: Blob): Promise<CsvFault> {
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

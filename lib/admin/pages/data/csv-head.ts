// Reads the header and first rows of a CSV file. The parser is loaded on demand.

import type { Rows } from './guess-schema.ts'

const READ_BYTES = 131_072
const MOST_ROWS = 500
const DELIMITERS = [',', ';', '\t', '|'] as const

class NoCsv extends Error {
  constructor() {
    super('There is no heading in it.')
    this.name = 'NoCsv'
  }
}

/** Throws NoCsv for other files. */
export async function readHead(file: File): Promise<Rows> {
  const { parse } = await import('csv-parse/browser/esm/sync')
  const text = decode(new Uint8Array(await file.slice(0, READ_BYTES).arrayBuffer()))
  const isWhole = file.size <= READ_BYTES
  const records = tryParse(() =>
    parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      to: MOST_ROWS + 1,
    }),
  )
  const [heading, ...rows] = records
  if (heading === undefined || text.includes('\0')) throw new NoCsv()
  // The last row may be cut off.
  return { heading, rows: isWhole || records.length > MOST_ROWS ? rows : rows.slice(0, -1) }
}

function tryParse(parse: () => readonly (readonly string[])[]): readonly (readonly string[])[] {
  try {
    return parse()
  } catch (error) {
    throw Object.assign(new NoCsv(), { cause: error })
  }
}

/** Decodes UTF-8, or else Windows-1252 as office programs write it. */
function decode(bytes: Uint8Array): string {
  const utf8 = new TextDecoder('utf-8').decode(bytes)
  // A replacement character at the cut does not count.
  const isUtf8 = !utf8.slice(0, -4).includes('\ufffd')
  return isUtf8 ? utf8 : new TextDecoder('windows-1252').decode(bytes)
}

/** The delimiter that occurs most often in the header. */
function delimiterOf(text: string): string {
  const [line = ''] = text.split('\n', 1)
  const counts = DELIMITERS.map((each) => line.split(each).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
}

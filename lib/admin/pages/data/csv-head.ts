// The heading and the first rows of a CSV, whose library is loaded when somebody wants one.

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

/** Throws NoCsv for what is none. */
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
  // The last one may be cut off.
  return { heading, rows: isWhole || records.length > MOST_ROWS ? rows : rows.slice(0, -1) }
}

function tryParse(parse: () => readonly (readonly string[])[]): readonly (readonly string[])[] {
  try {
    return parse()
  } catch (error) {
    throw Object.assign(new NoCsv(), { cause: error })
  }
}

/** UTF-8, or what programs of offices write where it is none. */
function decode(bytes: Uint8Array): string {
  const utf8 = new TextDecoder('utf-8').decode(bytes)
  // A character at the cut is none that says something.
  const isUtf8 = !utf8.slice(0, -4).includes('\ufffd')
  return isUtf8 ? utf8 : new TextDecoder('windows-1252').decode(bytes)
}

/** The one that the heading has most of. */
function delimiterOf(text: string): string {
  const [line = ''] = text.split('\n', 1)
  const counts = DELIMITERS.map((each) => line.split(each).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
}

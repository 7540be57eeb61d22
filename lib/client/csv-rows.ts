// Rows of a CSV file (RFC 4180). The first row names the columns. An empty cell is null, and a quoted empty
// cell is the empty text. In a file with a single column a row without a value must be written as "", which is
// null there.

import { parse } from 'csv-parse'
import { pipeline } from 'node:stream'
import { ClientError } from './client-error.ts'
import { readText } from './text-file.ts'
import { CSV_DIALECT, findDelimiter } from '../shared/csv-dialect.ts'

type Cell = string | null

export interface CsvFile {
  readonly path: string
  /** If omitted, the delimiter that is most frequent in the header. */
  readonly delimiter?: string | undefined
}

/** Throws at the first row with a different number of cells or an unclosed quote. */
export async function* readCsv({ path, delimiter }: CsvFile): AsyncGenerator<unknown> {
  const parser = parse({
    delimiter: delimiter ?? (await delimiterOf(path)),
    ...CSV_DIALECT,
  })
  // Errors reach the reader of the last stream.
  const records: AsyncIterable<readonly Cell[]> = pipeline(readText(path), parser, () => undefined)
  let header: readonly string[] | undefined

  try {
    for await (const cells of records) {
      if (header === undefined) header = checkHeader(cells.map((cell) => cell ?? ''))
      else yield buildRow(header, cells)
    }
  } catch (cause) {
    if (cause instanceof ClientError) throw cause
    const detail = `${path} cannot be read: ${(cause as Error).message}.`
    throw new ClientError('unreadable', detail, { cause })
  }
  if (header === undefined) throw new ClientError('unreadable', `${path} has no header row.`)
}

async function delimiterOf(path: string): Promise<string> {
  for await (const chunk of readText(path)) return findDelimiter(chunk)
  return ','
}

function checkHeader(names: readonly string[]): readonly string[] {
  const nameless = names.findIndex((name) => name.trim() === '')
  if (nameless >= 0) {
    throw new ClientError('unreadable', `Column ${nameless + 1} has no name in the header row.`)
  }
  const twice = names.find((name, at) => names.indexOf(name) < at)
  if (twice === undefined) return names
  throw new ClientError('unreadable', `The header row contains the column "${twice}" twice.`)
}

function buildRow(header: readonly string[], cells: readonly Cell[]): unknown {
  const isAlone = header.length === 1
  return Object.fromEntries(
    header.map((name, at) => [name, isAlone && cells[at] === '' ? null : cells[at]]),
  )
}

// A file of entries; its extension gives the format: .csv, .json, .ndjson or .jsonl.

import { extname } from 'node:path'
import { ClientError } from './client-error.ts'
import { type CsvFile, readCsv, readLines, readText } from './csv-rows.ts'
import { openJsonList, parseStrictJson } from './json-list.ts'

export type EntryFormat = 'csv' | 'json' | 'ndjson'

const FORMATS: Readonly<Record<string, EntryFormat>> = {
  '.csv': 'csv',
  '.json': 'json',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
}

const MAX_LINE_LENGTH = 16 * 1024 * 1024

/** The rows of a file; each row is any JSON value. */
export interface Rows {
  readonly rows: AsyncIterable<unknown>
  /** Name of the list in a JSON file that is an object; known after the last row. */
  readonly findListName: () => string | undefined
}

export function requireReadable(path: string): EntryFormat {
  const format = FORMATS[extname(path).toLowerCase()]
  if (format !== undefined) return format
  const known = Object.keys(FORMATS).join(', ')
  throw new ClientError(
    'bad-format',
    `The file name must end with one of ${known}, which gives the format.`,
  )
}

export function openRows(file: CsvFile): Rows {
  switch (requireReadable(file.path)) {
    case 'csv':
      return { rows: readCsv(file), findListName: () => undefined }
    case 'ndjson':
      return { rows: readNdjson(file.path), findListName: () => undefined }
    case 'json': {
      const { items, findName } = openJsonList(readText(file.path))
      return { rows: items, findListName: findName }
    }
  }
}

async function* readNdjson(path: string): AsyncGenerator<unknown> {
  let number = 0

  for await (const line of readLines(readText(path), MAX_LINE_LENGTH)) {
    number += 1
    if (line.trim() !== '') yield parseLine(line, number)
  }
}

function parseLine(line: string, number: number): unknown {
  try {
    return parseStrictJson(line)
  } catch (cause) {
    const detail = `Line ${number} of the file is not JSON: ${(cause as Error).message}`
    throw new ClientError('unreadable', detail, { cause })
  }
}

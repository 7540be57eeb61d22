// Writes the rows that an import rejected to a file next to the source, in the same format, with the row number
// and the reason in front. The file can be corrected and imported.

import { extname } from 'node:path'
import type { CsvFile } from './csv-rows.ts'
import { openRows, requireReadable } from './entry-file.ts'
import { encodeRows, writeEntryFile } from './entry-output.ts'
import { isRow, type Row } from './entry-row.ts'

/** Extra columns of a file of rejected rows; an import of the file ignores them. */
export const ROW_COLUMN = 'refused_row'
export const REASON_COLUMN = 'refused_because'

/** Row numbers and the reason why each was rejected. */
export type Refused = ReadonlyMap<number, string>

/** `cities.csv` → `cities.refused.csv` */
export function besideSource(source: string): string {
  const end = extname(source)
  return `${source.slice(0, source.length - end.length)}.refused${end}`
}

export async function writeRefused(file: CsvFile, refused: Refused, target: string): Promise<void> {
  const first = await firstRow(file, refused)
  const pages = readRefused(file, refused)
  const names = [ROW_COLUMN, REASON_COLUMN, ...Object.keys(first).filter(isOfSource)]
  const text = encodeRows({ format: requireReadable(target), names, pages })
  await writeEntryFile(target, text, { signal: new AbortController().signal })
}

async function firstRow(file: CsvFile, refused: Refused): Promise<Row> {
  for await (const [row] of readRefused(file, refused)) return row ?? {}
  return {}
}

async function* readRefused(file: CsvFile, refused: Refused): AsyncGenerator<readonly Row[]> {
  let number = 0
  for await (const value of openRows(file).rows) {
    number += 1
    const reason = refused.get(number)
    if (reason === undefined) continue
    const row = isRow(value) ? value : { value }
    const kept = Object.entries(row).filter(([name]) => isOfSource(name))
    yield [{ [ROW_COLUMN]: number, [REASON_COLUMN]: reason, ...Object.fromEntries(kept) }]
  }
}

function isOfSource(name: string): boolean {
  return name !== ROW_COLUMN && name !== REASON_COLUMN
}

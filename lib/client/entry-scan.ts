// First of two passes over a file that is imported. The whole file is read before anything is sent, so that a
// file with a damaged end or an unknown column changes nothing.

import { extname } from 'node:path'
import { closest } from '../schema/message-text.ts'
import { ClientError } from './client-error.ts'
import type { CsvFile } from './csv-rows.ts'
import { openRows, requireReadable, type Rows } from './entry-file.ts'
import { encodeRows, writeEntryFile } from './entry-output.ts'
import { isRow, type Row } from './entry-row.ts'
import type { ModuleInfo } from './module-info.ts'

const MAX_UNKNOWN = 20

export interface Scan {
  readonly rows: number
  /** Name of the imported list, if the file is an object that contains it. */
  readonly listName: string | undefined
  /** The first columns that the module does not have. */
  readonly unknown: readonly string[]
}

interface ScanOptions {
  readonly signal: AbortSignal
  readonly onRow?: ((row: unknown, number: number) => Promise<void>) | undefined
}

export async function scanRows(
  { rows, findListName }: Rows,
  module: ModuleInfo,
  { signal, onRow }: ScanOptions,
): Promise<Scan> {
  const known = new Set([...module.fieldNames, ROW_COLUMN, REASON_COLUMN])
  const unknown = new Set<string>()
  let count = 0

  for await (const row of rows) {
    signal.throwIfAborted()
    count += 1
    await onRow?.(row, count)
    if (!isRow(row) || unknown.size >= MAX_UNKNOWN) continue
    for (const name of Object.keys(row)) if (!known.has(name)) unknown.add(name)
  }
  return { rows: count, listName: findListName(), unknown: [...unknown] }
}

export function refuseUnknown(names: readonly string[], { kind, name, columns }: ModuleInfo): void {
  if (names.length === 0) return
  const shown = names.map((item) => {
    const near = closest(item, columns.keys())
    return near === undefined ? `"${item}"` : `"${item}" (did you mean "${near}"?)`
  })
  const known = [...columns.keys()].join(', ')
  throw new ClientError(
    'unknown-column',
    `The file has columns that the ${kind} ${name} does not have: ${shown.join(', ')}. ` +
      `Its columns are ${known}. Nothing was sent; add --ignore-unknown to skip unknown columns.`,
  )
}

/**
 * The extra columns of a file of rejected rows. An import writes rejected rows to a file next to the source, in the same
 * format, with the row number and the reason in front. The file can be corrected and imported, which ignores these columns.
 */
const ROW_COLUMN = 'refused_row'
const REASON_COLUMN = 'refused_because'

/** Row numbers and the reason why each was rejected. */
type Refused = ReadonlyMap<number, string>

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

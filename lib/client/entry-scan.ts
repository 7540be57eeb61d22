// First of two passes over a file that is imported. The whole file is read before anything is sent, so that a
// file with a damaged end or an unknown column changes nothing.

import { closest } from '../schema/closest.ts'
import { ClientError } from './client-error.ts'
import type { Rows } from './entry-file.ts'
import { isRow } from './entry-row.ts'
import type { ModuleInfo } from './module-info.ts'
import { REASON_COLUMN, ROW_COLUMN } from './refused-rows.ts'

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

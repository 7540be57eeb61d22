// Writes all rows of a search to a file, as CSV (RFC 4180) or JSON Lines. The rows are read in pages, newest first;
// rows that are added during the export are not included.

import { type Api, dataOf } from '../../client/api.ts'
import { guardFormula } from '../../../shared/csv-dialect.ts'
import type { SavedFile } from '../../client/save-file.ts'
import type { AuditRow } from './use-audit.ts'

export const EXPORT_TYPES = { csv: 'text/csv', jsonl: 'application/jsonl' } as const

export type ExportType = keyof typeof EXPORT_TYPES

const COLUMNS = [
  'audit_id',
  'date_added',
  'user_name',
  'user_id',
  'api_key_id',
  'address',
  'request_id',
  'action',
  'object',
  'object_id',
  'last_object_id',
  'count',
  'module_id',
  'version',
  'fileState',
  'changed_fields',
  'api_key_name',
  'name',
  'path',
  'previous_name',
  'previous_path',
  'entries',
] as const satisfies readonly (keyof AuditRow)[]

const PAGE_ROWS = 1_000

export interface Export {
  readonly api: Api
  readonly qry: string
  readonly type: ExportType
  readonly file: SavedFile
  readonly signal: AbortSignal
  readonly onRows: (count: number) => void
}

/** Returns the number of rows. */
export async function exportRows(work: Export): Promise<number> {
  const { api, qry, type, file, signal, onRows } = work
  let count = 0
  let cursor: string | null | undefined
  if (type === 'csv') await file.write(encode([COLUMNS.join(',')]))
  do {
    const query = {
      orderStr: 'audit_id',
      orderDir: 'DESC',
      length: PAGE_ROWS,
      ...(qry !== '' && { qry }),
      ...(typeof cursor === 'string' && { cursor }),
    }
    const found = await dataOf(api.GET('/audit', { signal, params: { query } }))
    await file.write(
      encode(found.audit.map(type === 'csv' ? csvLine : (row) => JSON.stringify(row))),
    )
    count += found.audit.length
    onRows(count)
    cursor = found.page.next
  } while (typeof cursor === 'string')
  return count
}

function encode(lines: readonly string[]): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(lines.map((line) => `${line}\r\n`).join(''))
}

function csvLine(row: AuditRow): string {
  return COLUMNS.map((name) => csvCell(row[name])).join(',')
}

function csvCell(value: AuditRow[keyof AuditRow]): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'string' ? value : value.join(' ')
  const safe = guardFormula(text)
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

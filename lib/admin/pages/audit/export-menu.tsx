// Exports the filtered rows as a file, with progress and a stop button.

import { useRef, useState } from 'preact/hooks'
import { csvRow, guardFormula } from '../../../shared/csv-dialect.ts'
import { MAX_LIST_LENGTH } from '../../../shared/limits.ts'
import { type Api, dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { MEMORY_BYTES, openSavedFile, type SavedFile, TooLarge } from '../../client/download.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Progress } from '../../ui/progress.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { AuditRow } from './use-audit.ts'

export function ExportMenu({ qry }: { readonly qry: string }) {
  const { t, formats } = useTexts()
  const toast = useToast()
  const api = useApi()
  const stop = useRef<AbortController>()
  const [count, setCount] = useState<number>()

  async function run(type: ExportType, file: SavedFile): Promise<void> {
    const { signal } = (stop.current = new AbortController())
    setCount(0)
    try {
      const total = await exportRows({ api, qry, type, file, signal, onRows: setCount })
      await file.close()
      toast({ text: formats.count(t.audit.exported, total) })
    } catch (error) {
      await file.abort()
      if (signal.aborted) toast({ text: t.audit.exportStopped })
      else if (error instanceof TooLarge) toast({ text: tooLarge(), isFault: true })
      else toast.problem(error)
    } finally {
      setCount(undefined)
    }
  }

  function tooLarge(): string {
    return fill(t.audit.exportTooLarge, { size: formats.bytes(MEMORY_BYTES) })
  }

  async function begin(type: ExportType): Promise<void> {
    const name = `audit-${new Date().toISOString().slice(0, 10)}.${type}`
    const file = await openSavedFile(name, EXPORT_TYPES[type])
    if (file !== undefined) await run(type, file)
  }

  return (
    <>
      <Menu
        button={{
          icon: 'arrowDown',
          content: <span>{t.audit.export}</span>,
          class: 'button button-plain',
        }}
        items={[
          { text: t.audit.exportCsv, onChoose: () => void begin('csv').catch(toast.problem) },
          { text: t.audit.exportLines, onChoose: () => void begin('jsonl').catch(toast.problem) },
        ]}
      />
      {count !== undefined && (
        <Dialog title={t.audit.exporting} onClose={() => stop.current?.abort()}>
          <Progress label={t.audit.exporting} />
          <p role="status">{formats.count(t.audit.rows, count)}</p>
          <Button onPress={() => stop.current?.abort()}>{t.general.cancel}</Button>
        </Dialog>
      )}
    </>
  )
}

const EXPORT_TYPES = { csv: 'text/csv', jsonl: 'application/jsonl' } as const

type ExportType = keyof typeof EXPORT_TYPES

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

interface Export {
  readonly api: Api
  readonly qry: string
  readonly type: ExportType
  readonly file: SavedFile
  readonly signal: AbortSignal
  readonly onRows: (count: number) => void
}

/**
 * Writes all rows of a search to a file, as CSV (RFC 4180) or JSON Lines, and returns their number. The rows are read in
 * pages, newest first; rows that are added during the export are not included.
 */
async function exportRows(work: Export): Promise<number> {
  const { api, qry, type, file, signal, onRows } = work
  let count = 0
  let cursor: string | null | undefined
  if (type === 'csv') await file.write(csvRow(COLUMNS))
  do {
    const query = {
      orderStr: 'audit_id',
      orderDir: 'DESC',
      length: MAX_LIST_LENGTH,
      ...(qry !== '' && { qry }),
      ...(typeof cursor === 'string' && { cursor }),
    }
    const found = await dataOf(api.GET('/audit', { signal, params: { query } }))
    const lines = found.audit.map(type === 'csv' ? csvOf : (row) => `${JSON.stringify(row)}\r\n`)
    await file.write(lines.join(''))
    count += found.audit.length
    onRows(count)
    cursor = found.page.next
  } while (typeof cursor === 'string')
  return count
}

function csvOf(row: AuditRow): string {
  const cells = COLUMNS.map((name) => row[name])
  return csvRow(
    cells.map((cell) => (Array.isArray(cell) ? cell.join(' ') : cell)),
    { guard: guardFormula },
  )
}

// Actions above the entries of a datatable: create, import and export.

import { useLocation } from 'preact-iso/router'
import { useRef, useState } from 'preact/hooks'
import { COLUMN_TYPES, type ValueKind } from '../../../shared/column-types.ts'
import { csvRow, excelHead, guardFormula } from '../../../shared/csv-dialect.ts'
import { isTexted, writeValue } from '../../../shared/value-text.ts'
import { pathOf } from '../../client/address.ts'
import { MEMORY_BYTES, openSavedFile, type SavedFile, TooLarge } from '../../client/download.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { Progress } from '../../ui/progress.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { Datatable, ShownTable } from '../data/table.ts'
import { type EntryView, listQueryOf, pagesOf, viewOf } from './entry-view.ts'
import { type EntryRequests, useEntryRequests } from './entry-requests.ts'
import { pageMark, withMark } from './decimal-mark.ts'
import { ID } from './fields.ts'
import { mayCreate } from './references/may-create.ts'

interface EntriesActionsProps {
  readonly shown: ShownTable
  /** Asks for a file to import. */
  readonly onImport: () => void
}

export function EntriesActions({ shown, onImport }: EntriesActionsProps) {
  const { t } = useTexts()
  const { record, grants } = shown
  const requests = useEntryRequests(record)
  const saved = useExport({ table: record, requests })
  const { path } = useLocation()
  const all = { qry: '', text: '', sort: undefined }
  // The URL contains the current search when the user opens the menu.
  const found = () => viewOf(Object.fromEntries(new URLSearchParams(location.search)))
  const items = FORMS.flatMap((form): readonly MenuItem[] => {
    const { group, all: allText, found: foundText } = t.entries.exports[form]
    const begin = (view: EntryView) => saved.begin({ view, form })
    return [
      { group, text: allText, icon: 'download', onChoose: () => begin(all) },
      { text: foundText, icon: 'download', onChoose: () => begin(found()) },
    ]
  })
  return (
    <>
      <Menu
        key={path}
        button={{ class: 'button', icon: 'download', content: <span>{t.entries.export}</span> }}
        items={items}
      />
      {mayCreate(grants) && (
        <>
          <Button icon="upload" onPress={onImport}>
            {t.entries.import}
          </Button>
          <ButtonLink kind="primary" icon="plus" href={pathOf(`/data/${record.datatable_id}/new`)}>
            {t.entries.newOne}
          </ButtonLink>
        </>
      )}
      {saved.view}
    </>
  )
}

interface ExportOptions {
  readonly table: Datatable
  readonly requests: EntryRequests
}

/**
 * guarded: an apostrophe before formulas. excel: also with the delimiter and decimal mark of the reader. exact: unmodified
 * values, for an import.
 */
const FORMS = ['guarded', 'excel', 'exact'] as const

type Form = (typeof FORMS)[number]

interface Asked {
  readonly view: EntryView
  readonly form: Form
}

interface Going {
  readonly count: number
  readonly total?: number | undefined
}

interface Writing extends Asked {
  readonly file: SavedFile
  readonly signal: AbortSignal
  readonly onCount: (going: Going) => void
}

function isNumber(kind: ValueKind): boolean {
  return kind === 'decimal' || kind === 'number'
}

/** Returns the number of entries and of guarded cells. */
async function writeRows({ table, requests }: ExportOptions, writing: Writing) {
  const { view, form, file, signal, onCount } = writing
  const columns = (table.columns ?? []).map(({ name, type }) => ({
    name,
    kind: COLUMN_TYPES[type ?? 'C'].kind,
  }))
  const exported = [{ name: ID, kind: 'integer' } as const, ...columns]
  const names = exported.map(({ name }) => name)
  // An import does not accept the other base fields.
  const query = { ...listQueryOf(view), fields: names.join() }
  let count = 0
  let guarded = 0
  let total: number | undefined
  const guard = (text: string): string => {
    const safe = form === 'exact' ? text : guardFormula(text)
    if (safe !== text) guarded += 1
    return safe
  }
  const onTotal = (all: number): void => void (total = all)
  const mark = form === 'excel' ? pageMark() : '.'
  const delimiter = mark === ',' ? ';' : ','
  if (form === 'excel') await file.write(excelHead(delimiter))
  await file.write(csvRow(names, { delimiter }))
  for await (const page of pagesOf({ requests, query, signal, onTotal })) {
    const rows = page.map((row) =>
      csvRow(
        exported.map(({ name, kind }) => {
          const value = row[name] ?? null
          if (isNumber(kind)) return value === null ? null : withMark(String(value), mark)
          return isTexted(kind) && value !== null ? writeValue(kind, value) : value
        }),
        { guard, delimiter },
      ),
    )
    await file.write(rows.join(''))
    count += page.length
    onCount({ count, total })
  }
  return { count, guarded }
}

/** Exports all or found entries as a CSV file, with progress and a stop button. */
function useExport({ table, requests }: ExportOptions) {
  const { t, formats } = useTexts()
  const toast = useToast()
  const stop = useRef<AbortController>()
  const [going, setGoing] = useState<Going>()

  async function run(asked: Asked, file: SavedFile): Promise<void> {
    const { signal } = (stop.current = new AbortController())
    setGoing({ count: 0 })
    try {
      const { count, guarded } = await writeRows(
        { table, requests },
        { ...asked, file, signal, onCount: setGoing },
      )
      await file.close()
      const saved = formats.count(t.entries.exported, count)
      const note = guarded === 0 ? '' : ` ${formats.count(t.entries.guarded, guarded)}`
      toast({ text: `${saved}${note}` })
    } catch (error) {
      await file.abort()
      if (signal.aborted) toast({ text: t.entries.exportStopped })
      else if (error instanceof TooLarge) {
        const size = formats.bytes(MEMORY_BYTES)
        toast({ text: fill(t.entries.exportTooLarge, { size }), isFault: true })
      } else toast.problem(error)
    } finally {
      setGoing(undefined)
    }
  }

  async function begin(asked: Asked): Promise<void> {
    const day = new Date().toISOString().slice(0, 10)
    const file = await openSavedFile(`${table.module_name}-${day}.csv`, 'text/csv')
    if (file !== undefined) await run(asked, file)
  }

  return {
    begin: (asked: Asked) => void begin(asked).catch(toast.problem),
    view: going !== undefined && (
      <Dialog title={t.entries.exporting} onClose={() => stop.current?.abort()}>
        <Progress
          label={t.entries.exporting}
          {...(going.total !== undefined && { ratio: going.count / Math.max(going.total, 1) })}
        />
        <p role="status">{formats.count(t.entries.rows, going.count)}</p>
        <div class="dialog-actions">
          <Button onPress={() => stop.current?.abort()}>{t.general.cancel}</Button>
        </div>
      </Dialog>
    ),
  }
}

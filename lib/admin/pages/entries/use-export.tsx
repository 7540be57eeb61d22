// Saves entries as a CSV file: all of them, or those that are found; with how far it is, and a way to stop.

import { useRef, useState } from 'preact/hooks'
import { MEMORY_BYTES, openSavedFile, type SavedFile, TooLarge } from '../../client/save-file.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Progress } from '../../ui/progress.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { Datatable } from '../data/table.ts'
import { csvHead, csvLines } from './csv-text.ts'
import { pagesOf } from './entry-listing.ts'
import type { EntryRequests } from './entry-requests.ts'
import { type EntryView, listQueryOf } from './entry-view.ts'
import { ID } from './fields.ts'

export interface ExportOptions {
  readonly table: Datatable
  readonly requests: EntryRequests
}

interface Going {
  readonly count: number
  readonly total?: number | undefined
}

export function useExport({ table, requests }: ExportOptions) {
  const { t, formats } = useTexts()
  const toast = useToast()
  const stop = useRef<AbortController>()
  const [going, setGoing] = useState<Going>()

  async function write(view: EntryView, file: SavedFile, signal: AbortSignal): Promise<number> {
    const names = [ID, ...(table.columns ?? []).map(({ name }) => name)]
    // The other fields of the server are not taken back.
    const query = { ...listQueryOf(view), fields: names.join() }
    let count = 0
    let total: number | undefined
    const onTotal = (all: number): void => void (total = all)
    await file.write(csvHead(names))
    for await (const page of pagesOf({ requests, query, signal, onTotal })) {
      await file.write(csvLines(page, names))
      count += page.length
      setGoing({ count, total })
    }
    return count
  }

  async function run(view: EntryView, file: SavedFile): Promise<void> {
    const { signal } = (stop.current = new AbortController())
    setGoing({ count: 0 })
    try {
      const count = await write(view, file, signal)
      await file.close()
      toast({ text: formats.count(t.entries.exported, count) })
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

  async function begin(view: EntryView): Promise<void> {
    const day = new Date().toISOString().slice(0, 10)
    const file = await openSavedFile(`${table.module_name}-${day}.csv`, 'text/csv')
    if (file !== undefined) await run(view, file)
  }

  return {
    begin: (view: EntryView) => void begin(view).catch(toast.problem),
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

// Exports the filtered rows as a file, with progress and a stop button.

import { useRef, useState } from 'preact/hooks'
import { useApi } from '../../client/client-context.ts'
import { MEMORY_BYTES, openSavedFile, type SavedFile, TooLarge } from '../../client/save-file.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Progress } from '../../ui/progress.tsx'
import { useToast } from '../../ui/toast.tsx'
import { EXPORT_TYPES, exportRows, type ExportType } from './export-rows.ts'

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

// The dialog in which a new entry is created for a reference. The form in the dialog can open the same dialog again
// for its own references.

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Entry } from '../../../client/module-paths.ts'
import { fill } from '../../../texts/fill.ts'
import { useTexts } from '../../../texts/use-texts.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Loading } from '../../../ui/skeleton.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { type ShownTable, useTable } from '../../data/table.ts'
import { fieldsOf } from '../fields.ts'
import { NewEntryForm } from '../new-entry.tsx'
import { NewEntryProvider, type WantedEntry } from './new-entry-context.ts'

/** Gives the inputs below a dialog for new entries, which is rendered after the children. */
export function NewEntryDialogs({ children }: { readonly children: ComponentChildren }) {
  const [wanted, setWanted] = useState<WantedEntry>()
  return (
    <NewEntryProvider value={setWanted}>
      {children}
      {wanted !== undefined && (
        <NewEntryDialog wanted={wanted} onClose={() => setWanted(undefined)} />
      )}
    </NewEntryProvider>
  )
}

interface NewEntryDialogProps {
  readonly wanted: WantedEntry
  readonly onClose: () => void
}

function NewEntryDialog({ wanted, onClose }: NewEntryDialogProps) {
  const { t } = useTexts()
  const toast = useToast()
  const found = useTable(wanted.tableId)
  const { data } = found
  const table = data?.record.name ?? ''
  const form = useRef<HTMLDivElement>(null)
  // The close button has the focus until the fields are known.
  useLayoutEffect(() => {
    form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus()
  }, [data === undefined])
  return (
    <Dialog
      title={data === undefined ? t.entries.newOne : fill(t.entries.newTitle, { table })}
      onClose={onClose}
    >
      {data === undefined ? (
        <Loading {...found} lines={4} />
      ) : (
        <NewEntryDialogs>
          <div ref={form}>
            <NewEntryForm
              shown={data}
              name={`entry-${wanted.tableId}-new-for-${wanted.place}`}
              initial={{ ...titled(data, wanted.title), ...wanted.initial }}
              onMade={(id) => {
                onClose()
                toast({ text: t.entries.form.made })
                wanted.onMade(id)
              }}
            />
          </div>
        </NewEntryDialogs>
      )}
    </Dialog>
  )
}

/** The title that the user searched for, if the title is a text. */
function titled({ record }: ShownTable, title = ''): Entry {
  const [lead] = fieldsOf(record)
  const isText = lead?.name === record.title_field && (lead.kind === 'text' || lead.kind === 'long')
  return title !== '' && isText ? { [lead.name]: title } : {}
}

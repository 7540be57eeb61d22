// The form of a new entry, on a page of its own or in a dialog.

import { useLocation } from 'preact-iso/router'
import { useMemo } from 'preact/hooks'
import { pathOf } from '../../client/address.ts'
import type { Entry } from '../../client/module-paths.ts'
import { useTexts } from '../../texts/use-texts.ts'
import type { Filled } from '../../ui/filled.ts'
import { Form } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { ShownTable } from '../data/table.ts'
import { EntryInput, hasOwn } from './entry-input.tsx'
import { useEntryRequests } from './entry-requests.ts'
import { bodyOf, columnsOf, type EntryValues, requireValid, valuesOf } from './entry-values.ts'
import { idOf, isWritable, labelsOf } from './fields.ts'
import { mayCreate } from './references/may-create.ts'

interface NewEntryFormProps {
  readonly shown: ShownTable
  /** The name under which the form stores typed values. */
  readonly name: string
  /** The first values of the columns. */
  readonly initial: Entry
  readonly onMade: (id: number) => void
}

export function NewEntryForm({ shown, name, initial, onMade }: NewEntryFormProps) {
  const { t } = useTexts()
  const requests = useEntryRequests(shown.record)
  const fields = columnsOf(shown).filter(isWritable)
  const values = useMemo(() => valuesOf(initial, fields), [])

  async function create(typed: EntryValues, { once }: Filled): Promise<void> {
    const filled = Object.entries(typed).filter(([column, value]) => {
      const field = fields.find((each) => each.name === column)
      return value !== '' || field === undefined || !hasOwn(field)
    })
    const given = Object.fromEntries(filled)
    requireValid(given, fields, t)
    const body = bodyOf(given, fields)
    const { record } = await requests.create(body, once(body))
    onMade(idOf(record))
  }

  return (
    <Form
      name={name}
      initial={values}
      submit={t.entries.form.create}
      labels={labelsOf(fields)}
      onSubmit={create}
    >
      {fields.map((field) => (
        <EntryInput key={field.name} field={field} isNew />
      ))}
    </Form>
  )
}

export function NewEntry({ shown }: { readonly shown: ShownTable }) {
  const { record: table, grants } = shown
  const { t } = useTexts()
  const { route } = useLocation()
  const toast = useToast()
  const initial = useMemo(() => takeCopy(table.datatable_id) ?? {}, [table.datatable_id])
  if (!mayCreate(grants)) return <Notice kind="info">{t.entries.form.readOnly}</Notice>
  return (
    <NewEntryForm
      shown={shown}
      name={`entry-${table.datatable_id}-new`}
      initial={initial}
      onMade={(id) => {
        const path = pathOf(`/data/${table.datatable_id}/${id}`)
        toast({
          text: t.entries.form.made,
          action: { text: t.entries.form.open, onPress: () => route(path) },
        })
        route(pathOf(`/data/${table.datatable_id}`))
      }}
    />
  )
}

const copies = new Map<number, Entry>()

export function leaveCopy(tableId: number, entry: Entry): void {
  copies.set(tableId, entry)
}

/** Passes a duplicated entry from its page to the form of the new entry. It is taken once. */
function takeCopy(tableId: number): Entry | undefined {
  const copy = copies.get(tableId)
  copies.delete(tableId)
  return copy
}

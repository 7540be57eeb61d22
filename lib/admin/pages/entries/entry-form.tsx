// The columns of an entry as a form, to change or view it.

import type { Entry } from '../../client/module-paths.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Clash, type ClashField } from '../../ui/clash.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Person } from '../../ui/person.tsx'
import { Form } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useToast } from '../../ui/toast.tsx'
import { type Fetched, useEdit } from '../../ui/use-edit.ts'
import { FormProvider } from '../../ui/use-form.ts'
import type { Datatable, ShownTable } from '../data/table.ts'
import { readable } from './cell-text.tsx'
import { EntryInput } from './entry-input.tsx'
import { useEntryRequests } from './entry-requests.ts'
import { bodyOf, columnsOf, type EntryValues, requireValid, valuesOf } from './entry-values.ts'
import { type EntryField, idOf, isWritable, labelsOf, valueOf } from './fields.ts'

/** The name under which the form of an entry stores typed values. */
export function formNameOf({ datatable_id: tableId }: Datatable, id: number): string {
  return `entry-${tableId}-${id}`
}

interface ChangeEntryProps {
  readonly shown: ShownTable
  readonly fetched: Fetched<Entry>
  readonly read: () => Promise<Fetched<Entry>>
  readonly onFetched: (fetched: Fetched<Entry>) => void
}

export function ChangeEntry({ shown, fetched, read, onFetched }: ChangeEntryProps) {
  const { record: table, grants } = shown
  const speech = useTexts()
  const { t } = speech
  const toast = useToast()
  const requests = useEntryRequests(table)
  const fields = columnsOf(shown)
  const id = idOf(fetched.record)

  const edit = useEdit<Entry, EntryValues>({
    fetched,
    valuesOf: (entry) => valuesOf(entry, fields),
    read,
    async send(changed, etag) {
      const given = Object.entries(changed).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value] as const],
      )
      requireValid(changed, fields, t)
      const body = bodyOf(Object.fromEntries(given), fields)
      return requests.change(id, body, etag)
    },
    onFetched,
    onSaved: () => toast({ text: t.general.saved }),
  })
  if (!grants.has('modify')) return <Looked entry={fetched.record} fields={fields} />

  const clashFields: readonly ClashField[] = fields.map((field) => ({
    name: field.name,
    label: field.label,
    text: (value) => readable(field, valueOf(field, String(value)), speech),
  }))
  return (
    <Form
      name={formNameOf(table, id)}
      initial={valuesOf(fetched.record, fields)}
      submit={t.general.save}
      labels={labelsOf(fields)}
      onSubmit={edit.save}
    >
      <Clash clash={edit.clash} fields={clashFields} />
      {fields.map((field) => (
        <EntryInput key={field.name} field={field} isReadOnly={!isWritable(field)} />
      ))}
    </Form>
  )
}

interface LookedProps {
  readonly entry: Entry
  readonly fields: readonly EntryField[]
}

/** For users who may only view the entry. */
function Looked({ entry, fields }: LookedProps) {
  const { t } = useTexts()
  const values = valuesOf(entry, fields)
  const nothing = (): void => undefined
  return (
    <div class="form">
      <Notice kind="info">{t.entries.form.readOnly}</Notice>
      <FormProvider value={{ values, set: nothing, faults: {}, keepSecret: nothing }}>
        {fields.map((field) => (
          <EntryInput key={field.name} field={field} isReadOnly isUnmarked />
        ))}
      </FormProvider>
    </div>
  )
}

/** The heading of the history on the page of an entry. */
export const HISTORY = 'entry-history'

export function EntryFacts({ entry }: { readonly entry: Entry }) {
  const { t } = useTexts()
  const { base } = t.entries
  const dateOf = (name: string): string => String(entry[name] ?? '')
  return (
    <Facts
      look="facts card entry-facts"
      facts={[
        [base.datatable_entry_id, fill('#{id}', { id: idOf(entry) })],
        [base.date_added, <DateTime date={dateOf('date_added')} />],
        [base.date_modified, <DateTime date={dateOf('date_modified')} />],
        [base.owner, <Person name={dateOf('owner')} />],
        [t.entries.history.title, <a href={`#${HISTORY}`}>{t.entries.history.show}</a>],
      ]}
    />
  )
}

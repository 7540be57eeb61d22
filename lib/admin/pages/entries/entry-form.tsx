// The columns of an entry as a form, to create, change or view it.

import { useLocation } from 'preact-iso/router'
import { useMemo } from 'preact/hooks'
import { pathOf } from '../../client/address.ts'
import type { Entry } from '../../client/module-paths.ts'
import { fill } from '../../texts/fill.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { Clash, type ClashField } from '../../ui/clash.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Facts } from '../../ui/facts.tsx'
import type { Filled } from '../../ui/filled.ts'
import { Form, InvalidFields } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useToast } from '../../ui/toast.tsx'
import { type Fetched, useEdit } from '../../ui/use-edit.ts'
import { FormProvider } from '../../ui/use-form.ts'
import type { Datatable, ShownTable } from '../data/table.ts'
import { readable } from './cell-text.tsx'
import { EntryInput, hasOwn } from './entry-input.tsx'
import { useEntryRequests } from './entry-requests.ts'
import { type EntryField, fieldsOf, idOf, textOf, valueOf, isWritable } from './fields.ts'
import { jsonFault } from './json-fault.ts'

/** Text values by column name. */
type EntryValues = Readonly<Record<string, string>>

function columnsOf({ record }: ShownTable): readonly EntryField[] {
  return fieldsOf(record).filter(({ column }) => column !== undefined)
}

function valuesOf(entry: Entry, fields: readonly EntryField[]): EntryValues {
  return Object.fromEntries(fields.map((field) => [field.name, textOf(field, entry[field.name])]))
}

function bodyOf(values: EntryValues, fields: readonly EntryField[]): Entry {
  const given = fields.filter(({ name }) => values[name] !== undefined)
  return Object.fromEntries(
    given.map((field) => [field.name, valueOf(field, values[field.name] ?? '')]),
  )
}

/** Checks required values and JSON before the request, to show the error in the page language. */
function requireValid(
  values: Partial<EntryValues>,
  fields: readonly EntryField[],
  t: Speech['t'],
): void {
  const faults = fields.flatMap((field) => {
    const { name, column } = field
    const text = values[name]
    if (text === undefined) return []
    const isMissing = column?.isRequired === true && (valueOf(field, text) ?? '') === ''
    const fault = isMissing ? t.form.required : jsonFault(field, text, t)
    return fault === undefined ? [] : [[name, fault] as const]
  })
  if (faults.length > 0) throw new InvalidFields(Object.fromEntries(faults))
}

export function NewEntry({ shown }: { readonly shown: ShownTable }) {
  const { record: table, grants } = shown
  const { t } = useTexts()
  const { route } = useLocation()
  const toast = useToast()
  const requests = useEntryRequests(table)
  const fields = columnsOf(shown).filter(isWritable)
  const initial = useMemo(
    () => valuesOf(takeCopy(table.datatable_id) ?? {}, fields),
    [table.datatable_id],
  )
  if (!grants.has('create') && !grants.has('modify'))
    return <Notice kind="info">{t.entries.form.readOnly}</Notice>

  async function create(values: EntryValues, { once }: Filled): Promise<void> {
    const filled = Object.entries(values).filter(([name, value]) => {
      const field = fields.find((each) => each.name === name)
      return value !== '' || field === undefined || !hasOwn(field)
    })
    const given = Object.fromEntries(filled)
    requireValid(given, fields, t)
    const body = bodyOf(given, fields)
    const { record } = await requests.create(body, once(body))
    const path = pathOf(`/data/${table.datatable_id}/${idOf(record)}`)
    toast({
      text: t.entries.form.made,
      action: { text: t.entries.form.open, onPress: () => route(path) },
    })
    route(pathOf(`/data/${table.datatable_id}`))
  }

  return (
    <Form
      name={`entry-${table.datatable_id}-new`}
      initial={initial}
      submit={t.entries.form.create}
      onSubmit={create}
    >
      {fields.map((field) => (
        <EntryInput key={field.name} field={field} isNew />
      ))}
    </Form>
  )
}

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
    label: field.name,
    text: (value) => readable(field, valueOf(field, String(value)), speech),
  }))
  return (
    <Form
      name={formNameOf(table, id)}
      initial={valuesOf(fetched.record, fields)}
      submit={t.general.save}
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
          <EntryInput key={field.name} field={field} isReadOnly isOptional={false} />
        ))}
      </FormProvider>
    </div>
  )
}

export function EntryFacts({ entry }: { readonly entry: Entry }) {
  const { t } = useTexts()
  const { base } = t.entries
  const dateOf = (name: string): string => String(entry[name] ?? '')
  return (
    <Facts
      facts={[
        [base.datatable_entry_id, fill('#{id}', { id: idOf(entry) })],
        [base.date_added, <DateTime date={dateOf('date_added')} />],
        [base.date_modified, <DateTime date={dateOf('date_modified')} />],
        [base.owner, <bdi>{dateOf('owner')}</bdi>],
      ]}
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

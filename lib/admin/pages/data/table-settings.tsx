// The settings of a datatable: name, folder, title column, descriptions and public access.

import { recordOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Clash, type ClashField } from '../../ui/clash.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FolderPicker } from '../../ui/record-picker.tsx'
import { Form } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useToast } from '../../ui/toast.tsx'
import { type Fetched, useEdit } from '../../ui/use-edit.ts'
import {
  PublicFields,
  publicBodyOf,
  publicClashFields,
  type PublicValues,
  publicValuesOf,
} from './public-fields.tsx'
import { type Datatable, readTable, type ShownTable } from './table.ts'
import { NO_TITLE, TitleSelect } from './title-select.tsx'

export interface TableSettingsProps {
  readonly shown: ShownTable
  /** `isMoved`: the folder has changed. */
  readonly onFetched: (fetched: Fetched<Datatable>) => void
  readonly onClose: () => void
}

const TYPES = ['Data', 'Form'] as const

interface Values extends PublicValues {
  readonly [name: string]: string | boolean
  readonly name: string
  readonly parent_category_id: string
  readonly title_field: string
  readonly datatable_type: string
  readonly title: string
  readonly description: string
}

export function TableSettings(props: TableSettingsProps) {
  const { shown, onClose } = props
  const { t } = useTexts()
  const { record, grants } = shown
  const names = namesIn(record)
  const edit = useTableEdit(props)

  return (
    <Dialog title={t.data.settings} onClose={onClose}>
      <Form
        name={`datatable-${record.datatable_id}`}
        initial={valuesOf(record)}
        submit={t.general.save}
        onSubmit={edit.save}
      >
        <Clash clash={edit.clash} fields={useFields()} />
        <TextInput name="name" label={t.data.name} hint={t.data.renameHint} isRequired isFocused />
        <FolderPicker
          name="parent_category_id"
          label={t.data.folder}
          hint={t.data.folderHint}
          empty={t.data.usualFolder}
        />
        <TitleSelect names={names} isKnown />
        <Select
          name="datatable_type"
          label={t.data.tableType}
          hint={t.data.tableTypeHint}
          options={TYPES.map((value) => ({ value, text: t.data.tableTypes[value] }))}
        />
        <TextInput name="title" label={t.data.tableTitle} isOptional />
        <TextInput name="description" label={t.data.description} rows={3} isOptional />
        <PublicFields
          kind="datatable"
          saved={record}
          names={names}
          texts={{}}
          mayPublish={grants.has('publish')}
        />
      </Form>
    </Dialog>
  )
}

function useTableEdit({ shown, onFetched, onClose }: TableSettingsProps) {
  const { t } = useTexts()
  const api = useApi()
  const toast = useToast()
  const { record } = shown
  const id = record.datatable_id
  return useEdit({
    fetched: shown,
    valuesOf,
    read: () => readTable(api, id),
    async send(changed, etag) {
      const params = { path: { id }, header: { 'If-Match': etag } }
      const options = { wasPublic: record.public, names: namesIn(record), t }
      const body = { ...bodyOf(changed), ...publicBodyOf(changed, options) }
      const fetched = await recordOf(api.PATCH('/datatable/{id}', { params, body }))
      return fetched as Fetched<Datatable>
    },
    onFetched,
    onSaved() {
      toast({ text: t.general.saved })
      onClose()
    },
  })
}

function namesIn({ columns }: Datatable): readonly string[] {
  return (columns ?? []).map(({ name }) => name)
}

function useFields(): readonly ClashField[] {
  const { t } = useTexts()
  return [
    { name: 'name', label: t.data.name, text: String },
    { name: 'parent_category_id', label: t.data.folder, text: (value) => `#${String(value)}` },
    {
      name: 'title_field',
      label: t.data.titleField,
      text: (value) => (value === NO_TITLE ? t.general.none : String(value)),
    },
    { name: 'datatable_type', label: t.data.tableType, text: String },
    { name: 'title', label: t.data.tableTitle, text: String },
    { name: 'description', label: t.data.description, text: String },
    ...publicClashFields(t),
  ]
}

function valuesOf(record: Datatable): Values {
  return {
    name: record.name,
    parent_category_id: String(record.parent_category_id),
    title_field: record.title_field ?? NO_TITLE,
    datatable_type: record.datatable_type ?? 'Data',
    title: record.title ?? '',
    description: record.description ?? '',
    ...publicValuesOf(record),
  }
}

function bodyOf(changed: Partial<Values>) {
  const { name, parent_category_id: folder, title_field: field, datatable_type: type } = changed
  const { title, description } = changed
  return {
    ...(name !== undefined && { name }),
    ...(folder !== undefined && folder !== '' && { parent_category_id: Number(folder) }),
    ...(field !== undefined && { title_field: field === NO_TITLE ? null : field }),
    ...(type !== undefined && { datatable_type: TYPES.find((each) => each === type) ?? null }),
    ...(title !== undefined && { title: title === '' ? null : title }),
    ...(description !== undefined && { description: description === '' ? null : description }),
  }
}

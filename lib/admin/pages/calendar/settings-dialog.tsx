// The settings of a calendar: name, folder, time zone, columns and public access.

import { type Api, dataOf, recordOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { allZones } from '../../client/time-zones.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { Clash, type ClashField } from '../../ui/clash.tsx'
import { DeleteForm } from '../../ui/delete-form.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FolderPicker } from '../../ui/record-picker.tsx'
import { Form, InvalidFields } from '../../ui/form.tsx'
import { Picker } from '../../ui/picker.tsx'
import { Select } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { type Fetched, useEdit } from '../../ui/use-edit.ts'
import { fill } from '../../texts/fill.ts'
import { useForm } from '../../ui/use-form.ts'
import {
  PublicFields,
  publicBodyOf,
  publicClashFields,
  type PublicValues,
  publicValuesOf,
} from '../data/public-fields.tsx'
import { ColumnsField, renamesMember } from '../data/columns-field.tsx'
import { namesOf } from '../data/schema-draft.ts'
import type { CalendarRecord } from './events.ts'

export interface SettingsDialogProps {
  readonly fetched: Fetched<CalendarRecord>
  readonly mayPublish: boolean
  readonly onClose: () => void
  readonly onFetched: (fetched: Fetched<CalendarRecord>) => void
  readonly onSaved: () => void
}

const DISPLAYS = ['Calendar', 'News', 'Forum', 'Photos', 'Landing Page', 'Other'] as const

export function SettingsDialog(props: SettingsDialogProps) {
  const { fetched, mayPublish, onClose, onFetched, onSaved } = props
  const { t } = useTexts()
  const api = useApi()
  const id = fetched.record.calendar_id

  async function send(changed: Partial<Values>, etag: string): Promise<Fetched<CalendarRecord>> {
    if (changed.parent_category_id === '')
      throw new InvalidFields({ parent_category_id: t.form.required })
    const params = { path: { id }, header: { 'If-Match': etag } }
    const schema = changed.table_schema ?? fetched.record.table_schema ?? ''
    const options = { wasPublic: fetched.record.public, names: publicNames(schema), t }
    const base = fetched.record.table_schema ?? ''
    const renames = renamesMember(changed.renames ?? '', { text: schema, base })
    const body = { ...bodyOf(changed), ...renames, ...publicBodyOf(changed, options) }
    const saved = await recordOf(api.PATCH('/calendar/{id}', { params, body }))
    return saved as Fetched<CalendarRecord>
  }

  const read = (): Promise<Fetched<CalendarRecord>> => readCalendar(api, id)
  const edit = useEdit({ fetched, valuesOf, read, send, onFetched, onSaved })
  return (
    <Dialog title={t.calendar.settings} onClose={onClose}>
      <Form
        name={`calendar-${id}`}
        initial={valuesOf(fetched.record)}
        submit={t.general.save}
        onSubmit={edit.save}
      >
        <Clash clash={edit.clash} fields={fieldsIn(t)} />
        <TextInput name="name" label={t.calendar.name} isRequired isFocused />
        <FolderPicker name="parent_category_id" label={t.calendar.folder} empty="" />
        <Picker
          name="time_zone"
          label={t.calendar.timeZone}
          hint={t.calendar.timeZoneHint}
          empty={t.calendar.timeZoneNone}
          find={(text) => Promise.resolve(findZones(text))}
          nameOf={(zone) => Promise.resolve(zone)}
        />
        <Select
          name="display_type"
          label={t.calendar.display}
          options={[
            { value: '', text: t.calendar.displays.none },
            ...DISPLAYS.map((each) => ({ value: each, text: t.calendar.displays[each] })),
          ]}
        />
        <TextInput name="description" label={t.calendar.fields.description} rows={3} isOptional />
        <ColumnsPart saved={fetched.record} />
        <TitleField known={fetched.record.title_field} />
        <PublicPart saved={fetched.record} mayPublish={mayPublish} />
      </Form>
    </Dialog>
  )
}

/** The columns as a list and as text. */
function ColumnsPart({ saved }: { readonly saved: CalendarRecord }) {
  const { t } = useTexts()
  return (
    <>
      <p class="field-label">{t.calendar.columns}</p>
      <ColumnsField
        name="table_schema"
        renamesName="renames"
        base={saved.table_schema ?? ''}
        titleField={saved.title_field}
      />
      <TextInput
        name="table_schema"
        label={t.data.schemaText}
        hint={t.calendar.columnsHint}
        rows={2}
        isOptional
      />
    </>
  )
}

/** Offers the columns as currently typed. */
function TitleField({ known }: { readonly known: string | null }) {
  const { t } = useTexts()
  const { values } = useForm()
  const names = namesOf(String(values['table_schema'] ?? ''))
  const all = known === null || names.includes(known) ? names : [known, ...names]
  if (all.length === 0) return null
  return (
    <Select
      name="title_field"
      label={t.calendar.titleField}
      hint={t.calendar.titleFieldHint}
      options={[
        { value: '', text: t.general.none },
        ...all.map((each) => ({ value: each, text: each })),
      ]}
    />
  )
}

/** The fields that everybody can read or not: the columns, and these two fields of all events. */
function publicNames(schema: string): readonly string[] {
  return [...CHOSEN_FIELDS, ...namesOf(schema)]
}

const CHOSEN_FIELDS = ['location', 'description'] as const

interface PublicPartProps extends Pick<SettingsDialogProps, 'mayPublish'> {
  readonly saved: CalendarRecord
}

/** Offers the columns as currently typed. */
function PublicPart({ saved, mayPublish }: PublicPartProps) {
  const { t } = useTexts()
  const { values } = useForm()
  const { place, description } = t.calendar.fields
  return (
    <PublicFields
      kind="calendar"
      saved={saved}
      names={publicNames(String(values['table_schema'] ?? ''))}
      texts={{ location: place, description }}
      mayPublish={mayPublish}
    />
  )
}

export async function readCalendar(
  api: Api,
  id: number,
  signal?: AbortSignal,
): Promise<Fetched<CalendarRecord>> {
  const init = { ...(signal !== undefined && { signal }), params: { path: { id } } }
  // Without `fields`, the response has all fields.
  return (await recordOf(api.GET('/calendar/{id}', init))) as Fetched<CalendarRecord>
}

interface Values extends PublicValues {
  readonly [name: string]: string | boolean
  readonly name: string
  readonly parent_category_id: string
  readonly time_zone: string
  readonly display_type: string
  readonly description: string
  readonly table_schema: string
  /** New and old names of columns as JSON. */
  readonly renames: string
  readonly title_field: string
}

function valuesOf(record: CalendarRecord): Values {
  return {
    name: record.name,
    parent_category_id: String(record.parent_category_id),
    time_zone: record.time_zone ?? '',
    display_type: record.display_type ?? '',
    description: record.description ?? '',
    table_schema: record.table_schema ?? '',
    renames: '',
    title_field: record.title_field ?? '',
    ...publicValuesOf(record),
  }
}

function bodyOf(changed: Partial<Values>) {
  const { parent_category_id: folder, time_zone: zone, display_type: display } = changed
  const { name, description, table_schema: schema, title_field: title } = changed
  return {
    ...(name !== undefined && { name }),
    ...(folder !== undefined && { parent_category_id: Number(folder) }),
    ...(zone !== undefined && { time_zone: zone === '' ? 'UTC' : zone }),
    ...(display !== undefined && {
      display_type: DISPLAYS.find((each) => each === display) ?? null,
    }),
    ...(description !== undefined && { description: description.trim() || null }),
    ...(schema !== undefined && { table_schema: schema.trim() || null }),
    ...(title !== undefined && { title_field: title || null }),
  }
}

const MOST = 30

function findZones(text: string) {
  const wanted = text.toLowerCase().replaceAll(' ', '_')
  return allZones()
    .filter((zone) => zone.toLowerCase().includes(wanted))
    .slice(0, MOST)
    .map((zone) => ({ value: zone, text: zone }))
}

function fieldsIn(t: Speech['t']): readonly ClashField[] {
  const text = (value: unknown): string => String(value) || t.general.none
  return [
    { name: 'name', label: t.calendar.name, text },
    { name: 'parent_category_id', label: t.calendar.folder, text: (value) => `#${String(value)}` },
    { name: 'time_zone', label: t.calendar.timeZone, text },
    { name: 'display_type', label: t.calendar.display, text },
    { name: 'description', label: t.calendar.fields.description, text },
    { name: 'table_schema', label: t.calendar.columns, text },
    { name: 'title_field', label: t.calendar.titleField, text },
    ...publicClashFields(t),
  ]
}

export interface DeleteCalendarProps {
  readonly calendar: CalendarRecord
  readonly onClose: () => void
  readonly onDeleted: () => void
}

export function DeleteCalendar({ calendar, onClose, onDeleted }: DeleteCalendarProps) {
  const { t, formats } = useTexts()
  const api = useApi()
  const { calendar_id: id, name, entry_count: count } = calendar
  return (
    <Dialog title={t.calendar.deleteCalendar} onClose={onClose}>
      <DeleteForm
        name={name}
        isFull={count > 0}
        submit={t.calendar.deleteCalendar}
        onDelete={async () => {
          await dataOf(api.DELETE('/calendar/{id}', { params: { path: { id } } }))
          onDeleted()
        }}
      >
        <p>{fill(t.calendar.deleteCalendarText, { name })}</p>
        {count > 0 && <p>{formats.count(t.calendar.holds, count)}</p>}
      </DeleteForm>
    </Dialog>
  )
}

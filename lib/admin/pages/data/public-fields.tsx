// The settings of a datatable or calendar that decide what everybody can read without signing in.
//
//   <PublicFields kind="datatable" saved={record} names={names} texts={{}} mayPublish={grants.has('publish')} />

import type { components } from '../../client/interface.d.ts'
import { isObject, parseJson } from '../../client/stored.ts'
import { fill } from '../../texts/fill.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import type { ClashField } from '../../ui/clash.tsx'
import { InvalidFields } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useForm } from '../../ui/use-form.ts'
import { ALL, ChoiceField, chosenOf } from '../webhooks/choice-field.tsx'

type PublicSettings = Pick<
  components['schemas']['datatable'],
  'public' | 'public_columns' | 'public_filter' | 'public_since'
>

export interface PublicValues {
  readonly public: boolean
  /** ALL, or names separated by commas. */
  readonly public_columns: string
  /** A qry as JSON; '' for all entries. */
  readonly public_filter: string
}

export function publicValuesOf(record: PublicSettings): PublicValues {
  const { public: isPublic, public_columns: columns, public_filter: filter } = record
  return {
    public: isPublic,
    public_columns: columns?.join(',') ?? ALL,
    public_filter: filter === null ? '' : JSON.stringify(filter),
  }
}

interface BodyOptions {
  /** The setting that is saved at present. */
  readonly wasPublic: boolean
  /** The columns that can be public. */
  readonly names: readonly string[]
  readonly t: Speech['t']
}

/** Throws InvalidFields for a filter that is not a JSON object. If the module is not public, hidden fields are not sent. */
export function publicBodyOf(
  values: Partial<PublicValues>,
  { wasPublic, names, t }: BodyOptions,
): Partial<Omit<PublicSettings, 'public_since'>> {
  const { public: isPublic, public_columns: columns, public_filter: filter } = values
  const own = isPublic === undefined ? {} : { public: isPublic }
  if (!(isPublic ?? wasPublic)) return own
  return {
    ...own,
    ...(columns !== undefined && { public_columns: chosenOf(names, columns) }),
    ...(filter !== undefined && { public_filter: filterOf(filter, t) }),
  }
}

function filterOf(text: string, t: Speech['t']): PublicSettings['public_filter'] {
  if (text.trim() === '') return null
  const filter = parseJson(text)
  if (!isObject(filter)) throw new InvalidFields({ public_filter: t.publicAccess.noObject })
  return filter
}

export function publicClashFields(t: Speech['t']): readonly ClashField[] {
  const text = (value: unknown): string => String(value) || t.general.none
  return [
    {
      name: 'public',
      label: t.publicAccess.title,
      text: (isPublic) => (isPublic === true ? t.general.public : t.publicAccess.no),
    },
    {
      name: 'public_columns',
      label: t.publicAccess.columns,
      text: (value) => (value === ALL ? t.publicAccess.allColumns : text(value)),
    },
    { name: 'public_filter', label: t.publicAccess.filter, text },
  ]
}

interface PublicFieldsProps {
  readonly kind: 'datatable' | 'calendar'
  readonly saved: PublicSettings
  /** The columns that can be public. */
  readonly names: readonly string[]
  /** Names that people read, where they differ from those of the columns. */
  readonly texts: Readonly<Record<string, string>>
  readonly mayPublish: boolean
}

export function PublicFields(props: PublicFieldsProps) {
  const { names, texts, mayPublish } = props
  const { t } = useTexts()
  const { values, faults } = useForm()
  // A dropped column may make a filter invalid that is hidden here.
  const isOpen = values['public'] === true || faults['public_filter'] !== undefined
  return (
    <fieldset class="public-fields">
      <legend class="field-label">{t.publicAccess.title}</legend>
      {mayPublish && <Checkbox name="public" label={t.general.public} />}
      {mayPublish && isOpen && (
        <>
          <ChoiceField
            name="public_columns"
            label={t.publicAccess.columns}
            all={t.publicAccess.allColumns}
            allHint={t.publicAccess.allColumnsHint}
            some={t.publicAccess.someColumns}
            known={names}
            texts={texts}
          />
          <TextInput
            name="public_filter"
            label={t.publicAccess.filter}
            hint={t.publicAccess.filterHint}
            rows={2}
            isOptional
          />
        </>
      )}
      <Effect {...props} />
      {!mayPublish && <p class="quiet">{t.publicAccess.missing}</p>}
      {!mayPublish && faults['public_filter'] !== undefined && (
        <p class="field-fault">{faults['public_filter']}</p>
      )}
    </fieldset>
  )
}

/** Says what everybody can read with the values of the form, and since when. */
function Effect({ kind, saved, names, texts }: PublicFieldsProps) {
  const { t, formats } = useTexts()
  const { values } = useForm()
  const words = t.publicAccess[kind]
  if (values['public'] !== true) return <Notice kind="info">{words.closed}</Notice>

  const chosen = chosenOf(names, String(values['public_columns']))
  const filter = String(values['public_filter']).trim()
  const listed = chosen?.map((name) => texts[name] ?? name).join(', ')
  const columns =
    listed === undefined
      ? words.all
      : listed === ''
        ? words.none
        : fill(words.some, { names: listed })
  const { public: wasPublic, public_since: since } = saved
  return (
    <Notice kind="info">
      <Sentence
        text={filter === '' ? words.every : words.matching}
        values={{ columns: <bdi>{columns}</bdi>, filter: <code>{filter}</code> }}
      />
      {wasPublic && since !== null && (
        <> {fill(t.publicAccess.since, { time: formats.dateTime(new Date(since)) })}</>
      )}
    </Notice>
  )
}

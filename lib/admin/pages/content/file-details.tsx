// The fields of a file: editable fields in a form, the rest as facts. After a conflict, the other user's changes
// appear next to the typed values; saving again replaces them.

import { Fragment } from 'preact'
import { useState } from 'preact/hooks'
import { SERVER } from '../../client/address.ts'
import { recordOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { Problem } from '../../client/problem.ts'
import { picturePresets } from '../../client/site-changes.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { StatusBadge } from '../../ui/badge.tsx'
import { Bytes } from '../../ui/bytes.tsx'
import { CodeLine } from '../../ui/code-line.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Form } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { Person } from '../../ui/person.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { useToast } from '../../ui/toast.tsx'
import { LAYOUT, LayoutField, layoutId, layoutText } from './layout-field.tsx'
import { AltFields, PictureFields } from './picture-fields.tsx'
import { type FileRecord, isPage, readFile } from './records.ts'
import { isImage, isResized } from './thumbnail.tsx'
import { UsedOn } from './used-on.tsx'
import { VersionNumbers } from './version-numbers.tsx'

export interface FileDetailsProps {
  readonly fileId: number
  readonly mayChange: boolean
  readonly onChange: () => void
}

export function FileDetailsDialog({
  file,
  onClose,
  ...details
}: {
  readonly file: FileRecord
  readonly mayChange: boolean
  readonly onClose: () => void
  readonly onChange: () => void
}) {
  return (
    <Dialog title={file.name} onClose={onClose}>
      <FileDetails fileId={file.asset_file_id} {...details} />
    </Dialog>
  )
}

export function FileDetails({ fileId, mayChange, onChange }: FileDetailsProps) {
  const api = useApi()
  const loaded = useRequest((signal) => readFile(api, fileId, signal), [fileId])
  if (loaded.data === undefined) return <Loading {...loaded} lines={8} />
  const { record } = loaded.data
  return (
    <div class="details">
      {mayChange && (
        <DetailsForm
          key={fileId}
          loaded={loaded.data}
          onSaved={(next) => {
            loaded.set(next)
            onChange()
          }}
        />
      )}
      <FileFacts record={record} isAll={!mayChange} />
      <UsedOn fileId={fileId} />
    </div>
  )
}

interface Loaded {
  readonly record: FileRecord
  readonly etag: string
}

const FIELDS = ['name', 'title', 'type', 'description', 'alt_text', 'focus', LAYOUT] as const

type Field = (typeof FIELDS)[number]

interface Values extends Readonly<Record<Field, string>> {
  /** The alternative text is "": screen readers skip the picture. */
  readonly [name: string]: string | boolean
  readonly isDecorative: boolean
}

function valuesOf(record: FileRecord): Values {
  const { name, type, title, description, alt_text, focus } = record
  const texts = { title: title ?? '', description: description ?? '' }
  const ofPicture = { alt_text: alt_text ?? '', isDecorative: alt_text === '', focus: focus ?? '' }
  return { name, type, ...texts, ...ofPicture, layout_file_id: layoutText(record[LAYOUT]) }
}

function bodyOf(values: Values): Readonly<Record<Field, string | number | null>> {
  const { name, type, title, description, alt_text, isDecorative, focus } = values
  const texts = { title: title || null, description: description || null }
  return {
    name,
    type,
    ...texts,
    alt_text: isDecorative ? '' : alt_text || null,
    focus: focus || null,
    layout_file_id: layoutId(values[LAYOUT]),
  }
}

interface DetailsFormProps {
  readonly loaded: Loaded
  readonly onSaved: (loaded: Loaded) => void
}

function DetailsForm({ loaded, onSaved }: DetailsFormProps) {
  const { t } = useTexts()
  const api = useApi()
  const toast = useToast()
  const [base, setBase] = useState(loaded)
  const [theirs, setTheirs] = useState<readonly Field[]>([])
  const { asset_file_id: id } = loaded.record

  async function save(typed: Values): Promise<void> {
    const before = bodyOf(valuesOf(base.record))
    const next = bodyOf(typed)
    const changed = FIELDS.filter((field) => next[field] !== before[field])
    const body = Object.fromEntries(changed.map((field) => [field, next[field]]))
    try {
      const { record, etag } = await recordOf(
        api.PATCH('/asset_file/{id}', {
          params: { path: { id }, header: { 'If-Match': base.etag } },
          body,
        }),
      )
      const saved = { record, etag }
      setBase(saved)
      setTheirs([])
      onSaved(saved)
      toast({ text: t.general.saved })
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'precondition-failed') throw error
      const now = await readFile(api, id)
      const other = bodyOf(valuesOf(now.record))
      setTheirs(FIELDS.filter((field) => other[field] !== before[field]))
      setBase(now)
      throw error
    }
  }

  return (
    <Form
      name={`file-${id}`}
      initial={valuesOf(loaded.record)}
      submit={t.general.save}
      onSubmit={save}
    >
      {theirs.length > 0 && <Theirs fields={theirs} record={base.record} />}
      {isResized(loaded.record) ? (
        <PictureFields file={loaded.record} />
      ) : (
        isImage(loaded.record) && <AltFields />
      )}
      <TextInput name="name" label={t.content.name} isRequired />
      <TextInput name="title" label={t.content.titleField} isOptional />
      <TextInput name="description" label={t.content.description} rows={3} isOptional />
      {isPage(loaded.record) && (
        <LayoutField inherited={t.content.layout.ofFolder} hint={t.content.layout.hint} />
      )}
      <TextInput name="type" label={t.content.type} hint={t.content.typeHint} isRequired />
    </Form>
  )
}

function Theirs({
  fields,
  record,
}: {
  readonly fields: readonly Field[]
  readonly record: FileRecord
}) {
  const { t } = useTexts()
  const values = {
    ...bodyOf(valuesOf(record)),
    ...(record.alt_text === '' && { alt_text: t.content.decorative }),
  }
  const names: Readonly<Record<Field, string>> = {
    name: t.content.name,
    title: t.content.titleField,
    type: t.content.type,
    description: t.content.description,
    alt_text: t.content.altText,
    focus: t.content.focus,
    layout_file_id: t.content.layout.label,
  }
  return (
    <Notice kind="info" title={t.content.theirs}>
      <Facts
        look="facts"
        facts={fields.map((field) => [names[field], <bdi>{values[field] || t.general.none}</bdi>])}
      />
      <p>{t.content.theirsHint}</p>
    </Notice>
  )
}

/** Read-only facts; with isAll, the editable fields too. */
function FileFacts({ record, isAll }: { readonly record: FileRecord; readonly isAll: boolean }) {
  const { t } = useTexts()
  const address = new URL(record.url, `${SERVER}/`).href
  const pixels = record.width !== null && `${record.width} × ${record.height ?? 0}`
  const own = isAll
    ? ([
        [
          t.content.altText,
          isImage(record) && (
            <bdi>
              {record.alt_text === '' ? t.content.decorative : (record.alt_text ?? t.general.none)}
            </bdi>
          ),
        ],
        [t.content.pixels, pixels],
        [t.content.titleField, <bdi>{record.title ?? t.general.none}</bdi>],
        [t.content.description, <bdi>{record.description ?? t.general.none}</bdi>],
        [t.content.type, record.type],
      ] as const)
    : []
  const facts = [
    ...own,
    [t.content.state, <StatusBadge file={record} />],
    [t.content.versions, <VersionNumbers file={record} />],
    [t.content.size, <Bytes count={record.size} />],
    [t.content.mediaType, record.mime_type],
    [t.content.pixels, !isAll && !isResized(record) && pixels],
    [t.content.modified, <DateTime date={record.date_modified} />],
    [t.content.added, <DateTime date={record.date_added} />],
    [t.content.publishedAt, <DateTime date={record.date_published} />],
    [t.content.owner, <Person name={record.owner} />],
  ] as const
  return (
    <div class="facts-all">
      <Facts look="facts" facts={facts} />
      <p class="field-label">{t.content.address}</p>
      <CodeLine text={address} label={t.content.address} />
      <p class="field-hint">{t.content.addressHint}</p>
      {isResized(record) &&
        picturePresets().map((name) => (
          <Fragment key={name}>
            <p class="field-label">{fill(t.content.inSize, { name })}</p>
            <CodeLine text={`${address}?preset=${name}`} label={fill(t.content.inSize, { name })} />
          </Fragment>
        ))}
      <p class="field-label">{t.content.checksum}</p>
      <CodeLine text={record.sha256} label={t.content.checksum} />
    </div>
  )
}
